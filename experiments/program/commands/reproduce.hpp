#pragma once

#include "wormcast/experiments/program/commands/command.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// What the command line says of a reproduction.
struct ReproduceArguments {
  std::vector<std::string> names; ///< of claims and papers; none: all
  bool list = false;              ///< of claims instead of measurements
  SharingArguments sharing;
  std::optional<std::int64_t> jobs;
};

/// The command `reproduce` as the program that measures claims has it; `reproduce_command` is the same elsewhere, done
/// by that program.
Command measuring_command(const std::function<int(const ReproduceArguments&, Verbosity)>& reproduce);

} // namespace wormcast
