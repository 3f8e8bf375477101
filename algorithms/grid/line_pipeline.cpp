#include "wormcast/algorithms/grid/line_pipeline.hpp"

#include "wormcast/algorithms/schedule/chain_pipeline.hpp"
#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/topologies/grid_line.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/names.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// Choices of "order": whether all rows go in the same direction.
constexpr auto line_order_names = names<bool>({{false, "snake"}, {true, "rows"}});

constexpr std::int64_t most_compared_messages = std::int64_t{1} << 18;

Schedule line_pipeline(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, "line_pipeline");
  const auto segments = static_cast<std::uint64_t>(request.parameters.integer("segments"));
  std::vector<NodeId> line = line_through(grid, !line_order_names.read(request.parameters.text("order")));
  std::ranges::rotate(line, std::ranges::find(line, request.source));
  require_message_limit("line_pipeline", segments, "segments", line.size());
  return chain_pipeline(line, segments);
}

/// Powers of four up to the number of nodes, without those that take very many messages.
std::vector<ParameterValues> segment_counts(const Topology& topology)
{
  std::vector<ParameterValues> family;
  const std::int64_t nodes = topology.node_count();
  for (std::int64_t segments = 1; segments == 1 || (segments <= nodes && segments * nodes <= most_compared_messages);
       segments *= 4) {
    family.emplace_back().set("segments", segments);
  }
  return family;
}

} // namespace

Algorithm line_pipeline_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "line_pipeline";
  algorithm.summary = "the message runs in M segments along a closed line through all nodes";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of any dimensions and sizes";
  algorithm.costs = "N nodes, M segments: alpha = M + N - 2, beta = 1 + (N - 2)/M";
  algorithm.source = "Zhuang & Liberatore, theorem 3";
  algorithm.parameters.push_back({.name = "segments",
                                  .type = ParameterType::integer,
                                  .text = "M: segments of the message",
                                  .fallback = std::int64_t{16},
                                  .minimum = 1,
                                  .maximum = std::int64_t{1} << 24});
  algorithm.parameters.push_back({.name = "order",
                                  .type = ParameterType::choice,
                                  .text = "every second row backwards, or all rows in the same direction",
                                  .fallback = std::string(line_order_names.text(false)),
                                  .choices = line_order_names.texts()});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = line_pipeline;
  algorithm.family = segment_counts;
  return algorithm;
}

} // namespace wormcast
