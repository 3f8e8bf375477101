#include "wormcast/experiments/compare/choice_search.hpp"

#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/compare/open_lengths.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// A candidate that is simulated, and the length of the message.
struct ChoiceSimulation {
  std::size_t position = 0;
  std::uint64_t length = 0;

  Json parameters() const { return {{"simulated", position}, {"bytes", length}}; }

  static ChoiceSimulation of(const Json& parameters)
  {
    return {.position = parameters.at("simulated").get<std::size_t>(),
            .length = parameters.at("bytes").get<std::uint64_t>()};
  }

  /// Neighbouring lengths of a candidate are neighbouring units.
  std::size_t unit() const { return position + static_cast<std::size_t>(std::bit_width(length)); }
};

class ChoiceSearch {
public:
  ChoiceSearch(ChoiceCandidates& candidates, const ChooseOptions& options, Choice& choice)
      : candidates_(candidates), options_(options), choice_(choice), first_(first_simulated_line(candidates)),
        search_(candidates.simulated().size() + first_,
                lengths_of(candidates.lengths(), candidates.experiment().request.message_bytes),
                candidates.repeats().kind()),
        simulated_(candidates.simulated().size())
  {}

  FoundChoice found()
  {
    const TaskWork work = {candidates_.fingerprint(),
                           [this](const Json& parameters) { return compute(ChoiceSimulation::of(parameters)); },
                           [](const Json& parameters) { return ChoiceSimulation::of(parameters).unit(); }};
    Batches batches(work, options_.tasks, StudyWorkers::SingleTask::in_this_process);
    bool announced = false;
    for (auto questions = search_.questions(); !questions.empty(); questions = search_.questions()) {
      OpenLengths lengths = open_lengths(questions);
      const std::size_t most = lengths.count() * candidates_.repeats().count;
      if (!announced && options_.announce && most > 0) {
        options_.announce(candidates_.simulated().size(), most);
      }
      announced = true;
      if (!simulate(lengths, batches)) {
        return {};
      }
    }
    return {.pieces = search_.pieces(), .simulated = std::move(simulated_)};
  }

private:
  /// The latencies in picoseconds.
  TaskReport compute(const ChoiceSimulation& simulation)
  {
    return {.state = TaskReport::done, .result = candidates_.measured(simulation.position, simulation.length)};
  }

  /// What compute() reports. Throws std::runtime_error where the process broke down: without its latency another
  /// candidate would win.
  SeedLatencies reported(const TaskReport& report, const LineAtLength& one) const
  {
    if (report.has_died()) {
      const ComparedAlgorithm& shown = candidates_.shown(candidates_.simulated()[one.line - first_].candidate);
      throw std::runtime_error(
          fmt::format("{} {} with {} bytes: {}", shown.name, shown.parameters, one.length, report.error));
    }
    return read_result(report, [](const Json& result) { return result.get<SeedLatencies>(); });
  }

  /// Answers what formulas and their bounds answer. Returns what is left.
  OpenLengths open_lengths(const std::vector<EnvelopeSearch::Question>& questions)
  {
    OpenLengths lengths(search_, candidates_.repeats().count);
    for (const EnvelopeSearch::Question& question : questions) {
      for (const std::uint64_t length : question.lengths) {
        const LineAtLength one{.line = question.line, .length = length};
        if (question.line < first_) {
          lengths.answer(one, candidates_.formula_latencies(length));
        } else if (auto bound = candidates_.ruled_out(question.line - first_, length)) {
          search_.answer(question.line, length, std::move(*bound));
        } else {
          lengths.open(one, candidates_.least_latency_at(question.line - first_, length));
        }
      }
    }
    return lengths;
  }

  /// Returns false where a signal ended it, or simulations are left out.
  bool simulate(OpenLengths& lengths, Batches& batches)
  {
    // Where others compute a part of the simulations (a shard), none is ruled out by what is not known yet.
    for (auto next = lengths.next(false); !next.empty(); next = lengths.next(choice_.has_gaps)) {
      std::vector<Json> tasks;
      for (const LineAtLength& one : next) {
        tasks.push_back(ChoiceSimulation{.position = one.line - first_, .length = one.length}.parameters());
      }
      choice_.simulations += next.size() * candidates_.repeats().count;
      choice_.interrupted_by = batches.run(tasks, [&](const TaskOutcome& ended) {
        const LineAtLength& one = next[ended.task];
        SeedLatencies latencies = reported(ended.report, one);
        simulated_[one.line - first_][one.length] = latencies;
        lengths.answer(one, std::move(latencies));
      });
      choice_.has_gaps = batches.have_gaps();
      if (choice_.interrupted_by != 0 || (choice_.has_gaps && !batches.have_others())) {
        return false;
      }
    }
    return !choice_.has_gaps;
  }

  ChoiceCandidates& candidates_;
  const ChooseOptions& options_;
  Choice& choice_;
  std::size_t first_;
  EnvelopeSearch search_;
  std::vector<LatenciesByLength> simulated_;
};

} // namespace

FoundChoice search_choice(ChoiceCandidates& candidates, const ChooseOptions& options, Choice& choice)
{
  return ChoiceSearch(candidates, options, choice).found();
}

} // namespace wormcast
