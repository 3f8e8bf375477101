#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include <functional>
#include <string>
#include <vector>

namespace wormcast::ours {

/// A broadcast or reduction with the costs that are claimed for it, from these sources (or to these roots).
std::vector<CostCase> with_costs(const std::vector<BroadcastCase>& cases, const Fraction& alpha, const Fraction& beta);

/// The schedules are valid, have these costs, and no directed channel is used twice in a step.
Evidence free_at_costs(const std::string& summary, const std::vector<CostCase>& cases);

/// What is shown by `command` with the configuration of `shown`, and turned by a changed value.
Check own_check(const std::string& name, const BroadcastCase& shown, const std::string& command,
                std::function<Evidence()> measure);

inline const std::string check_command = "wormcast check CONFIG --contention-free";

/// Over 2^exponent, for exponents of both signs.
Fraction over_power(const Fraction& number, int exponent);

} // namespace wormcast::ours
