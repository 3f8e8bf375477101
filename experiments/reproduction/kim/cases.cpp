#include "wormcast/experiments/reproduction/kim/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace wormcast::kim {

std::string text(const PetersenTorusSize& size)
{
  return fmt::format("3PT({}, {}, {})", size.l, size.m, size.n);
}

std::string model_name(PortModel ports)
{
  return ports == sla ? "SLA" : "MLA";
}

std::vector<PetersenTorusSize> all_sizes(std::int64_t most, std::int64_t modules)
{
  std::vector<PetersenTorusSize> sizes;
  for (std::int64_t l = 2; l <= most; ++l) {
    for (std::int64_t m = 2; m <= most; ++m) {
      for (std::int64_t n = 2; n <= most; ++n) {
        if (l * m * n <= modules) {
          sizes.push_back({l, m, n});
        }
      }
    }
  }
  std::ranges::stable_sort(sizes, {}, &PetersenTorusSize::nodes);
  return sizes;
}

std::vector<PetersenTorusSize> with_m_not_below_n(std::vector<PetersenTorusSize> sizes)
{
  std::erase_if(sizes, [](const PetersenTorusSize& size) { return size.m < size.n; });
  return sizes;
}

std::unique_ptr<PetersenTorus> make_torus(const PetersenTorusSize& size)
{
  TopologyDescription description;
  description.kind = "petersen_torus";
  description.parameters.set("dims", std::vector<std::int64_t>{size.l, size.m, size.n});
  return std::make_unique<PetersenTorus>(description, RoutingChoice{});
}

std::uint32_t eccentricity(const PetersenTorus& torus, int p)
{
  return std::ranges::max(torus.distances_from_first_module(p));
}

std::uint32_t diameter(const PetersenTorus& torus)
{
  std::uint32_t longest = 0;
  for (int p = 0; p < 10; ++p) {
    longest = std::max(longest, eccentricity(torus, p));
  }
  return longest;
}

BroadcastCase algorithm_1(const PetersenTorusSize& size, int p, PortModel ports)
{
  return {.kind = "petersen_torus",
          .dims = {size.l, size.m, size.n},
          .algorithm = "petersen_torus_broadcast",
          .source = {0, 0, 0, p},
          .ports = ports};
}

BroadcastCase all_to_all(const PetersenTorusSize& size, PortModel ports, const std::string& variant)
{
  return {.kind = "petersen_torus",
          .dims = {size.l, size.m, size.n},
          .algorithm = "petersen_torus_all_to_all",
          .parameters = {{"variant", variant}},
          .ports = ports};
}

BroadcastCase flooding(const PetersenTorusSize& size)
{
  return {.kind = "petersen_torus",
          .dims = {size.l, size.m, size.n},
          .algorithm = "flooding",
          .parameters = {{"operation", std::string("multinode_broadcast")}},
          .ports = mla};
}

std::shared_ptr<const Topology> petersen_graph()
{
  TopologyDescription description;
  description.kind = "petersen";
  return make_topology(description);
}

Schedule petersen_schedule(const Topology& petersen, const std::string& algorithm, PortModel ports,
                           const std::string& variant, int source)
{
  const Algorithm& found = find_algorithm(algorithm);
  std::map<std::string, RawValue, std::less<>> parameters;
  if (!variant.empty()) {
    parameters["variant"] = variant;
  }
  ScheduleRequest request;
  request.source = NodeId{static_cast<std::uint32_t>(source)};
  request.ports = ports;
  request.parameters = read_parameters(found.parameters, parameters);
  return as_made(make_schedule(found, petersen, request), petersen.node_count());
}

std::string petersen_config(const std::string& algorithm, PortModel ports, const std::string& more)
{
  return fmt::format("[topology]\nkind = \"petersen\"\n\n"
                     "[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n{}\n"
                     "[algorithm]\nname = \"{}\"\n{}\n[message]\nbytes = 4096\n",
                     ports == mla ? "ports = \"all\"\n" : "", algorithm, more);
}

Edge edge(NodeId a, NodeId b)
{
  return std::minmax(index(a), index(b));
}

std::set<Edge> edges_of(const Topology& topology)
{
  std::set<Edge> edges;
  for (std::uint32_t c = 0; c < topology.channel_count(); ++c) {
    edges.insert(edge(topology.channel_source(ChannelId{c}), topology.channel_target(ChannelId{c})));
  }
  return edges;
}

SendSteps as_made(const SendSteps& steps, std::int64_t node_count)
{
  const Schedule schedule = as_made(whole_message_broadcast(steps), static_cast<std::uint32_t>(node_count));
  SendSteps made(steps.size());
  for (const Message& message : schedule.messages) {
    made[message.step].push_back({message.source, message.destination});
  }
  return made;
}

Observation takes_steps(const std::string& what, const Topology& topology, const Schedule& schedule, std::int64_t steps)
{
  const CheckReport report = check_schedule(topology, schedule, {.max_violations = 1});
  Observation observation{.what = what,
                          .expected = fmt::format("valid, {} steps", as_claimed(steps)),
                          .found =
                              fmt::format("{}, {} steps", report.valid() ? "valid" : "not valid", report.costs.alpha)};
  observation.holds = observation.found == observation.expected;
  if (!report.valid()) {
    observation.found += ": " + report.violations.front().text;
  }
  if (!observation.holds && topology.node_count() <= 100) {
    observation.schedule = schedule_json(schedule);
  }
  return observation;
}

Demonstration checked(const BroadcastCase& broadcast)
{
  return {config_text(broadcast), "wormcast check CONFIG"};
}

} // namespace wormcast::kim
