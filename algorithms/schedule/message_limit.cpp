#include "wormcast/algorithms/schedule/message_limit.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

void require_message_limit(std::string_view algorithm, std::uint64_t parts, std::string_view parameter,
                           std::uint64_t nodes)
{
  if (nodes - 1 > most_messages / parts) {
    throw InputError(fmt::format("{} with {} {} on {} nodes has more than {} messages", algorithm, parts, parameter,
                                 nodes, most_messages));
  }
}

} // namespace wormcast
