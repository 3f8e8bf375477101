#include "wormcast/experiments/view/recorder.hpp"

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

// Order of the heap of waits: of equally long ones the later is given up first.
bool longer(const ContentionRecord& a, const ContentionRecord& b)
{
  return a.wait != b.wait ? a.wait > b.wait : a.from < b.from;
}

/// Selects an evenly spaced fraction of a row of messages.
class EvenSample {
public:
  EvenSample(std::uint64_t count, std::uint64_t records, std::uint64_t most_messages, std::uint64_t most_records)
  {
    if (records > most_records || count > most_messages) {
      share_ = std::min(static_cast<double>(most_records) / static_cast<double>(records),
                        static_cast<double>(most_messages) / static_cast<double>(count));
    }
  }

  /// Returns whether the next message of the row is selected.
  bool takes_next()
  {
    ++place_;
    const bool takes = static_cast<std::uint64_t>(share_ * static_cast<double>(place_)) > taken_;
    taken_ += takes ? 1 : 0;
    return takes;
  }
  std::uint64_t taken() const { return taken_; }

private:
  double share_ = 1;
  std::uint64_t place_ = 0;
  std::uint64_t taken_ = 0;
};

/// Occupancies of a message: its channels and its ports.
std::uint64_t record_count(const Topology& topology, NodeId source, NodeId destination)
{
  return std::uint64_t{2} + topology.distance(source, destination);
}

} // namespace

ViewRecorder::ViewRecorder(const Topology& topology, const ViewedMessages& messages, const ViewLimits& limits)
    : messages_(messages), most_waits_(limits.waits), drawn_(messages.count()), spans_(messages.steps())
{
  for (std::uint32_t step = 0; step < spans_.size(); ++step) {
    spans_[step] = {.step = step, .messages = 0, .from = {std::numeric_limits<std::int64_t>::max()}, .to = {}};
  }
  choose_messages(topology, limits);
  choose_others(topology, limits);
}

void ViewRecorder::choose_messages(const Topology& topology, const ViewLimits& limits)
{
  std::uint64_t records = 0;
  for (const auto& schedule : messages_.operations()) {
    for (const Message& message : schedule->messages) {
      records += record_count(topology, message.source, message.destination);
    }
  }
  EvenSample sample(messages_.own_count(), records, limits.messages, limits.occupancies);
  std::uint64_t first = 0; // message 0 of the operation
  for (const auto& schedule : messages_.operations()) {
    for (const MessageId message : order_by_step(*schedule).order) {
      drawn_[first + index(message)] = sample.takes_next();
    }
    first += schedule->messages.size();
  }
  drawn_messages_ = sample.taken();
  drawn_records_ = std::min(records, limits.occupancies);
}

// They have the space that the operations leave.
void ViewRecorder::choose_others(const Topology& topology, const ViewLimits& limits)
{
  std::uint64_t count = 0;
  std::uint64_t records = 0;
  for (const ViewedMessages::Other& other : messages_.others()) {
    if (other.under_way) {
      ++count;
      records += record_count(topology, other.source, other.destination);
    }
  }
  EvenSample sample(count, records, limits.messages - drawn_messages_, limits.occupancies - drawn_records_);
  std::uint64_t message = messages_.own_count();
  for (const ViewedMessages::Other& other : messages_.others()) {
    const bool drawn = other.under_way && (sample.takes_next() || other.always);
    drawn_[message++] = drawn;
    drawn_others_ += drawn ? 1 : 0;
  }
}

RecordSinks ViewRecorder::sinks()
{
  RecordSinks sinks;
  sinks.contention = [this](const ContentionRecord& made) { record(made); };
  sinks.occupancy = [this](const OccupancyRecord& made) { record(made); };
  return sinks;
}

void ViewRecorder::record(const OccupancyRecord& record)
{
  if (const std::optional<std::uint32_t> step = messages_.step(record.message)) {
    StepSpan& span = spans_[*step];
    span.from = std::min(span.from, record.from);
    span.to = std::max(span.to, record.from);
  }
  if (draws(record.message)) {
    occupancies_.push_back(record);
  }
}

void ViewRecorder::record(const ContentionRecord& record)
{
  ++all_waits_;
  waits_.push_back(record);
  std::ranges::push_heap(waits_, longer);
  if (waits_.size() > most_waits_) {
    std::ranges::pop_heap(waits_, longer);
    waits_.pop_back();
  }
}

void ViewRecorder::finish(std::span<const std::optional<Time>> delivered)
{
  const auto by_beginning = [](const auto& record) { return record.from; };
  std::ranges::stable_sort(occupancies_, {}, by_beginning);
  std::ranges::sort(waits_, [](const ContentionRecord& a, const ContentionRecord& b) {
    return a.from != b.from ? a.from < b.from : a.waiting != b.waiting ? a.waiting < b.waiting : a.to < b.to;
  });
  if (messages_.has_steps()) {
    collect_steps(delivered);
  }
}

void ViewRecorder::collect_steps(std::span<const std::optional<Time>> delivered)
{
  for (std::uint32_t id = 0; id < messages_.own_count(); ++id) {
    StepSpan& span = spans_[*messages_.step(MessageId{id})];
    ++span.messages;
    if (delivered[id]) {
      span.to = std::max(span.to, *delivered[id]);
    }
  }
  for (const StepSpan& span : spans_) {
    if (span.from <= span.to) {
      steps_.push_back(span);
    }
  }
}

} // namespace wormcast
