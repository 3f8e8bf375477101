#pragma once

#include <cstdint>
#include <string_view>

namespace wormcast {

/// Most messages of a schedule whose number of messages grows faster than that of the nodes.
inline constexpr std::uint64_t most_messages = std::uint64_t{1} << 30;

/// To be called before a schedule of so many messages, or more, is made. Throws InputError where the memory for it is
/// not there (reserve_memory).
void claim_messages(std::string_view algorithm, std::uint64_t messages);

/// Throws InputError that names the algorithm and its parameter if `parts` messages to each node but the source are
/// more than most_messages, or need more memory than there is (reserve_memory).
void require_message_limit(std::string_view algorithm, std::uint64_t parts, std::string_view parameter,
                           std::uint64_t nodes);

} // namespace wormcast
