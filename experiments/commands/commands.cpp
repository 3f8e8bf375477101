#include "wormcast/experiments/commands/commands.hpp"

namespace wormcast {

std::vector<Command> all_commands()
{
  return {run_command(),        sweep_command(),   load_command(),        plot_command(),     mpi_command(),
          contention_command(), convert_command(), view_command(),        schedule_command(), check_command(),
          compare_command(),    choose_command(),  collectives_command(), tcd_command(),      topology_command(),
#ifdef WORMCAST_WITH_REPRODUCTIONS
          reproduce_command(),
#endif
          import_command(),     list_command(),    init_command(),        reference_command()};
}

} // namespace wormcast
