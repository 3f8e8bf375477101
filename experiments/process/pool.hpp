#pragma once

#include "wormcast/experiments/process/interruption.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wormcast {

/// The outcome of a process, as its parent receives it.
struct ProcessReport {
  int code = 0; ///< 0..255, without meaning to the pool
  std::string text;
};

/// How a process ended.
struct ProcessOutcome {
  std::size_t task = 0;        ///< the number given to ProcessPool::start
  ProcessReport report;        ///< empty where the process was killed
  int signal = 0;              ///< the signal that ended the process; 0: it ended by itself
  std::string captured_output; ///< captured output: the end (at most 4 KiB) of the process's stdout and stderr
  double wall_seconds = 0;     ///< from fork to end
  double processor_seconds = 0;
};

/// How a process ended that sent no report, with the last line that it wrote.
std::string describe_death(const ProcessOutcome& outcome);

/// SIGINT, SIGTERM and SIGHUP as a value to poll instead of the end of the program, as long as the object lives; except
/// those that the caller of the program has it ignore. One at a time: a second object while the first lives is a broken
/// invariant.
class InterruptGuard {
public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Returns the signal received, or 0.
  static int received();

private:
  std::array<struct sigaction, interrupting_signals.size()> previous_ = {};
};

/// Runs tasks in child processes, several at a time. Each task gets a fork of this process, so it starts from the same
/// state as any other and can end only itself. Children die with their parent, whatever ends it, and take no notice of
/// the terminal's interrupt: their parent decides. Nothing may have started threads before.
class ProcessPool {
public:
  ProcessPool() = default;
  /// Ends the children that still run, a group with all its processes.
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  /// Forks a child that calls `work` and sends back its report; an exception that leaves `work` ends the child by
  /// SIGABRT. Returns false where the system has no process or file descriptor left but children run, so that trying
  /// again after the next outcome makes sense; throws std::system_error where none runs.
  /// As a group the child leads a process group of its own, with all that it starts.
  bool start(std::size_t task, const std::function<ProcessReport()>& work, bool as_group = false);

  /// Waits for the end of a child: its outcome, or none after `timeout`, or at once when a signal that an
  /// InterruptGuard watches has come. Only with children running.
  std::optional<ProcessOutcome> wait(std::chrono::milliseconds timeout);

  std::size_t running() const { return children_.size(); }

private:
  struct Child {
    std::size_t task = 0;
    pid_t pid = -1;
    int report_pipe = -1; ///< -1: at its end
    int output_pipe = -1;
    std::string report;
    std::string captured_output;
    std::chrono::steady_clock::time_point started;
    bool is_group = false;
    std::optional<int> status; ///< once it has ended
    double processor_seconds = 0;

    bool is_silent() const { return report_pipe < 0 && output_pipe < 0; }
    bool has_ended(bool wait = false);
  };

  ProcessOutcome reap(std::size_t position);

  std::vector<Child> children_;
};

/// Runs a program with `arguments` (the first is searched in PATH) in folder `folder` and waits for it; its stdin is
/// empty. The outcome's code is its exit code (127 with the reason as text: it could not be executed),
/// `captured_output` the text of its stdout and stderr.
ProcessOutcome execute_program(std::span<const std::string> arguments, const std::string& folder);

/// The input, output, time limit and environment of a program.
struct ProgramLimits {
  std::filesystem::path input = {};  ///< its stdin; none: empty
  std::filesystem::path output = {}; ///< a new file for its stdout; none: it goes to `captured_output`
  std::optional<std::chrono::milliseconds> limit = {}; ///< it is killed after this long, with all that it started
  std::optional<std::uint64_t> file_bytes = {};        ///< no file that it writes becomes larger: SIGXFSZ ends it
  std::vector<std::string> environment = {};           ///< "NAME=VALUE": variables in addition to this process's
};

/// The same; no outcome where the program did not end in time.
std::optional<ProcessOutcome> execute_program(std::span<const std::string> arguments, const std::string& folder,
                                              const ProgramLimits& limits);

} // namespace wormcast
