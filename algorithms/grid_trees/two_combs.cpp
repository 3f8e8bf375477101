#include "wormcast/algorithms/grid_trees/two_combs.hpp"

#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::string_view two_combs_name = "two_combs";

const Grid& require_mesh_for_combs(const Topology& topology)
{
  const Grid& grid = require_grid(topology, two_combs_name);
  if (grid.wraps() || grid.sizes().size() != 2) {
    throw InputError(fmt::format("{} runs on meshes of 2 dimensions, not on the {}", two_combs_name, grid.title()));
  }
  for (std::size_t dimension = 0; dimension < 2; ++dimension) {
    if (grid.sizes()[dimension] < 2) {
      throw InputError(fmt::format("{} needs sizes of at least 2; the {} size of the {} is {}", two_combs_name,
                                   dimension_name(dimension), grid.title(), grid.sizes()[dimension]));
    }
  }
  return grid;
}

/// The mesh turned and reflected so that the source is in a corner (0, 0), or on no row that is a comb's back.
class Frame {
public:
  Frame(const Grid& mesh, NodeId source) : mesh_(mesh)
  {
    const std::int64_t x = mesh.coordinate(source, 0);
    const std::int64_t y = mesh.coordinate(source, 1);
    const bool on_back = y == 0 || y + 1 == mesh.sizes()[1];
    const bool at_side = x == 0 || x + 1 == mesh.sizes()[0];
    corner_ = on_back && at_side;
    turned_ = on_back && !at_side;
    reflected_[0] = corner_ && x != 0;
    reflected_[1] = on_back && y != 0;
    source_[0] = place(turned_ ? 1 : 0, source);
    source_[1] = place(turned_ ? 0 : 1, source);
  }

  std::int64_t columns() const { return mesh_.sizes()[turned_ ? 1 : 0]; }
  std::int64_t rows() const { return mesh_.sizes()[turned_ ? 0 : 1]; }
  bool source_is_corner() const { return corner_; }
  bool is_source(std::int64_t column, std::int64_t row) const { return column == source_[0] && row == source_[1]; }

  NodeId node(std::int64_t column, std::int64_t row) const
  {
    const std::int64_t x = in_mesh(0, turned_ ? row : column);
    const std::int64_t y = in_mesh(1, turned_ ? column : row);
    return NodeId{static_cast<std::uint32_t>(x * mesh_.stride(0) + y * mesh_.stride(1))};
  }

private:
  std::int64_t in_mesh(std::size_t dimension, std::int64_t place) const
  {
    return reflected_[dimension] ? mesh_.sizes()[dimension] - 1 - place : place;
  }
  std::int64_t place(std::size_t dimension, NodeId node) const
  {
    return in_mesh(dimension, mesh_.coordinate(node, dimension));
  }

  const Grid& mesh_;
  bool corner_ = false;
  bool turned_ = false;
  bool reflected_[2] = {false, false};
  std::int64_t source_[2] = {0, 0};
};

/// A column from its node on the back on; the source, which has everything, is left out.
void add_tooth(const Frame& frame, std::int64_t column, std::int64_t back, std::int64_t direction, std::uint32_t start,
               std::vector<TreeEdge>& tree)
{
  NodeId from = frame.node(column, back);
  for (std::int64_t row = back + direction; row >= 0 && row < frame.rows(); row += direction) {
    if (!frame.is_source(column, row)) {
      tree.push_back({from, frame.node(column, row), start});
      from = frame.node(column, row);
      start += 2;
    }
  }
}

std::vector<TreeEdge> lower_comb(const Frame& frame, NodeId source)
{
  const std::int64_t first_row =
      frame.source_is_corner() ? 1 : 0; // a node beside the source takes its part in the back
  std::vector<TreeEdge> tree = {{source, frame.node(0, first_row), 0}};
  for (std::int64_t column = 0; column < frame.columns(); ++column) {
    const std::int64_t row = column == 0 ? first_row : 0;
    if (column + 1 < frame.columns()) {
      tree.push_back({frame.node(column, row), frame.node(column + 1, 0), static_cast<std::uint32_t>(column + 1)});
    }
    add_tooth(frame, column, row, 1, static_cast<std::uint32_t>(column + 2), tree);
  }
  return tree;
}

std::vector<TreeEdge> upper_comb(const Frame& frame, NodeId source)
{
  const std::int64_t back = frame.rows() - 1;
  std::vector<TreeEdge> tree = {{source, frame.node(0, back), 1}};
  for (std::int64_t column = 0; column < frame.columns(); ++column) {
    if (column + 1 < frame.columns()) {
      tree.push_back({frame.node(column, back), frame.node(column + 1, back), static_cast<std::uint32_t>(column + 2)});
    }
    add_tooth(frame, column, back, -1, static_cast<std::uint32_t>(column + 3), tree);
  }
  return tree;
}

} // namespace

SegmentTrees two_combs(const Grid& mesh, NodeId source)
{
  const Frame frame(mesh, source);
  return {.period = 2, .trees = {lower_comb(frame, source), upper_comb(frame, source)}};
}

Algorithm two_combs_algorithm()
{
  Algorithm algorithm;
  algorithm.name = two_combs_name;
  algorithm.summary = "segments go in turn down two combs, in which every node sends at full rate";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh of 2 dimensions, sizes of at least 2";
  algorithm.costs =
      "X x Y, k >= 2 segments: alpha = k + X + 2Y - 3 or one less (sources inside the first and last row: k + "
      "Y + 2X - 3), beta = alpha/k";
  algorithm.source =
      "designed here after the two trees of Sanders, Speck & Traeff, Parallel Computing 35, 2009; not called "
      "new: pipelined broadcasts on meshes without contention are known (Watts & van de Geijn 1995; "
      "Barnett et al. 1996), and whether these combs are among them could not be read";
  algorithm.parameters.push_back(segments_parameter());
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_mesh_for_combs(topology);
    return make_segmented(two_combs_name, two_combs(mesh, request.source), mesh, request);
  };
  algorithm.tune = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_mesh_for_combs(topology);
    return best_segments(two_combs(mesh, request.source), mesh, request);
  };
  algorithm.segments = "segments";
  algorithm.segment_costs = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_mesh_for_combs(topology);
    return segment_costs(two_combs(mesh, request.source), mesh);
  };
  return algorithm;
}

} // namespace wormcast
