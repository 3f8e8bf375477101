#include "wormcast/simulator/traffic/requests.hpp"

#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/values/field.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace wormcast {

namespace {

// Separates the destinations from those of [traffic] with the same seed.
constexpr std::uint64_t request_stream = 0x72657175657374ULL;

constexpr std::int64_t most_requests = 1'000'000'000;

const Fields<RequestParameters>& request_fields()
{
  static const RequestParameters defaults;
  static const Fields<RequestParameters> fields({
      field("requests", &RequestParameters::requests, "how many each node sends; nodes are silent as the pattern says")
          .at_least(1)
          .at_most(most_requests),
      field(
          "outstanding", &RequestParameters::outstanding,
          "how many of them a node has under way at once: as many contexts, each of which sends its next request when "
          "the last one is answered")
          .at_least(1)
          .at_most(most_requests)
          .otherwise(defaults),
      field("reply_bytes", &RequestParameters::reply_bytes,
            "length of the reply that the receiver of a request sends back; without it there are no replies, and a "
            "request is answered when it arrives")
          .as(ParameterType::bytes)
          .at_least(1),
      field(
          "service", &RequestParameters::service,
          "how long the receiver of a request computes before it replies, one after the other or as run.reduce_by says")
          .otherwise(defaults),
      field("think", &RequestParameters::think,
            "how long a node computes after a reply before it sends the next request of that context, by the same rule")
          .otherwise(defaults),
  });
  return fields;
}

/// The messages of a request: itself, and its reply if there is one.
std::size_t messages_of_request(const RequestParameters& parameters)
{
  return parameters.reply_bytes ? 2 : 1;
}

/// What each context of the nodes keeps from one of its requests to the next.
template <typename Kept> class Contexts {
public:
  Contexts(const RequestParameters& parameters, std::uint32_t nodes)
      : of_node_(static_cast<std::size_t>(std::min(parameters.outstanding, parameters.requests))),
        kept_(of_node_ * nodes)
  {}

  /// That of a node's request of this number.
  Kept& operator()(NodeId node, std::uint64_t number)
  {
    return kept_[of_node_ * index(node) + static_cast<std::size_t>(number % of_node_)];
  }

  /// Whether this is the first request of its context.
  bool is_first(std::uint64_t number) const { return number < of_node_; }

private:
  std::size_t of_node_;
  std::vector<Kept> kept_;
};

} // namespace

std::span<const Parameter> request_declarations()
{
  static const std::vector<Parameter> declarations = [] {
    std::vector<Parameter> all = request_fields().declarations();
    std::ranges::move(pattern_declarations(), std::back_inserter(all));
    return all;
  }();
  return declarations;
}

RequestParameters request_parameters(const ParameterValues& values)
{
  RequestParameters parameters;
  request_fields().read(parameters, values);
  parameters.destinations = pattern_choice(values);
  for (const auto& [key, time] : {std::pair{"service", parameters.service}, {"think", parameters.think}}) {
    if (time != Time{} && !parameters.reply_bytes) {
      throw InputError(fmt::format("{}: found without reply_bytes, expected it too: nobody replies without it", key));
    }
  }
  return parameters;
}

Schedule request_messages(const Topology& topology, const RequestParameters& parameters, std::uint64_t seed)
{
  const Pattern pattern(topology, parameters.destinations, seed);
  const std::uint32_t nodes = topology.host_count();
  const std::size_t stride = messages_of_request(parameters);
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (parameters.requests > most / stride / pattern.sender_count()) {
    throw InputError(
        fmt::format("requests: found {} of each of {} nodes, expected at most {}: there can be {} messages",
                    parameters.requests, pattern.sender_count(), most / stride / pattern.sender_count(), most));
  }
  std::vector<RandomStream> random;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    random.emplace_back(seed ^ request_stream, node);
  }
  Schedule schedule;
  schedule.operation = Operation::none;
  schedule.messages.reserve(static_cast<std::size_t>(parameters.requests) * pattern.sender_count() * stride);
  schedule.plain.reserve(schedule.messages.capacity());
  Contexts<MessageId> answers(parameters, nodes);
  WorkSteps steps;
  for (std::uint64_t number = 0; number < parameters.requests; ++number) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const NodeId from{node};
      if (!pattern.sends(from)) {
        continue;
      }
      steps.add();
      const NodeId to = pattern.destination(from, random[node]);
      MessageId& answer = answers(from, number);
      const auto add = [&](NodeId source, NodeId destination, const PlainMessage& plain, bool waits) {
        const MessageId id{static_cast<std::uint32_t>(schedule.messages.size())};
        schedule.messages.push_back({.source = source, .destination = destination});
        schedule.plain.push_back(plain);
        if (waits) {
          schedule.after.set(index(id), std::array{answer});
        }
        answer = id;
      };
      add(from, to, {.bytes = parameters.bytes, .start = {}, .compute = parameters.service}, !answers.is_first(number));
      if (parameters.reply_bytes) {
        add(to, from, {.bytes = *parameters.reply_bytes, .start = {}, .compute = parameters.think}, true);
      }
    }
  }
  return schedule;
}

std::optional<RoundTrips> round_trips(const RequestParameters& parameters, const Schedule& schedule,
                                      const SimulationResult& result, std::span<const std::int64_t> starts)
{
  if (result.deadlock) {
    return std::nullopt;
  }
  const std::size_t stride = messages_of_request(parameters);
  std::vector<std::uint64_t> sent(starts.size()); // by node
  Contexts<std::int64_t> free_from(parameters, static_cast<std::uint32_t>(starts.size()));
  std::vector<std::int64_t> trips;
  trips.reserve(schedule.messages.size() / stride);
  double sum = 0;
  for (std::size_t request = 0; request < schedule.messages.size(); request += stride) {
    const NodeId from = schedule.messages[request].source;
    const std::uint64_t number = sent[index(from)]++;
    const std::size_t answer = request + stride - 1;
    std::int64_t& free = free_from(from, number);
    const std::int64_t ready = free_from.is_first(number) ? starts[index(from)] : free;
    const std::int64_t answered = result.delivered[answer]->picoseconds;
    free = result.completed.empty() ? answered : result.completed[answer].picoseconds;
    trips.push_back(answered - ready);
    sum += static_cast<double>(answered - ready);
  }
  std::ranges::sort(trips);
  const auto not_exceeded_by = [&](std::size_t percent) {
    return Time{trips[(trips.size() * percent + 99) / 100 - 1]};
  };
  return RoundTrips{.count = trips.size(),
                    .mean = sum / static_cast<double>(trips.size()),
                    .median = not_exceeded_by(50),
                    .percentile_95 = not_exceeded_by(95),
                    .percentile_99 = not_exceeded_by(99),
                    .largest = Time{trips.back()}};
}

} // namespace wormcast
