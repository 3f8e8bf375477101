#include "wormcast/experiments/command_line.hpp"
#include "wormcast/experiments/commands/command.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using namespace wormcast;

/// A message on one line, whatever the names and values in it hold.
std::string one_line(std::string_view text)
{
  std::string line;
  for (const char character : text) {
    if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
    } else {
      line += character;
    }
  }
  return line;
}

int report(const std::exception& error, int code)
{
  spdlog::error("{}", one_line(error.what()));
  return code;
}

} // namespace

int main(int argc, char** argv)
{
  std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an output error like a full disk
  spdlog::set_default_logger(spdlog::stderr_logger_st("wormcast"));
  spdlog::set_pattern("wormcast: %l: %v");
  try {
    return run_command_line(argc, argv);
  } catch (const OutputError& error) {
    return report(error, exit_code::other);
  } catch (const InputError& error) {
    return report(error, exit_code::bad_input);
  } catch (const std::bad_alloc&) {
    return report(std::runtime_error("out of memory"), exit_code::other);
  } catch (const std::exception& error) {
    return report(error, exit_code::other);
  }
}
