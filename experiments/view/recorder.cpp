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

} // namespace

ViewRecorder::ViewRecorder(const Topology& topology, const Schedule& schedule, const ViewLimits& limits)
    : schedule_(schedule), most_waits_(limits.waits), spans_(step_count(schedule))
{
  for (std::uint32_t step = 0; step < spans_.size(); ++step) {
    spans_[step] = {.step = step, .messages = 0, .from = {std::numeric_limits<std::int64_t>::max()}, .to = {}};
  }
  choose_messages(topology, limits);
}

void ViewRecorder::choose_messages(const Topology& topology, const ViewLimits& limits)
{
  const std::uint64_t count = schedule_.messages.size();
  std::uint64_t records = 2 * count; // the ports
  for (const Message& message : schedule_.messages) {
    records += topology.distance(message.source, message.destination);
  }
  double share = 1;
  if (records > limits.occupancies || count > limits.messages) {
    share = std::min(static_cast<double>(limits.occupancies) / static_cast<double>(records),
                     static_cast<double>(limits.messages) / static_cast<double>(count));
  }
  drawn_.resize(count);
  const StepOrder steps = order_by_step(schedule_);
  std::uint64_t place = 0;
  for (const MessageId message : steps.order) {
    ++place;
    const bool drawn = static_cast<std::uint64_t>(share * static_cast<double>(place)) > drawn_messages_;
    drawn_[index(message)] = drawn;
    drawn_messages_ += drawn ? 1 : 0;
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
  StepSpan& span = spans_[record.step];
  span.from = std::min(span.from, record.from);
  span.to = std::max(span.to, record.from);
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

void ViewRecorder::finish(const SimulationResult& simulation)
{
  const auto by_beginning = [](const auto& record) { return record.from; };
  std::ranges::stable_sort(occupancies_, {}, by_beginning);
  std::ranges::sort(waits_, [](const ContentionRecord& a, const ContentionRecord& b) {
    return a.from != b.from ? a.from < b.from : a.waiting != b.waiting ? a.waiting < b.waiting : a.to < b.to;
  });
  if (schedule_.operation != Operation::none) {
    collect_steps(simulation);
  }
}

void ViewRecorder::collect_steps(const SimulationResult& simulation)
{
  for (std::size_t id = 0; id < schedule_.messages.size(); ++id) {
    StepSpan& span = spans_[schedule_.messages[id].step];
    ++span.messages;
    if (simulation.delivered[id]) {
      span.to = std::max(span.to, *simulation.delivered[id]);
    }
  }
  for (const StepSpan& span : spans_) {
    if (span.from <= span.to) {
      steps_.push_back(span);
    }
  }
}

} // namespace wormcast
