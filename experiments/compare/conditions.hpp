#pragma once

#include "wormcast/experiments/compare/repeats.hpp"
#include "wormcast/experiments/config/config.hpp"

#include <string>

namespace wormcast {

/// What decides the latencies of a table besides topology, operation and length, for its heading. First line: "one
/// port, startup 150us, 0.5us per byte"; second: hop, flits, buffers and mode, then every key of [network] and [run]
/// that is not at its default ("per_hop = 30ns, flit_bytes = 16, buffer_flits = 16, mode = self_timed, hold = path");
/// third, where something is random, repeats_text(). Each line ends with a line break.
std::string conditions_text(const Experiment& experiment, const Repeats& repeats);

} // namespace wormcast
