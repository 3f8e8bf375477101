#include "wormcast/simulator/traffic/load_run.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/simulator/traffic/warm_up.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

namespace wormcast {

namespace {

using Sum = WideSum;

constexpr std::uint32_t not_measured = 0xffffffff;

// Up to this number of pairs of nodes, deliveries are counted by pair, in at most 16 MiB, and their routes computed at
// the end.
constexpr std::uint64_t most_counted_pairs = std::uint64_t{1} << 20;

// Deliveries from one node to another.
struct Delivered {
  std::uint64_t messages = 0;
  std::uint64_t flits = 0;
};

// A batch of the measurement, by time or by messages.
struct Batch {
  std::uint64_t created = 0; // messages generated in it
  std::uint64_t delivered = 0;
  Sum latency = 0;         // of those delivered
  Sum network_latency = 0; // the same
  double backlog = 0;      // bytes in flight at its end
};

Batch merged(const Batch& a, const Batch& b)
{
  return {.created = a.created + b.created,
          .delivered = a.delivered + b.delivered,
          .latency = a.latency + b.latency,
          .network_latency = a.network_latency + b.network_latency,
          .backlog = b.backlog};
}

void join_pairs(std::vector<Batch>& batches)
{
  for (std::size_t i = 0; i < batches.size() / 2; ++i) {
    batches[i] = merged(batches[2 * i], batches[2 * i + 1]);
  }
  batches.resize(batches.size() / 2);
}

// Steps of an automatic measurement.
constexpr std::size_t fewest_batches = 32; // before the first test
constexpr std::size_t batches_between_tests = 8;
constexpr std::size_t most_batches = 64;           // more are merged in pairs
constexpr std::uint64_t most_messages = 2'000'000; // a measurement ends here even without its precision
constexpr int most_doublings = 20;                 // the same, if messages are rare
constexpr std::uint32_t fixed_batches = 64;        // of a measurement of given length

class LoadRun {
public:
  LoadRun(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic, double load,
          const RunParameters& run, double timeout_factor)
      : topology_(topology), network_(network), traffic_(traffic), load_(load), pattern_(topology, traffic, run.seed)
  {
    resolve_for(network_, topology);
    result_.engine = engine_for_online_messages(network_, run.engine);
    result_.offered = load;
    result_.idle_nodes = topology.node_count() - pattern_.sender_count();
    sinks_.path = [this](MessageId, std::uint64_t flits, std::span<const ChannelId> path) {
      if (phase_ == Phase::measuring) {
        count_along({.messages = 1, .flits = flits}, path);
      }
    };
    source_ = std::make_unique<TrafficSource>(
        topology, network_, traffic, pattern_, load, run,
        TrafficSource::Listener{.created = [this](TrafficMessage& message, MessageId) { note_created(message); },
                                .delivered = [this](const TrafficMessage& message,
                                                    const Delivery& delivery) { note_delivered(message, delivery); }});
    engine_ = make_engine(result_.engine, {topology_, network_, sinks_, *source_});
    sent_bytes_.resize(topology.node_count());
    channel_flits_.resize(topology.channel_count());
    const std::uint64_t pairs = std::uint64_t{topology.node_count()} * topology.node_count();
    if (!has_other_routes() && topology.drawn_bits() == 0 && pairs <= most_counted_pairs) {
      delivered_between_.resize(pairs);
    }
    const LoadTimes times = load_times(topology, network_, traffic, pattern_, load, timeout_factor);
    batch_time_ = times.batch;
    bursts_ = times.bursts;
    correlation_time_ = correlation_picoseconds(topology, network_, traffic, pattern_, load);
    longest_idle_ = times.longest_idle;
    warm_up_ = WarmUp(traffic.warm_up, times.step);
    next_check_ = warm_up_.next_check();
    if (next_check_ == 0) {
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
      pass_check();
    }
    if (may_be_deadlocked_) {
      spdlog::debug("load {}: messages are left or do not arrive, looking for a deadlock", load_);
      check_for_deadlock();
    }
    return finish();
  }

  /// Returns, after run(), whether it was stopped because no message was delivered although there was no deadlock.
  bool timed_out() const { return timed_out_ && !deadlocked_; }

private:
  enum class Phase { warming, measuring, draining, done };

  // Returns the bytes generated in this time at load 1.
  double full_bytes(std::int64_t picoseconds) const { return full_load_bytes(network_, pattern_, picoseconds); }

  // Advances to the next delivery; returns true if the next check has been reached.
  bool advance()
  {
    const std::int64_t check = next_check_;
    if (!engine_->advance(check).empty()) {
      last_delivery_ = engine_->now();
      created_at_delivery_ = source_->created();
      return false;
    }
    return check == next_check_; // a message can have started another phase
  }

  // Returns whether routes differ from Topology::append_drawn_route.
  bool has_other_routes() const { return network_.pipeline.routing != GridRouting::dimension_order; }

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
      message.tag = static_cast<std::uint32_t>(static_cast<Sum>(number) * fixed_batches / *messages);
      while (batches_.size() <= message.tag) {
        add_batch();
      }
      ++batches_[message.tag].created;
      if (result_.messages == *messages) {
        batches_.back().backlog = backlog_;
        end_measuring(message.created);
      }
      return;
    }
    message.tag = static_cast<std::uint32_t>((message.created - result_.warm_up.picoseconds) / smallest_batch_);
    ++batches_[message.tag >> merges_].created;
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
      count_delivered(message, delivery.message);
    }
    if (message.tag == not_measured) {
      return;
    }
    Batch& batch = batches_[message.tag >> merges_];
    ++batch.delivered;
    batch.latency += latency;
    batch.network_latency += network_latency;
    add(result_.latency, latency);
    add(result_.network_latency, network_latency);
    --unfinished_;
    if (phase_ == Phase::draining && unfinished_ == 0) {
      phase_ = Phase::done;
    }
  }

  static void add(LatencySummary& summary, std::uint64_t latency)
  {
    summary.histogram.add(latency);
    summary.largest = std::max(summary.largest, static_cast<std::int64_t>(latency));
  }

  void count_delivered(const TrafficMessage& message, MessageId id)
  {
    ++delivered_;
    delivered_bytes_ += static_cast<double>(message.bytes);
    sent_bytes_[index(message.source)] += static_cast<double>(message.bytes);
    if (!delivered_between_.empty()) {
      Delivered& pair =
          delivered_between_[std::size_t{index(message.source)} * topology_.node_count() + index(message.destination)];
      ++pair.messages;
      pair.flits += message.flits;
      return;
    }
    if (!has_other_routes()) {
      find_route(message.source, message.destination, route_draw(network_, index(id)));
      count_along({.messages = 1, .flits = message.flits}, route_);
    }
  }

  void find_route(NodeId from, NodeId to, std::uint64_t draw)
  {
    route_.clear();
    topology_.append_drawn_route(from, to, draw, route_);
  }

  void count_along(const Delivered& all, std::span<const ChannelId> route)
  {
    hops_ += all.messages * route.size();
    for (const ChannelId channel : route) {
      channel_flits_[index(channel)] += all.flits;
    }
  }

  void count_routes()
  {
    const std::uint32_t nodes = topology_.node_count();
    for (std::size_t i = 0; i < delivered_between_.size(); ++i) {
      if (delivered_between_[i].messages > 0) {
        find_route(NodeId{static_cast<std::uint32_t>(i / nodes)}, NodeId{static_cast<std::uint32_t>(i % nodes)}, 0);
        count_along(delivered_between_[i], route_);
      }
    }
  }

  // Checks -------------------------------------------------------------------------------------------------------

  void add_batch()
  {
    if (!batches_.empty()) {
      batches_.back().backlog = backlog_;
    }
    batches_.emplace_back();
  }

  void pass_check()
  {
    if (next_check_ >= largest_time) {
      throw_time_overflow();
    }
    const bool many_wait = source_->created() - created_at_delivery_ > 100 + 4 * std::uint64_t{pattern_.sender_count()};
    if (many_wait && next_check_ - last_delivery_ > longest_idle_) {
      may_be_deadlocked_ = true; // no deliveries any more
      timed_out_ = true;
      phase_ = Phase::done;
      return;
    }
    switch (phase_) {
    case Phase::warming:
      pass_warm_up_batch();
      break;
    case Phase::measuring:
      pass_batch();
      break;
    case Phase::draining:
      may_be_deadlocked_ = true;
      phase_ = Phase::done;
      break;
    case Phase::done:
      break;
    }
  }

  void pass_warm_up_batch()
  {
    const std::int64_t now = next_check_;
    if (warm_up_.ends(backlog_, source_->created(), load_ * full_bytes(now))) {
      start_measuring(now);
    } else {
      next_check_ = warm_up_.next_check();
    }
  }

  void start_measuring(std::int64_t now)
  {
    phase_ = Phase::measuring;
    batches_.assign(1, {});
    result_.warm_up = Time{now};
    waits_before_ = engine_->contention();
    backlog_before_ = backlog_;
    if (const Time* time = std::get_if<Time>(&traffic_.measure)) {
      smallest_batch_ = std::max<std::int64_t>(1, time->picoseconds / fixed_batches);
      next_check_ = now + smallest_batch_;
    } else if (std::holds_alternative<std::uint64_t>(traffic_.measure)) {
      next_check_ = now + batch_time_; // to check for deliveries
    } else {
      smallest_batch_ = batch_time_;
      next_check_ = now + smallest_batch_;
    }
  }

  void pass_batch()
  {
    if (std::holds_alternative<std::uint64_t>(traffic_.measure)) {
      next_check_ += batch_time_;
      return;
    }
    batches_.back().backlog = backlog_;
    const bool fixed = std::holds_alternative<Time>(traffic_.measure);
    if (fixed ? batches_.size() == fixed_batches : is_enough()) {
      end_measuring(next_check_);
      return;
    }
    if (!fixed && batches_.size() == most_batches) {
      join_pairs(batches_);
      ++merges_;
      next_test_ = fewest_batches + batches_between_tests;
    }
    batches_.emplace_back();
    next_check_ += smallest_batch_ << merges_;
  }

  // Returns whether an automatic measurement ends here: at two tests in a row its interval was as small as requested
  // (at one test this can be by chance), or the network was saturated.
  bool is_enough()
  {
    if (batches_.size() < next_test_) {
      return false;
    }
    next_test_ = batches_.size() + batches_between_tests;
    const std::vector<double> backlog = backlogs();
    const bool grows = backlog_grows(backlog, created_bytes_);
    const bool saturated = grows && growth_score(backlog_before_, backlog) >= least_growth_score;
    const bool was_saturated = std::exchange(saturated_at_last_test_, saturated);
    const bool was_precise = std::exchange(precise_at_last_test_, !grows && is_precise());
    if ((was_precise && precise_at_last_test_) || (was_saturated && saturated)) {
      interval_batches_ = complete_batches();
      return true;
    }
    return result_.messages >= most_messages || merges_ >= most_doublings;
  }

  bool is_precise() const
  {
    const std::size_t complete = complete_batches();
    // If lengths or bursts vary much, a window can miss the messages that make most of the load.
    const double expected = load_ * full_bytes(next_check_ - result_.warm_up.picoseconds);
    if (complete < fewest_batches || std::abs(created_bytes_ - expected) > 2 * traffic_.precision * expected) {
      return false;
    }
    const std::vector<double> means = batch_means(complete, &Batch::latency, Time{next_check_} - result_.warm_up);
    return !means.empty() && interval_of_batch_means(means) <= traffic_.precision * mean_of(means);
  }

  // Returns the bytes in flight at the ends of the batches.
  std::vector<double> backlogs() const
  {
    std::vector<double> backlog;
    for (const Batch& batch : batches_) {
      backlog.push_back(batch.backlog);
    }
    return backlog;
  }

  // Returns the number of batches, from the first one on, with all messages delivered.
  std::size_t complete_batches() const
  {
    return static_cast<std::size_t>(
        std::ranges::find_if(batches_, [](const Batch& batch) { return batch.delivered < batch.created; }) -
        batches_.begin());
  }

  // Returns the means of the first `count` batches, joined until they can be assumed to be independent; none if
  // `measured` is too short. Each covers the bursts that a mean of independent batches needs.
  std::vector<double> batch_means(std::size_t count, Sum Batch::* latency, Time measured) const
  {
    const auto time = static_cast<double>(measured.picoseconds);
    const std::size_t most = most_means_of(time / correlation_time_, pattern_.sender_count());
    if (most == 0) {
      return {};
    }
    std::vector<LatencyBatch> batches;
    for (const Batch& batch : std::span(batches_).first(count)) {
      batches.push_back({.sum = static_cast<double>(batch.*latency), .count = batch.delivered});
    }
    const double batch = time / static_cast<double>(batches_.size());
    return independent_means(batches, static_cast<std::size_t>(std::ceil(static_cast<double>(bursts_) / batch)), most);
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
    next_check_ = drain > largest_time - now ? largest_time : now + drain;
  }

  // Runs without new messages: all messages are delivered eventually, unless they wait for each other.
  void check_for_deadlock()
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
    count_routes();
    const auto time = static_cast<double>(result_.measured.picoseconds);
    const double full = full_bytes(result_.measured.picoseconds);
    result_.created = created_bytes_ / full;
    result_.delivered = delivered_bytes_ / full;
    result_.unfinished = unfinished_at_end_;
    const std::size_t complete = interval_batches_ > 0 ? interval_batches_ : complete_batches();
    result_.batches = static_cast<std::uint32_t>(batch_means(complete, &Batch::latency, result_.measured).size());
    summarise(result_.latency, complete, &Batch::latency);
    summarise(result_.network_latency, complete, &Batch::network_latency);
    decide();
    result_.accepted =
        result_.stable() ? load_ : std::min(load_, result_.delivered * load_ / std::max(load_, result_.created));
    result_.hops = delivered_ == 0 ? 0 : static_cast<double>(hops_) / static_cast<double>(delivered_);
    const auto tau = static_cast<double>(network_.flit_time().picoseconds);
    for (std::uint32_t channel = 0; channel < channel_flits_.size(); ++channel) {
      const double busy = static_cast<double>(channel_flits_[channel]) * tau / time;
      result_.busy_mean += busy / static_cast<double>(channel_flits_.size());
      if (busy > result_.busy_most) {
        result_.busy_most = busy;
        result_.busiest = ChannelId{channel};
      }
    }
    result_.smallest_share = std::numeric_limits<double>::infinity();
    for (std::uint32_t node = 0; node < sent_bytes_.size(); ++node) {
      const double share = sent_bytes_[node] / (delivered_bytes_ / pattern_.sender_count());
      if (pattern_.sends(NodeId{node}) && share < result_.smallest_share) {
        result_.smallest_share = share;
        result_.smallest_sender = NodeId{node};
      }
    }
    result_.smallest_share = std::isfinite(result_.smallest_share) ? result_.smallest_share : 0;
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
    const std::vector<double> backlog = backlogs();
    // The backlog at both ends fluctuates: only its growth is a difference between offered and accepted load.
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

  // Returns the bytes in flight in a network with stationary queues, by Little's law with the mean latency.
  double in_flight_bytes() const
  {
    Sum latency = 0;
    std::uint64_t count = 0;
    for (const Batch& batch : batches_) {
      latency += batch.latency;
      count += batch.delivered;
    }
    return count == 0 ? 0
                      : created_bytes_ * static_cast<double>(latency) / static_cast<double>(count) /
                            static_cast<double>(result_.measured.picoseconds);
  }

  void summarise(LatencySummary& summary, std::size_t complete, Sum Batch::* latency) const
  {
    Sum sum = 0;
    std::uint64_t count = 0;
    for (const Batch& batch : batches_) {
      sum += batch.*latency;
      count += batch.delivered;
    }
    summary.mean = count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
    const std::vector<double> means = batch_means(complete, latency, result_.measured);
    if (!means.empty()) {
      summary.half_interval = interval_of_batch_means(means);
    }
    const auto quantile = [&](double share) { // the middle of a bucket can be above all its values
      return std::min(summary.histogram.quantile(share), static_cast<double>(summary.largest));
    };
    summary.median = quantile(0.5);
    summary.percentile_95 = quantile(0.95);
    summary.percentile_99 = quantile(0.99);
  }

  const Topology& topology_;
  NetworkParameters network_;
  const TrafficParameters& traffic_;
  double load_;
  Pattern pattern_;
  RecordSinks sinks_;
  std::unique_ptr<TrafficSource> source_;
  std::unique_ptr<Engine> engine_;
  LoadResult result_;

  Phase phase_ = Phase::warming;
  WarmUp warm_up_{Extent(), 1};
  std::int64_t next_check_ = 0; // end of the next batch, of the warm-up or of the run
  std::int64_t batch_time_ = 1;
  std::int64_t bursts_ = 0;         // time that a mean of an interval must cover
  std::int64_t smallest_batch_ = 1; // batches are 2^merges_ times as long
  int merges_ = 0;
  std::size_t next_test_ = fewest_batches;
  bool saturated_at_last_test_ = false;
  bool precise_at_last_test_ = false;
  std::size_t interval_batches_ = 0; // batches of the interval that ended the measurement; 0: none did
  double correlation_time_ = 1;
  bool may_be_deadlocked_ = false; // the run may be in a deadlock
  bool timed_out_ = false;         // no message was delivered for longest_idle_
  bool deadlocked_ = false;
  std::int64_t longest_idle_ = 1;
  std::int64_t last_delivery_ = 0;
  std::uint64_t created_at_delivery_ = 0; // messages generated before the last delivery
  std::vector<Batch> batches_ = std::vector<Batch>(1);

  double backlog_ = 0; // bytes in flight
  double backlog_before_ = 0;
  double backlog_after_ = 0;
  double created_bytes_ = 0;
  double delivered_bytes_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t unfinished_ = 0;
  std::uint64_t unfinished_at_end_ = 0;
  std::uint64_t hops_ = 0;
  std::vector<double> sent_bytes_;           // by node
  std::vector<Delivered> delivered_between_; // by source and destination; empty: counted along the routes at once
  std::vector<std::uint64_t> channel_flits_; // by channel
  ContentionTotals waits_before_;
  ContentionTotals waits_after_;
  std::vector<ChannelId> route_; // of one message
};

} // namespace

LoadResult simulate_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                         double load, const RunParameters& run)
{
  constexpr double timeout_growth = 16; // a message can be much longer than most
  for (double timeout_factor = 1;; timeout_factor *= timeout_growth) {
    LoadRun load_run(topology, network, traffic, load, run, timeout_factor);
    LoadResult result = load_run.run();
    if (load_run.timed_out()) {
      continue;
    }
    if (result.messages == 0 && !result.deadlock) {
      throw InputError(fmt::format(
          "no message was generated at a load of {} in the {} us in which it was measured, expected a longer traffic.measure",
          load, format_microseconds(result.measured)));
    }
    return result;
  }
}

} // namespace wormcast
