#include "wormcast/algorithms/rank_order/rank_order.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <bit>

namespace wormcast {

unsigned require_power_of_two_nodes(const Topology& topology, std::string_view algorithm)
{
  const std::uint32_t nodes = topology.host_count();
  if (!std::has_single_bit(nodes)) {
    throw InputError(fmt::format("{} needs a number of nodes that is a power of two; the {} has {}", algorithm,
                                 topology.title(), nodes));
  }
  return static_cast<unsigned>(std::countr_zero(nodes));
}

} // namespace wormcast
