#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace wormcast {

/// Names of the parts of a critical path. The references must outlive the object.
struct PathNames {
  ResourceNames resources;
  const Schedule& schedule;
  ScheduleInRun position = {};                                ///< of the schedule
  const std::map<MessageId, SeriesMessage>* others = nullptr; ///< messages of others; null: there are none

  PathNames(const Experiment& experiment, const Schedule& of);

  const Topology& topology() const { return resources.topology(); }

  std::uint32_t number(MessageId own) const { return index(position.in_run(own)); }

  /// "message 5 of step 2, (0, 0) to (2, 0)".
  std::string title(MessageId own) const;

  /// Of a message by its number in the run.
  std::string title_in_run(MessageId message) const;

  /// "(0, 0) to (2, 0)".
  std::string from_to(NodeId source, NodeId destination) const;
};

/// Returns whether it is a list of messages without steps.
bool is_plain(const Schedule& schedule);

/// "start delay": the cause as people read it.
std::string cause_title(PathCause cause);

/// Returns why the message was not ready before.
std::string reason_text(const PathNames& names, const PathMessage& message);

/// Returns what is known of a segment beside its cause and its times; empty: nothing.
std::string segment_text(const PathNames& names, const PathSegment& segment);

} // namespace wormcast
