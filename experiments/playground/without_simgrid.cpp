// The playground has no SimGrid: what takes the place of the simulator's functions that need it.
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <stdexcept>

namespace wormcast {

SimulationResult simulate(const Topology&, const Schedule&, const NetworkParameters&, const RunParameters&,
                          const RecordSinks&)
{
  throw std::logic_error("a page in a browser has no SimGrid");
}

SimulationResult simulate_fluid(const Topology&, const Schedule&, const NetworkParameters&, const RunParameters&,
                                FluidModel)
{
  throw std::logic_error("a page in a browser has no SimGrid");
}

} // namespace wormcast
