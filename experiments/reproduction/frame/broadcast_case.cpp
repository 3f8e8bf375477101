#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"

#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/sweep/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <set>
#include <utility>

namespace wormcast {

namespace {

NodeId source_of(const BroadcastCase& broadcast, const Topology& topology)
{
  return broadcast.source.empty() ? NodeId{0} : topology.node_at(broadcast.source);
}

/// Enough for every number of segments.
constexpr std::uint64_t most_bytes = 1U << 30;

/// Where algorithms on grids behave in different ways: corners, middles of borders, the centre.
std::vector<std::vector<std::int64_t>> places_of_a_grid(const std::vector<std::int64_t>& dims)
{
  std::vector<std::int64_t> centre;
  for (const std::int64_t side : dims) {
    centre.push_back(side / 2);
  }
  std::vector<std::vector<std::int64_t>> places = {std::vector<std::int64_t>(dims.size(), 0), centre};
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    places.push_back(centre);
    places.back()[axis] = 0;
  }
  for (std::size_t corner = std::size_t{1} << dims.size(); corner-- > 1;) {
    places.emplace_back();
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      places.back().push_back((corner >> axis & 1U) != 0 ? dims[axis] - 1 : 0);
    }
  }
  return places;
}

std::string toml_value(const RawValue& value)
{
  return std::holds_alternative<std::string>(value) ? fmt::format("\"{}\"", std::get<std::string>(value))
                                                    : raw_value_text(value);
}

} // namespace

std::vector<std::int64_t> square(int n, std::size_t dimensions)
{
  return std::vector<std::int64_t>(dimensions, std::int64_t{1} << n);
}

std::string title(const BroadcastCase& broadcast)
{
  std::string text = broadcast.algorithm;
  for (const auto& [name, value] : broadcast.parameters) {
    text += fmt::format(" {}={}", name, raw_value_text(value));
  }
  text += fmt::format(" on {} {}", broadcast.kind, fmt::join(broadcast.dims, " x "));
  if (!broadcast.source.empty()) {
    text += fmt::format(" from ({})", fmt::join(broadcast.source, ", "));
  }
  if (broadcast.ports.count != 1) {
    text += broadcast.ports.count == PortModel::all ? ", all ports" : fmt::format(", {} ports", broadcast.ports.count);
  }
  if (broadcast.duplex == Duplex::half) {
    text += ", half duplex";
  }
  if (broadcast.tie != "no_wrap") {
    text += fmt::format(", tie {}", broadcast.tie);
  }
  return text;
}

std::shared_ptr<const Topology> topology_of(const BroadcastCase& broadcast)
{
  TopologyDescription description;
  description.kind = broadcast.kind;
  description.parameters.set("dims", broadcast.dims);
  return make_topology(description, {.routing = "", .tie = broadcast.tie});
}

Schedule schedule_of(const BroadcastCase& broadcast, const Topology& topology, std::uint64_t message_bytes)
{
  const Algorithm& algorithm = find_algorithm(broadcast.algorithm);
  ScheduleRequest request;
  request.source = source_of(broadcast, topology);
  request.ports = broadcast.ports;
  request.duplex = broadcast.duplex;
  request.message_bytes = message_bytes == 0 ? most_bytes : message_bytes;
  request.parameters = read_parameters(algorithm.parameters, broadcast.parameters);
  Schedule schedule = as_made(make_schedule(algorithm, topology, request), topology.node_count());
  schedule.message_bytes = message_bytes == 0 ? schedule.blocks : message_bytes;
  return schedule;
}

CheckReport check(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  return check_schedule(*topology, schedule_of(broadcast, *topology), {.max_violations = 3});
}

std::vector<BroadcastCase> from_every_source(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  std::vector<BroadcastCase> cases(topology->node_count(), broadcast);
  for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
    cases[node].source = topology->coordinates(NodeId{node});
  }
  return cases;
}

std::vector<BroadcastCase> from_some_sources(const BroadcastCase& broadcast, std::uint32_t count)
{
  const auto topology = topology_of(broadcast);
  if (count >= topology->node_count()) {
    return from_every_source(broadcast);
  }
  std::vector<BroadcastCase> cases;
  std::set<std::vector<std::int64_t>> taken;
  const auto take = [&](std::vector<std::int64_t> source) {
    if (cases.size() < count && taken.insert(source).second) {
      cases.push_back(broadcast);
      cases.back().source = std::move(source);
    }
  };
  for (std::vector<std::int64_t>& source : places_of_a_grid(broadcast.dims)) {
    take(std::move(source));
  }
  std::mt19937_64 random(1); // its numbers, unlike those of distributions, are the same everywhere
  while (cases.size() < count) {
    take(topology->coordinates(NodeId{static_cast<std::uint32_t>(random() % topology->node_count())}));
  }
  return cases;
}

std::string of_some_sources(std::uint32_t count)
{
  return fmt::format("{} sources (corners, border, centre, seeded sample)", count);
}

std::string config_text(const BroadcastCase& broadcast, std::uint64_t message_bytes, const std::string& more)
{
  std::string text =
      fmt::format("[topology]\nkind = \"{}\"\ndims = [{}]\n\n", broadcast.kind, fmt::join(broadcast.dims, ", "));
  text += "[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n";
  if (broadcast.ports.count != 1) {
    text += broadcast.ports.count == PortModel::all ? "ports = \"all\"\n"
                                                    : fmt::format("ports = {}\n", broadcast.ports.count);
  }
  if (broadcast.duplex == Duplex::half) {
    text += "duplex = \"half\"\n";
  }
  if (broadcast.tie != "no_wrap") {
    text += fmt::format("tie = \"{}\"\n", broadcast.tie);
  }
  text += fmt::format("\n[algorithm]\nname = \"{}\"\n", broadcast.algorithm);
  if (!broadcast.source.empty()) {
    text += fmt::format("source = [{}]\n", fmt::join(broadcast.source, ", "));
  }
  for (const auto& [name, value] : broadcast.parameters) {
    text += fmt::format("{} = {}\n", name, toml_value(value));
  }
  text += fmt::format("\n[message]\nbytes = {}\n", message_bytes);
  return more.empty() ? text : text + "\n" + more;
}

} // namespace wormcast
