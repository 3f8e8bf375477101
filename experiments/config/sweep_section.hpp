#pragma once

#include <span>
#include <string>

namespace wormcast {

/// One form of an entry in [sweep].
struct SweepSyntax {
  std::string key;
  std::string value;
  std::string text; ///< its effect, as text
};

/// All of them, for help and reference.
std::span<const SweepSyntax> sweep_syntax();

} // namespace wormcast
