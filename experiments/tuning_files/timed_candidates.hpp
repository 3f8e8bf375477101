#pragma once

#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/measured_envelope.hpp"
#include "wormcast/experiments/compare/repeats.hpp"
#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/tuning_files/tuning_rules.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// The experiment of a candidate at a length, with the number of segments that is the best there where it is tuned.
Experiment experiment_at(const Candidate& candidate, std::uint64_t bytes);

/// The candidate's name and parameters of experiment_at().
std::string title_at(const Candidate& candidate, std::uint64_t bytes);

/// Candidates that are simulated at some lengths; no latency is asked for twice.
class TimedCandidates {
public:
  /// A candidate by its number, and a length in bytes.
  using Question = std::pair<std::size_t, std::uint64_t>;

  TimedCandidates(const Experiment& experiment, std::vector<Candidate> candidates, const Repeats& repeats,
                  const TaskOptions& tasks);

  const Candidate& candidate(std::size_t number) const { return candidates_[number]; }

  /// Simulates what is not known yet. Returns whether all is known then; else interrupted_by() or has_gaps() say why.
  /// Throws std::runtime_error where the process of a simulation breaks down.
  bool ask(std::span<const Question> questions);

  /// The latencies by seed; empty: it has none. Only of what was asked.
  const SeedLatencies& latencies(const Question& question) const { return known_.at(question); }

  /// Their mean; none where it has none.
  std::optional<Time> mean(const Question& question) const;

  int interrupted_by() const { return interrupted_by_; }
  bool has_gaps() const { return has_gaps_; }

private:
  SeedLatencies measured(const Question& question) const;
  std::string fingerprint() const;

  const Experiment& experiment_;
  std::vector<Candidate> candidates_;
  Repeats repeats_;
  TaskOptions tasks_;
  std::map<Question, SeedLatencies> known_;
  int interrupted_by_ = 0;
  bool has_gaps_ = false;
};

} // namespace wormcast
