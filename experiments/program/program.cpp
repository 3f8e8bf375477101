#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/interruption.hpp"
#include "wormcast/experiments/process/launch.hpp"
#include "wormcast/experiments/program/command_line.hpp"
#include "wormcast/experiments/program/commands/command.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace wormcast {

namespace {

int report(const std::exception& error, int code)
{
  const Launch& launch = this_launch();
  if (launch.rank > 0 && code == exit_code::bad_input) {
    // What is wrong for all, the first rank says; a launcher that ends all ranks with the first one that fails does so
    // in this time.
    for (const int signal : interrupting_signals) {
      std::signal(signal, SIG_DFL);
    }
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  const std::string rank = launch.rank == 0 ? "" : fmt::format("rank {} of {}: ", launch.rank, launch.ranks);
  spdlog::error("{}{}", rank, printable_message(error.what()));
  return code;
}

} // namespace

int run_as_program(std::span<const std::string> words, CommandMaker commands)
{
  settle_process();
  spdlog::set_default_logger(spdlog::stderr_logger_st("wormcast"));
  spdlog::set_pattern("wormcast: %l: %v");
  try {
    note_launch();
    return run_command_line(words, commands);
  } catch (const ClosedPipe&) {
    return exit_code::other;
  } catch (const OutputError& error) {
    return report(error, exit_code::other);
  } catch (const IncompleteSchedule& error) {
    return report(error, exit_code::failed_check);
  } catch (const InputError& error) {
    return report(error, exit_code::bad_input);
  } catch (const std::bad_alloc&) {
    return report(std::runtime_error("out of memory"), exit_code::other);
  } catch (const std::exception& error) {
    return report(error, exit_code::other);
  }
}

} // namespace wormcast
