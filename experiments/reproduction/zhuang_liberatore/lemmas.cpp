#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/replay.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace wormcast::zhuang_liberatore {

namespace {

using Nodes = std::set<std::uint32_t>;

/// SET_k(x_s XOR a, y_s XOR b), definition 1.
Nodes set_of(const Replay& replay, int k, std::int64_t a, std::int64_t b)
{
  Nodes nodes;
  for (std::int64_t z = 0; z < (std::int64_t{1} << k); ++z) {
    nodes.insert(index(replay.node(a ^ z, b ^ z)));
  }
  return nodes;
}

/// What the first k central mappings make of a node: the nodes among which it splits what it has.
Nodes reached_by_central_mappings(const Replay& replay, NodeId node, int k)
{
  const Grid& grid = require_grid(replay.topology(), "the replay");
  Nodes nodes = {index(node)};
  for (int mapping = 1; mapping <= k; ++mapping) {
    const Nodes before = nodes;
    for (const std::uint32_t one : before) {
      nodes.insert(index(central_mapping(grid, NodeId{one}, static_cast<unsigned>(mapping))));
    }
  }
  return nodes;
}

/// Flint z of level k: the blocks congruent to z modulo 2^k.
Flints level_flint(const Replay& replay, int k, std::int64_t z)
{
  Flints flints = 0;
  for (std::uint64_t block = static_cast<std::uint64_t>(z); block < replay.schedule().blocks;
       block += std::uint64_t{1} << k) {
    flints |= Flints{1} << block;
  }
  return flints;
}

Nodes united(Nodes a, const Nodes& b)
{
  a.insert(b.begin(), b.end());
  return a;
}

/// Calls examine(replay) for every source of the meshes with n = 1 .. largest, stage 1 replayed.
template <typename Examine> void for_every_source(int largest, Examine examine)
{
  for (int n = 1; n <= largest; ++n) {
    const std::uint32_t nodes = std::uint32_t{1} << (2 * n);
    for (std::uint32_t source = 0; source < nodes; ++source) {
      Replay replay(n, NodeId{source});
      replay.run_until(static_cast<std::uint32_t>(n));
      examine(replay);
    }
  }
}

Observation observation(const Replay& replay, const std::string& expected, bool holds)
{
  return {.what = fmt::format("{} from {}", replay.topology().title(),
                              replay.topology().node_name(replay.schedule().source)),
          .expected = expected,
          .found = holds ? "holds" : "does not hold",
          .holds = holds};
}

const std::string every_source = "2^n x 2^n meshes, n = 1..4, every source";

/// A printed example: what the paper writes, the mapping that the schedules are made with, and the printed definition.
struct MappingExample {
  std::string text;
  NodeId mapped;
  std::array<std::int64_t, 2> defined;
  std::array<std::int64_t, 2> printed;
};

Evidence mapping_examples()
{
  const auto topology = topology_of({.dims = {8, 8}, .algorithm = {}});
  const Grid& grid = require_grid(*topology, "the mapping");
  const std::array<std::int64_t, 2> at = {0b010, 0b110};
  const NodeId v = topology->node_at(at);
  const std::vector<MappingExample> examples = {
      {"V_2((010,110))", vertical_mapping(grid, v, 2), {at[0], at[1] ^ ((1 << 2) - 1)}, {0b010, 0b101}},
      {"H_3((010,110))", horizontal_mapping(grid, v, 3), {at[0] ^ (1 << 2), at[1]}, {0b110, 0b110}},
      {"C_1((00,00))", central_mapping(grid, NodeId{0}, 1), {1 << 0, 1 << 0}, {0b01, 0b01}},
      {"C_2((00,00))", central_mapping(grid, NodeId{0}, 2), {1 << 1, 1 << 1}, {0b10, 0b10}}};
  std::vector<Observation> observations;
  for (const MappingExample& example : examples) {
    const NodeId printed = topology->node_at(std::array{example.printed[0], as_claimed(example.printed[1])});
    const NodeId defined = topology->node_at(example.defined);
    observations.push_back({.what = example.text,
                            .expected = topology->node_name(printed),
                            .found = fmt::format("{}, by definition {}", topology->node_name(example.mapped),
                                                 topology->node_name(defined)),
                            .holds = printed == example.mapped && printed == defined});
  }
  return all_hold("the mappings of the schedules, and the printed definitions, on the paper's examples", observations);
}

// Definition 1 as the schedules' own mappings make it, against the printed halves.
Evidence lemma_1()
{
  std::vector<Observation> observations;
  for_every_source(most_replayed_level, [&](const Replay& replay) {
    for (int k = 1; k <= replay.n(); ++k) {
      const int printed_exponent = static_cast<int>(as_claimed(std::int64_t{k - 1}));
      const std::int64_t half = (std::int64_t{1} << printed_exponent) % (std::int64_t{1} << replay.n());
      observations.push_back(
          observation(replay,
                      fmt::format("SET_{} is the union of SET_{}(x_s, y_s) and SET_{}(x_s^{}, y_s^{})", k, k - 1, k - 1,
                                  half, half),
                      reached_by_central_mappings(replay, replay.schedule().source, k) ==
                          united(set_of(replay, k - 1, 0, 0), set_of(replay, k - 1, half, half))));
    }
  });
  return all_hold(every_source + ", every k", observations, 6);
}

Evidence lemma_2()
{
  std::vector<Observation> observations;
  for_every_source(most_replayed_level, [&](const Replay& replay) {
    for (int k = 1; k <= replay.n(); ++k) {
      const std::int64_t half = std::int64_t{1} << (k - 1);
      Nodes low;
      Nodes high;
      for (std::int64_t z = 0; z < half; ++z) {
        const std::int64_t second = (as_claimed(z) + half) % (std::int64_t{1} << replay.n());
        low.insert(index(replay.node(z, z)));
        high.insert(index(replay.node(second, second)));
      }
      const NodeId source = replay.schedule().source;
      observations.push_back(
          observation(replay, fmt::format("Phi_{} maps its lower and its upper half onto the halves", k),
                      low == reached_by_central_mappings(replay, source, k - 1) &&
                          high == reached_by_central_mappings(replay, replay.node(half, half), k - 1)));
    }
  });
  return all_hold(every_source + ", every k", observations, 6);
}

// Lemmas 3 and 4: after stage 1 node Phi(z) owns flint z alone, and the other nodes nothing: "collectively owned" by
// Phi(z) and its mirror image means here that the latter has an empty part.
Evidence lemma_3(bool with_places)
{
  std::vector<Observation> observations;
  for_every_source(most_replayed_level, [&](const Replay& replay) {
    bool even = true;
    bool in_place = true;
    Flints all = 0;
    const auto flints_of_a_node = static_cast<std::int64_t>(replay.schedule().blocks >> replay.n());
    const Nodes diagonal = set_of(replay, replay.n(), 0, 0);
    for (std::uint32_t node = 0; node < replay.topology().node_count(); ++node) {
      const Flints owned = replay.owned(NodeId{node});
      even = even && std::popcount(owned) == (diagonal.contains(node) ? as_claimed(flints_of_a_node) : 0);
      all |= owned;
    }
    const std::int64_t last = (std::int64_t{1} << replay.n()) - 1;
    for (std::int64_t z = 0; z <= last; ++z) {
      in_place = in_place && replay.owned(replay.node(z, z)) == level_flint(replay, replay.n(), as_claimed(z)) &&
                 replay.owned(replay.node(z, z ^ last)) == 0;
    }
    even = even && all == (Flints{1} << replay.schedule().blocks) - 1;
    observations.push_back(
        with_places ? observation(replay, "flint z is on Phi_n(z), and nothing on its mirror image", in_place)
                    : observation(replay, "2^n nodes own 1/2^n each, together all", even));
  });
  return all_hold(every_source, observations, 6);
}

constexpr std::array lemma_5_parts = {
    "1: four pairs of sets have flints, no other node has",
    "2: the two sets of a pair are disjoint (k > 1)",
    "3: each pair has 2^k nodes",
    "4: the 2^k flints of a pair are different and on different nodes",
    "5: each pair is in one canonical submesh",
    "6: the sets of a pair are mirror images",
    "7: flint z' of the submesh is on the two nodes numbered z'",
};

/// The seven statements for one of the four pairs of sets in the square at (a, b) after the round k; where k = 1,
/// statements 3 and 4 are `printed` without a condition.
std::array<bool, 7> examine_pair(const Replay& replay, int k, std::int64_t a, std::int64_t b, bool printed)
{
  const std::int64_t mirror = (std::int64_t{1} << (k - 1)) - 1;
  const Nodes first = set_of(replay, k - 1, a, b);
  const Nodes second = set_of(replay, k - 1, a, b ^ mirror);
  const Nodes both = united(first, second);
  std::array<bool, 7> holds{};
  holds.fill(true);
  Flints all = 0;
  int sizes = 0;
  for (const std::uint32_t node : both) {
    const Flints owned = replay.owned(NodeId{node});
    holds[0] = holds[0] && owned != 0;
    all |= owned;
    sizes += std::popcount(owned);
    const auto here = replay.topology().coordinates(NodeId{node});
    const auto there = replay.topology().coordinates(replay.node(a, b));
    holds[4] = holds[4] && here[0] >> (k - 1) == there[0] >> (k - 1) && here[1] >> (k - 1) == there[1] >> (k - 1);
  }
  holds[1] = k == 1 || both.size() == first.size() + second.size();
  const bool is_required = printed || k > 1;
  const bool has_own_nodes = both.size() == std::size_t{1} << k;
  holds[2] = !is_required || has_own_nodes;
  holds[3] = sizes == static_cast<int>(replay.schedule().blocks) && std::popcount(all) == sizes &&
             (!is_required || has_own_nodes);
  for (std::int64_t z = 0; z <= mirror; ++z) {
    const NodeId node = replay.node(a ^ z, b ^ z);
    const NodeId opposite = replay.node(a ^ z, b ^ z ^ mirror);
    holds[5] = holds[5] && second.contains(index(opposite));
    holds[6] = holds[6] && (replay.owned(node) | replay.owned(opposite)) == level_flint(replay, k - 1, z);
  }
  return holds;
}

/// Which of the seven statements hold after the round k, all over the mesh.
std::array<bool, 7> examine_round(const Replay& replay, int k, bool printed)
{
  std::array<bool, 7> holds{};
  holds.fill(true);
  Nodes in_pairs;
  const std::int64_t side = std::int64_t{1} << (k - 1);
  for (std::int64_t a = 0; a < std::int64_t{1} << replay.n(); a += side) {
    for (std::int64_t b = 0; b < std::int64_t{1} << replay.n(); b += side) {
      const std::array<bool, 7> here = examine_pair(replay, k, a, b, printed);
      std::ranges::transform(holds, here, holds.begin(), std::logical_and());
      in_pairs =
          united(united(std::move(in_pairs), set_of(replay, k - 1, a, b)), set_of(replay, k - 1, a, b ^ (side - 1)));
    }
  }
  for (std::uint32_t node = 0; node < replay.topology().node_count(); ++node) {
    holds[0] = holds[0] && (replay.owned(NodeId{node}) != 0) == in_pairs.contains(node);
  }
  return holds;
}

Evidence lemma_5(bool printed)
{
  std::vector<Observation> observations;
  for_every_source(most_replayed_level, [&](Replay& replay) {
    std::array<std::string, 7> failing_rounds;
    for (int k = replay.n(); k >= 1; --k) {
      replay.run_until(static_cast<std::uint32_t>(replay.n() + 2 * (replay.n() - k + 1)));
      const std::array<bool, 7> holds = examine_round(replay, k, printed);
      for (std::size_t part = 0; part < holds.size(); ++part) {
        failing_rounds[part] += holds[part] ? "" : fmt::format(" k = {}", k);
      }
    }
    for (std::size_t part = 0; part < failing_rounds.size(); ++part) {
      observations.push_back(observation(replay, lemma_5_parts[part], failing_rounds[part].empty()));
      if (!failing_rounds[part].empty()) {
        observations.back().found += " for" + failing_rounds[part];
      }
    }
  });
  return all_hold(every_source + ", every round, in every square", observations, 14);
}

} // namespace

std::vector<Check> lemma_checks()
{
  return {section_5_check("mapping_examples", mapping_examples),
          section_5_check("lemma_1", lemma_1),
          section_5_check("lemma_2", lemma_2),
          section_5_check("lemma_3", [] { return lemma_3(false); }),
          section_5_check("lemma_4", [] { return lemma_3(true); }),
          section_5_check("lemma_5", [] {
            return misprinted(
                lemma_5(as_stated(true, false)),
                "statements 3 and 4 need the condition k > 1 of statement 2, too: in the last round the four "
                "pairs are single nodes, with both flints each",
                lemma_5(false));
          })};
}

} // namespace wormcast::zhuang_liberatore
