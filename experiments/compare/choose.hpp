#pragma once

#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/compare/choice_curves.hpp"
#include "wormcast/experiments/compare/deadlock_proof.hpp"
#include "wormcast/experiments/compare/measured_envelope.hpp"
#include "wormcast/experiments/compare/repeats.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// The fastest algorithm from one message length to another.
struct ChosenAlgorithm {
  ExactNumber from;                  ///< bytes; up to the next one's
  std::string name;                  ///< empty where it is not decided
  nlohmann::ordered_json values;     ///< the parameters by name, without the number of segments where it is tuned
  std::string segments;              ///< the parameter that is tuned within the range: its name, or empty
  std::uint64_t fewest_segments = 0; ///< at the shortest and
  std::uint64_t most_segments = 0;   ///< at the longest length of the range
  std::size_t candidate = 0;         ///< pieces of one algorithm with its parameters have the same number
  bool simulated = false;            ///< found by simulation; else by the proved formula
  DeadlockProof deadlock = {};       ///< with which virtual channels it is safe; not checked where segments are tuned
  std::vector<ChosenAlgorithm> undecided = {}; ///< between which it is not decided, the least mean first
};

/// An algorithm with its parameters that does not run, and why.
struct LeftOutAlgorithm {
  std::string name;
  std::string parameters;
  std::string reason;
};

/// The table of the fastest algorithms on one network.
struct Choice {
  Operation operation = Operation::broadcast;
  SearchRange lengths;
  Repeats repeats;
  std::vector<ChosenAlgorithm> pieces;  ///< by ascending `from`, the first at lengths.first
  std::vector<ChoiceCurve> curves = {}; ///< of all in `pieces`, and of the configured algorithm
  std::size_t by_formula = 0;           ///< how many algorithms with their parameters were looked at by formula,
  std::size_t by_simulation = 0;        ///< and by simulation where the formula's lower bound did not rule them out
  std::size_t simulations = 0;          ///< how many latencies were asked for; bounds ruled out all others
  std::vector<LeftOutAlgorithm> left_out = {}; ///< those that do not run here
  int interrupted_by = 0;                      ///< SIGINT, SIGTERM, SIGHUP, or 0; then there are no pieces
  bool has_gaps = false; ///< simulations were left out (Workers::left_out); then there are no pieces
};

/// How the simulations are done.
struct ChooseOptions {
  TaskOptions tasks = {};                  ///< how simulations are computed; one at a time in this process
  std::optional<std::int64_t> repeat = {}; ///< runs where these draw at random (repeats_of)
  /// Told before the first simulation how many candidates have no formula, and how many simulations at the given
  /// lengths that makes at most; bounds rule some of them out, the search for the boundaries adds others.
  std::function<void(std::size_t candidates, std::size_t simulations)> announce = {};
};

/// Which algorithm is the fastest at which message length of `lengths`, of all that do what the configured one does, or
/// of `names`. Schedules of which why_no_formula says nothing count with alpha*T_s + hops*T_f + beta*L*T_c (hops: the
/// longest route of each step; where T_f > 0 all messages of a step must be of one size), every number of segments for
/// itself up to 512, beyond that one in a hundred more and the best one of the longest length, each from as many bytes
/// on. All others that bring everything to every node are simulated as EnvelopeSearch asks, segments chosen for each
/// length; where runs draw at random each with the same seeds. Where nothing is random the one with the least
/// least_latency() is simulated first, and those that it rules out are not simulated. The outcome does not depend on
/// the number of jobs. Throws InputError where nothing runs on the topology, where run.model is fluid, and where a
/// latency does not fit 64 bits of picoseconds; std::runtime_error where a process of a simulation breaks down.
Choice choose_algorithms(const Experiment& experiment, const std::vector<std::string>& names,
                         const SearchRange& lengths, const ChooseOptions& options = {});

} // namespace wormcast
