#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/values/field.hpp"

#include <cstdint>

namespace wormcast {

/// The upper limit of each time in [network], and of the time of a flit, in picoseconds.
inline constexpr std::int64_t largest_delay = std::int64_t{1} << 61;

/// Returns the keys of NetworkParameters itself: those of network_keys().
const Fields<NetworkParameters>& network_fields();

/// Returns `values`, from which `network` was made, with the values in effect on its topology (resolve_for), for the
/// configuration in results. A routing that the configuration did not give is included only if the router executes it.
ParameterValues network_in_effect(const NetworkParameters& network, ParameterValues values);

} // namespace wormcast
