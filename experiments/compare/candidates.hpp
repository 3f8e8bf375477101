#pragma once

#include "wormcast/experiments/compare/compare.hpp"
#include "wormcast/experiments/config/config.hpp"

#include <string>
#include <vector>

namespace wormcast {

/// An algorithm with parameters that is to be compared: how it is shown, and the experiment that runs it.
struct Candidate {
  ComparedAlgorithm shown;
  Experiment experiment;
};

/// What the configured algorithm does. Throws InputError on a plain message list.
Operation configured_operation(const Experiment& experiment);

/// All algorithms that do this operation, or those of `names`, each with the values of its family, what is "best"
/// replaced by its value; the configured one also as configured. Throws InputError on a name that does not exist or
/// does something else.
std::vector<Candidate> candidates(const Experiment& experiment, const std::vector<std::string>& names,
                                  Operation operation);

} // namespace wormcast
