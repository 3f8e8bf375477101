// A plug-in: a router in which no message ever waits for another, as a yardstick for those in which they do. With it
// loaded, `router = "ideal"` in [network] takes the keys of router "wormhole" and
//   ideal.speed_up = 2
// which divides the time of the flits.

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>
#include <wormcast/algorithms/plugin.hpp>
#include <wormcast/simulator/engines/engine.hpp>
#include <wormcast/simulator/model/routers.hpp>

namespace {

using namespace wormcast;

double time_of_message(const NetworkParameters& network, double hops, double flits)
{
  return static_cast<double>(network.startup.picoseconds) + hops * static_cast<double>(network.per_hop.picoseconds) +
         flits * static_cast<double>(network.flit_time().picoseconds) /
             network.model_parameters.number("ideal.speed_up");
}

// The head leaves after the start-up, the flits behind it one after the other.
FlitTimes flit_times(const NetworkParameters& network, const NewMessage& message, std::int64_t arrival)
{
  const Time head = Time{message.time} + network.startup;
  const double crossing = time_of_message(network, 0, static_cast<double>(message.flits));
  const Time flits = Time{static_cast<std::int64_t>(crossing)} - network.startup;
  return {.head_injected = head, .tail_injected = head + flits, .head_ejected = Time{arrival} - flits};
}

class IdealEngine final : public Engine {
public:
  explicit IdealEngine(const EngineInput& input)
      : topology_(input.topology), network_(input.network), sinks_(input.sinks), source_(input.source)
  {}

  std::optional<std::int64_t> next_event_time() const override
  {
    const std::int64_t next = next_time();
    return next == never ? std::nullopt : std::optional(next);
  }

  std::span<const Delivery> advance(std::int64_t before) override
  {
    delivered_.clear();
    while (delivered_.empty() && next_time() < before) {
      now_ = next_time();
      if (now_ > largest_time) {
        throw_time_overflow();
      }
      deliver();
      if (source_.next_time() == now_) {
        accept();
      }
    }
    return delivered_;
  }

  std::int64_t now() const override { return now_; }
  std::uint64_t in_flight() const override { return in_flight_.size(); }
  const ContentionTotals& contention() const override { return no_waits_; }
  StoppedNetwork explain_deadlock(std::int64_t last_delivery) override { return {.since = last_delivery, .cycle = {}}; }
  std::uint64_t header_hops() const override { return hops_; }
  std::uint64_t flit_hops() const override { return flit_hops_; }

private:
  struct UnderWay {
    std::int64_t arrival = 0;
    NewMessage message;

    bool operator>(const UnderWay& other) const
    {
      return std::tie(arrival, message.message) > std::tie(other.arrival, other.message.message);
    }
  };

  std::int64_t next_time() const
  {
    const std::int64_t arrival = in_flight_.empty() ? never : in_flight_.top().arrival;
    return std::min(arrival, source_.next_time());
  }

  // What ends at an instant is reported before what begins.
  void deliver()
  {
    while (!in_flight_.empty() && in_flight_.top().arrival == now_) {
      const NewMessage message = in_flight_.top().message;
      in_flight_.pop();
      delivered_.push_back({.message = message.message, .handle = message.handle, .granted = message.time});
      if (sinks_.delivery) {
        sinks_.delivery({.message = message.message,
                         .step = message.step,
                         .source = message.source,
                         .destination = message.destination,
                         .ready = Time{message.time},
                         .granted = Time{message.time},
                         .delivered = Time{now_},
                         .flits = flit_times(network_, message, now_)});
      }
      if (source_.wants_port_releases()) {
        source_.port_released(message.message, now_);
      }
    }
    if (!delivered_.empty()) {
      source_.delivered(delivered_, now_);
    }
  }

  void accept()
  {
    coming_.clear();
    source_.pop(now_, coming_);
    for (const NewMessage& message : coming_) {
      const std::uint32_t hops = topology_.distance(message.source, message.destination);
      const double time = time_of_message(network_, hops, static_cast<double>(message.flits));
      in_flight_.push({.arrival = now_ + static_cast<std::int64_t>(time), .message = message});
      hops_ += hops;
      flit_hops_ += message.flits * hops;
    }
  }

  const Topology& topology_;
  const NetworkParameters& network_;
  const RecordSinks& sinks_;
  MessageSource& source_;
  std::priority_queue<UnderWay, std::vector<UnderWay>, std::greater<>> in_flight_;
  std::vector<NewMessage> coming_;
  std::vector<Delivery> delivered_;
  ContentionTotals no_waits_;
  std::int64_t now_ = -1;
  std::uint64_t hops_ = 0;
  std::uint64_t flit_hops_ = 0;
};

void register_all()
{
  RouterModel ideal;
  ideal.name = "ideal";
  ideal.summary = "no message ever waits for another";
  ideal.source = "an example";
  ideal.parameters = {{.name = "ideal.speed_up",
                       .type = ParameterType::number,
                       .text = "what the time of the flits is divided by",
                       .fallback = 1.0,
                       .maximum = 1000}};
  ideal.empty_network_picoseconds = time_of_message;
  ideal.engines = {
      {.name = "ideal", .make = [](const EngineInput& input) { return std::make_unique<IdealEngine>(input); }}};
  ideal.reports_flits = true;
  register_router(ideal);
}

} // namespace

extern "C" Plugin wormcast_plugin()
{
  return {.version = WORMCAST_PLUGIN_VERSION, .register_all = register_all};
}
