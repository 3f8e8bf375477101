#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"

#include "wormcast/algorithms/hypercube/packets.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wormcast::bertsekas {

std::string title(const CubeCase& cube)
{
  std::string text = fmt::format("{}, d = {}", cube.algorithm, cube.dimension);
  if (cube.algorithm.starts_with("single_node")) {
    text += fmt::format(", root {}", cube.root);
  }
  if (!cube.tree.empty()) {
    text += fmt::format(", tree {}", cube.tree);
  }
  return cube.ports == sla ? text + ", SLA" : text;
}

std::shared_ptr<const Hypercube> make_cube(std::uint32_t dimension)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", std::int64_t{dimension});
  return std::make_shared<const Hypercube>(description, RoutingChoice{});
}

Schedule schedule_of(const CubeCase& cube, const Topology& topology)
{
  ScheduleRequest request;
  request.source = NodeId{cube.root};
  request.ports = cube.ports;
  if (!cube.tree.empty()) {
    request.parameters.set("tree", cube.tree);
  }
  return as_made(make_schedule(find_algorithm(cube.algorithm), topology, request), topology.node_count());
}

std::string config_text(const CubeCase& cube)
{
  std::string text = fmt::format("[topology]\nkind = \"hypercube\"\ndimension = {}\n\n"
                                 "[network]\nstartup = \"0us\"\nper_hop = \"0us\"\nper_byte = \"1us\"\n{}\n"
                                 "[algorithm]\nname = \"{}\"\n",
                                 cube.dimension, cube.ports == mla ? "ports = \"all\"\n" : "", cube.algorithm);
  if (!cube.tree.empty()) {
    text += fmt::format("tree = \"{}\"\n", cube.tree);
  }
  return text + "\n[message]\nbytes = 1\n";
}

Demonstration checked(const CubeCase& cube)
{
  return {config_text(cube), "wormcast check CONFIG --contention-free"};
}

std::vector<CubeCase> from_roots(const CubeCase& cube, std::uint32_t count)
{
  const std::uint32_t nodes = 1U << cube.dimension;
  const std::uint32_t taken = std::min(count, nodes);
  std::vector<CubeCase> cases(taken, cube);
  for (std::uint32_t i = 0; i < taken; ++i) {
    // The quotient's lowest bits, too, differ from root to root.
    cases[i].root = taken == nodes ? i : i * (nodes / taken) + i % (nodes / taken);
  }
  return cases;
}

std::uint64_t packets_per_link(std::uint32_t dimension)
{
  return ((std::uint64_t{1} << dimension) - 1 + dimension - 1) / dimension;
}

bool is_prime(std::uint32_t d)
{
  for (std::uint32_t divisor = 2; divisor * divisor <= d; ++divisor) {
    if (d % divisor == 0) {
      return false;
    }
  }
  return d > 1;
}

std::string bits(std::uint32_t id, std::uint32_t dimension)
{
  return fmt::format("{:0{}b}", id, dimension);
}

Observation costs(const std::string& what, const Topology& topology, const Schedule& schedule, std::uint64_t steps,
                  std::uint64_t transmissions)
{
  const CheckReport report = check_schedule(topology, schedule, {.max_violations = 1});
  const bool single_hops = report.costs.tcd == report.costs.messages;
  const bool single_packets = report.costs.largest_message == Fraction(1) &&
                              report.costs.bytes_sent == report.costs.messages * schedule.message_bytes;
  Observation observation{
      .what = what,
      .expected = fmt::format("valid, {} steps, {} transmissions", as_claimed(steps), as_claimed(transmissions)),
      .found = fmt::format("{}, {} steps, {} transmissions", report.valid() ? "valid" : "not valid", report.costs.alpha,
                           report.costs.messages)};
  observation.holds =
      observation.found == observation.expected && report.contention_free && single_hops && single_packets;
  if (!report.violations.empty()) {
    observation.found += ": " + report.violations.front().text;
  } else if (!observation.holds) {
    observation.found += fmt::format(", {} hops, {} bytes", report.costs.tcd, report.costs.bytes_sent);
  }
  if (!observation.holds && topology.node_count() <= 64) {
    observation.schedule = schedule_json(schedule);
  }
  return observation;
}

Observation costs(const CubeCase& cube, std::uint64_t steps, std::uint64_t transmissions)
{
  const auto topology = make_cube(cube.dimension);
  return costs(title(cube), *topology, schedule_of(cube, *topology), steps, transmissions);
}

Observation equal(const std::string& what, std::uint64_t expected, std::uint64_t found)
{
  const std::uint64_t claimed = as_claimed(expected);
  return same_texts(what, fmt::to_string(claimed), fmt::to_string(found));
}

Observation none(const std::string& what, std::uint64_t found)
{
  return {.what = what, .expected = "0", .found = fmt::to_string(found), .holds = found == 0};
}

std::vector<Hop> hops_of(const Schedule& schedule)
{
  std::vector<Hop> hops;
  hops.reserve(schedule.messages.size());
  for (const Message& message : schedule.messages) {
    if (schedule.block_sets.size(message.blocks) != 1) {
      throw std::logic_error("a message of more than one packet");
    }
    const std::uint32_t packet = schedule.block_sets.ranges(message.blocks).front().begin;
    hops.push_back({message.step + 1, index(message.source), index(message.destination), packet});
  }
  std::ranges::sort(hops);
  return hops;
}

Schedule schedule_of_hops(std::span<const Hop> hops, Operation operation, const Topology& cube, std::uint32_t root)
{
  const std::uint32_t nodes = cube.node_count();
  Schedule schedule;
  schedule.topology = cube.description();
  schedule.routing = cube.routing();
  schedule.ports = mla;
  schedule.operation = operation;
  schedule.source = NodeId{root};
  schedule.blocks = operation == Operation::total_exchange ? std::uint64_t{nodes} * nodes
                    : operation == Operation::broadcast    ? 1
                                                           : nodes;
  const std::vector<BlockSetId> packets =
      single_blocks(schedule.block_sets, static_cast<std::uint32_t>(schedule.blocks));
  for (const Hop& hop : hops) {
    schedule.messages.push_back({hop.step - 1, NodeId{hop.from}, NodeId{hop.to}, packets.at(hop.packet)});
  }
  return as_made(std::move(schedule), nodes);
}

std::uint64_t simulated_time(const CubeCase& cube, bool self_timed)
{
  const auto topology = make_cube(cube.dimension);
  const Schedule schedule = schedule_of(cube, *topology);
  NetworkParameters network;
  network.startup = Time{0};
  network.per_hop = Time{0};
  network.per_byte = Time{1};
  network.ports = schedule.ports;
  RunParameters run;
  run.mode = self_timed ? Mode::self_timed : Mode::lockstep;
  const SimulationResult result = simulate_core(*topology, schedule, network, run);
  if (result.deadlock) {
    throw std::logic_error("deadlock: " + title(cube));
  }
  return static_cast<std::uint64_t>(result.latency.value().picoseconds);
}

ExhibitSeries series_by_dimension(const std::string& title, ExhibitSeries::Kind kind, std::uint32_t first,
                                  std::span<const double> values)
{
  ExhibitSeries series{.title = title, .kind = kind, .points = {}};
  for (const double value : values) {
    series.points.push_back({fmt::to_string(first++), decimal(value, 6)});
  }
  return series;
}

} // namespace wormcast::bertsekas
