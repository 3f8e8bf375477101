#include "wormcast/topologies/registry.hpp"

#include "wormcast/topologies/graph_files/graph_file.hpp"
#include "wormcast/topologies/grid_kinds.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/topologies/lattice/lattice.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/petersen.hpp"
#include "wormcast/topologies/petersen_torus.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/topologies/switched/dragonfly.hpp"
#include "wormcast/topologies/switched/fat_tree.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/registration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace wormcast {

namespace {

/// " did you mean ...?" where a name is near, else all of them.
std::string suggestion(std::string_view name, std::span<const std::string> known)
{
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? fmt::format("expected \"{}\"", fmt::join(known, "\", \""))
                         : fmt::format("did you mean \"{}\"?", nearest);
}

void check_known(std::string_view what, const std::string& name, std::span<const std::string> known)
{
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw InputError(fmt::format("unknown {} \"{}\"; {}", what, name, suggestion(name, known)));
  }
}

std::vector<TopologyKind> library_kinds()
{
  std::vector<TopologyKind> kinds = {mesh_kind(),     torus_kind(),          hypercube_kind(),
                                     petersen_kind(), petersen_torus_kind(), lattice_kind()};
  std::ranges::for_each(kinds, add_parallel_links);
  for (TopologyKind& kind :
       std::array{fat_tree_kind(), dragonfly_kind(), graph_kind()}) { // which have keys of their own
    kinds.push_back(std::move(kind));
  }
  std::ranges::for_each(kinds, add_faults);
  return kinds;
}

std::vector<TopologyKind>& all_kinds()
{
  static std::vector<TopologyKind> kinds = library_kinds();
  return kinds;
}

} // namespace

void register_topology(TopologyKind kind)
{
  const bool taken = std::ranges::find(all_kinds(), kind.name, &TopologyKind::name) != all_kinds().end();
  check_new_name("a", "kind of topology", kind.name, taken);
  if (!kind.make || kind.routings.empty()) {
    throw InputError(fmt::format("the kind of topology \"{}\" cannot be registered, expected a name, a function that "
                                 "makes it, and a routing",
                                 kind.name));
  }
  all_kinds().push_back(std::move(kind));
}

std::span<const TopologyKind> topology_kinds()
{
  return all_kinds();
}

const TopologyKind& find_topology_kind(std::string_view name)
{
  std::vector<std::string> known;
  for (const TopologyKind& kind : topology_kinds()) {
    if (kind.name == name) {
      return kind;
    }
    known.push_back(kind.name);
  }
  throw InputError(fmt::format("unknown kind of topology \"{}\"; {}", name, suggestion(name, known)));
}

std::unique_ptr<Topology> make_topology(const TopologyDescription& description, const RoutingChoice& routing)
{
  const TopologyKind& kind = find_topology_kind(description.kind);
  RoutingChoice choice = routing;
  if (choice.routing.empty()) {
    choice.routing = kind.routings.front();
  }
  check_known(fmt::format("routing of a {}", kind.name), choice.routing, kind.routings);
  check_known("tie", choice.tie, tie_names.texts());
  return kind.make(description, choice);
}

} // namespace wormcast
