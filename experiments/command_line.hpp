#pragma once

#include "experiments/config.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// CONFIG and --set, which most commands have.
struct ConfigArguments {
  std::string file;
  std::vector<std::string> overrides;
};

/// Adds the positional argument CONFIG and the option --set, which may be given several times.
void add_config_arguments(CLI::App& command, ConfigArguments& arguments);

/// Adds --set alone.
void add_override_option(CLI::App& command, std::vector<std::string>& overrides);

/// Adds --jobs; `text` says what is done at the same time.
void add_jobs_option(CLI::App& command, std::optional<std::int64_t>& jobs, const std::string& text);

/// How many processes to run at a time: without --jobs one for each processor core that this process may use. Throws
/// InputError on numbers outside 1 .. 4096.
std::size_t job_count(const std::optional<std::int64_t>& jobs);

/// Throws InputError if `config` has a [sweep]: `command` needs one value of every key.
void refuse_sweep(const RawConfig& config, std::string_view command);

/// Accepts one of `choices`; else the error names them, and the nearest one.
CLI::Validator one_of(const std::vector<std::string>& choices);

/// What is wrong with a command line that CLI11 did not accept, with the nearest command or option.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

} // namespace wormcast
