#pragma once

#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"

#include <string>

namespace wormcast {

/// Makes `schedule` that of the experiment, with what [network] and [message] change in it. Its topology is that of
/// `description`, with a file as it was named there.
void take_given(const ConfigReader& reader, Schedule schedule, const TopologyDescription& description,
                Experiment& experiment);

/// The schedule that algorithm.text holds, with what an MPI program says of its messages.
SpokenSchedule read_schedule_text(const ConfigReader& reader, const std::string& text);

/// The schedule or program that [algorithm] names. Returns the description of its topology.
TopologyDescription read_given(const ConfigReader& reader, const ParameterValues& parameters, Experiment& experiment);

} // namespace wormcast
