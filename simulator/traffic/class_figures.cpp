#include "wormcast/simulator/traffic/class_figures.hpp"

#include "wormcast/simulator/traffic/load_verdict.hpp"

namespace wormcast {

CountedClasses::CountedClasses(const TrafficClasses& classes)
    : classes_(classes.all().front().generation.name.empty() ? 0 : classes.all().size())
{}

void CountedClasses::start_batches()
{
  for (Counted& one : classes_) {
    one.batches.start();
  }
}

void CountedClasses::append_batch()
{
  for (Counted& one : classes_) {
    one.batches.append();
  }
}

void CountedClasses::join_batch_pairs()
{
  for (Counted& one : classes_) {
    one.batches.join_pairs();
  }
}

void CountedClasses::add_created(const TrafficMessage& message)
{
  if (!classes_.empty()) {
    Counted& one = classes_[message.traffic_class];
    one.created_bytes += static_cast<double>(message.bytes);
    ++one.batches.of(message.tag).created;
  }
}

void CountedClasses::add_delivered(const TrafficMessage& message)
{
  if (!classes_.empty()) {
    classes_[message.traffic_class].delivered_bytes += static_cast<double>(message.bytes);
  }
}

void CountedClasses::add_measured(const TrafficMessage& message, std::uint64_t latency, std::uint64_t network_latency)
{
  if (!classes_.empty()) {
    Counted& one = classes_[message.traffic_class];
    one.batches.of(message.tag).add_delivered(latency, network_latency);
    one.latency.add(latency);
    one.network_latency.add(network_latency);
  }
}

std::vector<ClassFigures> CountedClasses::figures(const NetworkParameters& network, const TrafficClasses& classes,
                                                  const Measurement& measurement) const
{
  std::vector<ClassFigures> all;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const Counted& counted = classes_[i];
    const TrafficClasses::Class& one = classes.all()[i];
    ClassFigures& figures = all.emplace_back();
    figures.name = one.generation.name;
    figures.offered = measurement.load * one.generation.weight;
    const double full = full_load_bytes(network, one, measurement.window.picoseconds);
    figures.accepted = accepted_load(figures.offered, counted.created_bytes / full, counted.delivered_bytes / full,
                                     measurement.stable);
    figures.messages = counted.batches.total().created;
    BatchRule rule = measurement.rule;
    rule.senders = one.pattern.sender_count();
    const auto finish = [&](LatencySummary& summary, const LatencySummary& of, WideSum LoadBatch::* latency) {
      summary = of;
      summary.finish(counted.batches, latency,
                     counted.batches.means(measurement.complete, latency, measurement.window, rule));
    };
    finish(figures.latency, counted.latency, &LoadBatch::latency);
    finish(figures.network_latency, counted.network_latency, &LoadBatch::network_latency);
  }
  return all;
}

} // namespace wormcast
