#include "wormcast/algorithms/schedule/message_limit.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>

namespace wormcast {

void claim_messages(std::string_view algorithm, std::uint64_t messages)
{
  constexpr std::uint64_t bytes_of_message = 40; // while a schedule is made
  reserve_memory(messages * bytes_of_message,
                 fmt::format("{}, a schedule of {} messages or more,", algorithm, messages));
}

void require_message_limit(std::string_view algorithm, std::uint64_t parts, std::string_view parameter,
                           std::uint64_t nodes)
{
  if (nodes - 1 > most_messages / parts) {
    throw InputError(fmt::format("{} with {} {} on {} nodes has more than {} messages", algorithm, parts, parameter,
                                 nodes, most_messages));
  }
  claim_messages(algorithm, (nodes - 1) * parts);
}

void require_total_exchange_blocks(std::string_view algorithm, std::string_view topology, std::uint64_t nodes)
{
  constexpr std::uint64_t most_nodes = (std::uint64_t{1} << 16) - 1; // block numbers have 32 bits
  if (nodes > most_nodes) {
    throw InputError(fmt::format("{} needs at most {} nodes for a total exchange; the {} has {}", algorithm, most_nodes,
                                 topology, nodes));
  }
}

} // namespace wormcast
