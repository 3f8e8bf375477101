#pragma once

#include <cstdint>
#include <string_view>

namespace wormcast {

/// Checks the sizes of a network with switches before it is made. Throws InputError if they exceed 2^24 nodes or 2^27
/// channels, or the memory; `title` names the network.
void check_switched_size(std::uint64_t nodes, std::uint64_t channels, std::string_view title);

} // namespace wormcast
