#include "wormcast/experiments/program/commands/commands.hpp"

#include <utility>

namespace wormcast {

std::vector<Command> all_commands()
{
  struct Group {
    CommandGroup group;
    std::vector<Command> commands;
  };
  std::vector<Group> groups = {
      {CommandGroup::simulate, {run_command(), sweep_command(), load_command(), mpi_command()}},
      {CommandGroup::compare, {compare_command(), choose_command(), collectives_command(), validate_command()}},
      {CommandGroup::look, {view_command(), contention_command(), topology_command(), plot_command()}},
      {CommandGroup::schedules, {schedule_command(), check_command()}},
      {CommandGroup::papers, {reproduce_command(), study_command()}},
      {CommandGroup::help, {init_command(), list_command()}},
      {CommandGroup::hidden,
       {reference_command(), completion_command(), import_command(), convert_command(), tcd_command()}}};
  std::vector<Command> all;
  for (Group& group : groups) {
    for (Command& command : group.commands) {
      command.group = group.group;
      all.push_back(std::move(command));
    }
  }
  return all;
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
