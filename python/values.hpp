#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/parameter.hpp"

#include <functional>
#include <map>
#include <pybind11/pybind11.h>
#include <string>

namespace wormcast {

/// Returns a text in UTF-8. Throws InputError if the value, called `what`, is not a str, or cannot be encoded (a lone
/// surrogate).
std::string text_of(pybind11::handle value, std::string_view what);

/// The name of a file: a str, bytes, or a path of pathlib. Throws InputError where no file can be called so.
std::string path_of(pybind11::handle file);

/// A value of Python as one of a configuration: bool, int, float, str, a path, or a sequence of numbers or texts, those
/// of NumPy included. Throws InputError for anything else.
RawValue raw_value(pybind11::handle value);

/// The same of a dictionary from texts.
std::map<std::string, RawValue, std::less<>> raw_values(const pybind11::dict& values);

/// The other way: a size is an int, a time an int of picoseconds.
pybind11::object python_value(const ParameterValue& value);

/// An int, a fractions.Fraction.
pybind11::object python_fraction(const Fraction& fraction);

/// An int of any size.
pybind11::int_ python_int(TotalTime time);

/// An int, or "all".
pybind11::object python_ports(PortModel ports);

/// Returns the value of a text in JSON.
pybind11::object python_json(const std::string& text);

/// Returns a node given as its id or its coordinates. Throws InputError if there is no such node.
NodeId node_of(const Topology& topology, pybind11::handle value);

/// Returns the number of one of `count` objects called `what`. Throws InputError if it is out of range.
std::uint32_t index_of(pybind11::handle value, std::uint64_t count, std::string_view what);

/// A str, with what is no UTF-8 replaced.
pybind11::str python_text(std::string_view text);

/// The configuration of a Python call: a file, or its text.
ConfigSource config_source(const pybind11::dict& source);

} // namespace wormcast
