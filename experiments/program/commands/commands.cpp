#include "wormcast/experiments/program/commands/commands.hpp"

namespace wormcast {

std::vector<Command> all_commands()
{
  return {run_command(),        sweep_command(),   load_command(),        plot_command(),     mpi_command(),
          contention_command(), convert_command(), view_command(),        schedule_command(), check_command(),
          compare_command(),    choose_command(),  collectives_command(), tcd_command(),      topology_command(),
          reproduce_command(),  import_command(),  list_command(),        init_command(),     reference_command(),
          completion_command()};
}

std::vector<CommandOption> common_options(CommonArguments& arguments)
{
  return {{.name = "--verbose", .target = &arguments.verbose, .text = "say more"},
          {.name = "--quiet", .target = &arguments.quiet, .text = "say nothing but results and errors"},
          {.name = "--force",
           .target = &arguments.force,
           .text = "start also what needs more memory than is left, or writes more than 1 GiB"},
          {.name = std::string(plugin_option),
           .target = &arguments.plugins,
           .text = "load a plug-in, which brings topologies and algorithms of its own (any number of times)",
           .value = "FILE"}};
}

} // namespace wormcast
