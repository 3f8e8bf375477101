#pragma once

#include "wormcast/experiments/compare/compare.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// The digits behind the point of lengths and ratios in tables.
inline constexpr unsigned shown_decimals = 3;

/// Whether its runs ended, be it in a deadlock: else it has an error alone.
bool has_run(const ComparedAlgorithm& algorithm);

/// "recursion_based d=3": the algorithm with its parameters.
std::string compared_title(const ComparedAlgorithm& algorithm);

/// "1", "2", ..., "all".
std::string port_model_text(PortModel ports);

/// beta by blocks as an exact fraction.
std::string beta_text(const ComparedRun& run);

/// Of the latencies from the source's start, in picoseconds.
Statistics latencies_by_seed(const ComparedAlgorithm& algorithm);

/// How many could have been the fastest at the configured length.
std::size_t possible_count(const Comparison& comparison);

/// Microseconds with so many digits that the third one of the uncertainty shows.
std::string rounded_microseconds(double picoseconds);

/// Exact latency of one run from the source's start, in microseconds; of a mean as many digits as may count.
std::string latency_text(const ComparedRun& run);

/// The same of another latency of `runs` runs.
std::string latency_text(Time latency, std::uint32_t runs);

/// Microseconds of waits of a run, on average.
std::string mean_wait(const ComparedRun& run, ContentionKind kind);

/// The one with the least latency of those that bring everything to every node, or null.
const ComparedAlgorithm* fastest_run(const Comparison& comparison);

/// All that may be the fastest.
std::vector<std::size_t> possible_fastest(std::size_t best, const std::vector<std::size_t>& undecided);

/// The ratio of the least latency to the bound, rounded.
std::string bound_ratio(const ComparedAlgorithm& fastest, const BroadcastTimeBound& bound);

/// "fastest", "as_fast", "not_decided", "slower"; empty where it cannot be the fastest.
std::string verdict_of(const Comparison& comparison, std::size_t position);

/// The difference to the one with the least mean; none for itself, and where it cannot be the fastest.
std::optional<PairedMean> difference_of(const Comparison& comparison, std::size_t position);

} // namespace wormcast
