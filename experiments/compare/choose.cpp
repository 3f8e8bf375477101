#include "wormcast/experiments/compare/choose.hpp"

#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

/// A line with what it stands for.
struct NamedLine {
  std::size_t candidate = 0;
  std::uint64_t segments = 0; ///< 0: the candidate has no number of segments to tune
  CostLine line;
};

/// A candidate that no formula is proved for.
struct Simulated {
  std::size_t candidate = 0;
  Schedule schedule;
  ExactNumber fixed; ///< no lower latency in lockstep than fixed + length*per_byte
  ExactNumber per_byte;
};

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

class Chooser {
public:
  Chooser(const Experiment& experiment, std::vector<Candidate> candidates, const SearchRange& lengths)
      : experiment_(experiment), candidates_(std::move(candidates)), lengths_(lengths)
  {}

  /// Makes the candidate's schedule and sorts it in. Throws InputError where it does not run here.
  void look_at(std::size_t position)
  {
    const Candidate& candidate = candidates_[position];
    Schedule schedule = experiment_schedule(candidate.experiment);
    const CheckReport report = check_schedule(topology(), schedule, {.max_violations = 0});
    if (!report.complete || !report.possession) {
      throw InputError("does not bring everything to every node");
    }
    const ScheduleCosts costs = block_costs(topology(), schedule);
    CostLine line = cost_line(costs.alpha, costs.beta, network());
    if (!why_no_formula(report, experiment_.run.mode).empty()) {
      const bool bounded = experiment_.run.mode == Mode::lockstep;
      simulated_.push_back({position, std::move(schedule), bounded ? line.fixed : ExactNumber(0),
                            bounded ? line.per_byte : ExactNumber(0)});
      return;
    }
    ++by_formula_;
    if (candidate.experiment.given == nullptr && find_algorithm(candidate.shown.name).segment_costs) {
      add_segment_lines(position);
      return;
    }
    line.fixed += hop_time(longest_routes(topology(), schedule));
    lines_.push_back({position, 0, line});
  }

  /// The pieces over the whole range.
  std::vector<ChosenAlgorithm> pieces()
  {
    std::vector<CostLine> lines;
    for (const NamedLine& one : lines_) {
      lines.push_back(one.line);
    }
    envelope_ = lower_envelope(lines);
    std::vector<ChosenAlgorithm> all;
    for (const MeasuredPiece& piece : measured_pieces()) {
      if (piece.line == 0 && !envelope_.empty()) {
        append_formula_pieces(ExactNumber(piece.from), piece.to, all);
      } else {
        append_simulated_piece(piece, all);
      }
    }
    return all;
  }

  std::size_t by_formula() const { return by_formula_; }
  std::size_t by_simulation() const { return simulated_.size(); }

private:
  const Topology& topology() const { return *experiment_.topology; }
  const NetworkParameters& network() const { return experiment_.network; }
  ExactNumber hop_time(std::uint64_t hops) const { return ExactNumber(hops) * network().per_hop.picoseconds; }

  /// A line for each number of segments up to the best one of the longest message; beyond 512 for one in a hundred
  /// more.
  void add_segment_lines(std::size_t position)
  {
    const Candidate& candidate = candidates_[position];
    const Algorithm& algorithm = find_algorithm(candidate.shown.name);
    ScheduleRequest request = candidate.experiment.request;
    request.parameters.set(algorithm.segments, std::string(best_value));
    const auto best_at = [&](std::uint64_t length) {
      request.message_bytes = length;
      const ParameterValues values = chosen_parameters(algorithm, topology(), request);
      return static_cast<std::uint64_t>(values.integer(algorithm.segments));
    };
    // Where not even the shortest message is cut into bytes, no line is the best one at a length below its segments.
    const bool cuts_bytes = lengths_.first > 1 && best_at(lengths_.first) == lengths_.first;
    const std::uint64_t most = cuts_bytes ? lengths_.first : best_at(lengths_.last);
    const auto costs_of = algorithm.segment_costs(topology(), request);
    constexpr std::uint64_t single = 512;
    for (std::uint64_t segments = 1; segments <= most; segments += segments < single ? 1 : segments / 100) {
      const SegmentCosts costs = costs_of(segments);
      const Fraction beta(static_cast<std::int64_t>(costs.alpha), static_cast<std::int64_t>(segments));
      CostLine line = cost_line(costs.alpha, beta, network());
      line.fixed += hop_time(costs.hops);
      lines_.push_back({position, segments, std::move(line)});
    }
  }

  const EnvelopePiece& piece_at(const ExactNumber& length) const
  {
    const auto behind = std::ranges::upper_bound(envelope_, length, {}, &EnvelopePiece::from);
    return *(behind - 1);
  }

  std::optional<std::int64_t> formula_latency(std::uint64_t length) const
  {
    const ExactNumber time = lines_[piece_at(length).line].line.at(length);
    return static_cast<std::int64_t>(numerator(time) / denominator(time));
  }

  /// The simulated latency; none where it cannot be the least, or there is none.
  std::optional<std::int64_t> measured_latency(Simulated& one, std::uint64_t length) const
  {
    if (!envelope_.empty() && one.fixed + length * one.per_byte >= lines_[piece_at(length).line].line.at(length)) {
      return std::nullopt;
    }
    one.schedule.message_bytes = length;
    try {
      const SimulationResult result = simulate_core(topology(), one.schedule, network(), experiment_.run);
      return result.latency ? std::optional(result.latency->picoseconds) : std::nullopt;
    } catch (const InputError&) { // too long a message: it has no latency
      return std::nullopt;
    }
  }

  /// Line 0 is the envelope of the formulas (where there is one), the others are the simulated candidates.
  std::vector<MeasuredPiece> measured_pieces()
  {
    const std::size_t first = envelope_.empty() ? 0 : 1;
    EnvelopeSearch search(simulated_.size() + first, lengths_of(lengths_, experiment_.request.message_bytes));
    for (auto questions = search.questions(); !questions.empty(); questions = search.questions()) {
      for (const EnvelopeSearch::Question& question : questions) {
        for (const std::uint64_t length : question.lengths) {
          search.answer(question.line, length,
                        question.line < first ? formula_latency(length)
                                              : measured_latency(simulated_[question.line - first], length));
        }
      }
    }
    return search.pieces();
  }

  ChosenAlgorithm chosen(const ExactNumber& from, std::size_t candidate) const
  {
    ChosenAlgorithm piece;
    piece.from = from;
    piece.name = candidates_[candidate].shown.name;
    piece.values = candidates_[candidate].shown.values;
    return piece;
  }

  void append_formula_pieces(const ExactNumber& from, std::uint64_t to, std::vector<ChosenAlgorithm>& all) const
  {
    for (std::size_t i = static_cast<std::size_t>(&piece_at(from) - envelope_.data());
         i < envelope_.size() && envelope_[i].from <= to; ++i) {
      const NamedLine& line = lines_[envelope_[i].line];
      ChosenAlgorithm piece = chosen(std::max(from, envelope_[i].from), line.candidate);
      if (line.segments > 0) {
        piece.segments = find_algorithm(piece.name).segments;
        piece.values.erase(piece.segments);
        piece.fewest_segments = piece.most_segments = line.segments;
        if (!all.empty() && !all.back().simulated && all.back().name == piece.name &&
            all.back().segments == piece.segments && all.back().values == piece.values) {
          all.back().most_segments = line.segments;
          continue;
        }
      }
      all.push_back(std::move(piece));
    }
  }

  void append_simulated_piece(const MeasuredPiece& found, std::vector<ChosenAlgorithm>& all) const
  {
    const std::size_t first = envelope_.empty() ? 0 : 1;
    ChosenAlgorithm piece = chosen(ExactNumber(found.from), simulated_[found.line - first].candidate);
    piece.simulated = true;
    all.push_back(std::move(piece));
  }

  const Experiment& experiment_;
  std::vector<Candidate> candidates_;
  SearchRange lengths_;
  std::vector<NamedLine> lines_;
  std::vector<Simulated> simulated_;
  std::vector<EnvelopePiece> envelope_; ///< of lines_
  std::size_t by_formula_ = 0;
};

} // namespace

Choice choose_algorithms(const Experiment& experiment, const std::vector<std::string>& names,
                         const SearchRange& lengths, const std::function<void(const std::string&)>& progress)
{
  Choice choice;
  choice.operation = configured_operation(experiment);
  choice.lengths = lengths;
  std::vector<Candidate> all = candidates(experiment, names, choice.operation);
  std::vector<std::string> titles;
  for (const Candidate& candidate : all) {
    titles.push_back(candidate.shown.name + " " + candidate.shown.parameters);
  }
  Chooser chooser(experiment, std::move(all), lengths);
  std::string first_reason;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (progress) {
      progress(titles[i]);
    }
    try {
      chooser.look_at(i);
    } catch (const InputError& error) {
      ++choice.left_out;
      first_reason = first_reason.empty() ? error.what() : first_reason;
    }
  }
  if (choice.left_out == titles.size()) {
    throw InputError(fmt::format("nothing to choose from: {}", first_reason));
  }
  choice.pieces = chooser.pieces();
  choice.by_formula = chooser.by_formula();
  choice.by_simulation = chooser.by_simulation();
  return choice;
}

} // namespace wormcast
