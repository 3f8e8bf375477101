#include "wormcast/algorithms/grid/intercom.hpp"

#include "wormcast/algorithms/grid/line_halving.hpp"
#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

namespace wormcast {

namespace {

constexpr std::string_view intercom_name = "intercom";
constexpr std::string_view dimension_letters = "xyz";

const Grid& require_intercom_grid(const Topology& topology)
{
  const Grid& grid = require_grid(topology, intercom_name);
  if (grid.sizes().size() > dimension_letters.size()) {
    throw InputError(
        fmt::format("{} runs in 1 to 3 dimensions; the {} has {}", intercom_name, grid.title(), grid.sizes().size()));
  }
  return grid;
}

std::string stage_text(const HybridStage& stage)
{
  return fmt::format("{}{}{}", stage.scatters ? 'S' : 'M', dimension_letters[stage.dimension], stage.group);
}

std::int64_t groups_of(const Grid& grid, const HybridStage& stage)
{
  return grid.sizes()[stage.dimension] / stage.group;
}

/// Recursive halving of the groups of a line, from the source's.
std::vector<std::vector<HalvingSend>> halve_groups(const Grid& grid, NodeId source, const HybridStage& stage)
{
  return halve_line(groups_of(grid, stage), grid.coordinate(source, stage.dimension) / stage.group);
}

/// Recursive halving of a group, from the source's position in its own.
std::vector<std::vector<HalvingSend>> halve_places(const Grid& grid, NodeId source, const HybridStage& stage)
{
  return halve_line(stage.group, grid.coordinate(source, stage.dimension) % stage.group);
}

/// By position: the send from there, or one to the position itself.
std::vector<HalvingSend> by_place(const std::vector<HalvingSend>& sends, std::int64_t places)
{
  std::vector<HalvingSend> result;
  for (std::int64_t place = 0; place < places; ++place) {
    result.push_back({place, place, 0, 0});
  }
  for (const HalvingSend& send : sends) {
    result[static_cast<std::size_t>(send.from)] = send;
  }
  return result;
}

NodeId moved(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t by)
{
  return NodeId{static_cast<std::uint32_t>(index(node) + by * grid.stride(dimension))};
}

void broadcast_between_groups(const Grid& grid, NodeId source, const HybridStage& stage, Ownership& ownership)
{
  for (const std::vector<HalvingSend>& sends : halve_groups(grid, source, stage)) {
    const std::vector<HalvingSend> send_of = by_place(sends, groups_of(grid, stage));
    ownership.share([&](NodeId node) {
      const HalvingSend& send = send_of[static_cast<std::size_t>(grid.coordinate(node, stage.dimension) / stage.group)];
      return moved(grid, node, stage.dimension, (send.to - send.from) * stage.group);
    });
  }
}

/// Each position receives `blocks_a_place` blocks.
void scatter_in_groups(const Grid& grid, NodeId source, const HybridStage& stage, std::uint64_t blocks_a_place,
                       Ownership& ownership)
{
  for (const std::vector<HalvingSend>& sends : halve_places(grid, source, stage)) {
    const std::vector<HalvingSend> send_of = by_place(sends, stage.group);
    const auto send_from = [&](NodeId node) {
      return send_of[static_cast<std::size_t>(grid.coordinate(node, stage.dimension) % stage.group)];
    };
    ownership.transfer(
        [&](NodeId node) {
          const HalvingSend send = send_from(node);
          return moved(grid, node, stage.dimension, send.to - send.from);
        },
        [&](NodeId node) { return static_cast<std::uint64_t>(send_from(node).kept) * blocks_a_place; });
  }
}

void collect_in_groups(const Grid& grid, const HybridStage& stage, Ownership& ownership)
{
  ownership.all_gather(
      [&](NodeId node) {
        const std::int64_t begin = grid.coordinate(node, stage.dimension) / stage.group * stage.group;
        return ring_neighbour(grid, node, stage.dimension, begin, stage.group, 1);
      },
      static_cast<std::uint32_t>(stage.group));
}

Schedule intercom(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_intercom_grid(topology);
  const std::vector<HybridStage> stages = parse_stages(grid, request.parameters.text("stages"));
  std::uint64_t blocks = 1;
  for (const HybridStage& stage : stages) {
    blocks *= stage.scatters ? static_cast<std::uint64_t>(stage.group) : 1;
  }
  Ownership ownership(grid.node_count(), request.source, blocks);
  for (const HybridStage& stage : stages) {
    if (stage.scatters) {
      blocks /= static_cast<std::uint64_t>(stage.group);
      scatter_in_groups(grid, request.source, stage, blocks, ownership);
    } else {
      broadcast_between_groups(grid, request.source, stage, ownership);
    }
  }
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if (stage->scatters) {
      collect_in_groups(grid, *stage, ownership);
    }
  }
  return ownership.take_schedule();
}

/// Returns the divisors of `size` next to `number`: "2 and 4".
std::string divisors_near(std::int64_t number, std::int64_t size)
{
  std::int64_t below = std::min(number, size);
  while (size % below != 0) {
    --below;
  }
  std::int64_t above = std::min(number, size);
  while (size % above != 0) {
    ++above;
  }
  return below == above ? fmt::to_string(below) : fmt::format("{} and {}", below, above);
}

HybridStage parse_stage(const Grid& grid, const std::string& word)
{
  HybridStage stage;
  const std::size_t letter = word.size() < 3 ? std::string::npos : dimension_letters.find(word[1]);
  const char* const end = word.data() + word.size();
  const auto read = letter == std::string::npos ? std::from_chars_result{nullptr, std::errc::invalid_argument}
                                                : std::from_chars(word.data() + 2, end, stage.group);
  if (read.ec != std::errc() || read.ptr != end || stage.group < 1 || (word[0] != 'M' && word[0] != 'S')) {
    throw InputError(
        fmt::format("{}: found the stage \"{}\", expected M or S, a dimension and the size of a group, such as Sx4",
                    intercom_name, word));
  }
  if (letter >= grid.sizes().size()) {
    throw InputError(
        fmt::format("{}: found the stage {}, but the {} has no {}", intercom_name, word, grid.title(), word[1]));
  }
  stage.scatters = word[0] == 'S';
  stage.dimension = letter;
  if (const std::int64_t size = grid.sizes()[letter]; size % stage.group != 0) {
    throw InputError(fmt::format("{}: found the stage {}, but {} does not divide "
                                 "the {} size of the {}, {}; next to it does {}",
                                 intercom_name, word, stage.group, word[1], grid.title(), size,
                                 divisors_near(stage.group, size)));
  }
  return stage;
}

/// The stage of a kind in a dimension.
const HybridStage* find_stage(const std::vector<HybridStage>& stages, std::size_t dimension, bool scatters)
{
  const auto found = std::ranges::find_if(
      stages, [&](const HybridStage& stage) { return stage.dimension == dimension && stage.scatters == scatters; });
  return found == stages.end() ? nullptr : &*found;
}

void require_product(const Grid& grid, const std::vector<HybridStage>& stages, std::size_t dimension)
{
  const HybridStage* between = find_stage(stages, dimension, false);
  const HybridStage* inside = find_stage(stages, dimension, true);
  const std::int64_t size = grid.sizes()[dimension];
  if (between != nullptr && inside != nullptr && between->group != inside->group) {
    throw InputError(fmt::format("{}: found {} and {}, expected groups of the same size", intercom_name,
                                 stage_text(*between), stage_text(*inside)));
  }
  const std::int64_t reached =
      (between == nullptr ? 1 : groups_of(grid, *between)) * (inside == nullptr ? 1 : inside->group);
  if (reached == size) {
    return;
  }
  const char letter = dimension_letters[dimension];
  const HybridStage* only = between != nullptr ? between : inside;
  throw InputError(
      fmt::format("{}: the stages along {}, {}, reach {} of {} nodes of the {}; expected M{}1, S{}{}, or both "
                  "M and S with the same group",
                  intercom_name, letter, only == nullptr ? "none" : stage_text(*only), reached, size, grid.title(),
                  letter, letter, size));
}

/// The stages for one dimension: M and S with the same group, without those that do nothing.
std::vector<std::vector<HybridStage>> choices_along(const Grid& grid, std::size_t dimension)
{
  const std::int64_t size = grid.sizes()[dimension];
  std::vector<std::vector<HybridStage>> choices;
  for (std::int64_t group = 1; group <= size; ++group) {
    if (size % group != 0) {
      continue;
    }
    std::vector<HybridStage>& stages = choices.emplace_back();
    if (group < size) {
      stages.push_back({false, dimension, group});
    }
    if (group > 1) {
      stages.push_back({true, dimension, group});
    }
  }
  return choices;
}

/// Appends to `all` every interleaving of the rest of the sequences that preserves each one's order, after `begun`.
void interleave(const std::vector<std::vector<HybridStage>>& sequences, std::vector<std::size_t>& used,
                std::vector<HybridStage>& begun, std::vector<std::vector<HybridStage>>& all)
{
  bool complete = true;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (used[i] < sequences[i].size()) {
      complete = false;
      begun.push_back(sequences[i][used[i]++]);
      interleave(sequences, used, begun, all);
      begun.pop_back();
      --used[i];
    }
  }
  if (complete) {
    all.push_back(begun);
  }
}

ParameterValues fastest_hybrid(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_intercom_grid(topology);
  const auto hybrids = hybrids_without_contention(grid);
  std::vector<FormulaCosts> costs;
  costs.reserve(hybrids.size());
  for (const auto& hybrid : hybrids) {
    costs.push_back(hybrid_costs(grid, request.source, hybrid));
  }
  ParameterValues values = request.parameters;
  values.set("stages", format_stages(hybrids[fastest(costs, request)]));
  return values;
}

/// Those hybrids without contention that no other one beats in both alpha and beta, by alpha.
std::vector<ParameterValues> best_hybrids(const Topology& topology)
{
  const auto* grid = as_kind<Grid>(topology);
  std::vector<ParameterValues> family;
  if (grid == nullptr || grid->sizes().size() > dimension_letters.size()) {
    return family;
  }
  const auto hybrids = hybrids_without_contention(*grid);
  std::vector<std::pair<FormulaCosts, std::size_t>> costs;
  for (std::size_t i = 0; i < hybrids.size(); ++i) {
    costs.emplace_back(hybrid_costs(*grid, NodeId{0}, hybrids[i]), i);
  }
  std::ranges::stable_sort(costs, [](const auto& a, const auto& b) {
    return std::pair(a.first.alpha, a.first.beta) < std::pair(b.first.alpha, b.first.beta);
  });
  std::optional<Fraction> least;
  for (const auto& [cost, position] : costs) {
    if (!least || cost.beta < *least) {
      least = cost.beta;
      family.emplace_back().set("stages", format_stages(hybrids[position]));
    }
  }
  return family;
}

} // namespace

std::string format_stages(const std::vector<HybridStage>& stages)
{
  std::vector<std::string> texts;
  for (const HybridStage& stage : stages) {
    texts.push_back(stage_text(stage));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

std::vector<HybridStage> parse_stages(const Grid& grid, std::string_view text)
{
  std::vector<HybridStage> stages;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const HybridStage stage = parse_stage(grid, word);
    if (find_stage(stages, stage.dimension, stage.scatters) != nullptr) {
      throw InputError(fmt::format("{}: found {} after {}, expected one {} along {} at most", intercom_name, word,
                                   stage_text(*find_stage(stages, stage.dimension, stage.scatters)), word[0], word[1]));
    }
    stages.push_back(stage);
  }
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    require_product(grid, stages, dimension);
  }
  return stages;
}

std::vector<std::vector<HybridStage>> hybrids_without_contention(const Grid& grid)
{
  std::vector<std::vector<std::vector<HybridStage>>> chosen = {{}}; // one sequence of stages for each dimension
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    std::vector<std::vector<std::vector<HybridStage>>> longer;
    for (const auto& sequences : chosen) {
      for (const auto& choice : choices_along(grid, dimension)) {
        longer.push_back(sequences);
        longer.back().push_back(choice);
      }
    }
    chosen = std::move(longer);
  }
  std::vector<std::vector<HybridStage>> all;
  for (const auto& sequences : chosen) {
    std::vector<std::size_t> used(sequences.size(), 0);
    std::vector<HybridStage> begun;
    interleave(sequences, used, begun, all);
  }
  return all;
}

FormulaCosts hybrid_costs(const Grid& grid, NodeId source, const std::vector<HybridStage>& stages)
{
  FormulaCosts costs;
  Fraction part = 1; // of the message, that a holder has
  for (const HybridStage& stage : stages) {
    if (!stage.scatters) {
      const std::size_t steps = halve_groups(grid, source, stage).size();
      costs.alpha += steps;
      costs.beta += part * static_cast<std::int64_t>(steps);
      continue;
    }
    for (const std::vector<HalvingSend>& sends : halve_places(grid, source, stage)) {
      const std::int64_t largest = std::ranges::max(sends, {}, &HalvingSend::given).given;
      costs.alpha += 1;
      costs.beta += part * Fraction(largest, stage.group);
    }
    costs.alpha += static_cast<std::uint64_t>(stage.group - 1);
    costs.beta += part * Fraction(stage.group - 1, stage.group);
    part /= stage.group;
  }
  return costs;
}

Algorithm intercom_algorithm()
{
  Algorithm algorithm;
  algorithm.name = intercom_name;
  algorithm.summary = "broadcast between groups of nodes (M), scatter inside of them (S), and collection by rings";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of 1 to 3 dimensions and any sizes";
  algorithm.costs =
      "powers of two, p of the message held before: a stage M over D/G groups takes log2(D/G) steps and p log2(D/G), "
      "a stage S with its collection log2 G + G - 1 steps and 2p (1 - 1/G); free of contention if M is before S in "
      "each dimension";
  algorithm.source =
      "Barnett, Payne, van de Geijn & Watts, JPDC 35(2), 1996, and InterCom, SHPCC 1994: a reconstruction, "
      "not the published program";
  algorithm.parameters.push_back(
      {.name = "stages",
       .type = ParameterType::text,
       .text =
           "in order, M or S, the dimension and the nodes of a group: \"Mx4 Sx4 Sy8\"; \"best\": the fastest without "
           "contention for the length by the formula, hops left out",
       .fallback = std::string(best_value)});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = intercom;
  algorithm.tune = fastest_hybrid;
  algorithm.family = best_hybrids;
  return algorithm;
}

} // namespace wormcast
