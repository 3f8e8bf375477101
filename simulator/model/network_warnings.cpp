#include "wormcast/simulator/model/network_warnings.hpp"

#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/topologies/concentrated_grid.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/topologies/switched/dragonfly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace wormcast {

namespace {

// Longer rings are like this one: if a ring of 9 nodes has a cycle of dependencies, all longer ones have.
constexpr std::int64_t longest_ring = 64;

bool has_slow_channels(const NetworkParameters& network)
{
  if (slow_channels(network).empty()) {
    return false;
  }
  return !network.router->virtual_channels_add_up ||
         network.buffer_flits * network.virtual_channels < flits_for_full_rate(network);
}

// In dimension order all dependencies of a cycle are in one ring.
bool ring_has_cycle(std::int64_t size, const NetworkParameters& network)
{
  using Key = std::tuple<std::int64_t, std::uint32_t, std::string, const RouterModel*>;
  static std::map<Key, bool> known;
  const auto [entry, is_new] =
      known.try_emplace(Key{size, network.virtual_channels, network.routing.tie, network.router}, false);
  if (is_new) {
    TopologyDescription ring{.kind = "torus", .parameters = {}};
    ring.parameters.set("dims", std::vector<std::int64_t>{size});
    const auto made = make_topology(ring, {.routing = {}, .tie = network.routing.tie});
    entry->second = !check_deadlock(network.router->channel_dependencies(*made, GridRouting::dimension_order,
                                                                         network.virtual_channels))
                         .deadlock_free();
  }
  return entry->second;
}

bool rings_can_deadlock(const NetworkParameters& network, const Topology& topology)
{
  const auto* concentrated = dynamic_cast<const ConcentratedGrid*>(&topology);
  const auto* grid = concentrated != nullptr ? &concentrated->routers() : dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr || !grid->wraps() || !network.router->channel_dependencies ||
      network.switching != Switching::wormhole || network.pipeline.routing != GridRouting::dimension_order) {
    return false;
  }
  for (std::size_t dimension = 0; dimension < grid->sizes().size(); ++dimension) {
    const std::int64_t size = grid->sizes()[dimension];
    // With an even size there are ties.
    if (grid->wraps(dimension) && ring_has_cycle(size > longest_ring ? longest_ring - size % 2 : size, network)) {
      return true;
    }
  }
  return false;
}

/// Two groups have no cycle: routes between them go towards the linked routers in one group, and away from it in the
/// other. Returns 0 where messages cannot deadlock.
std::uint32_t channels_for_groups(const NetworkParameters& network, const Topology& topology)
{
  const auto* dragonfly = dynamic_cast<const Dragonfly*>(&whole_of(topology));
  const std::string& routing = topology.routing().routing;
  const bool by_groups = routing == "minimal" || routing == "valiant" || routing == "ugal_l";
  if (dragonfly == nullptr || !by_groups || dragonfly->sizes().groups < 3 || network.switching != Switching::wormhole) {
    return 0;
  }
  const std::uint32_t needed = dragonfly->draws_groups() ? 3 : 2;
  return network.virtual_channels < needed ? needed : 0;
}

std::string deadlock_text(std::string_view network, std::uint32_t virtual_channels, std::uint32_t enough)
{
  return fmt::format("messages can deadlock on a {} with {}; \"wormcast topology CONFIG --check-deadlock\" shows how, "
                     "and with virtual_channels = {} they cannot",
                     network,
                     virtual_channels == 1 ? std::string("one virtual channel")
                                           : fmt::format("{} virtual channels", virtual_channels),
                     enough);
}

} // namespace

std::vector<NetworkWarning> network_warnings(const NetworkParameters& network, const Topology& topology)
{
  std::vector<NetworkWarning> warnings;
  if (has_slow_channels(network)) {
    warnings.push_back({NetworkWarning::Kind::slow_channels, slow_channels(network)});
  }
  if (rings_can_deadlock(network, topology)) {
    warnings.push_back({NetworkWarning::Kind::ring_deadlock,
                        deadlock_text("torus", network.virtual_channels, network.virtual_channels + 1)});
  }
  if (const std::uint32_t enough = channels_for_groups(network, topology)) {
    warnings.push_back(
        {NetworkWarning::Kind::ring_deadlock, deadlock_text("dragonfly", network.virtual_channels, enough)});
  }
  return warnings;
}

std::vector<NetworkWarning> fluid_warnings(const NetworkParameters& network, const RunParameters& run)
{
  if (!run.fluid) {
    return {};
  }
  const NetworkParameters defaults;
  std::vector<std::string_view> keys;
  const auto add = [&](bool given, std::string_view key) {
    if (given) {
      keys.push_back(key);
    }
  };
  add(network.switching != defaults.switching, "network.switching");
  add(network.virtual_channels != defaults.virtual_channels, "network.virtual_channels");
  add(network.hold != defaults.hold, "network.hold");
  add(network.flit_bytes != defaults.flit_bytes, "network.flit_bytes");
  add(!network.automatic_buffers && network.buffer_flits != defaults.buffer_flits, "network.buffer_flits");
  if (keys.empty()) {
    return {};
  }
  return {{NetworkWarning::Kind::fluid_ignores,
           fmt::format("run.model = \"{}\" ignores {}: messages of a fluid model share the bandwidth of channels, and "
                       "have no flits that wait",
                       fluid_model_keys.text(*run.fluid), fmt::join(keys, ", "))}};
}

} // namespace wormcast
