#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/values/field.hpp"

#include <cstdint>

namespace wormcast {

/// The largest of each time in [network], and of that of a flit, in picoseconds.
inline constexpr std::int64_t largest_delay = std::int64_t{1} << 61;

/// The keys that NetworkParameters itself has: those of network_keys().
const Fields<NetworkParameters>& network_fields();

/// `values`, from which `network` was made, with what is in effect on its topology (resolve_for), for the
/// configuration in results. A routing that nobody asked for is among them only where the router carries it out.
ParameterValues network_in_effect(const NetworkParameters& network, ParameterValues values);

} // namespace wormcast
