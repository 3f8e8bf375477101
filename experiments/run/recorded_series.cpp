#include "wormcast/experiments/run/recorded_series.hpp"

#include <fmt/format.h>

#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

/// Passes a message to a writer when the first record names it.
///
/// A record names the waiting message and the message that held the channel when it arrived. The holder can be
/// delivered long before the record is made, but not before the waiting message was generated: a delivered message is
/// dropped when all messages generated before its delivery are delivered.
class NamedMessages {
public:
  explicit NamedMessages(TraceWriter& writer) : writer_(writer) {}

  void add(const SeriesMessage& message)
  {
    forget_before(message.ready);
    unnamed_.emplace(message.id, message);
    under_way_.emplace(message.ready, message.id);
  }

  void name(MessageId message)
  {
    const auto place = unnamed_.find(message);
    if (place != unnamed_.end()) {
      writer_.message(place->second);
      unnamed_.erase(place);
    }
  }

  void note_delivered(const DeliveryRecord& delivery)
  {
    forget_before(delivery.delivered);
    arrived_.push_back({delivery.delivered, delivery.ready, delivery.message});
  }

private:
  struct Arrival {
    Time at;
    Time ready;
    MessageId message{};
  };

  // Records of a time can follow its deliveries.
  void forget_before(Time now)
  {
    while (!arrived_.empty() && arrived_.front().at < now) {
      const Arrival& arrival = arrived_.front();
      under_way_.erase({arrival.ready, arrival.message});
      if (unnamed_.contains(arrival.message)) {
        waiting_.push_back(arrival);
      }
      arrived_.pop_front();
    }
    while (!waiting_.empty() && (under_way_.empty() || under_way_.begin()->first > waiting_.front().at)) {
      unnamed_.erase(waiting_.front().message);
      waiting_.pop_front();
    }
  }

  TraceWriter& writer_;
  std::map<MessageId, SeriesMessage> unnamed_;
  std::set<std::pair<Time, MessageId>> under_way_; // by time of delivery
  std::deque<Arrival> arrived_;                    // still in flight above
  std::deque<Arrival> waiting_;                    // not named yet, but still can be
};

/// Writes an object of format wormcast-series-deliveries/1 as messages arrive.
class DeliveryList {
public:
  DeliveryList(std::uint64_t broadcasts, std::ostream& out) : out_(out)
  {
    out_ << fmt::format(R"({{"format": "wormcast-series-deliveries/1", "broadcasts": {}, "messages": [)", broadcasts);
  }

  void add(const SeriesMessage& message)
  {
    if (message.round) {
      under_way_.emplace(message.id, message);
    }
  }

  void note_delivered(const DeliveryRecord& delivery)
  {
    const auto place = under_way_.find(delivery.message);
    if (place == under_way_.end()) {
      return;
    }
    append(place->second);
    append_time("granted_us", delivery.granted);
    append_time("delivered_us", delivery.delivered);
    if (delivery.flits) {
      append_time("head_injected_us", delivery.flits->head_injected);
      append_time("tail_injected_us", delivery.flits->tail_injected);
      append_time("head_ejected_us", delivery.flits->head_ejected);
    }
    write();
    under_way_.erase(place);
  }

  void end()
  {
    for (const auto& [id, message] : under_way_) {
      append(message);
      line_.append(std::string_view(R"(,"granted_us":null,"delivered_us":null)"));
      write();
    }
    out_ << "\n]}\n";
  }

private:
  void append(const SeriesMessage& message)
  {
    fmt::format_to(
        std::back_inserter(line_), R"({}{{"id":{},"broadcast":{},"round":{},"step":{},"src":{},"dst":{},"bytes":{})",
        first_ ? "\n" : ",\n", index(message.id), message.broadcast ? fmt::to_string(*message.broadcast) : "null",
        *message.round, message.step, index(message.source), index(message.destination), message.bytes);
    append_time("ready_us", message.ready);
    first_ = false;
  }

  void append_time(std::string_view name, Time time)
  {
    fmt::format_to(std::back_inserter(line_), R"(,"{}":{})", name, format_microseconds(time));
  }

  void write()
  {
    line_.push_back('}');
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
    line_.clear();
  }

  std::ostream& out_;
  std::map<MessageId, SeriesMessage> under_way_;
  fmt::memory_buffer line_;
  bool first_ = true;
};

std::uint64_t broadcasts_of(const SeriesParameters& series)
{
  return std::uint64_t{series.rounds} * series.count;
}

} // namespace

TraceHead series_trace_head(const SeriesExperiment& experiment, const SeriesResult& result,
                            std::optional<std::uint32_t> round)
{
  return {.experiment = experiment.single,
          .messages = result.messages + result.load_messages,
          .series = TracedSeries{.broadcasts = broadcasts_of(experiment.series),
                                 .messages = result.messages,
                                 .ended = result.broadcasts,
                                 .round = round}};
}

std::uint64_t size_of_series_trace(const SeriesResult& result, std::optional<std::uint32_t> round)
{
  constexpr double bytes_of_message = 140;
  constexpr double bytes_of_occupancy = 190;
  constexpr double bytes_of_wait = 310;
  const auto all_messages = static_cast<double>(result.messages + result.load_messages);
  const std::uint64_t of_load = result.load ? result.load->messages : result.load_messages;
  const double messages = static_cast<double>(result.messages + of_load);
  const double hops = all_messages > 0 ? static_cast<double>(result.header_hops) / all_messages : 0;
  std::uint64_t waits = 0;
  for (const ContentionKind kind : all_contention_kinds) {
    waits += result.waits[kind].count + result.load_waits[kind].count;
  }
  const double bytes =
      messages * (bytes_of_message + (hops + 2) * bytes_of_occupancy) + static_cast<double>(waits) * bytes_of_wait;
  const std::size_t rounds = result.broadcasts.empty() ? 1 : result.broadcasts.back().round + std::size_t{1};
  return static_cast<std::uint64_t>(round ? bytes / static_cast<double>(rounds) : bytes);
}

void record_series(const SeriesExperiment& experiment, const SeriesResult& result, const SeriesRecords& records)
{
  std::optional<NamedMessages> named;
  std::optional<DeliveryList> deliveries;
  SeriesSinks sinks;
  if (records.trace != nullptr) {
    TraceWriter& trace = *records.trace;
    named.emplace(trace);
    sinks.records.contention = [&](const ContentionRecord& record) {
      named->name(record.waiting);
      named->name(record.holding);
      trace.contention(record);
    };
    sinks.records.occupancy = [&](const OccupancyRecord& record) {
      named->name(record.message);
      trace.occupancy(record);
    };
    sinks.wanted = [&](std::optional<std::uint32_t> round) {
      return round && (!records.round || round == records.round);
    };
  }
  if (records.deliveries != nullptr) {
    deliveries.emplace(broadcasts_of(experiment.series), *records.deliveries);
  }
  sinks.message = [&](const SeriesMessage& message) {
    if (named) {
      named->add(message);
    }
    if (deliveries) {
      deliveries->add(message);
    }
  };
  sinks.records.delivery = [&](const DeliveryRecord& delivery) {
    if (named) {
      named->note_delivered(delivery);
    }
    if (deliveries) {
      deliveries->note_delivered(delivery);
    }
  };
  replay_series(series_setting(experiment), result, sinks);
  if (records.trace != nullptr) {
    records.trace->end(trace_end(result));
  }
  if (deliveries) {
    deliveries->end();
  }
}

} // namespace wormcast
