#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace wormcast {

/// Appends segments, each from the end of the one before.
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
  std::vector<PathSegment> take() { return std::move(segments_); }

private:
  Time now_;
  std::vector<PathSegment> segments_;
};

/// What a header's wait of this kind is called on a path.
inline PathCause wait_cause(ContentionKind kind)
{
  switch (kind) {
  case ContentionKind::step:
    return PathCause::step_wait;
  case ContentionKind::depth:
    return PathCause::depth_wait;
  case ContentionKind::sharing:
    return PathCause::sharing;
  case ContentionKind::port:
  case ContentionKind::other: // of several operations together, which have no path of their own
    break;
  }
  return PathCause::port_wait;
}

} // namespace wormcast
