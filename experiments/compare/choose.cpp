#include "wormcast/experiments/compare/choose.hpp"

#include "wormcast/experiments/compare/choice_pieces.hpp"
#include "wormcast/experiments/compare/choice_search.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace wormcast {

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
  ChoiceCandidates choosable(experiment, std::move(all), lengths, choice.repeats);
  for (std::size_t i = 0; i < count && InterruptGuard::received() == 0; ++i) {
    try {
      choosable.look_at(i);
    } catch (const InputError& error) {
      choice.left_out.push_back({choosable.shown(i).name, choosable.shown(i).parameters, error.what()});
    }
  }
  choice.interrupted_by = InterruptGuard::received();
  if (choice.interrupted_by != 0) {
    return choice;
  }
  if (choice.left_out.size() == count) {
    throw InputError(fmt::format("nothing to choose from: {}", choice.left_out.front().reason));
  }
  choosable.find_envelope();
  const FoundChoice found = search_choice(choosable, options, choice);
  choice.pieces = choice_pieces(choosable, found.pieces);
  choice.curves = choice_curves(choosable, choice.pieces, found.simulated);
  choice.by_formula = choosable.by_formula();
  choice.by_simulation = choosable.simulated().size();
  return choice;
}

} // namespace wormcast
