#include "wormcast/simulator/traffic/traffic_messages.hpp"

#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <vector>

namespace wormcast {

Schedule traffic_messages(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                          double load, const RunParameters& run, Time until)
{
  if (traffic.include_self) {
    throw InputError("include_self: found true, but messages to their own sender are none of a list, expected false");
  }
  NetworkParameters suited = network;
  resolve_for(suited, topology);
  const TrafficClasses classes(topology, traffic, run.seed);
  Schedule schedule;
  schedule.topology = topology.description();
  schedule.routing = network.routing;
  schedule.ports = network.ports;
  schedule.duplex = network.duplex;
  schedule.operation = Operation::none;
  WorkSteps steps;
  const auto add = [&](const TrafficMessage& message, MessageId) {
    steps.add();
    schedule.messages.push_back({.source = message.source, .destination = message.destination});
    schedule.plain.push_back({.bytes = message.bytes,
                              .start = Time{message.created},
                              .priority = classes.all()[message.traffic_class].generation.priority});
  };
  TrafficSource source(topology, suited, traffic, classes, load, run, {.created = add});
  std::vector<NewMessage> requested;
  while (source.next_time() < until.picoseconds) {
    requested.clear();
    source.pop(source.next_time(), requested);
  }
  return schedule;
}

} // namespace wormcast
