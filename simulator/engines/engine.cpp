#include "wormcast/simulator/engines/engine.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

void throw_time_overflow()
{
  throw InputError(fmt::format("the simulated time exceeds {} (2^62 ps): shorten the messages or the times",
                               format_time(Time{last_instant})));
}

} // namespace wormcast
