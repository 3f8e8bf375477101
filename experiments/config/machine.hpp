#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"

#include <functional>
#include <string_view>

namespace wormcast {

/// Reads [network] into `machine`, has `take_topology` set its topology, which may change the routing, ports and
/// duplex, and return its description, and reads [run]. All machines of configurations are made here.
void read_machine(const ConfigReader& reader, Machine& machine,
                  const std::function<TopologyDescription()>& take_topology);

/// The same on the topology of [topology].
void read_machine(const ConfigReader& reader, Machine& machine);

/// Throws InputError where [topology] is missing: of several sections the first one is named.
void require_topology(const ConfigReader& reader);

/// Throws InputError, with `why`, where `machine` has keys of what nodes do beside sending, which only single
/// operations have.
void refuse_node_costs(const ConfigReader& reader, const Machine& machine, std::string_view why);

/// Throws InputError where last flits are exact: loads are counted in whole flits.
void refuse_exact_last_flits(const ConfigReader& reader, const NetworkParameters& network);

/// Throws InputError where channels have rates or latencies of their own and routes between two nodes differ in length:
/// the mean time of a message without load is not computed there.
void refuse_unequal_lengths(const ConfigReader& reader, const Machine& machine);

} // namespace wormcast
