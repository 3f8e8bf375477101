#pragma once

#include <cstdint>
#include <string_view>

namespace wormcast {

/// The largest number of messages of a schedule whose number of messages grows faster than that of the nodes.
inline constexpr std::uint64_t most_messages = std::uint64_t{1} << 30;

/// Must be called before a schedule of at least this number of messages is made. Throws InputError if the memory for it
/// is not available (reserve_memory).
void claim_messages(std::string_view algorithm, std::uint64_t messages);

/// Throws InputError with the algorithm and its parameter if `parts` messages to each node except the source are more
/// than most_messages, or need more memory than available (reserve_memory).
void require_message_limit(std::string_view algorithm, std::uint64_t parts, std::string_view parameter,
                           std::uint64_t nodes);

/// Throws InputError that names the algorithm and the topology where a total exchange on so many nodes has more blocks,
/// N * N, than there are numbers of blocks.
void require_total_exchange_blocks(std::string_view algorithm, std::string_view topology, std::uint64_t nodes);

} // namespace wormcast
