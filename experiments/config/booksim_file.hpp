#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A configuration of BookSim2 as one of this program.
struct ImportedConfig {
  std::string toml;                  ///< [topology] and [network], ready for [algorithm] and [message]
  std::vector<std::string> left_out; ///< options that are there but say nothing of the network: traffic, measurement
  std::vector<std::string> notes;    ///< what is the same in the mean alone, not cycle by cycle
};

/// Reads a BookSim2 configuration ("name = value;", comments from // on). Options that are not there have BookSim2's
/// defaults. Throws InputError with file and line for text that is no such configuration, for unknown options, and,
/// with all of them, for options of the network and its routers that router "input_queued" does not cover.
ImportedConfig import_booksim(std::string_view text, const std::string& file);

} // namespace wormcast
