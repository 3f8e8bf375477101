#include "wormcast/experiments/reproduction/latency_curve.hpp"
#include "wormcast/experiments/reproduction/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/claims.hpp"

#include <boost/dynamic_bitset.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace wormcast::zhuang_liberatore {

namespace {

struct Subject {
  std::string title;
  BroadcastCase broadcast;
};

std::vector<Subject> subjects(int n)
{
  const auto partitioning = [n](const std::string& inner) {
    return BroadcastCase{.dims = square(n),
                         .algorithm = "network_partitioning",
                         .parameters = {{"inner", inner}, {"d", std::int64_t{2}}}};
  };
  return {{"RD", {.dims = square(n), .algorithm = "recursive_doubling"}},
          {"NP-RD(2)", partitioning("recursive_doubling")},
          {"RB", {.dims = square(n), .algorithm = "recursion_based"}},
          {"NP-SC(2)", partitioning("scatter_collect")},
          {"SC", {.dims = square(n), .algorithm = "scatter_collect"}}};
}

Evidence contention_free_in_steps()
{
  std::vector<BroadcastCase> cases;
  for (int n = 1; n <= 4; ++n) {
    std::vector<BroadcastCase> all = {{.dims = square(n), .algorithm = "recursive_doubling"},
                                      {.dims = square(n), .algorithm = "scatter_collect"},
                                      {.dims = square(n), .algorithm = "recursion_based"}};
    for (int d = 1; d <= n; ++d) {
      for (const std::string inner : {"recursive_doubling", "scatter_collect"}) {
        all.push_back({.dims = square(n),
                       .algorithm = "network_partitioning",
                       .parameters = {{"inner", inner}, {"d", std::int64_t{d}}}});
      }
    }
    for (const BroadcastCase& broadcast : all) {
      std::ranges::move(from_some_sources(broadcast, 64), std::back_inserter(cases));
    }
  }
  return contention_free("2^n x 2^n meshes, n = 1..4, every d, up to 64 sources each", cases);
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

Evidence contention_free_between_steps()
{
  std::vector<Observation> observations;
  std::map<std::string, std::uint64_t> pairs_of;
  for (int n = 1; n <= 3; ++n) {
    for (const Subject& subject : subjects(n)) {
      if (n < 2 && subject.broadcast.algorithm == "network_partitioning") {
        continue;
      }
      for (const BroadcastCase& one : from_some_sources(subject.broadcast, 16)) {
        const auto topology = topology_of(one);
        const Schedule schedule = schedule_of(one, *topology);
        const DepthPairs pairs = unordered_depth_pairs(*topology, schedule);
        pairs_of[subject.title] += pairs.count;
        observations.push_back(
            {.what = title(one),
             .expected = "no two messages of different steps can meet",
             .found = pairs.count == 0 ? "none can" : fmt::format("{} pairs, {}", pairs.count, pairs.first),
             .holds = pairs.count == 0});
        if (pairs.count != 0 && n <= 2) {
          observations.back().schedule = schedule_json(schedule);
        }
      }
    }
  }
  Evidence evidence =
      all_hold("RD, NP-RD(2), RB, NP-SC(2), SC on 2^n x 2^n meshes, n = 1..3, up to 16 sources each", observations, 40);
  for (const auto& [title, pairs] : pairs_of) {
    if (pairs == 0) {
      evidence.correction += fmt::format("{}{}", evidence.correction.empty() ? "without such pairs: " : ", ", title);
    }
  }
  return evidence;
}

// Section 2.3 leaves d*T_f out. Here a flit is a byte and T_f = T_c.
Evidence share_of_hops()
{
  std::vector<Observation> observations;
  ExhibitFigure figure{.title = "share of the hops in the latency, 32 x 32 mesh, T_f = T_c = 0.5 us",
                       .x_label = "message length (bytes)",
                       .y_label = "share of the latency (%)",
                       .log_x = true,
                       .series = {},
                       .marks = {}};
  for (const Subject& subject : subjects(5)) {
    const auto topology = topology_of(subject.broadcast);
    Schedule schedule = schedule_of(subject.broadcast, *topology);
    ExhibitSeries series{.title = subject.title, .kind = ExhibitSeries::Kind::measured, .points = {}};
    for (const std::uint64_t length : geometric_lengths(64, 65536, 4)) {
      schedule.message_bytes = length;
      NetworkParameters network = figure_network(subject.broadcast);
      const double without = static_cast<double>(simulated(*topology, schedule, network).latency.picoseconds);
      network.per_hop = network.per_byte;
      const double with = static_cast<double>(simulated(*topology, schedule, network).latency.picoseconds);
      const double share = 100 * (with - without) / with;
      series.points.push_back({.x = fmt::to_string(length), .y = decimal(share)});
      observations.push_back({.what = fmt::format("{}, {} bytes", subject.title, length),
                              .expected = "at most 10 %",
                              .found = decimal(share, 2) + " %",
                              .holds = share <= 10});
    }
    figure.series.push_back(std::move(series));
  }
  Evidence evidence = all_hold("RD, NP-RD(2), RB, NP-SC(2), SC on a 32 x 32 mesh, 64 to 65536 bytes", observations, 32);
  evidence.figures.push_back(std::move(figure));
  return evidence;
}

constexpr int seeds = 30;
constexpr std::array<int, 4> jitters = {0, 1, 3, 10}; ///< in T_s
const std::vector<std::uint64_t> study_lengths = {16, 64, 256, 1024, 4096, 16384, 65536};

constexpr std::uint64_t heat_map_length = 4096;

struct Sample {
  double mean = 0;
  double half_width = 0; ///< of the 95 % interval (Student's t, 29 degrees of freedom)
};

Sample sample_of(const std::vector<double>& values)
{
  constexpr double t_29 = 2.0452; // 0.975 quantile
  const auto count = static_cast<double>(values.size());
  Sample sample;
  sample.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) {
    squares += (value - sample.mean) * (value - sample.mean);
  }
  sample.half_width = t_29 * std::sqrt(squares / (count - 1) / count);
  return sample;
}

nlohmann::ordered_json sample_json(const std::vector<double>& values)
{
  const Sample sample = sample_of(values);
  return {sample.mean, sample.half_width};
}

/// Waiting time of headers for the external channels that leave each node, in microseconds, mean over all seeds: rows
/// of a 2-D mesh.
nlohmann::ordered_json waits_by_node(const Topology& topology, const Schedule& schedule,
                                     const NetworkParameters& network, int jitter)
{
  std::vector<double> waits(topology.node_count());
  const RecordSinks sinks{.contention =
                              [&](const ContentionRecord& record) {
                                if (record.resource.kind == Resource::Kind::external) {
                                  waits[index(record.resource.node)] +=
                                      static_cast<double>((record.to - record.from).picoseconds) / 1e6 / seeds;
                                }
                              },
                          .occupancy = {}};
  for (int seed = 1; seed <= seeds; ++seed) {
    simulate_core(topology, schedule, network,
                  {.mode = Mode::self_timed,
                   .seed = static_cast<std::uint64_t>(seed),
                   .start_jitter = static_cast<std::int64_t>(jitter) * network.startup},
                  sinks);
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    const auto y = static_cast<std::size_t>(topology.coordinates(NodeId{node})[1]);
    while (rows.size() <= y) {
      rows.push_back(nlohmann::ordered_json::array());
    }
    rows[y].push_back(decimal(waits[node], 1));
  }
  return rows;
}

/// One algorithm at one jitter: latency, and waits of a header for another step's (depth) or its own step's message,
/// for every length over all seeds.
nlohmann::ordered_json study(const Subject& subject, int jitter)
{
  const auto topology = topology_of(subject.broadcast);
  Schedule schedule = schedule_of(subject.broadcast, *topology);
  const NetworkParameters network = figure_network(subject.broadcast);
  nlohmann::ordered_json result = {
      {"title", subject.title}, {"jitter", jitter}, {"lengths", nlohmann::ordered_json::array()}};
  for (const std::uint64_t length : study_lengths) {
    schedule.message_bytes = length;
    std::vector<double> latency;
    std::vector<double> depth;
    std::vector<double> step;
    for (int seed = 1; seed <= seeds; ++seed) {
      const SimulationResult run = simulated(*topology, schedule, network,
                                             {.mode = Mode::self_timed,
                                              .seed = static_cast<std::uint64_t>(seed),
                                              .start_jitter = static_cast<std::int64_t>(jitter) * network.startup});
      latency.push_back(static_cast<double>(run.latency.picoseconds) / 1e6);
      depth.push_back(static_cast<double>(run.contention[ContentionKind::depth].count));
      step.push_back(static_cast<double>(run.contention[ContentionKind::step].count));
    }
    const double synchronised = static_cast<double>(simulated(*topology, schedule, network).latency.picoseconds) / 1e6;
    result["lengths"].push_back({{"bytes", length},
                                 {"synchronised", synchronised},
                                 {"latency", sample_json(latency)},
                                 {"depth", sample_json(depth)},
                                 {"step", sample_json(step)}});
  }
  if (jitter == jitters.back()) {
    schedule.message_bytes = heat_map_length;
    result["waits"] = waits_by_node(*topology, schedule, network, jitter);
  }
  return result;
}

std::string jitter_text(int jitter)
{
  return jitter == 0 ? std::string("no start jitter") : fmt::format("start jitter 0 to {} T_s", jitter);
}

ExhibitFigure study_figure(std::span<const nlohmann::ordered_json> parts, int jitter, const std::string& key,
                           const std::string& title, const std::string& y_label)
{
  ExhibitFigure figure{.title = title + ", " + jitter_text(jitter),
                       .x_label = "message length (bytes)",
                       .y_label = y_label,
                       .log_x = true,
                       .log_y = key == "latency",
                       .series = {},
                       .marks = {}};
  for (const nlohmann::ordered_json& part : parts) {
    if (part["jitter"] != jitter) {
      continue;
    }
    ExhibitSeries measured{.title = part["title"], .kind = ExhibitSeries::Kind::measured, .points = {}};
    ExhibitSeries synchronised{.title = part["title"], .kind = ExhibitSeries::Kind::predicted, .points = {}};
    for (const nlohmann::ordered_json& point : part["lengths"]) {
      const double mean = point[key][0];
      const double half = point[key][1];
      const std::string x = point["bytes"].dump();
      measured.points.push_back(
          {.x = x, .y = decimal(mean), .low = decimal(mean - half), .high = decimal(mean + half)});
      synchronised.points.push_back({.x = x, .y = decimal(point["synchronised"])});
    }
    figure.series.push_back(std::move(measured));
    if (key == "latency") {
      figure.series.push_back(std::move(synchronised));
    }
  }
  return figure;
}

// The open problem of the paper's conclusion. Lines of the latency figures are the synchronised (lockstep) latencies.
Evidence without_synchronisation(std::span<const nlohmann::ordered_json> parts)
{
  Evidence evidence;
  ExhibitTable table{.title = "mean over 30 seeds with 95 % interval, 16 x 16 mesh, self-timed",
                     .header = {"algorithm", "jitter (T_s)", "bytes", "latency (us)", "+-", "synchronised (us)",
                                "depth contentions", "+-", "step contentions", "+-"},
                     .rows = {}};
  std::map<std::string, double> most_depth;
  double slowest = 0;  // without jitter, against the synchronised latency
  double jittered = 0; // with the largest jitter, beyond the jitter itself
  for (const nlohmann::ordered_json& part : parts) {
    for (const nlohmann::ordered_json& point : part["lengths"]) {
      const auto number = [&](const char* key, std::size_t i) { return point[key][i].get<double>(); };
      table.rows.push_back({part["title"], part["jitter"].dump(), point["bytes"].dump(), decimal(number("latency", 0)),
                            decimal(number("latency", 1)), decimal(point["synchronised"]), decimal(number("depth", 0)),
                            decimal(number("depth", 1)), decimal(number("step", 0)), decimal(number("step", 1))});
      double& most = most_depth[part["title"]];
      most = std::max(most, number("depth", 0));
      const double ratio = number("latency", 0) / point["synchronised"].get<double>();
      if (part["jitter"] == 0) {
        slowest = std::max(slowest, ratio);
      } else if (part["jitter"] == jitters.back()) {
        jittered = std::max(jittered, ratio);
      }
    }
  }
  for (const int jitter : {0, 10}) {
    evidence.figures.push_back(
        study_figure(parts, jitter, "latency", "latency without synchronisation", "latency (us)"));
  }
  for (const int jitter : jitters) {
    evidence.figures.push_back(
        study_figure(parts, jitter, "depth", "depth contention", "waits of a header per broadcast"));
    evidence.figures.push_back(
        study_figure(parts, jitter, "step", "step contention", "waits of a header per broadcast"));
  }
  for (const nlohmann::ordered_json& part : parts) {
    if (part.contains("waits")) {
      evidence.matrices.push_back(
          {.title =
               fmt::format("{}: waiting time for the channels that leave each node, us per broadcast of {} bytes, {}",
                           part["title"].get<std::string>(), heat_map_length, jitter_text(part["jitter"])),
           .x_label = "x",
           .y_label = "y",
           .y_up = true,
           .values = part["waits"].get<std::vector<std::vector<std::string>>>(),
           .labels = {},
           .marked = {{0, 0}}});
    }
  }
  evidence.tables.push_back(std::move(table));
  std::string counts;
  bool any = false;
  for (const auto& [title, most] : most_depth) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", title, decimal(most, 1));
    any = any || most > 0;
  }
  evidence.measured = fmt::format(
      "most depth contentions per broadcast (mean): {}; latency at most {} times the synchronised one without "
      "jitter, {} times with a jitter of 10 T_s",
      counts, decimal(slowest), decimal(jittered));
  evidence.verdict = any ? Verdict::confirmed : Verdict::refuted;
  return evidence;
}

std::vector<std::function<nlohmann::ordered_json()>> study_parts()
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const Subject& subject : subjects(4)) {
    for (const int jitter : jitters) {
      parts.emplace_back([=] { return study(subject, jitter); });
    }
  }
  return parts;
}

} // namespace

std::vector<Claim> synchronisation_claims()
{
  const BroadcastCase small{.dims = square(2), .algorithm = "recursion_based"};
  const std::string self_timed = "[run]\nmode = \"self_timed\"\nstart_jitter = \"1500us\"\n";
  std::vector<Claim> claims;
  claims.push_back({.name = "zhuang_liberatore.contention_free_in_steps",
                    .place = "section 2.2",
                    .statement = "All the algorithms discussed are contention-free, steps being synchronised",
                    .claimed = "no directed channel is used twice in a step",
                    .demonstration = {config_text(small), "wormcast check CONFIG --contention-free"},
                    .measurement = measured_at_once(contention_free_in_steps)});
  claims.push_back({.name = "zhuang_liberatore.contention_free_between_steps",
                    .place = "section 2.2",
                    .statement = "All the algorithms discussed are contention-free, without synchronised steps, too",
                    .claimed = "no contention",
                    .recorded = Verdict::refuted,
                    .reading = "pairs of messages that nothing but synchronisation keeps from sharing a channel",
                    .demonstration = {config_text(small, 4096, self_timed), "wormcast run CONFIG"},
                    .measurement = measured_at_once(contention_free_between_steps)});
  claims.push_back(
      {.name = "zhuang_liberatore.hops_are_negligible",
       .place = "section 2.3",
       .statement = "d*T_f can be left out of the latency of a message",
       .claimed = "T_s + L*T_c",
       .reading = "left out: at most 10 % of a broadcast's latency, with flits of a byte and T_f = T_c",
       .demonstration = {config_text(small, 4096), "wormcast run CONFIG --set network.per_hop=\"0.5us\" --explain"},
       .measurement = measured_at_once(share_of_hops)});
  claims.push_back(
      {.name = "zhuang_liberatore.depth_contention",
       .place = "section 10",
       .statement = "Without synchronised transfers depth contention is a problem of these algorithms",
       .claimed = "left for further study",
       .slow = true,
       .demonstration = {config_text({.dims = square(4), .algorithm = "recursion_based"}, 4096, self_timed),
                         "wormcast run CONFIG"},
       .measurement = {.parts = study_parts(), .conclude = without_synchronisation}});
  return claims;
}

} // namespace wormcast::zhuang_liberatore
