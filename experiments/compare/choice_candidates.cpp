#include "wormcast/experiments/compare/choice_candidates.hpp"

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/compare/least_latency.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace wormcast {

namespace {

/// Whether the messages of each step have the same number of blocks.
bool equal_sizes(const Schedule& schedule)
{
  std::vector<std::uint64_t> sizes(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    const std::uint64_t blocks = schedule.block_sets.size(message.blocks);
    std::uint64_t& size = sizes[message.step];
    if (size != 0 && size != blocks) {
      return false;
    }
    size = blocks;
  }
  return true;
}

/// Throws InputError where a time does not fit.
std::int64_t whole_picoseconds(const ExactNumber& time)
{
  const boost::multiprecision::cpp_int whole = numerator(time) / denominator(time);
  if (whole > std::numeric_limits<std::int64_t>::max()) {
    throw InputError("--lengths: a latency does not fit 64 bits of picoseconds; expected shorter messages");
  }
  return static_cast<std::int64_t>(whole);
}

/// Sum over the steps of the longest route.
std::uint64_t longest_routes(const Topology& topology, const Schedule& schedule)
{
  std::vector<std::uint32_t> longest(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    longest[message.step] = std::max(longest[message.step], topology.distance(message.source, message.destination));
  }
  std::uint64_t sum = 0;
  for (const std::uint32_t hops : longest) {
    sum += hops;
  }
  return sum;
}

} // namespace

void ChoiceCandidates::look_at(std::size_t position)
{
  const Candidate& candidate = candidates_[position];
  Schedule schedule = experiment_schedule(candidate.experiment);
  const CheckReport report = check_schedule(topology(), schedule, {.max_violations = 0});
  if (!report.complete || !report.possession || !report.counted_once) {
    throw InputError("does not do the operation");
  }
  // A multicast keeps its number of segments: the costs are those of the broadcast.
  const bool tuned = candidate.experiment.given == nullptr && schedule.operation != Operation::multicast &&
                     static_cast<bool>(find_algorithm(candidate.shown.name).segment_costs);
  const ScheduleCosts costs = block_costs(topology(), schedule);
  const bool hops_are_exact = network().per_hop == Time{} || equal_sizes(schedule);
  // A single segment can fit a half-duplex port that several do not fit: the check of one schedule is none of others.
  const bool fits_with_any_segments = !tuned || schedule.duplex == Duplex::full || schedule.ports.count > 1;
  if (!hops_are_exact || !fits_with_any_segments || !why_no_formula(report, network(), experiment_.run).empty()) {
    const bool bounded = experiment_.run.mode == Mode::lockstep;
    const std::uint64_t blocks = parts_of_message(schedule);
    simulated_.push_back({position, std::move(schedule), bounded, costs.alpha, costs.beta_bytes, blocks, tuned});
    return;
  }
  ++by_formula_;
  if (tuned) {
    add_segment_lines(position);
    return;
  }
  CostLine line = cost_line(costs.alpha, costs.beta, network());
  line.fixed += hop_time(longest_routes(topology(), schedule));
  lines_.push_back({position, 0, line});
}

void ChoiceCandidates::find_envelope()
{
  std::vector<LineFrom> lines;
  for (const NamedLine& one : lines_) {
    lines.push_back({one.line, one.segments}); // a byte for each segment
  }
  envelope_ = lower_envelope(lines, lengths_.first, lengths_.last);
}

ExactNumber ChoiceCandidates::hop_time(std::uint64_t hops) const
{
  return ExactNumber(hops) * network().per_hop.picoseconds;
}

/// What the tuned candidate is asked for with the best number of segments for a length.
ScheduleRequest ChoiceCandidates::tuned_request(std::size_t candidate, std::uint64_t length) const
{
  const Algorithm& algorithm = find_algorithm(shown(candidate).name);
  ScheduleRequest request = candidates_[candidate].experiment.request;
  request.message_bytes = length;
  request.parameters.set(algorithm.segments, std::string(best_value));
  request.parameters = chosen_parameters(algorithm, topology(), request);
  return request;
}

std::uint64_t ChoiceCandidates::best_segments_at(std::size_t candidate, std::uint64_t length) const
{
  const std::string& name = find_algorithm(shown(candidate).name).segments;
  return static_cast<std::uint64_t>(tuned_request(candidate, length).parameters.integer(name));
}

/// A line for each number of segments up to the best one of the longest message; beyond 512 for one in a hundred
/// more, and for the last.
void ChoiceCandidates::add_segment_lines(std::size_t position)
{
  const Algorithm& algorithm = find_algorithm(shown(position).name);
  const std::uint64_t most = best_segments_at(position, lengths_.last);
  const auto costs_of = segment_costs_of(algorithm, topology(), tuned_request(position, lengths_.last));
  constexpr std::uint64_t single = 512;
  for (std::uint64_t segments = 1;; segments = std::min(most, segments + (segments < single ? 1 : segments / 100))) {
    const SegmentCosts costs = costs_of(segments);
    const Fraction beta(static_cast<std::int64_t>(costs.alpha), static_cast<std::int64_t>(segments));
    CostLine line = cost_line(costs.alpha, beta, network());
    line.fixed += hop_time(costs.hops);
    lines_.push_back({position, segments, std::move(line)});
    if (segments == most) {
      return;
    }
  }
}

std::size_t ChoiceCandidates::piece_at(const ExactNumber& length) const
{
  const auto behind = std::ranges::upper_bound(envelope_, length, {}, &EnvelopePiece::from);
  return static_cast<std::size_t>(behind - envelope_.begin()) - 1;
}

/// No latency is below, in lockstep: every step takes a startup and its largest message, whose blocks have as many
/// bytes as they have at least.
ExactNumber ChoiceCandidates::lower_bound(const Simulated& one, std::uint64_t length) const
{
  if (!one.bounded) {
    return 0;
  }
  const ExactNumber per_byte = exact_byte_time(with_fastest_channels(network()).per_byte);
  if (one.tuned) {
    const std::uint64_t segments = best_segments_at(one.candidate, length);
    const auto costs_of =
        segment_costs_of(find_algorithm(shown(one.candidate).name), topology(), tuned_request(one.candidate, length));
    return ExactNumber(costs_of(segments).alpha) *
           (ExactNumber(network().startup.picoseconds) + ExactNumber(length / segments) * per_byte);
  }
  return ExactNumber(one.alpha) * network().startup.picoseconds +
         ExactNumber(one.largest) * (length / one.blocks) * per_byte;
}

SeedLatencies ChoiceCandidates::formula_latencies(std::uint64_t length) const
{
  return same_by_seed(lines_[envelope_[piece_at(length)].line].line.at(length));
}

std::optional<SeedLatencies> ChoiceCandidates::ruled_out(std::size_t position, std::uint64_t length) const
{
  if (envelope_.empty()) {
    return std::nullopt;
  }
  const ExactNumber bound = lower_bound(simulated_[position], length);
  return bound >= lines_[envelope_[piece_at(length)].line].line.at(length) ? std::optional(same_by_seed(bound))
                                                                           : std::nullopt;
}

SeedLatencies ChoiceCandidates::same_by_seed(const ExactNumber& latency) const
{
  return SeedLatencies(repeats_.count, whole_picoseconds(latency));
}

/// Makes its schedule that of a length.
void ChoiceCandidates::take_length(Simulated& one, std::uint64_t length) const
{
  if (one.tuned) {
    one.schedule =
        make_schedule(find_algorithm(shown(one.candidate).name), topology(), tuned_request(one.candidate, length));
  }
  one.schedule.message_bytes = length;
}

std::int64_t ChoiceCandidates::least_latency_at(std::size_t position, std::uint64_t length)
{
  if (repeats_.kind() != LatencyKind::exact) {
    return 0;
  }
  Simulated& one = simulated_[position];
  try {
    take_length(one, length);
    return least_latency(topology(), one.schedule, network(), experiment_.run).value_or(0);
  } catch (const InputError&) { // too long a message: its simulation says so
    return 0;
  }
}

SeedLatencies ChoiceCandidates::measured(std::size_t position, std::uint64_t length)
{
  Simulated& one = simulated_.at(position);
  try {
    take_length(one, length);
    return measured_latencies(experiment_, one.schedule, repeats_);
  } catch (const InputError&) { // too long a message: it has no latency
    return {};
  }
}

DeadlockProof ChoiceCandidates::proof_of(std::size_t candidate) const
{
  const Candidate& one = candidates_[candidate];
  if (one.experiment.given == nullptr && static_cast<bool>(find_algorithm(one.shown.name).segment_costs)) {
    return {};
  }
  return deadlock_proof(one.experiment, experiment_schedule(one.experiment));
}

std::string ChoiceCandidates::fingerprint() const
{
  std::string text =
      fmt::format("choose\n{}\n{}", json_text(experiment_.effective, JsonLayout::one_line), repeats_.count);
  for (const Simulated& one : simulated_) {
    text += fmt::format("\n{} {}", shown(one.candidate).name, shown(one.candidate).parameters);
  }
  return point_key(program_version(), text, FileContents().of(experiment_));
}

} // namespace wormcast
