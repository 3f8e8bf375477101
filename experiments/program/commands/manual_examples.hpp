#pragma once

#include <string_view>
#include <vector>

namespace wormcast {

/// One example of a manual page: what it does, and its command lines. They run at the top of the source tree, those of
/// a command in their order.
struct ManualExample {
  std::string_view text;
  std::vector<std::string_view> lines;
};

/// The examples of a command's manual page; "" names the program's own page. Empty: there is no such command.
std::vector<ManualExample> manual_examples(std::string_view command);

} // namespace wormcast
