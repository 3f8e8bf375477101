#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/sweep/plan.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What network_warnings() finds in a configuration that is to be simulated; nothing with a fluid model.
std::vector<NetworkWarning> warnings_of(const Experiment& experiment);
std::vector<NetworkWarning> warnings_of(const ProgramMachine& machine);

/// The same of a plan, each kind once: "3 of 10 points, for instance the first of them: ...". `point` is what a point
/// is called.
std::vector<NetworkWarning> warnings_of(const SweepPlan& plan, std::string_view point = "point");

/// Says them on stderr, where this is not a rank that computes for another one.
void say_warnings(const std::vector<NetworkWarning>& warnings);

/// Says on stderr that `check` refutes the file of the program that is to run, where its format is one whose contents
/// are known and it does.
void say_refuted(const Experiment& experiment);

} // namespace wormcast
