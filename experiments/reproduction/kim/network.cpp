#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"
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
  const std::string expected =
      fmt::format("{} nodes, 15 edges, degree {}, diameter {}, 120 automorphisms, 30 images of a directed edge",
                  as_claimed(10), as_claimed(3), as_claimed(2));
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
                  {same_texts("a module", expected, found)});
}

Observation numbers_of(const PetersenTorusSize& size)
{
  const auto torus = make_torus(size);
  const std::int64_t modules = size.l * size.m * size.n;
  std::set<std::uint32_t> degrees;
  for (std::uint32_t node = 0; node < torus->node_count(); ++node) {
    degrees.insert(torus->out_degree(NodeId{node}));
  }
  const std::string expected =
      fmt::format("{} nodes, {} edges, degree {}", as_claimed(10 * modules), as_claimed(20 * modules), as_claimed(4));
  const std::string found = fmt::format("{} nodes, {} edges, degree {}", torus->node_count(), edges_of(*torus).size(),
                                        fmt::join(degrees, " or "));
  return same_texts(text(size), expected, found);
}

Evidence numbers_of_nodes_and_edges()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(7)) {
    observations.push_back(numbers_of(size));
  }
  return all_hold("l, m, n = 2..7, edges counted without repetition", observations);
}

Evidence figure_1()
{
  return not_testable("the drawing is not legible in the copies that exist",
                      all_hold("nodes, edges and degree of 3PT(5, 5, 5)", {numbers_of({5, 5, 5})}));
}

// The nodes that definition 1 names: z, x, y from 0 to l + more, m + more, n + more, and p from 0 to 9.
Evidence node_ranges(std::int64_t more)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5)) {
    const std::int64_t named = 10 * (size.l + more + 1) * (size.m + more + 1) * (size.n + more + 1);
    observations.push_back(same_texts(text(size), fmt::format("{} nodes", named),
                                      fmt::format("{} nodes", make_torus(size)->node_count())));
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
    const std::int64_t sum = as_claimed(2 * (size.l / 2) + 2 * (std::max(size.m, size.n) / 2));
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

// The best a x b x c torus, and mesh, with this number of nodes, a, b, c >= 2. Cost is degree times diameter.
struct BestGrids {
  std::int64_t torus_diameter = 0;
  std::int64_t torus_cost = 0;
  std::int64_t mesh_diameter = 0;
  std::int64_t mesh_cost = 0;
};

BestGrids best_grids(std::int64_t nodes)
{
  BestGrids best{nodes, 6 * nodes, nodes, 6 * nodes};
  for (std::int64_t a = 2; a * a * a <= nodes; ++a) {
    for (std::int64_t b = a; nodes % a == 0 && a * b * b <= nodes; ++b) {
      if (nodes / a % b != 0) {
        continue;
      }
      const std::int64_t c = nodes / a / b;
      const std::int64_t degree = 6 - (a == 2 ? 1 : 0) - (b == 2 ? 1 : 0) - (c == 2 ? 1 : 0);
      const std::int64_t torus = a / 2 + b / 2 + c / 2;
      const std::int64_t mesh = a + b + c - 3;
      best = {std::min(best.torus_diameter, torus), std::min(best.torus_cost, degree * torus),
              std::min(best.mesh_diameter, mesh), std::min(best.mesh_cost, degree * mesh)};
    }
  }
  return best;
}

struct ComparedSize {
  PetersenTorusSize size;
  std::int64_t degree = 0;
  std::int64_t diameter = 0;
  BestGrids grids;

  std::int64_t excess() const { return diameter - grids.torus_diameter; }
};

// l, m, n = 2..6, those first whose diameter is largest beside that of the torus.
std::vector<ComparedSize> compared_sizes()
{
  std::vector<ComparedSize> compared;
  for (const PetersenTorusSize& size : all_sizes(6)) {
    const auto torus = make_torus(size);
    compared.push_back({size, torus->out_degree(NodeId{0}), diameter(*torus), best_grids(size.nodes())});
  }
  std::ranges::stable_sort(compared, std::ranges::greater{}, &ComparedSize::excess);
  return compared;
}

std::string compared_text(const ComparedSize& one)
{
  return fmt::format("{}, {} nodes", text(one.size), one.size.nodes());
}

Evidence smaller_diameter_than_torus(const std::vector<ComparedSize>& compared)
{
  std::vector<Observation> observations;
  for (const ComparedSize& one : compared) {
    observations.push_back({.what = compared_text(one),
                            .expected = fmt::format("diameter below {}", one.grids.torus_diameter),
                            .found = fmt::format("diameter {}", one.diameter),
                            .holds = one.diameter < one.grids.torus_diameter});
  }
  const auto larger = std::ranges::count_if(compared, [](const ComparedSize& one) { return one.excess() > 0; });
  const auto equal = std::ranges::count(compared, 0, &ComparedSize::excess);
  return all_hold(fmt::format("l, m, n = 2..6 against the a x b x c torus of as many nodes with the smallest diameter: "
                              "smaller in {} sizes, equal in {}, larger in {}",
                              static_cast<std::ptrdiff_t>(compared.size()) - larger - equal, equal, larger),
                  observations);
}

// Degree times diameter, with the degree that the paper states.
Evidence smaller_cost(const std::vector<ComparedSize>& compared, std::int64_t BestGrids::* cost,
                      const std::string& summary)
{
  std::vector<Observation> observations;
  for (const ComparedSize& one : compared) {
    constexpr std::int64_t degree = 4;
    observations.push_back({.what = compared_text(one),
                            .expected = fmt::format("degree {}, cost below {}", degree, one.grids.*cost),
                            .found = fmt::format("degree {}, cost {}", one.degree, one.degree * one.diameter),
                            .holds = one.degree == degree && degree * one.diameter < one.grids.*cost});
  }
  return all_hold(summary, observations);
}

Evidence better_than_torus()
{
  const std::vector<ComparedSize> compared = compared_sizes();
  const Evidence cost = smaller_cost(compared, &BestGrids::torus_cost,
                                     "the same sizes against the torus of as many nodes with the smallest cost");
  return corrected(
      as_stated(smaller_diameter_than_torus(compared), cost),
      "the cost, degree times diameter, is smaller; the diameter is not for all sizes, and larger for some "
      "that are long or flat, such as 3PT(2, 2, 5)",
      cost);
}

Evidence better_than_mesh_variations()
{
  const std::vector<ComparedSize> compared = compared_sizes();
  const bool smaller =
      std::ranges::all_of(compared, [](const ComparedSize& one) { return one.diameter < one.grids.mesh_diameter; });
  Evidence instead = smaller_cost(compared, &BestGrids::mesh_cost,
                                  fmt::format("l, m, n = 2..6 against the a x b x c mesh of as many nodes with the "
                                              "smallest cost; the diameter is {} for all of them",
                                              smaller ? "smaller" : "not smaller"));
  return not_testable(
      "the paper defines neither the 3-D honeycomb mesh nor the other variations of the mesh, and gives "
      "no diameters of theirs",
      std::move(instead));
}

Evidence connectivity()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : {PetersenTorusSize{2, 2, 2}, {2, 3, 2}, {2, 2, 3}, {3, 2, 2}, {3, 3, 3}}) {
    const auto torus = make_torus(size);
    const std::uint32_t found = fewest_disjoint_paths(*torus, 10);
    observations.push_back(same_texts(text(size), fmt::to_string(as_claimed(4)), fmt::to_string(found)));
  }
  return all_hold("node-disjoint paths between a module's nodes and all others; modules are alike", observations);
}

} // namespace

std::vector<Check> network_checks()
{
  return {check_of("better_than_torus", shown({2, 2, 5}), better_than_torus),
          check_of("better_than_mesh_variations", shown({2, 2, 2}), better_than_mesh_variations),
          check_of("petersen_graph", {petersen_config("petersen_broadcast", sla, ""), "wormcast topology CONFIG"},
                   module_is_petersen_graph),
          check_of("nodes_and_edges", shown({2, 2, 2}), numbers_of_nodes_and_edges),
          check_of("figure_1", shown({5, 5, 5}), figure_1),
          check_of("smallest_sizes", shown({2, 2, 2}), smallest_sizes),
          check_of("node_ranges", shown({2, 2, 2}),
                   [] {
                     return misprinted(node_ranges(as_stated(0, -1)),
                                       "0 <= z <= l - 1, 0 <= x <= m - 1, 0 <= y <= n - 1", node_ranges(-1));
                   }),
          check_of("diameter", shown({4, 4, 4}), diameters),
          check_of("connectivity", shown({2, 2, 2}), connectivity)};
}

} // namespace wormcast::kim
