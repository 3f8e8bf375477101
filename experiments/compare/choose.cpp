#include "wormcast/experiments/compare/choose.hpp"

#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/least_latency.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

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

/// A line of the search with a lower bound of its latency at one length (picoseconds; 0: none is known).
struct BoundedLine {
  std::size_t line = 0;
  std::int64_t bound = 0;
};

/// A candidate that is simulated, and the length of the message.
struct Simulation {
  std::size_t position = 0;
  std::uint64_t length = 0;

  Json parameters() const { return {{"simulated", position}, {"bytes", length}}; }

  static Simulation of(const Json& parameters)
  {
    return {.position = parameters.at("simulated").get<std::size_t>(),
            .length = parameters.at("bytes").get<std::uint64_t>()};
  }

  /// Neighbouring lengths of a candidate are neighbouring units.
  std::size_t unit() const { return position + static_cast<std::size_t>(std::bit_width(length)); }
};

class Chooser {
public:
  Chooser(const Experiment& experiment, std::vector<Candidate> candidates, const SearchRange& lengths,
          const Repeats& repeats)
      : experiment_(experiment), candidates_(std::move(candidates)), lengths_(lengths), repeats_(repeats)
  {}

  /// Makes the candidate's schedule and sorts it in. Throws InputError where it does not run here.
  void look_at(std::size_t position)
  {
    const Candidate& candidate = candidates_[position];
    Schedule schedule = experiment_schedule(candidate.experiment);
    const CheckReport report = check_schedule(topology(), schedule, {.max_violations = 0});
    if (!report.complete || !report.possession || !report.counted_once) {
      throw InputError("does not do the operation");
    }
    const bool tuned =
        candidate.experiment.given == nullptr && static_cast<bool>(find_algorithm(candidate.shown.name).segment_costs);
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

  /// Puts the pieces over the whole range into `choice`; none where a signal came before, or simulations are left out.
  void find_pieces(const ChooseOptions& options, Choice& choice)
  {
    std::vector<LineFrom> lines;
    for (const NamedLine& one : lines_) {
      lines.push_back({one.line, one.segments}); // a byte for each segment
    }
    envelope_ = lower_envelope(lines, lengths_.first, lengths_.last);
    std::vector<ChosenAlgorithm>& all = choice.pieces;
    for (const MeasuredPiece& piece : measured_pieces(options, choice)) {
      if (piece.undecided.empty()) {
        append_decided_piece(piece, all);
        continue;
      }
      ChosenAlgorithm open;
      open.from = ExactNumber(piece.from);
      open.simulated = true;
      append_decided_piece(piece, open.undecided);
      for (const std::size_t line : piece.undecided) {
        append_decided_piece({.from = piece.from, .to = piece.to, .line = line}, open.undecided);
      }
      all.push_back(std::move(open));
    }
  }

  std::size_t by_formula() const { return by_formula_; }
  std::size_t by_simulation() const { return simulated_.size(); }

private:
  const Topology& topology() const { return *experiment_.topology; }
  const NetworkParameters& network() const { return experiment_.network; }
  ExactNumber hop_time(std::uint64_t hops) const { return ExactNumber(hops) * network().per_hop.picoseconds; }

  /// What the tuned candidate is asked for with the best number of segments for a length.
  ScheduleRequest tuned_request(std::size_t position, std::uint64_t length) const
  {
    const Candidate& candidate = candidates_[position];
    const Algorithm& algorithm = find_algorithm(candidate.shown.name);
    ScheduleRequest request = candidate.experiment.request;
    request.message_bytes = length;
    request.parameters.set(algorithm.segments, std::string(best_value));
    request.parameters = chosen_parameters(algorithm, topology(), request);
    return request;
  }

  std::uint64_t best_segments_at(std::size_t position, std::uint64_t length) const
  {
    const std::string& name = find_algorithm(candidates_[position].shown.name).segments;
    return static_cast<std::uint64_t>(tuned_request(position, length).parameters.integer(name));
  }

  /// A line for each number of segments up to the best one of the longest message; beyond 512 for one in a hundred
  /// more, and for the last.
  void add_segment_lines(std::size_t position)
  {
    const Algorithm& algorithm = find_algorithm(candidates_[position].shown.name);
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

  const EnvelopePiece& piece_at(const ExactNumber& length) const
  {
    const auto behind = std::ranges::upper_bound(envelope_, length, {}, &EnvelopePiece::from);
    return *(behind - 1);
  }

  /// No latency is below, in lockstep: every step takes a startup and its largest message, whose blocks have as many
  /// bytes as they have at least.
  ExactNumber lower_bound(const Simulated& one, std::uint64_t length) const
  {
    if (!one.bounded) {
      return 0;
    }
    if (one.tuned) {
      const std::uint64_t segments = best_segments_at(one.candidate, length);
      const auto costs_of = segment_costs_of(find_algorithm(candidates_[one.candidate].shown.name), topology(),
                                             tuned_request(one.candidate, length));
      return ExactNumber(costs_of(segments).alpha) * (ExactNumber(network().startup.picoseconds) +
                                                      ExactNumber(length / segments) * network().per_byte.picoseconds);
    }
    return ExactNumber(one.alpha) * network().startup.picoseconds +
           ExactNumber(one.largest) * (length / one.blocks) * network().per_byte.picoseconds;
  }

  /// Its lower bound where it cannot be lower than the formulas; none where it may be.
  std::optional<SeedLatencies> ruled_out(const Simulated& one, std::uint64_t length) const
  {
    if (envelope_.empty()) {
      return std::nullopt;
    }
    const ExactNumber bound = lower_bound(one, length);
    return bound >= lines_[piece_at(length).line].line.at(length) ? std::optional(same_by_seed(bound)) : std::nullopt;
  }

  SeedLatencies same_by_seed(const ExactNumber& latency) const
  {
    return SeedLatencies(repeats_.count, whole_picoseconds(latency));
  }

  /// Makes its schedule that of a length.
  void take_length(Simulated& one, std::uint64_t length) const
  {
    if (one.tuned) {
      one.schedule = make_schedule(find_algorithm(candidates_[one.candidate].shown.name), topology(),
                                   tuned_request(one.candidate, length));
    }
    one.schedule.message_bytes = length;
  }

  /// In picoseconds; 0 where nothing is known.
  std::int64_t least_latency_of(Simulated& one, std::uint64_t length) const
  {
    if (repeats_.kind() != LatencyKind::exact) {
      return 0;
    }
    try {
      take_length(one, length);
      return least_latency(topology(), one.schedule, network(), experiment_.run).value_or(0);
    } catch (const InputError&) { // too long a message: its simulation says so
      return 0;
    }
  }

  /// The simulated latencies; none where it has none.
  SeedLatencies measured(Simulated& one, std::uint64_t length) const
  {
    try {
      take_length(one, length);
      return measured_latencies(experiment_, one.schedule, repeats_);
    } catch (const InputError&) { // too long a message: it has no latency
      return {};
    }
  }

  /// The latencies in picoseconds.
  TaskReport compute(const Simulation& simulation)
  {
    return {.state = TaskReport::done, .result = measured(simulated_.at(simulation.position), simulation.length)};
  }

  /// What compute() reports. Throws std::runtime_error where the process broke down: without its latency another
  /// candidate would win.
  SeedLatencies reported(const TaskReport& report, const Simulation& simulation) const
  {
    if (report.has_died()) {
      const ComparedAlgorithm& shown = candidates_[simulated_[simulation.position].candidate].shown;
      throw std::runtime_error(
          fmt::format("{} {} with {} bytes: {}", shown.name, shown.parameters, simulation.length, report.error));
    }
    return read_result(report, [](const Json& result) { return result.get<SeedLatencies>(); });
  }

  /// What the simulations depend on: network, runs, and which candidate has which number.
  std::string fingerprint() const
  {
    std::string text =
        fmt::format("choose\n{}\n{}", json_text(experiment_.effective, JsonLayout::one_line), repeats_.count);
    for (const Simulated& one : simulated_) {
      const ComparedAlgorithm& shown = candidates_[one.candidate].shown;
      text += fmt::format("\n{} {}", shown.name, shown.parameters);
    }
    return point_key(program_version(), text, FileContents().of(experiment_));
  }

  /// What is to be found out of one length.
  struct OpenLength {
    std::uint64_t length = 0;
    std::optional<std::int64_t> least;     ///< latency known so far
    std::size_t least_line = 0;            ///< whose it is; of equal ones the first
    std::vector<BoundedLine> waiting = {}; ///< by ascending bound

    void take(std::size_t line, std::int64_t latency)
    {
      if (!least || latency < *least || (latency == *least && line < least_line)) {
        least = latency;
        least_line = line;
      }
    }

    /// Whether what is no faster than `bound` can still be the lowest; of equal ones the first line is.
    bool may_be_least(const BoundedLine& one) const
    {
      return !least || one.bound < *least || (one.bound == *least && one.line < least_line);
    }
  };

  std::size_t first_simulated() const { return envelope_.empty() ? 0 : 1; }

  /// Answers what formulas and bounds answer. Returns what is left, the longest messages first.
  std::vector<OpenLength> open_lengths(const std::vector<EnvelopeSearch::Question>& questions, EnvelopeSearch& search)
  {
    const std::size_t first = first_simulated();
    std::map<std::uint64_t, OpenLength, std::greater<>> by_length;
    for (const EnvelopeSearch::Question& question : questions) {
      for (const std::uint64_t length : question.lengths) {
        OpenLength& open = by_length[length];
        open.length = length;
        if (question.line < first) {
          SeedLatencies latency = same_by_seed(lines_[piece_at(length).line].line.at(length));
          open.take(question.line, latency.front());
          search.answer(question.line, length, std::move(latency));
        } else if (auto bound = ruled_out(simulated_[question.line - first], length)) {
          search.answer(question.line, length, std::move(*bound));
        } else {
          open.waiting.push_back({question.line, least_latency_of(simulated_[question.line - first], length)});
        }
      }
    }
    std::vector<OpenLength> all;
    for (auto& [length, open] : by_length) {
      std::ranges::stable_sort(open.waiting, {}, &BoundedLine::bound);
      all.push_back(std::move(open));
    }
    return all;
  }

  /// Takes those out of `lengths` that are simulated next, and answers those that cannot be the lowest with their
  /// bounds. Where bounds are known the two with the lowest ones at each length come first; else, and with `all`, every
  /// one does.
  std::vector<Simulation> next_simulations(std::vector<OpenLength>& lengths, bool all, EnvelopeSearch& search) const
  {
    constexpr std::size_t at_once = 2;
    std::vector<Simulation> next;
    for (OpenLength& open : lengths) {
      std::size_t taken = 0;
      std::vector<BoundedLine> later;
      for (const BoundedLine& one : open.waiting) {
        if (!open.may_be_least(one)) {
          search.answer(one.line, open.length, SeedLatencies(repeats_.count, one.bound));
        } else if (all || one.bound == 0 || taken < at_once) {
          next.push_back({.position = one.line - first_simulated(), .length = open.length});
          ++taken;
        } else {
          later.push_back(one);
        }
      }
      open.waiting = std::move(later);
    }
    return next;
  }

  /// Line 0 is the envelope of the formulas (where there is one), the others are the simulated candidates.
  std::vector<MeasuredPiece> measured_pieces(const ChooseOptions& options, Choice& choice)
  {
    const TaskWork work = {fingerprint(),
                           [this](const Json& parameters) { return compute(Simulation::of(parameters)); },
                           [](const Json& parameters) { return Simulation::of(parameters).unit(); }};
    Batches batches(work, options.tasks, StudyWorkers::SingleTask::in_this_process);
    const std::size_t first = first_simulated();
    EnvelopeSearch search(simulated_.size() + first, lengths_of(lengths_, experiment_.request.message_bytes),
                          repeats_.kind());
    bool announced = false;
    for (auto questions = search.questions(); !questions.empty(); questions = search.questions()) {
      std::vector<OpenLength> lengths = open_lengths(questions, search);
      std::size_t most = 0;
      for (const OpenLength& open : lengths) {
        most += open.waiting.size() * repeats_.count;
      }
      if (!announced && options.announce && most > 0) {
        options.announce(simulated_.size(), most);
      }
      announced = true;
      // Where others compute a part of the simulations (a shard), none is ruled out by what is not known yet.
      for (auto next = next_simulations(lengths, false, search); !next.empty();
           next = next_simulations(lengths, choice.has_gaps, search)) {
        std::vector<Json> tasks;
        for (const Simulation& simulation : next) {
          tasks.push_back(simulation.parameters());
        }
        choice.simulations += next.size() * repeats_.count;
        choice.interrupted_by = batches.run(tasks, [&](const TaskOutcome& ended) {
          const Simulation& simulation = next[ended.task];
          SeedLatencies latencies = reported(ended.report, simulation);
          if (!latencies.empty() && repeats_.kind() == LatencyKind::exact) {
            std::ranges::find(lengths, simulation.length, &OpenLength::length)
                ->take(simulation.position + first, latencies.front());
          }
          search.answer(simulation.position + first, simulation.length, std::move(latencies));
        });
        choice.has_gaps = batches.have_gaps();
        if (choice.interrupted_by != 0) {
          return {};
        }
      }
      if (choice.has_gaps) {
        return {};
      }
    }
    return search.pieces();
  }

  void append_decided_piece(const MeasuredPiece& piece, std::vector<ChosenAlgorithm>& all) const
  {
    if (piece.line == 0 && !envelope_.empty()) {
      append_formula_pieces(ExactNumber(piece.from), piece.to, all);
    } else {
      append_simulated_piece(piece, all);
    }
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
    const std::size_t first = first_simulated();
    ChosenAlgorithm piece = chosen(ExactNumber(found.from), simulated_[found.line - first].candidate);
    piece.simulated = true;
    if (simulated_[found.line - first].tuned) {
      piece.segments = find_algorithm(piece.name).segments;
      piece.values.erase(piece.segments);
      piece.fewest_segments = best_segments_at(simulated_[found.line - first].candidate, found.from);
      piece.most_segments = best_segments_at(simulated_[found.line - first].candidate, found.to);
    }
    all.push_back(std::move(piece));
  }

  const Experiment& experiment_;
  std::vector<Candidate> candidates_;
  SearchRange lengths_;
  Repeats repeats_;
  std::vector<NamedLine> lines_;
  std::vector<Simulated> simulated_;
  std::vector<EnvelopePiece> envelope_; ///< of lines_
  std::size_t by_formula_ = 0;
};

} // namespace

Choice choose_algorithms(const Experiment& experiment, const std::vector<std::string>& names,
                         const SearchRange& lengths, const ChooseOptions& options)
{
  if (experiment.run.fluid) {
    throw InputError("run.model: choose compares times of worms; expected \"wormhole\"");
  }
  Choice choice;
  choice.operation = configured_operation(experiment);
  choice.lengths = lengths;
  choice.repeats = repeats_of(experiment, options.repeat);
  std::vector<Candidate> all = candidates(experiment, names, choice.operation);
  const std::size_t count = all.size();
  std::vector<ComparedAlgorithm> shown;
  std::ranges::transform(all, std::back_inserter(shown), &Candidate::shown);
  Chooser chooser(experiment, std::move(all), lengths, choice.repeats);
  for (std::size_t i = 0; i < count && InterruptGuard::received() == 0; ++i) {
    try {
      chooser.look_at(i);
    } catch (const InputError& error) {
      choice.left_out.push_back({shown[i].name, shown[i].parameters, error.what()});
    }
  }
  choice.interrupted_by = InterruptGuard::received();
  if (choice.interrupted_by != 0) {
    return choice;
  }
  if (choice.left_out.size() == count) {
    throw InputError(fmt::format("nothing to choose from: {}", choice.left_out.front().reason));
  }
  chooser.find_pieces(options, choice);
  choice.by_formula = chooser.by_formula();
  choice.by_simulation = chooser.by_simulation();
  return choice;
}

} // namespace wormcast
