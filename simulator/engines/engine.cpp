#include "wormcast/simulator/engines/engine.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

std::int64_t transfer_time(const NetworkParameters& network, std::uint64_t flits)
{
  std::int64_t time = 0;
  const bool overflow = __builtin_mul_overflow(flits, network.flit_time().picoseconds, &time);
  if (overflow || time > last_instant / 2) {
    throw InputError(fmt::format("a message of {} flits at {} per flit takes longer than {}, the most that can be "
                                 "simulated for one message",
                                 flits, format_time(network.flit_time()), format_time(Time{last_instant / 2})));
  }
  return time;
}

void throw_time_overflow()
{
  throw InputError(fmt::format("the simulated time exceeds {} (2^62 ps): shorten the messages or the times",
                               format_time(Time{last_instant})));
}

} // namespace wormcast
