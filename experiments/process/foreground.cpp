#include "wormcast/experiments/process/foreground.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace wormcast {

namespace {

bool can_be_executed(const std::filesystem::path& file)
{
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

// Ends the process where that cannot be.
void write_to(const std::filesystem::path& file)
{
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0 || ::dup2(descriptor, STDOUT_FILENO) < 0 || ::dup2(descriptor, STDERR_FILENO) < 0) {
    ::_exit(127);
  }
}

[[noreturn]] void become(std::span<const std::string> arguments,
                         std::span<const std::pair<std::string, std::string>> environment,
                         const ForegroundOptions& options)
{
  std::signal(SIGTERM, SIG_DFL); // children of a ProcessPool ignore it
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  std::signal(SIGPIPE, SIG_DFL); // settle_process ignores them
  std::signal(SIGXFSZ, SIG_DFL);
  if (options.output) {
    write_to(*options.output);
  }
  if (options.processor_seconds) {
    rlimit limit{};
    ::getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = std::min<rlim_t>(*options.processor_seconds, limit.rlim_max);
    ::setrlimit(RLIMIT_CPU, &limit);
    // A program that SIGXCPU ends leaves no file of its memory behind.
    const rlimit none{};
    ::setrlimit(RLIMIT_CORE, &none);
  }
  for (const auto& [name, value] : environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  ::_exit(127);
}

} // namespace

std::optional<std::filesystem::path> find_program(std::string_view name)
{
  if (name.find('/') != std::string_view::npos) {
    return can_be_executed(name) ? std::optional<std::filesystem::path>(name) : std::nullopt;
  }
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable == nullptr ? "" : variable;
  while (!folders.empty()) {
    const std::size_t end = folders.find(':');
    std::filesystem::path file = std::filesystem::path(folders.substr(0, end)) / name;
    if (can_be_executed(file)) {
      return file;
    }
    folders = end == std::string_view::npos ? "" : folders.substr(end + 1);
  }
  return std::nullopt;
}

ProgramExit run_in_foreground(std::span<const std::string> arguments,
                              std::span<const std::pair<std::string, std::string>> environment,
                              const ForegroundOptions& options)
{
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::system_error(errno, std::generic_category(), "no process for " + arguments.front());
  }
  if (child == 0) {
    become(arguments, environment, options);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "waiting for " + arguments.front());
    }
  }
  return WIFSIGNALED(status) ? ProgramExit{.code = 0, .signal = WTERMSIG(status)}
                             : ProgramExit{.code = WEXITSTATUS(status), .signal = 0};
}

bool is_out_of_time(const ProgramExit& exit)
{
  constexpr int ended_by_signal = 128; // in exit codes of shells
  return exit.signal == SIGXCPU || (exit.signal == 0 && exit.code == ended_by_signal + SIGXCPU);
}

} // namespace wormcast
