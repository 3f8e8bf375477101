#include "wormcast/simulator/critical_path/pipeline_passage.hpp"

#include "wormcast/simulator/critical_path/passage.hpp"
#include "wormcast/simulator/critical_path/segment_list.hpp"
#include "wormcast/topologies/grid.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

bool is_at_source(const ContentionRecord& wait, const FlitTimes& times)
{
  return wait.resource.kind == Resource::Kind::injection && wait.to == times.head_injected;
}

Time ready(const PipelinePassage& passage)
{
  for (const ContentionRecord& wait : passage.waits) {
    if (is_at_source(wait, passage.times)) {
      return wait.from;
    }
  }
  return passage.times.head_injected;
}

// The stages of a router in the order in which a header passes them.
constexpr std::array<PathCause, 5> stages = {PathCause::routing, PathCause::virtual_channel_allocation,
                                             PathCause::switch_allocation, PathCause::switch_traversal,
                                             PathCause::link};
constexpr std::size_t end_of_router = stages.size();

// Returns the stage before which a header waits; a router's table of times (docs/routers.md) gives no more detail.
std::size_t stage_behind(WaitCause cause)
{
  switch (cause) {
  case WaitCause::virtual_channel:
    return 1;
  case WaitCause::slot:
  case WaitCause::crossbar:
    return 2;
  case WaitCause::output_queue:
    return 4;
  case WaitCause::channel:
  case WaitCause::queue:
    break;
  }
  return 0;
}

// Divides the time between a header's waits into the stages that it passes.
class StageWalk {
public:
  StageWalk(SegmentList& list, const NetworkParameters& network) : list_(list), tau_(network.flit_time().picoseconds)
  {
    const PipelineParameters::StageCycles of = network.pipeline.stage_cycles();
    cycles_ = {of.routing, of.virtual_channel_allocation, of.switch_allocation, of.switch_traversal,
               network.pipeline.link_delay};
  }

  /// On the channel from the node, which takes two cycles.
  void leave_node() { list_.add({.cause = PathCause::link}, list_.now() + 2 * tau()); }

  /// The header is in stage `stage` of some router at `to`. Every router costs a header the same time, at least a
  /// cycle: the number of routers passed follows from the time.
  void reach(std::size_t stage, Time to)
  {
    Cycles spent{};
    while (next_ % end_of_router != stage) {
      pass(spent);
    }
    finish(spent, to);
  }

  /// The node ejects the header at `to`: the last channel takes one cycle.
  void reach_node(Time to)
  {
    Cycles spent{};
    while (next_ % end_of_router != end_of_router - 1) {
      pass(spent);
    }
    spent.back() += 1;
    finish(spent, to);
  }

private:
  using Cycles = std::array<std::int64_t, stages.size()>;

  Time tau() const { return Time{tau_}; }

  void pass(Cycles& spent)
  {
    spent[next_] += cycles_[next_];
    next_ = (next_ + 1) % end_of_router;
  }

  void finish(Cycles spent, Time to)
  {
    const std::int64_t rest = (to - list_.now()).picoseconds / tau_ - std::reduce(spent.begin(), spent.end());
    const std::int64_t routers = std::max<std::int64_t>(rest / std::reduce(cycles_.begin(), cycles_.end()), 0);
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const Time end = list_.now() + (spent[stage] + routers * cycles_[stage]) * tau();
      list_.add({.cause = stages[stage]}, std::min(end, to));
    }
    list_.add({.cause = PathCause::pipeline}, to);
  }

  SegmentList& list_;
  std::int64_t tau_;
  Cycles cycles_{};      // of a header that does not wait
  std::size_t next_ = 0; // stage
};

std::uint32_t hops_through_pipelines(const DeliveredMessage& delivered)
{
  const Message& message = delivered.message;
  const GridRouting routing = delivered.network.pipeline.routing;
  const auto* grid = dynamic_cast<const Grid*>(&delivered.topology);
  if (grid == nullptr || !has_two_phases(routing)) {
    return delivered.topology.distance(message.source, message.destination);
  }
  const NodeId by = intermediate_node(routing, *grid, message.source, message.destination, delivered.draw);
  return grid->distance(message.source, by) + grid->distance(by, message.destination);
}

} // namespace

Time pipeline_asked(const PipelinePassage& passage, const NetworkParameters& network)
{
  return ready(passage) - network.startup;
}

Time pipeline_port_free(const PipelinePassage& passage, const NetworkParameters& network)
{
  return passage.times.tail_injected + network.flit_time();
}

std::vector<PathSegment> pipeline_segments(const PipelinePassage& passage, bool until_port_free,
                                           const NetworkParameters& network)
{
  std::vector<ContentionRecord> waits;
  std::optional<ContentionRecord> longest_shared;
  for (const ContentionRecord& wait : passage.waits) {
    if (wait.kind != ContentionKind::sharing) {
      waits.push_back(wait);
    } else if (!longest_shared || wait.wait > longest_shared->wait) {
      longest_shared = wait;
    }
  }
  std::ranges::stable_sort(waits, {}, &ContentionRecord::from);

  SegmentList list(pipeline_asked(passage, network));
  list.add({.cause = PathCause::startup}, ready(passage));
  const auto flits = static_cast<std::int64_t>(passage.flits);
  if (until_port_free) {
    if (!waits.empty() && is_at_source(waits.front(), passage.times)) {
      list.add({.cause = wait_cause(waits.front()), .wait = waits.front()}, waits.front().to);
    }
    list.add({.cause = PathCause::bytes, .flits = passage.flits}, list.now() + flits * network.flit_time());
    list.add({.cause = PathCause::buffers}, pipeline_port_free(passage, network));
    return list.segments();
  }
  StageWalk walk(list, network);
  bool at_node = true;
  for (const ContentionRecord& wait : waits) {
    if (!is_at_source(wait, passage.times)) {
      if (std::exchange(at_node, false)) {
        walk.leave_node();
      }
      walk.reach(stage_behind(wait.cause), wait.from);
    }
    list.add({.cause = wait_cause(wait), .wait = wait}, wait.to);
  }
  if (at_node) {
    walk.leave_node();
  }
  walk.reach_node(passage.times.head_ejected);
  list.add({.cause = PathCause::bytes, .flits = passage.flits - 1}, list.now() + (flits - 1) * network.flit_time());
  list.add({.cause = longest_shared ? PathCause::sharing : PathCause::buffers, .wait = longest_shared},
           passage.delivered);
  return list.segments();
}

Passage pipeline_passage(const DeliveredMessage& delivered)
{
  const PipelinePassage passage{.times = delivered.flit_times.value(),
                                .delivered = delivered.delivered,
                                .flits = delivered.flits,
                                .waits = delivered.records.waits_of(delivered.id)};
  return {.ready = pipeline_asked(passage, delivered.network),
          .until = delivered.until_port_free ? pipeline_port_free(passage, delivered.network) : delivered.delivered,
          .hops = hops_through_pipelines(delivered),
          .segments = pipeline_segments(passage, delivered.until_port_free, delivered.network)};
}

} // namespace wormcast
