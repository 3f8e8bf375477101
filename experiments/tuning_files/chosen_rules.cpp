#include "wormcast/experiments/tuning_files/chosen_rules.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/mpi/own_broadcast.hpp"
#include "wormcast/experiments/tuning_files/timed_candidates.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

/// The name without "wormcast:".
std::string own_name(const MeasuredAlgorithm& own)
{
  return own.name.substr(own_algorithm_prefix.size());
}

std::optional<LibraryAlgorithm> algorithm_of(TunedLibrary library, const Candidate& candidate, Operation operation,
                                             std::uint64_t bytes)
{
  const MeasuredAlgorithm measured = {.collective = std::string(collective_of(operation)),
                                      .name = std::string(own_algorithm_prefix) + candidate.shown.name,
                                      .values = candidate.shown.values};
  return library_algorithm(library, measured, candidate.experiment.topology->host_count(), bytes);
}

/// Wormcast's algorithms that the library has, with their families.
std::vector<Candidate> library_candidates(TunedLibrary library, const Experiment& experiment, Operation operation,
                                          std::uint64_t bytes)
{
  std::vector<Candidate> all;
  for (const MeasuredAlgorithm& own : own_in_library(library, collective_of(operation))) {
    Experiment base = experiment;
    base.given = nullptr;
    base.algorithm = own_name(own);
    base.request.parameters = experiment.algorithm == base.algorithm && experiment.given == nullptr
                                  ? experiment.request.parameters
                                  : ParameterValues();
    for (const auto& [name, value] : own.values.items()) {
      base.request.parameters.set(name, value.get<std::string>());
    }
    std::ranges::copy_if(
        candidates(base, {base.algorithm}, operation), std::back_inserter(all),
        [&](const Candidate& one) { return algorithm_of(library, one, operation, bytes).has_value(); });
  }
  return all;
}

/// The search for the fastest of the library's at each length.
class LibraryChooser {
public:
  LibraryChooser(TunedLibrary library, const Experiment& experiment, const Choice& choice, const ChooseOptions& options)
      : library_(library), experiment_(experiment), choice_(choice),
        own_(library_candidates(library, experiment, choice.operation, choice.lengths.first)), timed_(timed(options))
  {}

  ChosenRules rules()
  {
    ChosenRules result;
    if (find_pieces() && ask_all()) {
      result.rules = made_rules();
    }
    result.interrupted_by = timed_.interrupted_by();
    result.has_gaps = timed_.has_gaps();
    return result;
  }

private:
  TimedCandidates timed(const ChooseOptions& options)
  {
    std::vector<Candidate> all = own_;
    for (const ChosenAlgorithm& piece : choice_.pieces) {
      all.push_back(candidate_of(experiment_, choice_, piece.undecided.empty() ? piece : piece.undecided.front()));
    }
    return {experiment_, std::move(all), choice_.repeats, options.tasks};
  }

  /// The number of the candidate of the choice at a length.
  std::size_t chosen_at(std::uint64_t bytes) const
  {
    return own_.size() + static_cast<std::size_t>(&piece_at(choice_, bytes) - choice_.pieces.data());
  }

  std::size_t library_at(std::uint64_t bytes) const
  {
    const auto behind = std::ranges::upper_bound(pieces_, bytes, {}, &MeasuredPiece::from);
    return (behind == pieces_.begin() ? behind : std::prev(behind))->line;
  }

  /// Whether the search came to its end.
  bool find_pieces()
  {
    const std::vector<std::uint64_t> lengths = lengths_of(choice_.lengths, experiment_.request.message_bytes);
    EnvelopeSearch search(own_.size(), lengths, choice_.repeats.kind());
    for (auto questions = search.questions(); !questions.empty(); questions = search.questions()) {
      std::vector<TimedCandidates::Question> all;
      for (const EnvelopeSearch::Question& question : questions) {
        std::ranges::transform(question.lengths, std::back_inserter(all),
                               [&](std::uint64_t bytes) { return std::pair(question.line, bytes); });
      }
      if (!timed_.ask(all)) {
        return false;
      }
      for (const TimedCandidates::Question& question : all) {
        search.answer(question.first, question.second, timed_.latencies(question));
      }
    }
    pieces_ = search.pieces();
    if (pieces_.empty()) {
      throw InputError(fmt::format("--format {}: none of the algorithms that {} has runs here",
                                   tuned_library_names.text(library_), library_title(library_)));
    }
    shown_.insert(lengths.begin(), lengths.end());
    std::ranges::transform(pieces_, std::inserter(shown_, shown_.end()), &MeasuredPiece::from);
    std::ranges::transform(choice_.pieces, std::inserter(shown_, shown_.end()), first_length);
    return true;
  }

  /// Whether all latencies of the rules are known then.
  bool ask_all()
  {
    std::vector<TimedCandidates::Question> all;
    for (const std::uint64_t bytes : shown_) {
      all.emplace_back(library_at(bytes), bytes);
      all.emplace_back(chosen_at(bytes), bytes);
    }
    return timed_.ask(all);
  }

  TuningRules made_rules() const
  {
    TuningRules rules;
    rules.library = library_;
    rules.collective = collective_of(choice_.operation);
    rules.ranks = experiment_.topology->host_count();
    rules.command = "choose";
    for (const std::uint64_t bytes : shown_) {
      const std::size_t used = library_at(bytes);
      const std::size_t chosen = chosen_at(bytes);
      const std::optional<Time> time = timed_.mean({used, bytes});
      const auto algorithm = algorithm_of(library_, timed_.candidate(used), choice_.operation, bytes);
      if (!time || !algorithm) {
        rules.without.push_back(bytes);
        continue;
      }
      TunedLength length = {
          .bytes = bytes, .algorithm = *algorithm, .measured = {title_at(timed_.candidate(used), bytes), *time}};
      const std::optional<Time> least = timed_.mean({chosen, bytes});
      if (least && *least < *time) {
        length.lost = TimedAlgorithm{.title = title_at(timed_.candidate(chosen), bytes), .latency = *least};
      }
      rules.lengths.push_back(std::move(length));
    }
    return rules;
  }

  TunedLibrary library_;
  const Experiment& experiment_;
  const Choice& choice_;
  std::vector<Candidate> own_; ///< those of the library; in timed_ those of the choice's pieces follow
  TimedCandidates timed_;
  std::vector<MeasuredPiece> pieces_; ///< of own_
  std::set<std::uint64_t> shown_;     ///< the lengths of the rules
};

} // namespace

void require_in_library(TunedLibrary library, Operation operation)
{
  const std::string_view collective = collective_of(operation);
  if (!collective.empty() && !own_in_library(library, collective).empty()) {
    return;
  }
  throw InputError(
      fmt::format("--format {}: {} has none of wormcast's algorithms for {}, expected broadcast, all_gather "
                  "or all_to_all; wormcast collectives writes rules from SMPI's algorithms",
                  tuned_library_names.text(library), library_title(library), operation_names.text(operation)));
}

ChosenRules rules_of_choice(TunedLibrary library, const Experiment& experiment, const Choice& choice,
                            const ChooseOptions& options)
{
  return LibraryChooser(library, experiment, choice, options).rules();
}

Candidate candidate_of(const Experiment& experiment, const Choice& choice, const ChosenAlgorithm& piece)
{
  const std::vector<std::string> names =
      piece.name == schedule_algorithm ? std::vector<std::string>() : std::vector<std::string>{piece.name};
  for (Candidate& one : candidates(experiment, names, choice.operation)) {
    nlohmann::ordered_json values = one.shown.values;
    if (!piece.segments.empty()) {
      values.erase(piece.segments);
    }
    if (one.shown.name == piece.name && values == piece.values) {
      return std::move(one);
    }
  }
  throw std::logic_error(fmt::format("{} is no candidate", piece.name));
}

std::uint64_t first_length(const ChosenAlgorithm& piece)
{
  const boost::multiprecision::cpp_int whole = numerator(piece.from) / denominator(piece.from);
  const auto below = static_cast<std::uint64_t>(whole);
  return ExactNumber(below) < piece.from ? below + 1 : below;
}

const ChosenAlgorithm& piece_at(const Choice& choice, std::uint64_t bytes)
{
  const auto behind = std::ranges::upper_bound(choice.pieces, ExactNumber(bytes), {}, &ChosenAlgorithm::from);
  return *(behind == choice.pieces.begin() ? behind : std::prev(behind));
}

} // namespace wormcast
