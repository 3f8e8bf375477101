#pragma once

#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/compare.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace wormcast {

/// The result of a task of the search: parameters have `kind`, `candidate` and `lengths`. None where `kind` is another
/// one. Throws InputError where the candidate does not run.
std::optional<nlohmann::ordered_json> search_result(std::string_view kind, const Experiment& experiment,
                                                    const Repeats& repeats, const std::vector<std::uint64_t>& lengths);

/// Positions of those that bring everything to every node, whose latency may be the least at some length.
std::vector<std::size_t> possible_winners(const std::vector<Candidate>& all);

/// The runs at all lengths with which the search for the fastest begins, where not all candidates are known. Returns
/// the signal that ended it early, or 0.
int measure_first_lengths(const std::vector<Candidate>& all, const CompareOptions& options, Batches& batches);

/// Which of those that bring everything to every node is the fastest at which length. Where nothing is random those
/// with the least least_latency() are simulated first, and those that it rules out are not simulated. Returns the
/// signal that ended it early, or 0; it ends early, too, where runs are left out. Throws std::runtime_error where a
/// process broke down: without its latencies another one would win.
int measure_envelope(const std::vector<Candidate>& all, const CompareOptions& options, const Repeats& repeats,
                     Batches& batches, std::vector<MeasuredPiece>& pieces);

} // namespace wormcast
