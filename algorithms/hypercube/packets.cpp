#include "wormcast/algorithms/hypercube/packets.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

std::uint32_t require_hypercube(const Topology& topology, std::string_view algorithm)
{
  const auto* hypercube = as_kind<Hypercube>(topology);
  if (hypercube == nullptr) {
    throw InputError(fmt::format("{} needs a hypercube; the topology is {}", algorithm, topology.title()));
  }
  return hypercube->dimension();
}

void limit_messages(std::uint64_t messages, std::string_view algorithm, std::uint32_t dimension)
{
  if (messages > most_messages) {
    throw InputError(fmt::format("{} has {} messages on a hypercube of dimension {}, expected at most {}", algorithm,
                                 messages, dimension, most_messages));
  }
  claim_messages(algorithm, messages);
}

std::vector<BlockSetId> single_blocks(BlockSets& sets, std::uint32_t count)
{
  std::vector<BlockSetId> ids;
  ids.reserve(count);
  for (std::uint32_t block = 0; block < count; ++block) {
    ids.push_back(sets.intern(BlockRange{block, block + 1}));
  }
  return ids;
}

} // namespace wormcast
