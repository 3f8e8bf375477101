#pragma once

#include "wormcast/experiments/view/node_progress.hpp"
#include "wormcast/experiments/view/viewed_run.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace wormcast {

/// The channels that a message holds at a moment.
struct WormAt {
  MessageId message{};
  std::vector<ChannelId> channels = {}; ///< in the order of their grants
  Time granted;                         ///< the newest of them
  bool sends = false;                   ///< it holds a port of its source
  bool receives = false;                ///< and of its destination
};

/// The state of a run at a moment.
struct Moment {
  Time at;
  std::vector<WormAt> worms; ///< ascending by message
  std::vector<ContentionRecord> waits;
  std::set<MessageId> waiting;      ///< messages whose headers wait
  std::vector<std::uint32_t> steps; ///< that have begun and are not at their end, ascending
  std::vector<std::uint64_t> held;  ///< by node: the fraction that it has of its final blocks
};

/// The moments of a run, in the order of time. Of a deadlock what it never ends lasts beyond the last moment.
class Moments {
public:
  /// `run` must outlive this object.
  explicit Moments(const ViewedRun& run);

  /// The moment `at`, which is no earlier than the one before. Cost O(records of the recorder).
  Moment at(Time at);

  /// Every time at which something changes, ascending, each once; from the first moment to the last one.
  std::vector<Time> changes() const;

private:
  template <typename Record> bool lasts(const Record& record, MessageId message, Time at) const;

  const ViewedRun& run_;
  ViewedProgress progress_;
  std::vector<MessageId> deliveries_; ///< of the operations, in the order of time
  std::size_t delivered_ = 0;         ///< of them
};

} // namespace wormcast
