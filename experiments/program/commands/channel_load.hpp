#pragma once

#include "wormcast/experiments/trace/channel_load.hpp"

#include <cstddef>
#include <string>

namespace wormcast {

/// For people: the `top` channels and ports that were held longest.
std::string channel_load_table(const ChannelLoads& loads, std::size_t top);

/// One line for each channel and port, in their order (docs/formats.md).
std::string channel_load_csv(const ChannelLoads& loads);

/// Text of an object of format wormcast-channel-load/1 (docs/formats.md), indented, with the `top` first of them.
std::string channel_load_json_text(const ChannelLoads& loads, std::size_t top);

} // namespace wormcast
