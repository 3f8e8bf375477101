#include "wormcast/topologies/graph_files/described_nodes.hpp"

#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace wormcast {

namespace {

bool is_grid(const TopologyDescription& description)
{
  return (description.kind == "mesh" || description.kind == "torus") && description.parameters.has("dims");
}

/// As the network itself says it.
std::string described_title(const TopologyDescription& description)
{
  return is_grid(description)
             ? grid_title(description)
             : fmt::format("{} of dimension {}", description.kind, description.parameters.integer("dimension"));
}

void check_coordinates(const TopologyDescription& description, const std::vector<std::int64_t>& coordinates)
{
  const std::vector<std::int64_t>& sizes = description.parameters.integers("dims");
  if (coordinates.size() != sizes.size() || hosts_of_router(description) > 1) {
    return; // reported when the network is made
  }
  for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
    if (coordinates[dimension] < 0 || coordinates[dimension] >= sizes[dimension]) {
      throw InputError(fmt::format("node ({}) is outside of the {}: its coordinate in {} is {}, expected 0 to {}",
                                   fmt::join(coordinates, ", "), described_title(description),
                                   dimension_name(dimension), coordinates[dimension], sizes[dimension] - 1));
    }
  }
}

} // namespace

std::optional<std::uint64_t> described_nodes(const TopologyDescription& description)
{
  constexpr std::int64_t most_nodes = std::int64_t{1} << 32;
  std::int64_t nodes = 1;
  if (is_grid(description)) {
    for (const std::int64_t size : description.parameters.integers("dims")) {
      if (size < 1 || size > most_nodes / nodes) {
        return std::nullopt;
      }
      nodes *= size;
    }
    return static_cast<std::uint64_t>(nodes) * static_cast<std::uint64_t>(hosts_of_router(description));
  }
  if (description.kind == "hypercube" && description.parameters.has("dimension")) {
    const std::int64_t dimension = description.parameters.integer("dimension");
    return dimension >= 0 && dimension <= 32 ? std::optional(std::uint64_t{1} << dimension) : std::nullopt;
  }
  return std::nullopt;
}

void check_described_node(const TopologyDescription& description, const ParameterValue& node)
{
  const std::optional<std::uint64_t> nodes = described_nodes(description);
  const auto* id = std::get_if<std::int64_t>(&node);
  if (nodes && id != nullptr && (*id < 0 || static_cast<std::uint64_t>(*id) >= *nodes)) {
    throw InputError(
        fmt::format("node {} is outside of the {}, expected 0 to {}", *id, described_title(description), *nodes - 1));
  }
  const auto* coordinates = std::get_if<std::vector<std::int64_t>>(&node);
  if (nodes && is_grid(description) && coordinates != nullptr) {
    check_coordinates(description, *coordinates);
  }
}

} // namespace wormcast
