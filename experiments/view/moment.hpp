#pragma once

#include "wormcast/experiments/view/node_progress.hpp"
#include "wormcast/experiments/view/recorder.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace wormcast {

/// What a message holds at a moment.
struct WormAt {
  MessageId message{};
  std::vector<ChannelId> channels = {}; ///< in the order in which it got them
  Time granted;                         ///< the newest of them
  bool sends = false;                   ///< it holds a port of its source
  bool receives = false;                ///< and of its destination
};

/// What holds at a moment of a run.
struct Moment {
  Time at;
  std::vector<WormAt> worms; ///< ascending by message
  std::vector<ContentionRecord> waits;
  std::set<MessageId> waiting;      ///< messages whose headers wait
  std::vector<std::uint32_t> steps; ///< that have begun and are not at their end, ascending
  std::vector<std::uint64_t> held;  ///< by node: how much it has of what it must end with
};

/// The moments of a run, in the order of time. Of a deadlock what it never ends lasts beyond the last moment.
class Moments {
public:
  /// `recorder` is finished; it, the schedule and the result must outlive this object. `end` is the last moment.
  Moments(const Schedule& schedule, const SimulationResult& simulation, const ViewRecorder& recorder,
          std::uint32_t node_count, Time end);

  /// The moment `at`, which is no earlier than the one before. Cost O(records of the recorder).
  Moment at(Time at);

  /// Every time at which something changes, ascending, each once; 0 and the end among them.
  std::vector<Time> changes() const;

private:
  template <typename Record> bool lasts(const Record& record, MessageId message, Time at) const;

  const Schedule& schedule_;
  const SimulationResult& simulation_;
  const ViewRecorder& recorder_;
  NodeProgress progress_;
  std::uint32_t node_count_;
  Time end_;
  std::vector<MessageId> deliveries_; ///< in the order of time
  std::size_t delivered_ = 0;         ///< of them
};

} // namespace wormcast
