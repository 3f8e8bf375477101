#pragma once

#include "wormcast/experiments/view/viewed_messages.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// How much of a run a page shows; with the defaults its data stays at about 10 MB.
struct ViewLimits {
  std::uint64_t nodes = 1U << 16;          ///< larger networks are refused
  std::uint64_t channels = 1U << 18;       ///< the same
  std::uint64_t occupancies = 150'000;     ///< about: beyond, only a sample of the messages is drawn as worms
  std::uint64_t messages = 50'000;         ///< the same
  std::uint64_t waits = 30'000;            ///< beyond, the longest are stored
  std::uint64_t progress_points = 100'000; ///< about: beyond, nodes fill in coarser steps
};

/// When a step began and ended, over all its messages.
struct StepSpan {
  std::uint32_t step = 0;
  std::uint64_t messages = 0;
  Time from; ///< grant of the first message's port
  Time to;   ///< last delivery, or last record of a step that a deadlock cuts short
};

/// Stores the records of a run that a page shows, so that memory remains within the limits for runs of any size.
class ViewRecorder {
public:
  /// Chooses the messages to be drawn: all, or an evenly spaced sample, first of the others that are in flight, then of
  /// each step. Cost O(messages). `messages` must outlive the recorder.
  ViewRecorder(const Topology& topology, const ViewedMessages& messages, const ViewLimits& limits = {});

  /// Sinks that call this recorder, which must outlive them.
  RecordSinks sinks();

  /// Must be called once, after the run, with the times of delivery by message. Sorts the stored records by the time of
  /// their beginning.
  void finish(std::span<const std::optional<Time>> delivered);

  /// Returns whether the message's occupancies are stored.
  bool draws(MessageId message) const { return drawn_[index(message)]; }
  std::uint64_t drawn_messages() const { return drawn_messages_; } ///< of the operations
  std::uint64_t drawn_others() const { return drawn_others_; }

  const std::vector<OccupancyRecord>& occupancies() const { return occupancies_; }
  const std::vector<ContentionRecord>& waits() const { return waits_; }
  std::uint64_t all_waits() const { return all_waits_; }

  /// Returns the steps with messages that were granted a port, ascending; none for a plain message list.
  const std::vector<StepSpan>& steps() const { return steps_; }

private:
  void choose_messages(const Topology& topology, const ViewLimits& limits);
  void choose_others(const Topology& topology, const ViewLimits& limits);
  void record(const OccupancyRecord& record);
  void record(const ContentionRecord& record);
  void collect_steps(std::span<const std::optional<Time>> delivered);

  const ViewedMessages& messages_;
  std::uint64_t most_waits_;
  std::vector<bool> drawn_; ///< by message
  std::uint64_t drawn_messages_ = 0;
  std::uint64_t drawn_records_ = 0; ///< about: the occupancies of those
  std::uint64_t drawn_others_ = 0;
  std::vector<OccupancyRecord> occupancies_;
  std::vector<ContentionRecord> waits_; ///< a heap with the shortest on top while the run goes on
  std::uint64_t all_waits_ = 0;
  std::vector<StepSpan> spans_; ///< by step while the run goes on
  std::vector<StepSpan> steps_;
};

} // namespace wormcast
