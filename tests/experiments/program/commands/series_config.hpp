#pragma once

#include <string>

namespace wormcast::testing::series_config {

/// Sections of a configuration with a broadcast that is repeated, or among traffic.
inline const std::string machine = R"([topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "1us"
per_byte = "10ns"
buffer_flits = 4
)";

inline const std::string operation = R"(
[algorithm]
name = "recursive_doubling"
source = [1, 1]

[message]
bytes = 128
)";

inline const std::string traffic = R"(
[traffic]
bytes = 32
load = 0.1
warm_up = "300us"
)";

} // namespace wormcast::testing::series_config
