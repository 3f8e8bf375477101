#include "wormcast/simulator/traffic/load_run.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/delivered_load.hpp"
#include "wormcast/simulator/traffic/load_batches.hpp"
#include "wormcast/simulator/traffic/router_work.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/simulator/traffic/warm_up.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::uint32_t not_measured = 0xffffffff;

// Steps of an automatic measurement.
constexpr std::size_t fewest_batches = 32; // before the first look
constexpr std::size_t batches_between_looks = 8;
constexpr std::size_t most_batches = 64;           // then two become one
constexpr std::uint64_t most_messages = 2'000'000; // after which a measurement ends without its precision
constexpr int most_doublings = 20;                 // the same where hardly any message comes
constexpr std::uint32_t fixed_batches = 64;        // of a measurement of given length

NetworkParameters suited(NetworkParameters network, const Topology& topology)
{
  resolve_for(network, topology);
  return network;
}

class LoadRun {
public:
  LoadRun(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic, double load,
          const RunParameters& run, double timeout_factor)
      : network_(suited(network, topology)), traffic_(traffic), load_(load), classes_(topology, traffic, run.seed),
        delivered_(topology, network_), figures_(traffic.figures_of, topology.host_count()), counted_classes_(classes_)
  {
    result_.engine = engine_for_online_messages(network_, run.engine);
    result_.offered = load;
    result_.idle_nodes = topology.host_count() - classes_.sender_count();
    sinks_.path = [this](MessageId, std::span<const ChannelId> path) {
      if (phase_ == Phase::measuring) {
        delivered_.add_path(path);
      }
    };
    source_ = std::make_unique<TrafficSource>(
        topology, network_, traffic, classes_, load, run,
        TrafficSource::Listener{.created = [this](TrafficMessage& message, MessageId) { note_created(message); },
                                .delivered = [this](const TrafficMessage& message,
                                                    const Delivery& delivery) { note_delivered(message, delivery); }});
    const std::vector<std::uint32_t> work =
        run.threads > 1 ? router_work(topology, classes_, run.seed) : std::vector<std::uint32_t>();
    engine_ = make_engine(result_.engine, {.topology = topology,
                                           .network = network_,
                                           .sinks = sinks_,
                                           .source = *source_,
                                           .threads = run.threads,
                                           .router_work = work});
    const LoadTimes times = load_times(topology, network_, classes_, load, timeout_factor);
    batch_time_ = times.batch;
    rule_ = {.correlation_time = correlation_picoseconds(topology, network_, classes_, load),
             .senders = classes_.sender_count(),
             .bursts = times.bursts};
    longest_idle_ = times.longest_idle;
    warm_up_ = WarmUp(traffic.warm_up, times.step);
    boundary_ = warm_up_.next_check();
    if (boundary_ == 0) {
      start_measuring(0);
    }
  }

  LoadResult run()
  {
    while (phase_ != Phase::done) {
      const bool moved = !advance();
      if (moved) {
        continue;
      }
      pass_boundary();
    }
    if (suspicious_) {
      spdlog::debug("load {}: messages are left or do not arrive, looking for a deadlock", load_);
      look_for_deadlock();
    }
    return finish();
  }

  /// After run(): it was given up because nothing arrived, but there was no deadlock.
  bool timed_out_too_early() const { return timed_out_ && !deadlocked_; }

private:
  enum class Phase { warming, measuring, draining, done };

  // What comes in this time at load 1.
  double full_bytes(std::int64_t picoseconds) const { return full_load_bytes(network_, classes_, picoseconds); }

  // Up to the next delivery; true: the boundary has been reached.
  bool advance()
  {
    const std::int64_t boundary = boundary_;
    if (!engine_->advance(boundary).empty()) {
      last_delivery_ = engine_->now();
      created_at_delivery_ = source_->created();
      return false;
    }
    return boundary == boundary_; // a message can have begun another phase
  }

  // Called by the source, for messages and deliveries in their order --------------------------------------------

  void note_created(TrafficMessage& message)
  {
    backlog_ += static_cast<double>(message.bytes);
    message.tag = not_measured;
    if (phase_ != Phase::measuring) {
      return;
    }
    const std::uint64_t number = result_.messages++;
    created_bytes_ += static_cast<double>(message.bytes);
    ++unfinished_;
    if (const auto* messages = std::get_if<std::uint64_t>(&traffic_.measure)) {
      message.tag = static_cast<std::uint32_t>(static_cast<WideSum>(number) * fixed_batches / *messages);
      while (batches_.size() <= message.tag) {
        batches_.end_last(backlog_);
        append_batch();
      }
      count_created(message);
      if (result_.messages == *messages) {
        batches_.end_last(backlog_);
        end_measuring(message.created);
      }
      return;
    }
    message.tag = static_cast<std::uint32_t>((message.created - result_.warm_up.picoseconds) / smallest_batch_);
    count_created(message);
  }

  void count_created(const TrafficMessage& message)
  {
    ++batches_.of(message.tag).created;
    counted_classes_.add_created(message);
  }

  void note_delivered(const TrafficMessage& message, const Delivery& delivery)
  {
    const std::int64_t now = engine_->now();
    const auto latency = static_cast<std::uint64_t>(now - message.created);
    const auto network_latency = static_cast<std::uint64_t>(now - delivery.granted);
    backlog_ -= static_cast<double>(message.bytes);
    if (phase_ == Phase::warming) {
      warm_up_.note_delivered(latency);
    } else if (phase_ == Phase::measuring) {
      delivered_.add(message, delivery.message);
      figures_.add_delivered(message.source, message.destination, message.bytes);
      counted_classes_.add_delivered(message);
    }
    if (message.tag == not_measured) {
      return;
    }
    batches_.of(message.tag).add_delivered(latency, network_latency);
    result_.latency.add(latency);
    result_.network_latency.add(network_latency);
    counted_classes_.add_measured(message, latency, network_latency);
    figures_.add_measured(message.source, message.destination, now - message.created);
    --unfinished_;
    if (phase_ == Phase::draining && unfinished_ == 0) {
      phase_ = Phase::done;
    }
  }

  // Boundaries ---------------------------------------------------------------------------------------------------

  void pass_boundary()
  {
    if (boundary_ >= largest_time) {
      throw_time_overflow();
    }
    const bool many_wait = source_->created() - created_at_delivery_ > 100 + 4 * std::uint64_t{classes_.sender_count()};
    if (many_wait && boundary_ - last_delivery_ > longest_idle_) {
      suspicious_ = true; // nothing arrives any more
      timed_out_ = true;
      phase_ = Phase::done;
      return;
    }
    switch (phase_) {
    case Phase::warming:
      pass_warm_up_slice();
      break;
    case Phase::measuring:
      pass_batch();
      break;
    case Phase::draining:
      suspicious_ = true;
      phase_ = Phase::done;
      break;
    case Phase::done:
      break;
    }
  }

  void pass_warm_up_slice()
  {
    const std::int64_t now = boundary_;
    if (warm_up_.ends(backlog_, source_->created(), load_ * full_bytes(now))) {
      start_measuring(now);
    } else {
      boundary_ = warm_up_.next_check();
    }
  }

  void start_measuring(std::int64_t now)
  {
    phase_ = Phase::measuring;
    batches_.start();
    counted_classes_.start_batches();
    result_.warm_up = Time{now};
    waits_before_ = engine_->contention();
    backlog_before_ = backlog_;
    if (const Time* time = std::get_if<Time>(&traffic_.measure)) {
      smallest_batch_ = std::max<std::int64_t>(1, time->picoseconds / fixed_batches);
      boundary_ = now + smallest_batch_;
    } else if (std::holds_alternative<std::uint64_t>(traffic_.measure)) {
      boundary_ = now + batch_time_; // to look whether anything arrives
    } else {
      smallest_batch_ = batch_time_;
      boundary_ = now + smallest_batch_;
    }
  }

  void pass_batch()
  {
    if (std::holds_alternative<std::uint64_t>(traffic_.measure)) {
      boundary_ += batch_time_;
      return;
    }
    batches_.end_last(backlog_);
    const bool fixed = std::holds_alternative<Time>(traffic_.measure);
    if (fixed ? batches_.size() == fixed_batches : is_enough()) {
      end_measuring(boundary_);
      return;
    }
    if (!fixed && batches_.size() == most_batches) {
      batches_.join_pairs();
      counted_classes_.join_batch_pairs();
      next_look_ = fewest_batches + batches_between_looks;
    }
    append_batch();
    boundary_ += smallest_batch_ << batches_.joined();
  }

  void append_batch()
  {
    batches_.append();
    counted_classes_.append_batch();
  }

  // Whether an automatic measurement ends here: at two looks in a row its interval was as small as was asked for (at
  // one look it may be so by chance), or the network saturated.
  bool is_enough()
  {
    if (batches_.size() < next_look_) {
      return false;
    }
    next_look_ = batches_.size() + batches_between_looks;
    const std::vector<double> backlog = batches_.backlogs();
    const bool grows = backlog_grows(backlog, created_bytes_);
    const bool saturated = grows && growth_score(backlog_before_, backlog) >= least_growth_score;
    const bool was_saturated = std::exchange(saturated_at_last_look_, saturated);
    const bool was_precise = std::exchange(precise_at_last_look_, !grows && is_precise());
    if ((was_precise && precise_at_last_look_) || (was_saturated && saturated)) {
      interval_batches_ = batches_.complete();
      return true;
    }
    return result_.messages >= most_messages || batches_.joined() >= most_doublings;
  }

  bool is_precise() const
  {
    const std::size_t complete = batches_.complete();
    // Where lengths or bursts differ much, a window can miss what makes most of the load.
    const double offered = load_ * full_bytes(boundary_ - result_.warm_up.picoseconds);
    if (complete < fewest_batches || std::abs(created_bytes_ - offered) > 2 * traffic_.precision * offered) {
      return false;
    }
    const std::vector<double> means =
        batches_.means(complete, &LoadBatch::latency, Time{boundary_} - result_.warm_up, rule_);
    return !means.empty() && interval_of_batch_means(means) <= traffic_.precision * mean_of(means);
  }

  void end_measuring(std::int64_t now)
  {
    result_.measured = Time{now} - result_.warm_up;
    waits_after_ = engine_->contention();
    backlog_after_ = backlog_;
    phase_ = unfinished_ == 0 ? Phase::done : Phase::draining;
    const std::int64_t shortest = 200 * warm_up_.step();
    const std::int64_t drain =
        traffic_.drain ? traffic_.drain->picoseconds : std::max(result_.measured.picoseconds, shortest);
    boundary_ = drain > largest_time - now ? largest_time : now + drain;
  }

  // Without new messages all of them arrive sooner or later, unless they wait for each other.
  void look_for_deadlock()
  {
    unfinished_at_end_ = unfinished_;
    source_->stop();
    while (!engine_->advance().empty()) {
      last_delivery_ = engine_->now();
    }
    if (engine_->in_flight() == 0) {
      return;
    }
    deadlocked_ = true;
    StoppedNetwork stopped = engine_->explain_deadlock(last_delivery_);
    result_.deadlock = Deadlock{.at = Time{stopped.since},
                                .cycle = std::move(stopped.cycle),
                                .undelivered = engine_->in_flight(),
                                .first_never_ready = std::nullopt};
  }

  LoadResult finish()
  {
    result_.all_messages = source_->created();
    result_.header_hops = engine_->header_hops();
    result_.flit_hops = engine_->flit_hops();
    if (result_.deadlock || result_.measured == Time{}) {
      return std::move(result_);
    }
    const double full = full_bytes(result_.measured.picoseconds);
    result_.created = created_bytes_ / full;
    result_.delivered = delivered_.bytes() / full;
    result_.unfinished = unfinished_at_end_;
    const std::size_t complete = interval_batches_ > 0 ? interval_batches_ : batches_.complete();
    result_.batches = static_cast<std::uint32_t>(means(complete, &LoadBatch::latency).size());
    result_.latency.finish(batches_, &LoadBatch::latency, means(complete, &LoadBatch::latency));
    result_.network_latency.finish(batches_, &LoadBatch::network_latency, means(complete, &LoadBatch::network_latency));
    decide();
    result_.accepted = accepted_load(load_, result_.created, result_.delivered, result_.stable());
    result_.classes = counted_classes_.figures(
        network_, classes_,
        {.load = load_, .stable = result_.stable(), .window = result_.measured, .complete = complete, .rule = rule_});
    delivered_.report(classes_, result_.measured, result_);
    result_.nodes = figures_.nodes(full / classes_.parts());
    result_.pairs = figures_.pairs();
    for (std::size_t kind = 0; kind < waits_after_.by_kind.size(); ++kind) {
      ContentionTotals::Kind& waits = result_.waits.by_kind[kind];
      waits.count = waits_after_.by_kind[kind].count - waits_before_.by_kind[kind].count;
      waits.wait.picoseconds =
          waits_after_.by_kind[kind].wait.picoseconds - waits_before_.by_kind[kind].wait.picoseconds;
    }
    return std::move(result_);
  }

  void decide()
  {
    const std::vector<double> backlog = batches_.backlogs();
    // What is in flight at both ends comes and goes: only its growth is a difference between offered and accepted.
    const bool grew = backlog_grows(backlog, created_bytes_) ||
                      backlog_after_ - backlog_before_ > 0.01 * created_bytes_ + in_flight_bytes();
    if (result_.messages < fewest_messages) {
      result_.undecided_by = UndecidedBy::messages;
    } else if (grew && growth_score(backlog_before_, backlog) >= least_growth_score) {
      result_.verdict = LoadVerdict::saturated;
    } else if (grew) {
      result_.undecided_by = UndecidedBy::growth;
    } else if (result_.unfinished > 0) {
      result_.undecided_by = UndecidedBy::drain;
    } else if (!result_.latency.half_interval) {
      result_.undecided_by = UndecidedBy::correlation;
    } else {
      result_.verdict = LoadVerdict::stable;
    }
  }

  // What is in flight in a network whose queues do not grow, by Little's law with the mean latency.
  double in_flight_bytes() const
  {
    const LoadBatch all = batches_.total();
    return all.delivered == 0 ? 0
                              : created_bytes_ * static_cast<double>(all.latency) / static_cast<double>(all.delivered) /
                                    static_cast<double>(result_.measured.picoseconds);
  }

  std::vector<double> means(std::size_t count, WideSum LoadBatch::* latency) const
  {
    return batches_.means(count, latency, result_.measured, rule_);
  }

  NetworkParameters network_;
  const TrafficParameters& traffic_;
  double load_;
  TrafficClasses classes_;
  DeliveredLoad delivered_;
  CountedFigures figures_;
  CountedClasses counted_classes_;
  RecordSinks sinks_;
  std::unique_ptr<TrafficSource> source_;
  std::unique_ptr<Engine> engine_;
  LoadResult result_;

  Phase phase_ = Phase::warming;
  WarmUp warm_up_{Extent(), 1};
  std::int64_t boundary_ = 0; // the next slice, batch or end
  std::int64_t batch_time_ = 1;
  BatchRule rule_;
  LoadBatches batches_;
  std::int64_t smallest_batch_ = 1; // the length of the first batch
  std::size_t next_look_ = fewest_batches;
  bool saturated_at_last_look_ = false;
  bool precise_at_last_look_ = false;
  std::size_t interval_batches_ = 0; // whose interval ended the measurement; 0: none did
  bool suspicious_ = false;          // of a deadlock
  bool timed_out_ = false;           // because nothing arrived for long
  bool deadlocked_ = false;
  std::int64_t longest_idle_ = 1;
  std::int64_t last_delivery_ = 0;
  std::uint64_t created_at_delivery_ = 0; // messages that had been created at the last one

  double backlog_ = 0; // bytes in flight
  double backlog_before_ = 0;
  double backlog_after_ = 0;
  double created_bytes_ = 0;
  std::uint64_t unfinished_ = 0;
  std::uint64_t unfinished_at_end_ = 0;
  ContentionTotals waits_before_;
  ContentionTotals waits_after_;
};

} // namespace

LoadResult simulate_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                         double load, const RunParameters& run)
{
  constexpr double longer = 16; // a message can be much longer than most
  for (double timeout_factor = 1;; timeout_factor *= longer) {
    LoadRun load_run(topology, network, traffic, load, run, timeout_factor);
    LoadResult result = load_run.run();
    if (load_run.timed_out_too_early()) {
      continue;
    }
    if (result.messages == 0 && !result.deadlock) {
      throw InputError(
          fmt::format("no message was generated at a load of {} in the {} us in which it was measured, expected a "
                      "longer traffic.measure",
                      load, format_microseconds(result.measured)));
    }
    return result;
  }
}

} // namespace wormcast
