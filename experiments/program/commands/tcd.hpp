#pragma once

#include "wormcast/experiments/program/commands/config_options.hpp"

#include <string>
#include <vector>

namespace wormcast {

/// What the command line says of matrices of the total communication distance.
struct TcdArguments {
  ConfigSource config;
  std::vector<std::string> values; ///< names of tcd_value_names; none: all that exist
  std::string format = "text";     ///< or "csv"
  std::string out = "-";
  std::vector<std::string> pictures;
};

/// --values and --picture.
std::vector<CommandOption> tcd_options(TcdArguments& arguments);

/// Writes the total communication distance of the configured broadcast from every source. Returns the exit code.
int show_tcd(const TcdArguments& arguments, Verbosity verbosity);

} // namespace wormcast
