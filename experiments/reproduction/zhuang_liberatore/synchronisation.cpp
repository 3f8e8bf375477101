#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/subjects.hpp"

#include <boost/dynamic_bitset.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace wormcast::zhuang_liberatore {

namespace {

/// RD, SC, RB, NP-RD and NP-SC with every d.
std::vector<BroadcastCase> all_one_port_algorithms(const std::string& kind, std::size_t dimensions, int n)
{
  std::vector<BroadcastCase> all;
  for (const std::string algorithm : {"recursive_doubling", "scatter_collect", "recursion_based"}) {
    all.push_back({.kind = kind, .dims = square(n, dimensions), .algorithm = algorithm});
  }
  for (int d = 1; d <= n; ++d) {
    for (const std::string inner : {"recursive_doubling", "scatter_collect"}) {
      all.push_back({.kind = kind,
                     .dims = square(n, dimensions),
                     .algorithm = "network_partitioning",
                     .parameters = {{"inner", inner}, {"d", std::int64_t{d}}}});
    }
  }
  return all;
}

Evidence contention_free_in_steps()
{
  constexpr std::uint32_t sources = 64;
  std::vector<BroadcastCase> cases;
  for (const auto& [dimensions, most] : {std::pair{2U, 4}, std::pair{3U, 2}}) {
    for (int n = 1; n <= most; ++n) {
      for (const std::string kind : {"mesh", "torus"}) {
        for (const BroadcastCase& broadcast : all_one_port_algorithms(kind, dimensions, n)) {
          std::ranges::move(from_some_sources(broadcast, sources), std::back_inserter(cases));
        }
      }
    }
  }
  return contention_free("RD, SC, RB, NP-RD and NP-SC with every d, meshes and tori, 2-D n = 1..4, 3-D n = 1..2; every "
                         "source, for 16 x 16 " +
                             of_some_sources(sources),
                         cases);
}

/// Pairs of messages of different steps that share a directed channel although the later one does not wait for the
/// earlier one: nothing but the synchronisation of steps keeps them apart.
struct DepthPairs {
  std::uint64_t count = 0;
  std::string first; ///< for people; empty: none
};

// A message waits for all that its sender sent and received in earlier steps, and for what those waited for.
DepthPairs unordered_depth_pairs(const Topology& topology, const Schedule& schedule)
{
  using Messages = boost::dynamic_bitset<>;
  const std::size_t count = schedule.messages.size();
  std::vector<Messages> waited_by_node(topology.node_count(), Messages(count));
  std::map<ChannelId, std::vector<MessageId>> users;
  DepthPairs pairs;
  const StepOrder steps = order_by_step(schedule);
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    const std::span<const MessageId> now =
        std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]);
    std::vector<std::pair<ChannelId, MessageId>> uses;
    std::vector<ChannelId> route;
    for (const MessageId id : now) {
      const Message& later = schedule.messages[index(id)];
      const Messages& waited = waited_by_node[index(later.source)];
      Messages met(count);
      route.clear();
      topology.append_route(later.source, later.destination, route);
      for (const ChannelId channel : route) {
        uses.emplace_back(channel, id);
        for (const MessageId other : users[channel]) {
          if (waited[index(other)] || met[index(other)]) {
            continue;
          }
          met.set(index(other));
          if (++pairs.count == 1) {
            const Message& earlier = schedule.messages[index(other)];
            pairs.first =
                fmt::format("step {}: {} to {} and step {}: {} to {} share the channel {} -> {}", earlier.step,
                            topology.node_name(earlier.source), topology.node_name(earlier.destination), later.step,
                            topology.node_name(later.source), topology.node_name(later.destination),
                            topology.node_name(topology.channel_source(channel)),
                            topology.node_name(topology.channel_target(channel)));
          }
        }
      }
    }
    for (const auto& [channel, id] : uses) {
      users[channel].push_back(id);
    }
    const std::vector<Messages> before = waited_by_node;
    for (const MessageId id : now) {
      const Message& message = schedule.messages[index(id)];
      for (const NodeId node : {message.source, message.destination}) {
        waited_by_node[index(node)] |= before[index(message.source)];
        waited_by_node[index(node)].set(index(id));
      }
    }
  }
  return pairs;
}

/// On a 4 x 4 mesh: in how many of the 16 broadcasts of an algorithm messages can meet, and in how many pairs at most.
struct ExpectedPairs {
  std::string title;
  std::int64_t sources = 0;
  std::int64_t most = 0;
};

const std::array<ExpectedPairs, 5> pairs_on_4_by_4 = {
    {{"RD", 0, 0}, {"NP-RD(2)", 8, 2}, {"RB", 16, 9}, {"NP-SC(2)", 8, 2}, {"SC", 12, 10}}};

/// Pairs of an algorithm from every source.
std::vector<DepthPairs> pairs_from_every_source(const BroadcastCase& broadcast)
{
  std::vector<DepthPairs> all;
  for (const BroadcastCase& one : from_every_source(broadcast)) {
    const auto topology = topology_of(one);
    all.push_back(unordered_depth_pairs(*topology, schedule_of(one, *topology)));
  }
  return all;
}

std::string pairs_text(std::int64_t sources, std::int64_t most)
{
  return sources == 0 ? "none" : fmt::format("up to {} pairs, from {} sources", most, sources);
}

Evidence messages_kept_apart_by_steps()
{
  std::vector<Observation> observations;
  ExhibitTable table{.title = "pairs of messages of different steps that can meet",
                     .header = {"algorithm", "mesh", "sources with such pairs", "most pairs", "the first"},
                     .rows = {}};
  for (const int n : {2, 3}) {
    for (const Subject& subject : subjects(n)) {
      const std::vector<DepthPairs> pairs = pairs_from_every_source(subject.broadcast);
      const auto sources = std::ranges::count_if(pairs, [](const DepthPairs& found) { return found.count > 0; });
      const DepthPairs& most = *std::ranges::max_element(pairs, {}, &DepthPairs::count);
      const auto count = static_cast<std::int64_t>(most.count);
      table.rows.push_back({subject.title, fmt::format("{0} x {0}", 1 << n), fmt::to_string(sources),
                            fmt::to_string(count), most.first});
      const auto expected = std::ranges::find(pairs_on_4_by_4, subject.title, &ExpectedPairs::title);
      const std::string found = pairs_text(sources, count);
      const std::string claimed =
          n == 2 ? pairs_text(as_claimed(expected->sources), as_claimed(expected->most)) : found;
      observations.push_back({.what = fmt::format("{} on a {} x {} mesh", subject.title, 1 << n, 1 << n),
                              .expected = n == 2 ? claimed : (subject.title == "RD" ? "none" : "some"),
                              .found = found,
                              .holds = claimed == found && (sources == 0) == (subject.title == "RD")});
    }
  }
  Evidence evidence = all_hold("4 x 4 and 8 x 8 meshes, every source", observations);
  evidence.tables.push_back(std::move(table));
  return evidence;
}

/// Section 2.3 leaves d*T_f out, as T_f is the time of a flit and flits can be small: T_s/T_f by bytes per flit, where
/// a byte takes T_s/300 as in the figures.
struct FlitSize {
  std::int64_t bytes = 1;
  std::int64_t startup_over_hop = 300;
};
constexpr std::array<FlitSize, 4> flit_sizes = {{{1, 300}, {2, 150}, {10, 30}, {30, 10}}};
constexpr std::array<std::uint64_t, 5> hop_lengths = {64, 256, 1024, 8192, 65536};

/// Latencies of an algorithm with each size of flits, in lockstep, as shares of the hops: by size and length, in %.
nlohmann::ordered_json shares_of_hops(const Subject& subject)
{
  const auto topology = topology_of(subject.broadcast);
  Schedule schedule = schedule_of(subject.broadcast, *topology);
  const auto latency = [&](Time hop) {
    const NetworkParameters network = network_with(subject.broadcast, {.hop = hop});
    return static_cast<double>(simulated(*topology, schedule, network).latency.value().picoseconds);
  };
  nlohmann::ordered_json shares = nlohmann::ordered_json::array();
  for (const std::uint64_t length : hop_lengths) {
    schedule.message_bytes = length;
    const double without = latency(Time{0});
    nlohmann::ordered_json by_size = nlohmann::ordered_json::array();
    for (const FlitSize& size : flit_sizes) {
      const Time hop =
          time_of_bytes(figure_network(subject.broadcast).per_byte, static_cast<std::uint64_t>(size.bytes)).value();
      const double with = latency(as_measured(hop, Time{hop.picoseconds / 30}));
      by_size.push_back(100 * (with - without) / with);
    }
    shares.push_back(std::move(by_size));
  }
  return {{"title", subject.title}, {"shares", shares}};
}

/// Whether hops are at most a tenth of every latency with this size of flits.
Evidence hops_with(std::span<const nlohmann::ordered_json> parts, std::size_t size)
{
  constexpr std::int64_t bound = 10; // per cent
  std::vector<Observation> observations;
  ExhibitFigure figure{.title = fmt::format("share of the hops in the latency, 32 x 32 mesh, T_s/T_f = {}",
                                            flit_sizes[size].startup_over_hop),
                       .x_label = "message length (bytes)",
                       .y_label = "share of the latency (%)",
                       .log_x = true,
                       .series = {},
                       .marks = {}};
  double most = 0;
  for (const nlohmann::ordered_json& part : parts) {
    ExhibitSeries series{.title = part["title"], .kind = ExhibitSeries::Kind::measured, .points = {}};
    for (std::size_t i = 0; i < hop_lengths.size(); ++i) {
      const double share = part["shares"][i][size];
      most = std::max(most, share);
      series.points.push_back({.x = fmt::to_string(hop_lengths[i]), .y = decimal(share)});
      observations.push_back({.what = fmt::format("{}, {} bytes", part["title"].get<std::string>(), hop_lengths[i]),
                              .expected = fmt::format("at most {} %", bound),
                              .found = decimal(share, 2) + " %",
                              .holds = share <= bound});
    }
    figure.series.push_back(std::move(series));
  }
  Evidence evidence = all_hold(fmt::format("hops take up to {} % of a latency", decimal(most, 1)), observations, 25);
  evidence.figures.push_back(std::move(figure));
  return evidence;
}

Evidence hops_by_flit_size(std::span<const nlohmann::ordered_json> parts)
{
  std::vector<std::pair<std::string, Evidence>> readings;
  for (std::size_t size = 0; size < flit_sizes.size(); ++size) {
    readings.emplace_back(fmt::format("T_s/T_f = {} (flits of {} byte{})", flit_sizes[size].startup_over_hop,
                                      flit_sizes[size].bytes, flit_sizes[size].bytes == 1 ? "" : "s"),
                          hops_with(parts, size));
  }
  return by_reading(std::move(readings));
}

Check hops_check(const BroadcastCase& shown)
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const Subject& subject : subjects(5)) {
    parts.emplace_back([=] { return shares_of_hops(subject); });
  }
  return {.name = "hops_are_negligible",
          .demonstration = {config_text(shown, 4096), "wormcast run CONFIG --set network.per_hop=\"0.5us\" --explain"},
          .measurement = {.parts = std::move(parts), .conclude = hops_by_flit_size}};
}

} // namespace

std::vector<Check> synchronisation_checks()
{
  const BroadcastCase small{.dims = square(2), .algorithm = "recursion_based"};
  const std::string self_timed = "[run]\nmode = \"self_timed\"\nstart_jitter = \"10ms\"\nseed = 8\n";
  return {{.name = "contention_free_in_steps",
           .demonstration = {config_text(small), "wormcast check CONFIG --contention-free"},
           .measurement = measured_at_once(contention_free_in_steps)},
          {.name = "messages_kept_apart_by_steps",
           .demonstration = {config_text(small, 4096, self_timed), "wormcast run CONFIG"},
           .measurement = measured_at_once(messages_kept_apart_by_steps)},
          hops_check(small)};
}

} // namespace wormcast::zhuang_liberatore
