#pragma once

#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/measured_envelope.hpp"
#include "wormcast/experiments/compare/repeats.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// The candidates of a choice: those whose latency is a proved formula, as lines with their lower envelope, and those
/// that are simulated.
class ChoiceCandidates {
public:
  /// A line with what it stands for.
  struct NamedLine {
    std::size_t candidate = 0;
    std::uint64_t segments = 0; ///< 0: the candidate has no number of segments to tune
    CostLine line;
  };

  /// A candidate that no formula is proved for.
  struct Simulated {
    std::size_t candidate = 0;
    Schedule schedule;    ///< for any length, unless it is tuned
    bool bounded = false; ///< alpha*T_s + beta*L*T_c is a lower bound, with blocks rounded down to whole bytes
    std::uint64_t alpha = 0;
    std::uint64_t largest = 0; ///< sum over the steps of the blocks of the largest message,
    std::uint64_t blocks = 1;  ///< of so many
    bool tuned = false;        ///< the number of segments is chosen for each length
  };

  /// `experiment` must outlive this.
  ChoiceCandidates(const Experiment& experiment, std::vector<Candidate> candidates, const SearchRange& lengths,
                   const Repeats& repeats)
      : experiment_(experiment), candidates_(std::move(candidates)), lengths_(lengths), repeats_(repeats)
  {}

  /// Makes the candidate's schedule and sorts it in. Throws InputError where it does not run here.
  void look_at(std::size_t position);

  /// Call it once, after look_at() of all candidates.
  void find_envelope();

  const Experiment& experiment() const { return experiment_; }
  const SearchRange& lengths() const { return lengths_; }
  const Repeats& repeats() const { return repeats_; }
  std::size_t count() const { return candidates_.size(); }
  const ComparedAlgorithm& shown(std::size_t candidate) const { return candidates_[candidate].shown; }
  const std::vector<Simulated>& simulated() const { return simulated_; }
  const std::vector<NamedLine>& lines() const { return lines_; }
  std::size_t by_formula() const { return by_formula_; }

  /// The lower envelope of lines(); empty where no candidate has a formula.
  const std::vector<EnvelopePiece>& envelope() const { return envelope_; }
  /// The position of the envelope's piece at a length.
  std::size_t piece_at(const ExactNumber& length) const;

  /// The least latencies by formula, where one is proved; whole picoseconds.
  SeedLatencies formula_latencies(std::uint64_t length) const;
  /// The lower bound of a simulated candidate where it cannot be lower than the formulas; none where it may be.
  std::optional<SeedLatencies> ruled_out(std::size_t position, std::uint64_t length) const;
  /// A lower bound of a simulated candidate's latency in picoseconds; 0 where nothing is known.
  std::int64_t least_latency_at(std::size_t position, std::uint64_t length);
  /// The simulated latencies; none where it has none.
  SeedLatencies measured(std::size_t position, std::uint64_t length);
  /// The number of segments that is the best at a length, of a simulated candidate that is tuned.
  std::uint64_t best_segments_at(std::size_t candidate, std::uint64_t length) const;

  /// Not checked of a candidate whose segments are tuned: each number of them is another schedule.
  DeadlockProof proof_of(std::size_t candidate) const;

  /// What the simulations depend on: network, runs, and which candidate has which number.
  std::string fingerprint() const;

private:
  const Topology& topology() const { return *experiment_.topology; }
  const NetworkParameters& network() const { return experiment_.network; }
  ExactNumber hop_time(std::uint64_t hops) const;
  ScheduleRequest tuned_request(std::size_t candidate, std::uint64_t length) const;
  void add_segment_lines(std::size_t position);
  ExactNumber lower_bound(const Simulated& one, std::uint64_t length) const;
  SeedLatencies same_by_seed(const ExactNumber& latency) const;
  void take_length(Simulated& one, std::uint64_t length) const;

  const Experiment& experiment_;
  std::vector<Candidate> candidates_;
  SearchRange lengths_;
  Repeats repeats_;
  std::vector<NamedLine> lines_;
  std::vector<Simulated> simulated_;
  std::vector<EnvelopePiece> envelope_;
  std::size_t by_formula_ = 0;
};

} // namespace wormcast
