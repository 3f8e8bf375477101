#pragma once

#include "wormcast/experiments/compare/compare.hpp"
#include "wormcast/experiments/config/config.hpp"

#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// An algorithm with parameters that is to be compared: how it is shown, and the experiment that runs it.
struct Candidate {
  ComparedAlgorithm shown;
  Experiment experiment;
  std::optional<Experiment> without_faults = {}; ///< the same on the network without its faults
};

/// Returns the operation of the configured algorithm. Throws InputError for a plain message list.
Operation configured_operation(const Experiment& experiment);

/// The treatment of parameters that are "best".
enum class BestValues {
  replaced, ///< by the value for the experiment's message length
  kept      ///< each length has its own
};

/// All algorithms that do this operation, or those of `names`, each with the values of its family; the configured one
/// also as configured. Algorithms that do not run without values of their own are left out unless configured. Throws
/// InputError on a name that does not exist or does something else.
std::vector<Candidate> candidates(const Experiment& experiment, const std::vector<std::string>& names,
                                  Operation operation, BestValues best = BestValues::replaced);

/// Sets Candidate::without_faults of all: they run on the network of `whole`.
void add_without_faults(std::vector<Candidate>& all, const Experiment& whole);

/// The parameter with what people call an algorithm of their own.
inline constexpr const char* label_parameter = "label";

/// "d=3 inner=scatter_collect" of parameters by name; of those with a label the label alone.
std::string parameters_text(const nlohmann::ordered_json& values);

} // namespace wormcast
