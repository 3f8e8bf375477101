#include "wormcast/experiments/reproduction/tpu/checks.hpp"

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/reproduction/frame/bibliography.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <boost/rational.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wormcast {

namespace {

/// A torus, or one with twists.
struct TwistedTorus {
  std::string title;
  std::string rows; ///< of the lattice's matrix, as in a configuration
  Fraction mean_distance;
  Fraction bound = Fraction(1); ///< of its throughput to the torus's
};

/// The three networks with the nodes of one slice, the torus first.
struct Slice {
  std::string shape;
  std::array<TwistedTorus, 3> networks;
  std::string reported; ///< by the paper: throughput of an all-to-all to that in the torus
};

const std::array<Slice, 2>& slices()
{
  static const std::array<Slice, 2> all = {
      Slice{.shape = "4 x 4 x 8",
            .networks = {TwistedTorus{"torus", R"("4 0 0", "0 4 0", "0 0 8")", Fraction(512, 127)},
                         {"one side twisted", R"("4 0 4", "0 4 0", "0 0 8")", Fraction(464, 127), Fraction(48, 29)},
                         {"all twisted", R"("4 0 4", "0 4 4", "0 0 8")", Fraction(440, 127), Fraction(96, 55)}},
            .reported = "1.63"},
      Slice{.shape = "4 x 8 x 8",
            .networks = {TwistedTorus{"torus", R"("4 0 0", "0 8 0", "0 0 8")", Fraction(256, 51)},
                         {"one side twisted", R"("4 0 4", "0 8 0", "0 0 8")", Fraction(1184, 255), Fraction(48, 37)},
                         {"all twisted", R"("4 4 4", "0 8 0", "0 0 8")", Fraction(368, 85), Fraction(32, 23)}},
            .reported = "1.31"}};
  return all;
}

std::string name_of(const Slice& slice, const TwistedTorus& network)
{
  return fmt::format("{}, {}", slice.shape, network.title);
}

std::string network_text(const TwistedTorus& network)
{
  return fmt::format(
      "[topology]\nkind = \"lattice\"\nmatrix = [{}]\n\n[network]\nstartup = \"0us\"\nper_byte = \"1ns\"\n"
      "ports = \"all\"\nflit_bytes = 16\nbuffer_flits = 8\nvirtual_channels = 8\n\n",
      network.rows);
}

std::string all_to_all_text(const TwistedTorus& network)
{
  return network_text(network) + "[algorithm]\nname = \"pairwise_exchange\"\noperation = \"all_to_all\"\n\n[message]\n"
                                 "bytes = \"1KiB\"\n\n[run]\nmode = \"self_timed\"\n";
}

Experiment experiment_of(const TwistedTorus& network)
{
  return make_experiment(read_config({.file = "claim.toml", .text = all_to_all_text(network)}));
}

/// The sum of the distances from a node to all others: lattices look the same from every node.
std::int64_t sum_of_distances(const Topology& topology)
{
  std::int64_t sum = 0;
  for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
    sum += topology.distance(NodeId{0}, NodeId{to});
  }
  return sum;
}

/// The hops in the last dimension from a node to all others, where it has the longest rings.
std::int64_t hops_in_last_dimension(const Topology& topology)
{
  std::int64_t sum = 0;
  std::vector<ChannelId> route;
  for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
    route.clear();
    topology.append_route(NodeId{0}, NodeId{to}, route);
    sum += std::ranges::count_if(route, [&](ChannelId channel) { return topology.link_class(channel) == 2; });
  }
  return sum;
}

Evidence mean_distances()
{
  std::vector<Observation> observations;
  for (const Slice& slice : slices()) {
    for (const TwistedTorus& network : slice.networks) {
      const Experiment experiment = experiment_of(network);
      const Topology& topology = *experiment.topology;
      observations.push_back(
          same_texts(name_of(slice, network), format_fraction(as_claimed(network.mean_distance)),
                     format_fraction(Fraction(sum_of_distances(topology), topology.host_count() - 1))));
    }
  }
  return all_hold("distances from a node, all others counted", observations);
}

/// All messages together cross the channels in z of the torus more often than others, and those of a twisted torus as
/// often as its distances say, on a mean over its three dimensions.
Evidence bounds()
{
  constexpr std::int64_t dimensions = 3;
  std::vector<Observation> observations;
  for (const Slice& slice : slices()) {
    const std::int64_t busiest = hops_in_last_dimension(*experiment_of(slice.networks.front()).topology);
    for (const TwistedTorus& network : std::span(slice.networks).subspan(1)) {
      const Fraction found(dimensions * busiest, sum_of_distances(*experiment_of(network).topology));
      observations.push_back(
          same_texts(name_of(slice, network), format_fraction(as_claimed(network.bound)), format_fraction(found)));
    }
  }
  return all_hold("uniform traffic on shortest routes", observations);
}

Evidence free_of_deadlock()
{
  std::vector<Observation> observations;
  const std::uint32_t virtual_channels = as_measured(2U, 1U);
  for (const Slice& slice : slices()) {
    for (const TwistedTorus& network : slice.networks) {
      const Experiment experiment = experiment_of(network);
      const DeadlockCheck found = check_deadlock(channel_dependencies(*experiment.topology, virtual_channels));
      observations.push_back(
          same_texts(name_of(slice, network), "no cycle", found.deadlock_free() ? "no cycle" : "a cycle"));
    }
  }
  return all_hold("the channel dependency graph with two virtual channels", observations);
}

/// The time from the first message to the last delivery of an all_to_all of 1 KiB for each pair, in picoseconds.
std::int64_t all_to_all_time(const TwistedTorus& network)
{
  const Experiment experiment = experiment_of(network);
  const SimulationResult result =
      simulate_core(*experiment.topology, *simulated_schedule(experiment), experiment.network, experiment.run);
  return result.latency.value().picoseconds;
}

/// The most load that the network accepts of two loads that are offered, as a fraction of what a channel carries.
double most_accepted(const TwistedTorus& network)
{
  const std::string text = network_text(network) +
                           "[traffic]\npattern = \"uniform\"\narrival = \"bernoulli\"\n"
                           "bytes = 64\nwarm_up = \"10us\"\nmeasure = \"20us\"\n\n[load]\npoints = [0.65, 1.2]\n";
  const LoadExperiment experiment = make_load_experiment(read_config({.file = "claim.toml", .text = text}));
  double most = 0;
  for (const double load : experiment.load.points) {
    const LoadResult result =
        simulate_load(*experiment.topology, experiment.network, experiment.traffic, load, experiment.run);
    most = std::max(most, result.accepted);
  }
  return most;
}

nlohmann::ordered_json part_of(const TwistedTorus& network)
{
  return {{"accepted", most_accepted(network)}, {"picoseconds", all_to_all_time(network)}};
}

Evidence throughputs(const Slice& slice, std::span<const nlohmann::ordered_json> parts)
{
  const double accepted = parts[0]["accepted"];
  const double time = parts[0]["picoseconds"];
  ExhibitTable table{.title = fmt::format("throughput to that of the torus, {} nodes", slice.shape),
                     .header = {"network", "bound", "accepted of a uniform load", "all_to_all of 1 KiB"},
                     .rows = {}};
  std::vector<Observation> observations;
  for (std::size_t i = 1; i < slice.networks.size(); ++i) {
    const double in_steady_state = parts[i]["accepted"].get<double>() / accepted;
    const double at_once = time / parts[i]["picoseconds"].get<double>();
    table.rows.push_back({slice.networks[i].title,
                          fmt::format("{:.3f}", boost::rational_cast<double>(slice.networks[i].bound)),
                          fmt::format("{:.2f}", in_steady_state), fmt::format("{:.2f}", at_once)});
    observations.push_back(
        {.what = name_of(slice, slice.networks[i]),
         .expected = "more than the torus",
         .found = fmt::format("{:.2f} times the load, {:.2f} times as fast", in_steady_state, at_once),
         .holds = in_steady_state > 1 && at_once > 1});
  }
  Evidence evidence = not_testable(
      fmt::format("the machine's routing is not modelled, so that its {} has nothing that it can be compared with",
                  slice.reported),
      all_hold("worms in dimension order", observations));
  evidence.tables = {std::move(table)};
  return evidence;
}

Check throughput_check(const std::string& name, const Slice& slice)
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const TwistedTorus& network : slice.networks) {
    parts.emplace_back([&network] { return part_of(network); });
  }
  return {.name = name,
          .demonstration = {all_to_all_text(slice.networks.back()), "wormcast run CONFIG"},
          .measurement = {.parts = std::move(parts),
                          .conclude = [&slice](auto found) { return throughputs(slice, found); }}};
}

Evidence twists_gain()
{
  std::vector<Observation> observations;
  for (const Slice& slice : slices()) {
    std::vector<std::int64_t> times;
    for (const TwistedTorus& network : slice.networks) {
      times.push_back(all_to_all_time(network));
    }
    times.front() = as_measured(times.front(), std::int64_t{0});
    observations.push_back(
        {.what = slice.shape,
         .expected = "the torus is the slowest, then one twist",
         .found = fmt::format("{}, {}, {} us", format_microseconds(Time{times[0]}), format_microseconds(Time{times[1]}),
                              format_microseconds(Time{times[2]})),
         .holds = times[0] > times[1] && times[1] > times[2]});
  }
  return all_hold("torus, one twist, all twists", observations);
}

std::vector<Check> tpu_checks()
{
  const Demonstration shown = {all_to_all_text(slices().front().networks.back()), "wormcast topology CONFIG"};
  const Demonstration proved = {shown.config, "wormcast topology CONFIG --check-deadlock"};
  return {check_of("mean_distances", shown, mean_distances),
          check_of("bounds", shown, bounds),
          check_of("free_of_deadlock", proved, free_of_deadlock),
          throughput_check("all_to_all_4x4x8", slices()[0]),
          throughput_check("all_to_all_4x8x8", slices()[1]),
          check_of("twists_gain", {shown.config, "wormcast run CONFIG"}, twists_gain)};
}

} // namespace

Paper tpu_paper()
{
  return read_paper(web::tpu_v4_claims, "experiments/reproduction/tpu/claims.toml", tpu_checks);
}

} // namespace wormcast
