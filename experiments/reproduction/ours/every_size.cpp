#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_loads.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_squares.hpp"
#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/ours/cases.hpp"
#include "wormcast/experiments/reproduction/ours/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

namespace wormcast::ours {

namespace {

/// The first finite check: each cell by itself.
void observe_cells(std::size_t number, const CellDesign& design, std::vector<Observation>& observations)
{
  std::size_t faulty = 0;
  std::string first_fault;
  std::uint32_t last_start = 0;
  std::uint32_t last_start_of_sources = 0;
  for (const TwoTreeCell& printed : design.cells) {
    TwoTreeCell cell = printed;
    cell.edges.resize(as_measured(cell.edges.size(), cell.edges.size() - 1));
    const std::vector<std::string> faults = faults_of_cell(design, cell);
    if (!faults.empty()) {
      ++faulty;
      first_fault = first_fault.empty() ? fmt::format(", cell {}: {}", cell.name, faults.front()) : first_fault;
      continue;
    }
    std::uint32_t& last = cell.source ? last_start_of_sources : last_start;
    last = std::max(last, last_start_in_cell(design, cell));
  }
  observations.push_back(
      {.what = fmt::format("proof for all n: the {} cells of design {}", design.cells.size(), number),
       .expected = "trees, ports, colours, free rows and columns are right in each",
       .found = faulty == 0 ? "right in each" : fmt::format("wrong in {}{}", faulty, first_fault),
       .holds = faulty == 0});
  observations.push_back(
      {.what = fmt::format("proof for all n: the last start in a cell of design {}", number),
       .expected = "step 11 at most, in cells of sources, whose roots are fed two steps earlier, step 13",
       .found = fmt::format("step {}, in cells of sources {}", last_start, last_start_of_sources),
       .holds = last_start <= 11 && last_start_of_sources <= 13});
}

/// The second finite check: what larger joins use inside of a square is one of finitely many loads.
void observe_loads(std::size_t number, const CellDesign& design, std::vector<Observation>& observations)
{
  std::array<JoinEdge, 6> edges = join_edges;
  edges.back().to = as_measured(edges.back().to, edges.front().to);
  const LoadClosure closure = load_closure(design, 12, joined_copies, edges);
  observations.push_back(
      {.what = fmt::format("proof for all n: loads of squares, design {}", number),
       .expected =
           "32 loads, closed under the four parts of a square, free of conflicts, in cells on reserved channels",
       .found = closure.faults.empty()
                    ? fmt::format("{} loads, {}, free of conflicts, in cells on {} of {} reserved channels",
                                  closure.loads, closure.is_closed ? "closed" : "not closed", closure.in_cells.count(),
                                  design.reserved.count())
                    : fmt::to_string(fmt::join(closure.faults, "; ")),
       .holds = closure.faults.empty() && closure.is_closed && closure.loads == 32});
}

/// The sources of a mesh: all of them, or as many as asked for, spread over it.
std::vector<NodeId> spread_sources(const Grid& mesh, std::uint32_t count)
{
  std::vector<NodeId> sources;
  constexpr std::uint32_t stride = 2'654'435'761; // odd, so that it passes through all nodes of a power of two
  for (std::uint32_t i = 0; i < std::min(count, mesh.node_count()); ++i) {
    sources.push_back(NodeId{i * stride % mesh.node_count()});
  }
  return sources;
}

/// The consequences: schedules of two and seven segments, verified message by message.
void observe_mesh(std::uint32_t n, std::uint32_t count, std::vector<Observation>& observations)
{
  const BroadcastCase shown{.dims = square(static_cast<int>(n)), .algorithm = "two_trees"};
  const auto topology = topology_of(shown);
  const auto& mesh = dynamic_cast<const Grid&>(*topology);
  std::map<std::uint32_t, int> depths;
  std::size_t wrong = 0;
  const std::vector<NodeId> sources = spread_sources(mesh, count);
  for (const NodeId source : sources) {
    const SegmentTrees trees = constructed_two_trees(mesh, source);
    const std::uint32_t depth = depth_of(trees);
    ++depths[depth];
    const std::uint64_t row = index(source) / static_cast<std::uint64_t>(mesh.sizes()[0]) % 8;
    const bool direct = row == 1 || row == 3 || row == 4 || row == 6;
    bool right = depth == 4 * n - (direct ? 2 : 1);
    for (const std::uint64_t segments : n < 8 ? std::vector<std::uint64_t>{2, 7} : std::vector<std::uint64_t>{2}) {
      Schedule schedule = segmented_broadcast(trees, segments);
      schedule.topology = topology->description();
      schedule.source = source;
      schedule.message_bytes = segments;
      const CheckReport report = check_schedule(*topology, as_made(std::move(schedule), topology->node_count()));
      right =
          right && report.valid() && report.contention_free && report.costs.alpha <= segments + depth + segments % 2;
    }
    wrong += right ? 0 : 1;
  }
  std::vector<std::string> found;
  std::ranges::transform(depths, std::back_inserter(found),
                         [](const auto& entry) { return fmt::format("D = {} from {}", entry.first, entry.second); });
  observations.push_back(
      {.what = fmt::format("checked: {0} x {0}, {1} of {2} sources", mesh.sizes()[0], sources.size(),
                           topology->node_count()),
       .expected = fmt::format("valid, free of contention, D = {} where the source is in row 1, 3, 4 "
                               "or 6 of 8, else {}",
                               4 * n - 2, 4 * n - 1),
       .found = fmt::format("{}{}", fmt::join(found, ", "), wrong == 0 ? "" : fmt::format("; wrong from {}", wrong)),
       .holds = wrong == 0});
}

Evidence every_size()
{
  std::vector<Observation> observations;
  for (std::size_t i = 0; i < cell_designs().size(); ++i) {
    observe_cells(i + 1, cell_designs()[i], observations);
    observe_loads(i + 1, cell_designs()[i], observations);
  }
  constexpr std::array<std::uint32_t, 6> sources = {256, 1024, 64, 12, 4, 1}; // for n = 4, 5, ...
  for (std::uint32_t n = 4; n <= 9; ++n) {
    observe_mesh(n, sources[n - 4], observations);
  }
  return all_hold(
      "the cells and the loads of squares, from which the statement follows for every n and every source; and "
      "schedules of 2 segments, up to 128 x 128 also of 7, verified message by message: all sources of 16 x "
      "16 and 32 x 32, and 64, 12, 4 and 1 sources of 64 x 64 to 512 x 512",
      observations);
}

} // namespace

std::vector<Check> every_size_checks()
{
  return {own_check("two_trees_every_size",
                    {.dims = {64, 64}, .algorithm = "two_trees", .parameters = {{"segments", std::int64_t{16}}}},
                    check_command, every_size)};
}

} // namespace wormcast::ours
