#include "tests/benchmarks/child_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wormcast::testing {

ProcessCost run_program(const std::vector<std::string>& arguments)
{
  std::vector<char*> argv{const_cast<char*>("wormcast")};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int sink = open("/dev/null", O_WRONLY);
    dup2(sink, STDOUT_FILENO);
    execv(WORMCAST_PROGRAM, argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return {};
  }
  return {.ok = true,
          .user_seconds =
              static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec),
          .peak_megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6};
}

} // namespace wormcast::testing
