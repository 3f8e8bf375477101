#include "wormcast/experiments/python/bindings.hpp"
#include "wormcast/experiments/python/values.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

namespace py = pybind11;

std::shared_ptr<Topology> topology_of(const std::string& kind, const py::dict& parameters, const std::string& routing,
                                      const std::string& tie)
{
  const TopologyKind& declared = find_topology_kind(kind);
  const TopologyDescription description = {.kind = kind,
                                           .parameters = read_parameters(declared.parameters, raw_values(parameters))};
  const py::gil_scoped_release released;
  return make_topology(description, {.routing = routing, .tie = tie});
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

std::pair<std::uint32_t, std::uint32_t> ends(const Topology& topology, std::int64_t channel)
{
  check_index(channel, topology.channel_count(), "channel");
  const ChannelId id{static_cast<std::uint32_t>(channel)};
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
  py::class_<Topology, std::shared_ptr<Topology>>(
      module, "Topology", "A network. Nodes are given as ids or as lists of coordinates; channels are directed.")
      .def_property_readonly(
          "kind", [](const Topology& topology) { return topology.description().kind; }, "mesh, torus, ...")
      .def_property_readonly("title", &Topology::title, "one line for people")
      .def_property_readonly("nodes", &Topology::node_count, "number of nodes")
      .def_property_readonly("channels", &Topology::channel_count, "number of directed external channels")
      .def(
          "node", [](const Topology& topology, py::handle node) { return index(node_of(topology, node)); },
          py::arg("node"), "the id of a node")
      .def(
          "name", [](const Topology& topology, py::handle node) { return topology.node_name(node_of(topology, node)); },
          py::arg("node"), "what it is called: \"(3, 4)\", \"17\"")
      .def(
          "coordinates",
          [](const Topology& topology, py::handle node) { return topology.coordinates(node_of(topology, node)); },
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
      .def("__repr__", [](const Topology& topology) { return "<" + topology.title() + ">"; });
  module.def("topology", topology_of);
  module.def("topology_kinds", kinds);
}

} // namespace wormcast
