#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"

namespace wormcast {

/// The requests that [algorithm] describes, but for their messages: the topology is made, and Experiment::requests is
/// set. Returns the topology's description, as it was named there.
TopologyDescription read_requests(const ConfigReader& reader, const ParameterValues& parameters,
                                  Experiment& experiment);

/// Makes Experiment::given of Experiment::requests, on a machine that has been read.
void make_requests(const ConfigReader& reader, Experiment& experiment);

} // namespace wormcast
