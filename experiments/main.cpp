#include "experiments/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/output_file.hpp"
#include "experiments/version.hpp"
#include "topologies/input_error.hpp"

#include <CLI/CLI.hpp>
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

void set_up_talk(Verbosity verbosity)
{
  spdlog::set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                    : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                      : spdlog::level::info);
}

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

void add_commands(CLI::App& app, CommandContext& context)
{
  add_run_command(app, context);
  add_sweep_command(app, context);
  add_contention_command(app, context);
  add_view_command(app, context);
  add_schedule_command(app, context);
  add_check_command(app, context);
  add_compare_command(app, context);
  add_tcd_command(app, context);
  add_topology_command(app, context);
  add_reproduce_command(app, context);
  add_list_command(app, context);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->fallthrough();
  }
}

/// Reads the command line and does what it says.
int run_program(int argc, char** argv)
{
  CLI::App app(
      "Discrete-event simulator of wormhole-switched networks: broadcast and other collective operations, exact "
      "to the flit.",
      "wormcast");
  CommandContext context;
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("wormcast {}", program_version()));
  auto* verbose = app.add_flag_callback(
      "--verbose", [&] { context.verbosity = Verbosity::verbose; }, "say more");
  app.add_flag_callback(
         "--quiet", [&] { context.verbosity = Verbosity::quiet; }, "say nothing but errors")
      ->excludes(verbose);
  add_commands(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    write_standard_output(app.help());
    return exit_code::done;
  } catch (const CLI::CallForVersion& version) {
    write_standard_output(fmt::format("{}\n", version.what()));
    return exit_code::done;
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("{} (wormcast --help says more)", usage_error(app, error)));
  }
  set_up_talk(context.verbosity);
  return context.action();
}

} // namespace

int main(int argc, char** argv)
{
  std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an output error like a full disk
  spdlog::set_default_logger(spdlog::stderr_logger_st("wormcast"));
  spdlog::set_pattern("wormcast: %l: %v");
  try {
    return run_program(argc, argv);
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
