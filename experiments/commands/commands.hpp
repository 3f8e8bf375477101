#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace wormcast {

/// What the program's exit code says.
namespace exit_code {
enum ExitCode : int {
  done = 0,
  other = 1,        ///< anything else: an output that cannot be written, a broken invariant
  bad_input = 2,    ///< bad usage or bad input
  failed_check = 3, ///< a check or reproduction failed
  deadlock = 4      ///< the simulated network came to a stop
};
} // namespace exit_code

/// How much the program says on stderr.
enum class Verbosity {
  quiet,  ///< errors only
  normal, ///< and what a user should know, progress included
  verbose ///< and how it is done
};

/// What all commands share. Options are read before a command's action runs.
struct CommandContext {
  Verbosity verbosity = Verbosity::normal;
  /// Set by the chosen command: does the work and returns an exit code. It throws what goes wrong; main turns
  /// exceptions into one line of text and an exit code (InputError: bad_input; OutputError and all others: other).
  std::function<int()> action;
};

/// Each adds one command with its options to `app`; the command's callback sets `context.action`.
void add_run_command(CLI::App& app, CommandContext& context);
void add_sweep_command(CLI::App& app, CommandContext& context);
void add_contention_command(CLI::App& app, CommandContext& context);
void add_view_command(CLI::App& app, CommandContext& context);
void add_schedule_command(CLI::App& app, CommandContext& context);
void add_check_command(CLI::App& app, CommandContext& context);
void add_compare_command(CLI::App& app, CommandContext& context);
void add_tcd_command(CLI::App& app, CommandContext& context);
void add_topology_command(CLI::App& app, CommandContext& context);
void add_reproduce_command(CLI::App& app, CommandContext& context);
void add_list_command(CLI::App& app, CommandContext& context);

} // namespace wormcast
