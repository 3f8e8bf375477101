#pragma once

#include "wormcast/experiments/mpi/rank_traffic.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/model/contention.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// What the ports of ranks do over the time of a program: start up a message, send it, receive one. It is drawn as one
/// row for each rank: sends above receives.
class RankTimeline {
public:
  /// `startup` is T_s, the first part of the time for which a message holds its sender's port. `messages` must outlive
  /// the object.
  RankTimeline(RankRows rows, const Schedule& messages, Time startup)
      : rows_(std::move(rows)), messages_(messages), startup_(startup)
  {}

  /// Adds a record of the run; those of external channels are ignored.
  void occupancy(const OccupancyRecord& record);

  /// Adds the critical path as a line: along the row of a sender until the start-up of its message is over, then to the
  /// receiver at the delivery.
  void critical_path(const CriticalPath& path);

  /// Returns the gnuplot program that draws [0, end] into pictures of NAME. Intervals of a row that lie in the same
  /// pixel are joined, so that its size does not grow with the number of messages. Throws as check_drawable().
  std::string gnuplot_script(const std::string& name, const std::string& title, Time end) const;

private:
  struct Interval {
    std::uint32_t row = 0;
    Time from;
    Time to;
  };
  struct Corner {
    Time at;
    std::uint32_t row = 0;
  };

  static std::string boxes(std::vector<Interval> intervals, Time pixel, double low, double high);

  RankRows rows_;
  const Schedule& messages_;
  Time startup_;
  std::vector<Interval> startups_;
  std::vector<Interval> sends_;
  std::vector<Interval> receives_;
  std::vector<Corner> path_;
};

} // namespace wormcast
