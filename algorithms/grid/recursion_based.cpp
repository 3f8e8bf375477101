#include "wormcast/algorithms/grid/recursion_based.hpp"

#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/algorithms/grid_all_port/recursion_based_all_port.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::string_view recursion_based_name = "recursion_based";

// Choices of "reduction": whether squares exchange their parts in a ring.
constexpr auto reduction_names = names<bool>({{false, "pairwise"}, {true, "ring"}});

// Stage 2 on squares of side 2^n: the recursive rounds, each with two sharings (section 4.1, and 5 for any source).
void recursive_rounds(const Grid& grid, Ownership& ownership, unsigned n)
{
  for (unsigned k = n; k >= 1; --k) {
    ownership.share([&](NodeId node) { return vertical_mapping(grid, node, k); });
    ownership.share([&](NodeId node) { return horizontal_mapping(grid, node, k); });
  }
}

// Sections 4 and 5: 2^n x 2^n.
Schedule on_square(const Grid& grid, NodeId source, unsigned n)
{
  Ownership ownership(grid.node_count(), source, std::uint64_t{1} << n);
  for (unsigned k = n; k >= 1; --k) {
    ownership.transfer([&](NodeId node) { return central_mapping(grid, node, k); });
  }
  recursive_rounds(grid, ownership, n);
  return ownership.take_schedule();
}

// Section 6: a row of 2^k squares of side 2^m along the long dimension.
Schedule on_row_of_squares(const Grid& grid, NodeId source, std::size_t long_dimension, unsigned m, unsigned k,
                           bool ring)
{
  const auto between_squares = [&](unsigned bit) {
    return [&grid, long_dimension, m, bit](NodeId node) {
      return flip(grid, node, long_dimension, std::int64_t{1} << (m + bit));
    };
  };
  Ownership ownership(grid.node_count(), source, std::uint64_t{1} << (m + k));
  for (unsigned bit = k; bit-- > 0;) {
    ownership.transfer(between_squares(bit));
  }
  for (unsigned j = m; j >= 1; --j) {
    ownership.transfer([&](NodeId node) { return central_mapping(grid, node, j); });
  }
  // The reduction: each square receives all segments on its diagonal.
  if (ring) {
    const std::int64_t side = std::int64_t{1} << m;
    ownership.all_gather([&](NodeId node) { return ring_neighbour(grid, node, long_dimension, 0, side << k, side); },
                         1U << k);
  } else {
    for (unsigned bit = k; bit-- > 0;) {
      const std::uint32_t turns = 1U << bit;
      ownership.share_in_turns(between_squares(bit), turns, [&](NodeId node) {
        return static_cast<std::uint32_t>(grid.coordinate(node, long_dimension) >> m) % turns;
      });
    }
  }
  recursive_rounds(grid, ownership, m);
  return ownership.take_schedule();
}

// Section 7: 2^n x 2^n x 2^n.
Schedule on_cube(const Grid& grid, NodeId source, unsigned n)
{
  constexpr std::size_t y = 1;
  constexpr std::size_t z = 2;
  Ownership ownership(grid.node_count(), source, std::uint64_t{1} << (n + 1));
  for (unsigned k = n; k >= 1; --k) {
    ownership.transfer([&](NodeId node) { return central_mapping(grid, node, k); });
  }
  if (n >= 1) {
    ownership.transfer([&](NodeId node) { return vertical_mapping(grid, node, n); });
  }
  for (unsigned k = n; k >= 1; --k) {
    ownership.share([&](NodeId node) { return flip(grid, node, 0, (std::int64_t{1} << k) - 1); });
    ownership.share([&](NodeId node) { return flip(grid, node, z, std::int64_t{1} << (k - 1)); });
    ownership.share([&](NodeId node) { return flip(grid, node, y, std::int64_t{1} << (k - 1)); });
  }
  return ownership.take_schedule();
}

Schedule recursion_based(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, recursion_based_name);
  const std::size_t dimensions = grid.sizes().size();
  if (dimensions != 2 && dimensions != 3) {
    throw InputError(
        fmt::format("{} runs in 2 or 3 dimensions; the {} has {}", recursion_based_name, grid.title(), dimensions));
  }
  const unsigned x = require_power_of_two(grid, 0, recursion_based_name);
  const unsigned y = require_power_of_two(grid, 1, recursion_based_name);
  if (dimensions == 3) {
    const unsigned z = require_power_of_two(grid, 2, recursion_based_name);
    if (x != y || x != z) {
      throw InputError(fmt::format("{} needs equal sizes in 3 dimensions; the {} has different ones",
                                   recursion_based_name, grid.title()));
    }
    return on_cube(grid, request.source, x);
  }
  if (x == y && request.ports.count == PortModel::all) {
    return recursion_based_all_port(grid, request.source);
  }
  if (x == y) {
    return on_square(grid, request.source, x);
  }
  const bool ring = reduction_names.read(request.parameters.text("reduction"));
  return on_row_of_squares(grid, request.source, x > y ? 0 : 1, std::min(x, y), std::max(x, y) - std::min(x, y), ring);
}

/// Both reductions where there are several squares.
std::vector<ParameterValues> reductions(const Topology& topology)
{
  const auto* grid = as_kind<Grid>(topology);
  std::vector<ParameterValues> family;
  if (grid != nullptr && grid->sizes().size() == 2 && grid->sizes()[0] != grid->sizes()[1]) {
    for (const std::string& reduction : reduction_names.texts()) {
      family.emplace_back().set("reduction", reduction);
    }
  }
  return family;
}

} // namespace

Algorithm recursion_based_algorithm()
{
  Algorithm algorithm;
  algorithm.name = recursion_based_name;
  algorithm.summary =
      "scatter over a diagonal, then rounds of sharings that refill the diagonals of ever smaller squares";
  algorithm.ports = "one-port; all-port on 2^n x 2^n";
  algorithm.topologies = "mesh and torus: 2^n x 2^n, 2^n x 2^m, 2^n x 2^n x 2^n";
  algorithm.tie = "one-port on a torus: free of contention with \"no_wrap\", step H_n has 2^n contended pairs with "
                  "\"positive\"; all-port: either";
  algorithm.costs =
      "2^n x 2^n: alpha = 3n, beta = 5/2 - 2/2^n; 2^n x 2^m, k = n - m >= 1, m >= 1: alpha = 3m + k + 2^k - 1, "
      "beta = 5/2 + (k - 2)/2^(m+1) - 1/2^n (ring: beta = 5/2 - 2/2^n); cube: alpha = 4n + 1, beta = 5/2 - "
      "3/2^(n+1); all ports, 2^n x 2^n, T steps of stage 1 with beta_s: alpha = T + 1.5n (n odd: T + 1.5(n-1) + 1), "
      "beta = beta_s + 2/3 (1 - 1/2^n) (n odd: beta_s + 17/24 - 4/3 / 2^(n+1)), torus beta_s + 1/2 (1 - 1/2^n)";
  algorithm.source =
      "Zhuang & Liberatore, sections 4 to 7; all ports: reconstruction in the frame of section 8, not the "
      "published schedule";
  algorithm.parameters.push_back({.name = "reduction",
                                  .type = ParameterType::choice,
                                  .text = "how the squares of a non-square mesh exchange their parts",
                                  .fallback = std::string(reduction_names.text(false)),
                                  .choices = reduction_names.texts()});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = recursion_based;
  algorithm.family = reductions;
  return algorithm;
}

} // namespace wormcast
