#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace wormcast {

/// The program that a shell would run under this name: itself where it has a "/", else the first one in PATH. None
/// where there is no file that can be executed.
std::optional<std::filesystem::path> find_program(std::string_view name);

/// How a program ended.
struct ProgramExit {
  int code = 0;
  int signal = 0; ///< that ended it; 0: it ended by itself, with `code`
};

/// How a program is run.
struct ForegroundOptions {
  std::optional<std::filesystem::path> output =
      {}; ///< the file of its standard output and stderr; none: this process's
  /// The processor time after which SIGXCPU ends each of its processes; none: there is no limit.
  std::optional<std::uint64_t> processor_seconds = {};
};

/// Runs a program and waits for it; it shares this process's standard input, with `environment` in addition to this
/// process's own. It receives SIGTERM if this process ends before it. Throws std::system_error if no process can be
/// made; a program that cannot be executed ends with code 127.
ProgramExit run_in_foreground(std::span<const std::string> arguments,
                              std::span<const std::pair<std::string, std::string>> environment,
                              const ForegroundOptions& options = {});

/// Whether the processor time was over: the program ended by SIGXCPU, or a shell that says so of its own program did.
bool is_out_of_time(const ProgramExit& exit);

} // namespace wormcast
