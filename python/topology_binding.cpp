#include "wormcast/python/bindings.hpp"
#include "wormcast/python/values.hpp"
#include "wormcast/python/without_lock.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

namespace py = pybind11;

std::shared_ptr<Topology> topology_of(py::handle given_kind, const py::dict& parameters, py::handle routing,
                                      py::handle tie)
{
  const std::string kind = text_of(given_kind, "the kind of a topology");
  const RoutingChoice choice = {.routing = text_of(routing, "routing"), .tie = text_of(tie, "tie")};
  const TopologyKind& declared = find_topology_kind(kind);
  const TopologyDescription description = {.kind = kind,
                                           .parameters = read_parameters(declared.parameters, raw_values(parameters))};
  return without_lock([&]() -> std::shared_ptr<Topology> { return make_topology(description, choice); });
}

std::vector<std::uint32_t> route(const Topology& topology, py::handle from, py::handle to)
{
  std::vector<ChannelId> channels;
  topology.append_route(node_of(topology, from), node_of(topology, to), channels);
  std::vector<std::uint32_t> numbers;
  for (const ChannelId channel : channels) {
    numbers.push_back(index(channel));
  }
  return numbers;
}

/// Also a switch, by its id.
NodeId any_node_of(const Topology& topology, py::handle node)
{
  return py::isinstance<py::int_>(node) ? NodeId{index_of(node, topology.node_count(), "node")}
                                        : node_of(topology, node);
}

std::pair<std::uint32_t, std::uint32_t> ends(const Topology& topology, py::handle channel)
{
  const ChannelId id{index_of(channel, topology.channel_count(), "channel")};
  return {index(topology.channel_source(id)), index(topology.channel_target(id))};
}

py::list kinds()
{
  py::list names;
  for (const TopologyKind& kind : topology_kinds()) {
    names.append(py::make_tuple(kind.name, kind.summary));
  }
  return names;
}

} // namespace

void bind_topology(py::module_& module)
{
  py::class_<Topology, std::shared_ptr<Topology>> type(
      module, "Topology",
      "A network. Nodes are given as ids, as lists of coordinates or by name; channels are directed.");
  type.def_property_readonly(
          "kind", [](const Topology& topology) { return topology.description().kind; }, "mesh, torus, ...")
      .def_property_readonly(
          "title", [](const Topology& topology) { return python_text(topology.title()); }, "one line for people")
      .def_property_readonly("nodes", &Topology::node_count, "number of nodes: hosts and switches")
      .def_property_readonly("hosts", &Topology::host_count,
                             "number of hosts, the nodes that send and receive: 0 to hosts - 1")
      .def_property_readonly("channels", &Topology::channel_count, "number of directed external channels")
      .def(
          "node", [](const Topology& topology, py::handle node) { return index(node_of(topology, node)); },
          py::arg("node"), "the id of a node")
      .def(
          "name",
          [](const Topology& topology, py::handle node) {
            return python_text(topology.node_name(any_node_of(topology, node)));
          },
          py::arg("node"), "what it is called: \"(3, 4)\", \"17\"")
      .def(
          "coordinates",
          [](const Topology& topology, py::handle node) { return topology.coordinates(any_node_of(topology, node)); },
          py::arg("node"), "a list; of the id alone where there are no coordinates")
      .def(
          "distance",
          [](const Topology& topology, py::handle from, py::handle to) {
            return topology.distance(node_of(topology, from), node_of(topology, to));
          },
          py::arg("source"), py::arg("destination"), "channels of the route between two nodes")
      .def("route", route, py::arg("source"), py::arg("destination"),
           "ids of the channels that a header crosses, in order")
      .def("ends", ends, py::arg("channel"), "the nodes that a channel leaves and reaches")
      .def("__repr__", [](const Topology& topology) { return python_text("<" + topology.title() + ">"); });
  seal(type, "topology()");
  module.def("topology", topology_of);
  module.def("topology_kinds", kinds);
}

} // namespace wormcast
