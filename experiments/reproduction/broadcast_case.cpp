#include "wormcast/experiments/reproduction/broadcast_case.hpp"

#include "wormcast/experiments/sweep/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wormcast {

namespace {

NodeId source_of(const BroadcastCase& broadcast, const Topology& topology)
{
  return broadcast.source.empty() ? NodeId{0} : topology.node_at(broadcast.source);
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
  request.parameters = read_parameters(algorithm.parameters, broadcast.parameters);
  Schedule schedule = make_schedule(algorithm, topology, request);
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
  return from_some_sources(broadcast, topology_of(broadcast)->node_count());
}

std::vector<BroadcastCase> from_some_sources(const BroadcastCase& broadcast, std::uint32_t count)
{
  const auto topology = topology_of(broadcast);
  const std::uint64_t nodes = topology->node_count();
  const std::uint64_t taken = std::min<std::uint64_t>(count, nodes);
  std::vector<BroadcastCase> cases;
  for (std::uint64_t i = 0; i < taken; ++i) {
    cases.push_back(broadcast);
    cases.back().source = topology->coordinates(NodeId{static_cast<std::uint32_t>(i * nodes / taken)});
  }
  return cases;
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
