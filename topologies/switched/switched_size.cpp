#include "wormcast/topologies/switched/switched_size.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>

namespace wormcast {

void check_switched_size(std::uint64_t nodes, std::uint64_t channels, std::string_view title)
{
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;
  constexpr std::uint64_t most_channels = std::uint64_t{1} << 27;
  if (nodes > most_nodes || channels > most_channels) {
    throw InputError(fmt::format("the {} is too large, expected at most {} hosts and switches and {} channels", title,
                                 most_nodes, most_channels));
  }
  constexpr std::uint64_t bytes_of_node = 12;
  constexpr std::uint64_t bytes_of_channel = 20;
  reserve_memory(nodes * bytes_of_node + channels * bytes_of_channel, title);
}

} // namespace wormcast
