#include "wormcast/experiments/view/moment.hpp"

#include <algorithm>
#include <map>

namespace wormcast {

Moments::Moments(const ViewedRun& run)
    : run_(run), progress_(run.messages, run.experiment.topology->host_count()),
      deliveries_(deliveries_in_order(run.delivered.first(run.messages.own_count())))
{}

template <typename Record> bool Moments::lasts(const Record& record, MessageId message, Time at) const
{
  const bool never_ends = run_.deadlock && record.to >= run_.end && !run_.delivered[index(message)];
  return record.from <= at && (at < record.to || never_ends);
}

Moment Moments::at(Time at)
{
  Moment moment;
  moment.at = at;
  std::map<MessageId, WormAt> worms;
  for (const OccupancyRecord& record : run_.recorder.occupancies()) {
    if (!lasts(record, record.message, at)) {
      continue;
    }
    WormAt& worm = worms[record.message];
    worm.message = record.message;
    if (record.resource.kind == Resource::Kind::external) {
      worm.channels.push_back(record.resource.channel);
      worm.granted = record.from;
    } else if (record.resource.node == run_.messages.source(record.message)) {
      worm.sends = true;
    } else {
      worm.receives = true;
    }
  }
  for (auto& [message, worm] : worms) {
    moment.worms.push_back(std::move(worm));
  }
  for (const ContentionRecord& wait : run_.recorder.waits()) {
    if (lasts(wait, wait.waiting, at)) {
      moment.waits.push_back(wait);
      moment.waiting.insert(wait.waiting);
    }
  }
  for (const StepSpan& span : run_.recorder.steps()) {
    if (span.from <= at && (at < span.to || (run_.deadlock && span.to >= run_.end))) {
      moment.steps.push_back(span.step);
    }
  }
  while (delivered_ < deliveries_.size() && *run_.delivered[index(deliveries_[delivered_])] <= at) {
    progress_.deliver(deliveries_[delivered_++]);
  }
  for (std::uint32_t node = 0; node < run_.experiment.topology->host_count(); ++node) {
    moment.held.push_back(progress_.held(NodeId{node}));
  }
  return moment;
}

std::vector<Time> Moments::changes() const
{
  std::vector<Time> times = {run_.begin, run_.end};
  const auto add = [&](const auto& records) {
    for (const auto& record : records) {
      times.push_back(record.from);
      times.push_back(record.to);
    }
  };
  add(run_.recorder.occupancies());
  add(run_.recorder.waits());
  for (const MessageId message : deliveries_) {
    times.push_back(*run_.delivered[index(message)]);
  }
  std::erase_if(times, [this](Time time) { return time < run_.begin || time > run_.end; });
  std::ranges::sort(times);
  const auto repeated = std::ranges::unique(times);
  times.erase(repeated.begin(), repeated.end());
  return times;
}

} // namespace wormcast
