#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>
#include <pybind11/pybind11.h>

namespace wormcast {

/// A schedule and the network that it is for: class Schedule of Python.
struct BoundSchedule {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const Schedule> schedule;
  std::shared_ptr<const ProgramWords> words = {}; ///< what an MPI program says of its messages; null: nothing is known
};

/// Makes exceptions of the libraries those of wormcast/_errors.py, with the text that the program prints.
void bind_errors();

/// Makes a class with objects that only the functions of the module make: an attempt to make one in Python raises
/// TypeError with the name `maker` of the function to call; and its objects cannot become objects of another class.
/// Call it last.
void seal(pybind11::handle type, const char* maker);

void bind_topology(pybind11::module_& module);
void bind_schedule(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
void bind_points(pybind11::module_& module);
void bind_studies(pybind11::module_& module);

} // namespace wormcast
