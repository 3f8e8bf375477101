#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/passage.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace wormcast {

/// Divides the waits of messages for the ports of their own senders by what the messages that held these ports did. The
/// references must outlive the object.
class OwnPorts {
public:
  /// `passage_to_release` returns the passage of a message up to the release of its sender's port.
  OwnPorts(const Schedule& schedule, const NetworkParameters& network, const SimulationResult& result,
           const PathRecords& records, std::function<Passage(MessageId)> passage_to_release);

  /// Returns the segments of `message` with each wait for the port of its sender replaced by what the earlier messages
  /// of this sender did with the port meanwhile: causes `own_port_startup` to `own_port_wait`. A port that is granted
  /// at the end of a wait was released then, so that the wait is followed back from its end, from the message that
  /// released the port to the one before which released it to this message. Only the time in which none of them held
  /// it (the port is half-duplex, or messages of other operations held it) remains the wait that it was. Cost
  /// O(messages log messages) for the first wait, then O(log messages) and a passage for each message that held the
  /// port.
  std::vector<PathSegment> divided(MessageId message, std::vector<PathSegment> segments);

private:
  Time granted(MessageId message) const;
  Time released(MessageId message) const;
  // Returns the message that released this port last, no later than `time` and after `since`. None: there is none.
  std::optional<MessageId> released_last(const Resource& port, Time since, Time time) const;
  // Returns whether the rest of a wait is one behind flits of an earlier message of the same sender, which have left
  // the sender but not the buffer of its first router (router "input_queued").
  bool is_behind_own(const ContentionRecord& wait) const;
  void index_releases();
  void divide(const PathSegment& wait, std::vector<PathSegment>& divided) const;

  const Schedule& schedule_;
  const SimulationResult& result_;
  const PathRecords& records_;
  Time flit_time_;
  std::function<Passage(MessageId)> passage_to_release_;
  std::vector<MessageId> releases_;         // by (sender, time of the release, id); empty until the first wait
  std::vector<std::size_t> releases_begin_; // by sender
};

} // namespace wormcast
