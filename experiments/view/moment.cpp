#include "wormcast/experiments/view/moment.hpp"

#include <algorithm>
#include <map>

namespace wormcast {

Moments::Moments(const Schedule& schedule, const SimulationResult& simulation, const ViewRecorder& recorder,
                 std::uint32_t node_count, Time end)
    : schedule_(schedule), simulation_(simulation), recorder_(recorder), progress_(schedule, node_count),
      node_count_(node_count), end_(end), deliveries_(deliveries_in_order(simulation))
{}

template <typename Record> bool Moments::lasts(const Record& record, MessageId message, Time at) const
{
  const bool never_ends = simulation_.deadlock && record.to >= end_ && !simulation_.delivered[index(message)];
  return record.from <= at && (at < record.to || never_ends);
}

Moment Moments::at(Time at)
{
  Moment moment;
  moment.at = at;
  std::map<MessageId, WormAt> worms;
  for (const OccupancyRecord& record : recorder_.occupancies()) {
    if (!lasts(record, record.message, at)) {
      continue;
    }
    WormAt& worm = worms[record.message];
    worm.message = record.message;
    if (record.resource.kind == Resource::Kind::external) {
      worm.channels.push_back(record.resource.channel);
      worm.granted = record.from;
    } else if (record.resource.node == schedule_.messages[index(record.message)].source) {
      worm.sends = true;
    } else {
      worm.receives = true;
    }
  }
  for (auto& [message, worm] : worms) {
    moment.worms.push_back(std::move(worm));
  }
  for (const ContentionRecord& wait : recorder_.waits()) {
    if (lasts(wait, wait.waiting, at)) {
      moment.waits.push_back(wait);
      moment.waiting.insert(wait.waiting);
    }
  }
  for (const StepSpan& span : recorder_.steps()) {
    if (span.from <= at && (at < span.to || (simulation_.deadlock && span.to >= end_))) {
      moment.steps.push_back(span.step);
    }
  }
  while (delivered_ < deliveries_.size() && *simulation_.delivered[index(deliveries_[delivered_])] <= at) {
    progress_.deliver(deliveries_[delivered_++]);
  }
  for (std::uint32_t node = 0; node < node_count_; ++node) {
    moment.held.push_back(progress_.held(NodeId{node}));
  }
  return moment;
}

std::vector<Time> Moments::changes() const
{
  std::vector<Time> times = {Time{}, end_};
  const auto add = [&](const auto& records) {
    for (const auto& record : records) {
      times.push_back(record.from);
      times.push_back(record.to);
    }
  };
  add(recorder_.occupancies());
  add(recorder_.waits());
  for (const MessageId message : deliveries_) {
    times.push_back(*simulation_.delivered[index(message)]);
  }
  std::ranges::sort(times);
  const auto repeated = std::ranges::unique(times);
  times.erase(repeated.begin(), repeated.end());
  return times;
}

} // namespace wormcast
