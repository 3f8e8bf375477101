#include "tests/experiments/program/commands/shell.hpp"

#include <cstdlib>
#include <fstream>
#include <sys/wait.h>

namespace wormcast::testing {

ProgramRun run_script(const std::string& script, const std::filesystem::path& directory)
{
  const TemporaryDirectory own;
  own.write("script", script);
  const std::string files = own.path().string();
  const std::string command = "cd '" + directory.string() + "' && wormcast='" WORMCAST_PROGRAM "' timeout 60 bash '" +
                              files + "/script' > '" + files + "/out' 2> '" + files + "/err'";
  const int status = std::system(command.c_str());
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = read_file(own.path() / "out"),
          .err = read_file(own.path() / "err")};
}

} // namespace wormcast::testing
