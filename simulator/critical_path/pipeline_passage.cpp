#include "wormcast/simulator/critical_path/pipeline_passage.hpp"

#include "wormcast/simulator/critical_path/segment_list.hpp"

#include <algorithm>
#include <optional>

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
      list.add({.cause = wait_cause(waits.front().kind), .wait = waits.front()}, waits.front().to);
    }
    list.add({.cause = PathCause::bytes, .flits = passage.flits}, list.now() + flits * network.flit_time());
    list.add({.cause = PathCause::buffers}, pipeline_port_free(passage, network));
    return list.take();
  }
  for (const ContentionRecord& wait : waits) {
    list.add({.cause = PathCause::pipeline}, wait.from);
    list.add({.cause = wait_cause(wait.kind), .wait = wait}, wait.to);
  }
  list.add({.cause = PathCause::pipeline}, passage.times.head_ejected);
  list.add({.cause = PathCause::bytes, .flits = passage.flits - 1}, list.now() + (flits - 1) * network.flit_time());
  list.add({.cause = longest_shared ? PathCause::sharing : PathCause::buffers, .wait = longest_shared},
           passage.delivered);
  return list.take();
}

} // namespace wormcast
