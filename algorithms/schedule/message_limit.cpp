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

} // namespace wormcast
