#include "wormcast/experiments/compare/compare_search.hpp"

#include "wormcast/experiments/compare/least_latency.hpp"
#include "wormcast/experiments/compare/open_lengths.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* lengths_kind = "lengths";
constexpr const char* bounds_kind = "bounds";

Json search_task(const char* kind, std::size_t candidate, const std::vector<std::uint64_t>& lengths)
{
  return {{"kind", kind}, {"candidate", candidate}, {"lengths", lengths}};
}

/// For each length its latencies in picoseconds, or none.
Json latencies_json(const Experiment& experiment, const Repeats& repeats, const std::vector<std::uint64_t>& lengths)
{
  Json latencies = Json::array();
  Schedule schedule = experiment_schedule(experiment);
  for (const std::uint64_t length : lengths) {
    schedule.message_bytes = length;
    try {
      latencies.push_back(measured_latencies(experiment, schedule, repeats));
    } catch (const InputError&) { // too long a message: it has no latency
      latencies.push_back(Json::array());
    }
  }
  return latencies;
}

/// For each length a lower bound of the latency in picoseconds; 0: nothing is known.
Json bounds_json(const Experiment& experiment, const std::vector<std::uint64_t>& lengths)
{
  Json bounds = Json::array();
  Schedule schedule = experiment_schedule(experiment);
  for (const std::uint64_t length : lengths) {
    schedule.message_bytes = length;
    try {
      bounds.push_back(least_latency(*experiment.topology, schedule, experiment.network, experiment.run).value_or(0));
    } catch (const InputError&) { // too long a message: its simulation says so
      bounds.push_back(0);
    }
  }
  return bounds;
}

/// What a task of the search reports, a value for each length.
template <typename Value>
std::vector<Value> by_length(const ComparedAlgorithm& shown, const TaskReport& report, std::size_t lengths)
{
  if (report.has_died()) {
    throw std::runtime_error(fmt::format("{} {} over the lengths: {}", shown.name, shown.parameters, report.error));
  }
  auto values = read_result(report, [](const Json& result) { return result.get<std::vector<Value>>(); });
  if (values.size() != lengths) {
    throw_wrong_result(report.result, fmt::format("{} lengths", lengths));
  }
  return values;
}

class CompareSearch {
public:
  CompareSearch(const std::vector<Candidate>& all, std::vector<std::size_t> positions, const Repeats& repeats,
                Batches& batches, const std::vector<std::uint64_t>& lengths)
      : all_(all), positions_(std::move(positions)), repeats_(repeats), batches_(batches),
        search_(positions_.size(), lengths, repeats.kind())
  {}

  /// Returns the signal that ended it early, or 0; it ends early, too, where runs are left out.
  int run()
  {
    for (auto questions = search_.questions(); !questions.empty(); questions = search_.questions()) {
      OpenLengths open(search_, repeats_.count);
      int signal = open_questions(questions, open);
      for (auto next = open.next(false); signal == 0 && !batches_.have_gaps() && !next.empty();
           next = open.next(false)) {
        signal = simulate(next, open);
      }
      if (signal != 0 || batches_.have_gaps()) {
        return signal;
      }
    }
    return 0;
  }

  /// `line` and `undecided` are positions in `all`.
  std::vector<MeasuredPiece> pieces() const
  {
    std::vector<MeasuredPiece> pieces = search_.pieces();
    for (MeasuredPiece& piece : pieces) {
      piece.line = positions_[piece.line];
      for (std::size_t& line : piece.undecided) {
        line = positions_[line];
      }
    }
    return pieces;
  }

private:
  const ComparedAlgorithm& shown(std::size_t line) const { return all_[positions_[line]].shown; }

  /// The configured length is known from the candidates' runs; all others are opened with their bounds.
  int open_questions(std::vector<EnvelopeSearch::Question> questions, OpenLengths& open)
  {
    const std::uint64_t configured = all_.front().experiment.request.message_bytes;
    std::vector<Json> tasks;
    for (EnvelopeSearch::Question& question : questions) {
      if (std::erase(question.lengths, configured) > 0) {
        open.answer({.line = question.line, .length = configured}, shown(question.line).latencies);
      }
    }
    std::erase_if(questions, [](const EnvelopeSearch::Question& question) { return question.lengths.empty(); });
    if (repeats_.kind() == LatencyKind::drawn) {
      for (const EnvelopeSearch::Question& question : questions) {
        open_all(question, std::vector<std::int64_t>(question.lengths.size(), 0), open);
      }
      return 0;
    }
    for (const EnvelopeSearch::Question& question : questions) {
      tasks.push_back(search_task(bounds_kind, positions_[question.line], question.lengths));
    }
    return batches_.run(tasks, [&](const TaskOutcome& ended) {
      const EnvelopeSearch::Question& question = questions[ended.task];
      open_all(question, by_length<std::int64_t>(shown(question.line), ended.report, question.lengths.size()), open);
    });
  }

  static void open_all(const EnvelopeSearch::Question& question, const std::vector<std::int64_t>& bounds,
                       OpenLengths& open)
  {
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      open.open({.line = question.line, .length = question.lengths[i]}, bounds[i]);
    }
  }

  int simulate(const std::vector<LineAtLength>& next, OpenLengths& open)
  {
    std::vector<Json> tasks;
    for (const LineAtLength& one : next) {
      tasks.push_back(search_task(lengths_kind, positions_[one.line], {one.length}));
    }
    return batches_.run(tasks, [&](const TaskOutcome& ended) {
      const LineAtLength& one = next[ended.task];
      open.answer(one, by_length<SeedLatencies>(shown(one.line), ended.report, 1).front());
    });
  }

  const std::vector<Candidate>& all_;
  std::vector<std::size_t> positions_; ///< of the lines of the search
  const Repeats& repeats_;
  Batches& batches_;
  EnvelopeSearch search_;
};

} // namespace

std::optional<Json> search_result(std::string_view kind, const Experiment& experiment, const Repeats& repeats,
                                  const std::vector<std::uint64_t>& lengths)
{
  if (kind == lengths_kind) {
    return latencies_json(experiment, repeats, lengths);
  }
  if (kind == bounds_kind) {
    return bounds_json(experiment, lengths);
  }
  return std::nullopt;
}

std::vector<std::size_t> possible_winners(const std::vector<Candidate>& all)
{
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ComparedAlgorithm& shown = all[i].shown;
    if ((shown.state == ComparisonState::done || shown.state == ComparisonState::deadlock) && shown.run.valid) {
      positions.push_back(i);
    }
  }
  return positions;
}

int measure_first_lengths(const std::vector<Candidate>& all, const CompareOptions& options, Batches& batches)
{
  if (!options.lengths) {
    return 0;
  }
  std::vector<std::uint64_t> lengths = lengths_of(*options.lengths, all.front().experiment.request.message_bytes);
  std::erase(lengths, all.front().experiment.request.message_bytes);
  std::vector<Json> tasks;
  for (const std::size_t position : possible_winners(all)) {
    if (!lengths.empty()) {
      tasks.push_back(search_task(bounds_kind, position, lengths));
    }
    for (const std::uint64_t length : lengths) {
      tasks.push_back(search_task(lengths_kind, position, {length}));
    }
  }
  return batches.run(tasks, [](const TaskOutcome&) {});
}

int measure_envelope(const std::vector<Candidate>& all, const CompareOptions& options, const Repeats& repeats,
                     Batches& batches, std::vector<MeasuredPiece>& pieces)
{
  std::vector<std::size_t> positions = possible_winners(all);
  if (!options.lengths || positions.empty()) {
    return 0;
  }
  const std::vector<std::uint64_t> lengths = lengths_of(*options.lengths, all.front().experiment.request.message_bytes);
  if (options.announce) {
    options.announce(positions.size(), positions.size() * lengths.size() * repeats.count);
  }
  CompareSearch search(all, std::move(positions), repeats, batches, lengths);
  const int signal = search.run();
  if (signal == 0 && !batches.have_gaps()) {
    pieces = search.pieces();
  }
  return signal;
}

} // namespace wormcast
