#pragma once

#include <string>

namespace wormcast::testing {

/// Sections of a configuration with a mesh under load.
inline const std::string loaded_mesh = R"([topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "1us"
per_hop = "20ns"
per_byte = "10ns"
buffer_flits = 4

[traffic]
pattern = "uniform"
bytes = { from = 16, to = 48 }
warm_up = 500
measure = 3000
)";

} // namespace wormcast::testing
