#include "tests/experiments/program/commands/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace wormcast::testing {

namespace {

/// Only calls that are safe between fork and exec.
[[noreturn]] void become_program(char* const* arguments, const char* directory, const char* out, const char* err)
{
  const auto redirect = [](const char* file, int descriptor) {
    const int opened = ::open(file, O_WRONLY | O_CREAT, 0600);
    if (opened < 0 || ::dup2(opened, descriptor) < 0) {
      ::_exit(126);
    }
    ::close(opened);
  };
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  if (::chdir(directory) != 0) {
    ::_exit(126);
  }
  ::execv(WORMCAST_PROGRAM, arguments);
  ::_exit(127);
}

} // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                       const std::filesystem::path& standard_output)
{
  const TemporaryDirectory outputs;
  const auto out = standard_output.empty() ? outputs.write("out", "") : standard_output;
  const auto err = outputs.write("err", "");
  std::vector<std::string> words = {"wormcast"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);

  const pid_t child = ::fork();
  if (child == 0) {
    become_program(pointers.data(), directory.c_str(), out.c_str(), err.c_str());
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) {
    throw std::runtime_error("cannot run the program");
  }
  ProgramRun run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.out = standard_output.empty() ? read_file(out) : std::string();
  run.err = read_file(err);
  return run;
}

TemporaryDirectory::TemporaryDirectory()
{
  std::string name = (std::filesystem::temp_directory_path() / "wormcast-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make a temporary directory");
  }
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory()
{
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryDirectory::write(std::string_view name, std::string_view text) const
{
  const auto file = path_ / name;
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) {
    throw std::runtime_error("cannot write " + file.string());
  }
  return file;
}

std::vector<std::string> TemporaryDirectory::names() const
{
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const std::filesystem::path& file)
{
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

const std::string small_config = R"([topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "150us"
per_byte = "0.5us"

[algorithm]
name = "recursion_based"
source = [0, 0]

[message]
bytes = 4096
)";

std::string elide_names(const std::string& message)
{
  static const std::regex names("((?:topology|algorithm)\\..*expected one of )[^;\n]*");
  return std::regex_replace(message, names, "$1...");
}

std::string with(std::string text, std::string_view old, std::string_view replacement)
{
  const std::size_t place = text.find(old);
  if (place == std::string::npos || text.find(old, place + 1) != std::string::npos) {
    throw std::logic_error("expected one occurrence of " + std::string(old));
  }
  return text.replace(place, old.size(), replacement);
}

} // namespace wormcast::testing
