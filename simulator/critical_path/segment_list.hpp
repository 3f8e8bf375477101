#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace wormcast {

/// A list of segments, each from the end of the one before.
class SegmentList {
public:
  explicit SegmentList(Time start) : now_(start) {}

  void add(PathSegment segment, Time to)
  {
    if (to < now_) {
      throw std::logic_error("a segment of the critical path ends before it begins");
    }
    if (to == now_) {
      return;
    }
    segment.from = now_;
    segment.to = to;
    now_ = to;
    if (!segments_.empty() && segment.cause == PathCause::hops && segments_.back().cause == PathCause::hops) {
      segments_.back().to = to;
      segments_.back().hops += segment.hops;
      return;
    }
    segments_.push_back(segment);
  }

  Time now() const { return now_; }
  std::vector<PathSegment> segments() { return std::move(segments_); }

private:
  Time now_;
  std::vector<PathSegment> segments_;
};

/// Returns the cause of a header's wait on a path.
inline PathCause wait_cause(const ContentionRecord& wait)
{
  switch (wait.kind) {
  case ContentionKind::step:
    return PathCause::step_wait;
  case ContentionKind::depth:
    return PathCause::depth_wait;
  case ContentionKind::sharing:
    return PathCause::sharing;
  case ContentionKind::other:
    return wait.resource.kind == Resource::Kind::external ? PathCause::other_wait : PathCause::other_port_wait;
  case ContentionKind::port:
    break;
  }
  return PathCause::port_wait;
}

} // namespace wormcast
