#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/claims.hpp"
#include "wormcast/experiments/reproduction/kim/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wormcast::kim {

namespace {

Demonstration shown(const PetersenTorusSize& size)
{
  return {config_text(algorithm_1(size, 0, sla)), "wormcast topology CONFIG"};
}

Evidence module_is_petersen_graph()
{
  const auto petersen = petersen_graph();
  const std::string expected = "10 nodes, 15 edges, degree 3, diameter 2, 120 automorphisms, 30 images of a directed "
                               "edge";
  const GraphSymmetry symmetry = symmetry_of(*petersen);
  std::uint32_t longest = 0;
  std::set<std::uint32_t> degrees;
  for (std::uint32_t from = 0; from < petersen->node_count(); ++from) {
    degrees.insert(petersen->out_degree(NodeId{from}));
    for (std::uint32_t to = 0; to < petersen->node_count(); ++to) {
      longest = std::max(longest, petersen->distance(NodeId{from}, NodeId{to}));
    }
  }
  const std::string found =
      fmt::format("{} nodes, {} edges, degree {}, diameter {}, {} automorphisms, {} images of a directed edge",
                  petersen->node_count(), edges_of(*petersen).size(), degrees.size() == 1 ? *degrees.begin() : 0,
                  longest, symmetry.automorphisms, symmetry.images_of_first_channel);
  return all_hold("automorphisms by exhaustive search; all 30 directed edges are images of one", //
                  {{.what = "a module", .expected = expected, .found = found, .holds = found == expected}});
}

Evidence numbers_of_nodes_and_edges()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(7)) {
    const auto torus = make_torus(size);
    const std::int64_t modules = size.l * size.m * size.n;
    std::set<std::uint32_t> degrees;
    for (std::uint32_t node = 0; node < torus->node_count(); ++node) {
      degrees.insert(torus->out_degree(NodeId{node}));
    }
    const std::string expected = fmt::format("{} nodes, {} edges, degree 4", 10 * modules, 20 * modules);
    const std::string found = fmt::format("{} nodes, {} edges, degree {}", torus->node_count(), edges_of(*torus).size(),
                                          fmt::join(degrees, " or "));
    observations.push_back({.what = text(size), .expected = expected, .found = found, .holds = found == expected});
  }
  return all_hold("l, m, n = 2..7, edges counted without repetition", observations);
}

// The nodes that definition 1 names: z, x, y from 0 to l + more, m + more, n + more, and p from 0 to 9.
Evidence node_ranges(std::int64_t more)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5)) {
    const std::int64_t named = 10 * (size.l + 1 + more) * (size.m + 1 + more) * (size.n + 1 + more);
    observations.push_back({.what = text(size),
                            .expected = fmt::format("{} nodes", named),
                            .found = fmt::format("{} nodes", make_torus(size)->node_count()),
                            .holds = named == make_torus(size)->node_count()});
  }
  return all_hold("l, m, n = 2..5", observations);
}

// Where a dimension is 1 its external edges stay inside of a module.
Evidence smallest_sizes()
{
  std::vector<Observation> observations;
  for (std::int64_t l = 1; l <= 4; ++l) {
    for (std::int64_t m = 1; m <= 4; ++m) {
      for (std::int64_t n = 1; n <= 4; ++n) {
        const PetersenTorusSize size{l, m, n};
        const DefinedEdges defined = defined_edges(size);
        const bool allowed = std::min({l, m, n}) >= 2;
        observations.push_back({.what = text(size),
                                .expected = allowed ? "no edge twice, external edges between modules"
                                                    : "an edge twice or an external edge inside of a module",
                                .found = fmt::format("{} edges repeated, {} external edges inside of a module",
                                                     defined.repeated, defined.inside_of_module),
                                .holds = allowed == (defined.repeated == 0 && defined.inside_of_module == 0)});
      }
    }
  }
  return all_hold("definition 2 (1) to (5) for l, m, n = 1..4; for l = 1 edge (5) is the internal edge 0-5 again",
                  observations, 64);
}

Evidence diameters()
{
  std::vector<Observation> observations;
  std::array<ExhibitMatrix, 2> matrices;
  for (const std::int64_t l : {2, 3}) {
    ExhibitMatrix& matrix = matrices.at(static_cast<std::size_t>(l - 2));
    matrix = {.title = fmt::format("diameter of 3PT({}, m, n)", l),
              .x_label = "n, from 2",
              .y_label = "m, from 2",
              .y_up = false,
              .values = {},
              .labels = {},
              .marked = {}};
    for (std::int64_t m = 2; m <= 12; ++m) {
      std::vector<std::string>& row = matrix.values.emplace_back();
      for (std::int64_t n = 2; n <= 12; ++n) {
        row.push_back(fmt::to_string(diameter(*make_torus({l, m, n}))));
      }
    }
  }
  for (const PetersenTorusSize& size : all_sizes(8)) {
    const std::int64_t found = diameter(*make_torus(size));
    const std::int64_t sum = 2 * (size.l / 2) + 2 * (std::max(size.m, size.n) / 2);
    const std::int64_t odd = size.l % 2;
    observations.push_back({.what = text(size),
                            .expected = fmt::format("{} to {}", sum + 2 + odd, sum + 4 + odd),
                            .found = fmt::to_string(found),
                            .holds = found >= sum + 2 + odd && found <= sum + 4 + odd});
  }
  Evidence evidence = all_hold("l, m, n = 2..8, all pairs of nodes", observations);
  evidence.matrices = {matrices.begin(), matrices.end()};
  return evidence;
}

// The smallest diameter of an a x b x c torus with this number of nodes, a, b, c >= 2.
std::int64_t best_torus_diameter(std::int64_t nodes)
{
  std::int64_t best = nodes;
  for (std::int64_t a = 2; a * a * a <= nodes; ++a) {
    for (std::int64_t b = a; nodes % a == 0 && a * b * b <= nodes; ++b) {
      if (nodes / a % b == 0) {
        best = std::min(best, a / 2 + b / 2 + nodes / a / b / 2);
      }
    }
  }
  return best;
}

Evidence better_than_torus(bool diameters_too)
{
  std::vector<Observation> observations;
  for (std::int64_t k = 2; k <= 12; ++k) {
    const PetersenTorusSize size{k, k, k};
    const std::int64_t ours = diameter(*make_torus(size));
    const std::int64_t torus = best_torus_diameter(size.nodes());
    observations.push_back({.what = fmt::format("{}, {} nodes", text(size), size.nodes()),
                            .expected = diameters_too
                                            ? fmt::format("diameter below {}, cost below {}", torus, 6 * torus)
                                            : fmt::format("cost below {}", 6 * torus),
                            .found = diameters_too ? fmt::format("diameter {}, cost {}", ours, 4 * ours)
                                                   : fmt::format("cost {}", 4 * ours),
                            .holds = 4 * ours < 6 * torus && (!diameters_too || ours < torus)});
  }
  return all_hold("l = m = n = 2..12 against the a x b x c torus of as many nodes with the smallest diameter; cost = "
                  "degree * diameter",
                  observations);
}

Evidence connectivity()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : {PetersenTorusSize{2, 2, 2}, {2, 3, 2}, {2, 2, 3}, {3, 2, 2}, {3, 3, 3}}) {
    const auto torus = make_torus(size);
    const std::uint32_t found = fewest_disjoint_paths(*torus, 10);
    observations.push_back({.what = text(size), .expected = "4", .found = fmt::to_string(found), .holds = found == 4});
  }
  return all_hold("node-disjoint paths between a module's nodes and all others; modules are alike", observations);
}

} // namespace

std::vector<Claim> network_claims()
{
  std::vector<Claim> claims;
  claims.push_back(
      refuted(claim("better_than_torus", "abstract", "3PT is better than the 3-D torus in diameter and network cost",
                    "a smaller diameter and a smaller product of degree and diameter", shown({2, 2, 2}), [] {
                      return corrected(better_than_torus(true), "the cost is smaller, the diameter not for all sizes",
                                       better_than_torus(false));
                    })));
  claims.back().reading = "against the torus of as many nodes that has the smallest diameter; the abstract gives no "
                          "sizes and refers to an earlier paper";
  claims.push_back(claim("petersen_graph", "section 2",
                         "A module is the Petersen graph: node- and edge-symmetric, 10 nodes, degree 3, diameter 2",
                         "10 nodes, degree 3, diameter 2, symmetric",
                         {petersen_config("petersen_broadcast", sla, ""), "wormcast topology CONFIG"},
                         module_is_petersen_graph));
  claims.push_back(claim("nodes_and_edges", "section 2", "3PT(l, m, n) has 10lmn nodes, 20lmn edges, and degree 4",
                         "10lmn, 20lmn, 4", shown({2, 2, 2}), numbers_of_nodes_and_edges));
  claims.push_back(claim("smallest_sizes", "section 2", "3PT(l, m, n) is defined for l, m, n >= 2",
                         "with 2 it is a simple graph, with 1 an external edge stays inside of a module",
                         shown({2, 2, 2}), smallest_sizes));
  claims.push_back(refuted(claim(
      "node_ranges", "section 2, definition 1", "A node is (z, x, y, p) with 0 <= z <= l, 0 <= x <= m, 0 <= y <= n",
      "10lmn nodes", shown({2, 2, 2}),
      [] { return corrected(node_ranges(0), "0 <= z <= l - 1, 0 <= x <= m - 1, 0 <= y <= n - 1", node_ranges(-1)); })));
  claims.push_back(claim("diameter", "section 1",
                         "The diameter bounds the efficiency of communication (no diameter of 3PT is given)",
                         "not in the paper: 2 floor(l/2) + 2 floor(max(m, n)/2) + c with c = 2..4 for even l, 3..5 for "
                         "odd l",
                         shown({4, 4, 4}), diameters));
  claims.push_back(claim("connectivity", "section 2",
                         "The degree is 4 (not in the paper: as many paths without a common node join any two nodes)",
                         "connectivity 4", shown({2, 2, 2}), connectivity));
  return claims;
}

} // namespace wormcast::kim
