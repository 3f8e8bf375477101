#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/program/commands/command.hpp"
#include "wormcast/experiments/run/explanation.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The argument CONFIG and the options --set and --unset, followed by `others`.
std::vector<CommandOption> config_options(ConfigSource& arguments, std::vector<CommandOption> others);

/// --unchecked.
CommandOption unchecked_option(ConfigSource& arguments);

/// --explain and --explain=all; the target is set to "summary" or "all".
CommandOption explain_option(std::string& explain);

/// The value of explain_option(); empty: not given.
PathDetail path_detail(std::string_view explain);

/// --set alone.
CommandOption override_option(std::vector<std::string>& overrides);

/// --unset alone.
CommandOption removal_option(std::vector<std::string>& removals);

/// The configuration of the arguments. Throws InputError if it has a [sweep]: `command` needs one value of every key.
RawConfig read_single_config(const ConfigSource& arguments, std::string_view command);

/// Throws InputError if `config` has a [sweep].
void refuse_sweep(const RawConfig& config, std::string_view command);

/// --algorithms of commands that compare those of `wormcast list algorithms`.
CommandOption algorithms_option(std::vector<std::string>& algorithms);

/// --jobs; `text` says what is done at the same time.
CommandOption jobs_option(std::optional<std::int64_t>& jobs, const std::string& text);

/// --repeat of commands that say which algorithm is the fastest (repeats_of).
CommandOption repeat_option(std::optional<std::int64_t>& repeat);

/// Warns where --repeat asks for several runs of what is the same with every seed.
void warn_of_equal_runs(const Experiment& experiment, const std::optional<std::int64_t>& repeat);

/// How many processes to run at a time, each of `threads` threads: without --jobs as many as the processor cores that
/// this process may use have room for, at least one, or one where it is one of several ranks (this_launch). Throws
/// InputError on numbers outside 1 .. 4096.
std::size_t job_count(const std::optional<std::int64_t>& jobs, std::uint32_t threads = 1);

} // namespace wormcast
