#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <cstdint>
#include <span>

namespace wormcast {

/// A time in picoseconds, or a fraction of one, of any size and always exact.
using ExactTime = boost::multiprecision::cpp_rational;

/// The proved cost of a schedule without contention within its steps: it takes alpha*T_s + beta*L*T_c, without hops.
struct FormulaCosts {
  std::uint64_t alpha = 0;
  Fraction beta;
};

/// Returns alpha*T_s + beta*L*T_c for the length and the network of `request`, which has costs.
ExactTime formula_time(const FormulaCosts& formula, const ScheduleRequest& request);

/// Returns the index of the formula with the least time; of equal ones the first. There is at least one.
std::size_t fastest(std::span<const FormulaCosts> formulas, const ScheduleRequest& request);

/// Whether a parameter of the request is "best".
bool is_best(const ScheduleRequest& request, std::string_view parameter);

} // namespace wormcast
