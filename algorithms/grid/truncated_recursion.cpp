#include "wormcast/algorithms/grid/truncated_recursion.hpp"

#include "wormcast/algorithms/grid/lattice_round.hpp"
#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

constexpr std::string_view truncated_recursion_name = "truncated_recursion";

// Choices of "rounds": whether they are of lattices.
constexpr auto rounds_names = names<bool>({{false, "pairwise"}, {true, "lattice"}});

std::int64_t low_bits(unsigned k)
{
  return (std::int64_t{1} << k) - 1;
}

/// Sharing with the node whose coordinate in `dimension` differs in these bits.
void share_across(const Grid& grid, Ownership& ownership, std::size_t dimension, std::int64_t bits)
{
  ownership.share([&grid, dimension, bits](NodeId node) { return flip(grid, node, dimension, bits); });
}

/// Scatter over the diagonal of the source's block, as stage 1 of recursion-based broadcast.
void scatter_over_diagonal(const Grid& grid, Ownership& ownership, unsigned depth)
{
  for (unsigned k = depth; k >= 1; --k) {
    ownership.transfer([&](NodeId node) { return central_mapping(grid, node, k); });
  }
}

/// Every segment goes from block to block along one dimension.
void double_between_blocks(const Grid& grid, Ownership& ownership, std::size_t dimension, unsigned bits, unsigned depth)
{
  for (unsigned k = bits; k > depth; --k) {
    share_across(grid, ownership, dimension, std::int64_t{1} << (k - 1));
  }
}

/// A round of recursion-based broadcast in every block of 2^k, V_k along the shorter dimension and H_k along the other.
void pairwise_round(const Grid& grid, Ownership& ownership, const TruncatedRecursion& member, unsigned k)
{
  const std::size_t longer = member.bits[0] >= member.bits[1] ? 0 : 1;
  share_across(grid, ownership, 1 - longer, low_bits(k));
  share_across(grid, ownership, longer, std::int64_t{1} << (k - 1));
}

/// Each block of 2^j has two diagonals of owners (one if it is as large as the first): rows by doubling, then columns
/// by a ring.
void finish_blocks(const Grid& grid, Ownership& ownership, unsigned j)
{
  constexpr std::size_t y = 1;
  for (unsigned k = j; k >= 1; --k) {
    share_across(grid, ownership, 0, std::int64_t{1} << (k - 1));
  }
  const std::int64_t side = std::int64_t{1} << j;
  ownership.all_gather(
      [&grid, side](NodeId node) {
        return ring_neighbour(grid, node, y, grid.coordinate(node, y) / side * side, side, 1);
      },
      static_cast<std::uint32_t>(side));
}

Schedule on_plane(const Grid& grid, NodeId source, const TruncatedRecursion& member)
{
  const unsigned depth = member.depth;
  Ownership ownership(grid.node_count(), source, std::uint64_t{1} << depth);
  scatter_over_diagonal(grid, ownership, depth);
  double_between_blocks(grid, ownership, 0, member.bits[0], depth);
  double_between_blocks(grid, ownership, 1, member.bits[1], depth);
  const bool whole_rings = grid.wraps() && grid.ties_go_up() && member.bits[0] == depth && member.bits[1] == depth;
  for (unsigned k = depth; k > member.block; --k) {
    if (k == depth && whole_rings && k >= 2) {
      first_torus_round(grid, source, k, ownership); // H_k would be half the ring long, for two messages a row
    } else if (k < depth && member.lattice && k >= 2) {
      lattice_round(grid, source, k, ownership);
    } else {
      pairwise_round(grid, ownership, member, k);
    }
  }
  if (member.block > 0) {
    finish_blocks(grid, ownership, member.block);
  }
  return ownership.take_schedule();
}

Schedule in_space(const Grid& grid, NodeId source, const TruncatedRecursion& member)
{
  constexpr std::size_t x = 0;
  constexpr std::size_t y = 1;
  constexpr std::size_t z = 2;
  const unsigned n = member.bits[0];
  const unsigned depth = member.depth;
  Ownership ownership(grid.node_count(), source, depth == 0 ? 1 : std::uint64_t{2} << depth);
  scatter_over_diagonal(grid, ownership, depth);
  double_between_blocks(grid, ownership, y, n, depth); // with both diagonals two messages would share a line of y
  if (depth > 0) {
    ownership.transfer([&](NodeId node) { return flip(grid, node, y, low_bits(depth)); });
  }
  double_between_blocks(grid, ownership, x, n, depth);
  double_between_blocks(grid, ownership, z, n, depth);
  for (unsigned k = depth; k >= 1; --k) {
    if (k < depth && member.lattice && k >= 2) {
      lattice_round(grid, source, k, ownership);
      continue;
    }
    share_across(grid, ownership, x, low_bits(k));
    share_across(grid, ownership, z, std::int64_t{1} << (k - 1));
    share_across(grid, ownership, y, std::int64_t{1} << (k - 1));
  }
  return ownership.take_schedule();
}

std::vector<unsigned> require_bits(const Grid& grid)
{
  const std::size_t dimensions = grid.sizes().size();
  if (dimensions != 2 && dimensions != 3) {
    throw InputError(
        fmt::format("{} runs in 2 or 3 dimensions; the {} has {}", truncated_recursion_name, grid.title(), dimensions));
  }
  std::vector<unsigned> bits;
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    const auto size = static_cast<std::uint64_t>(grid.sizes()[dimension]);
    if (!std::has_single_bit(size)) {
      throw InputError(
          fmt::format("{} needs sizes that are powers of two; the {} size of the {} is {}, between {} and {}",
                      truncated_recursion_name, dimension_name(dimension), grid.title(), size, std::bit_floor(size),
                      std::bit_ceil(size)));
    }
    bits.push_back(static_cast<unsigned>(std::countr_zero(size)));
    if (dimensions == 3 && bits.back() != bits.front()) {
      throw InputError(fmt::format("{} needs equal sizes in 3 dimensions; the {} size of the {} is {}, that of x is {}",
                                   truncated_recursion_name, dimension_name(dimension), grid.title(), size,
                                   grid.sizes()[0]));
    }
  }
  return bits;
}

unsigned most_depth(const Grid& grid, const std::vector<unsigned>& bits, const ScheduleRequest& request)
{
  const auto smallest = std::ranges::min_element(bits);
  if (request.parameters.has("depth") && !is_best(request, "depth") &&
      request.parameters.integer("depth") > std::int64_t{*smallest}) {
    throw InputError(fmt::format("{} needs a depth of at most {} for the {} size of the {}; depth is {}",
                                 truncated_recursion_name, *smallest,
                                 dimension_name(static_cast<std::size_t>(smallest - bits.begin())), grid.title(),
                                 request.parameters.integer("depth")));
  }
  return *smallest;
}

/// All members that the request leaves open, those with a small depth first. Throws InputError where there is none.
std::vector<TruncatedRecursion> members(const Grid& grid, const ScheduleRequest& request)
{
  const std::vector<unsigned> bits = require_bits(grid);
  const unsigned most = most_depth(grid, bits, request);
  const bool any_depth = is_best(request, "depth");
  const bool any_block = is_best(request, "block");
  const auto given = [&](std::string_view name, unsigned otherwise) {
    return request.parameters.has(name) ? static_cast<unsigned>(request.parameters.integer(name)) : otherwise;
  };
  const unsigned most_block = any_depth ? most : given("depth", most);
  if (!any_block && given("block", 0) > most_block) {
    throw InputError(fmt::format("{} needs a block of at most its depth, {}; block is {}", truncated_recursion_name,
                                 most_block, given("block", 0)));
  }
  if (bits.size() == 3 && !any_block && given("block", 0) > 0) {
    throw InputError(
        fmt::format("{} has a block of 0 in 3 dimensions; block is {}", truncated_recursion_name, given("block", 0)));
  }
  std::vector<TruncatedRecursion> all;
  for (unsigned depth = any_depth ? 0 : most_block; depth <= most_block; ++depth) {
    for (unsigned block = 0; block <= (bits.size() == 3 ? 0 : depth); ++block) {
      if (any_block || block == given("block", 0)) {
        all.push_back({bits, depth, block, rounds_names.read(request.parameters.text("rounds"))});
      }
    }
  }
  return all;
}

Schedule truncated_recursion(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, truncated_recursion_name);
  const TruncatedRecursion member = members(grid, request).front();
  return member.bits.size() == 3 ? in_space(grid, request.source, member) : on_plane(grid, request.source, member);
}

/// In 3-D no table serves a whole torus that sends ties upwards.
bool contends(const Grid& grid, const TruncatedRecursion& member)
{
  return grid.wraps() && grid.ties_go_up() && member.bits.size() == 3 && member.depth == member.bits[0] &&
         member.depth >= 2;
}

ParameterValues fastest_member(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, truncated_recursion_name);
  std::vector<TruncatedRecursion> all = members(grid, request);
  std::erase_if(all, [&](const TruncatedRecursion& member) { return contends(grid, member); });
  std::vector<FormulaCosts> costs;
  for (const TruncatedRecursion& member : all) {
    costs.push_back(truncated_recursion_costs(member));
  }
  if (all.empty()) {
    throw InputError(fmt::format("{} has no member without contention at this depth on the {} with tie = \"positive\", "
                                 "of which the fastest could be taken",
                                 truncated_recursion_name, grid.title()));
  }
  const TruncatedRecursion& best = all[fastest(costs, request)];
  ParameterValues values = request.parameters;
  values.set("depth", std::int64_t{best.depth});
  values.set("block", std::int64_t{best.block});
  return values;
}

/// Every depth and block with both kinds of rounds, but for those that are the same as another one.
std::vector<ParameterValues> truncations(const Topology& topology)
{
  const auto* grid = as_kind<Grid>(topology);
  std::vector<ParameterValues> family;
  if (grid == nullptr) {
    return family;
  }
  const auto smallest = static_cast<std::uint64_t>(std::ranges::min(grid->sizes()));
  const std::int64_t most = std::bit_width(smallest) - 1;
  for (std::int64_t depth = 0; depth <= most; ++depth) {
    for (std::int64_t block = 0; block <= (grid->sizes().size() == 2 ? depth : 0); ++block) {
      for (const bool lattice : rounds_names.all()) {
        const bool same_rounds = depth - std::max<std::int64_t>(block, 1) <= 1;
        if (block == 1 || (same_rounds && lattice)) {
          continue;
        }
        family.emplace_back().set("depth", depth);
        family.back().set("block", block);
        family.back().set("rounds", std::string(rounds_names.text(lattice)));
      }
    }
  }
  return family;
}

Fraction part(std::int64_t numerator, unsigned bits)
{
  return {numerator, std::int64_t{1} << bits};
}

} // namespace

FormulaCosts truncated_recursion_costs(const TruncatedRecursion& member)
{
  const unsigned d = member.depth;
  const unsigned j = member.block;
  const std::int64_t depth = d;
  std::int64_t sum = 0;
  for (const unsigned bits : member.bits) {
    sum += bits;
  }
  const bool lattice = member.lattice && d >= 2;
  if (d == 0) {
    return {static_cast<std::uint64_t>(sum), Fraction(sum)};
  }
  if (member.bits.size() == 3) {
    const std::int64_t outer = sum / 3 - depth;
    return {static_cast<std::uint64_t>(sum + depth + 1),
            lattice ? Fraction(9, 4) + part(4 * outer - 1, d + 1) : Fraction(5, 2) + part(4 * outer - 3, d + 1)};
  }
  if (j == 0) {
    return {static_cast<std::uint64_t>(sum + depth),
            lattice ? Fraction(9, 4) + part(sum - 2 * depth - 1, d) : Fraction(5, 2) + part(sum - 2 * depth - 2, d)};
  }
  const std::int64_t side = std::int64_t{1} << j;
  if (j == d) {
    return {static_cast<std::uint64_t>(sum + side - 1), Fraction(2) + part(sum - depth - 2, d)};
  }
  const Fraction rounds = (lattice ? Fraction(1) : Fraction(3, 2)) * (part(1, j) - part(1, d - 1));
  return {static_cast<std::uint64_t>(sum + depth - std::int64_t{j} + side - 1),
          Fraction(1) + part(sum - 2 * depth + 1, d) + rounds + part(j, j + 1) + Fraction(1) - part(1, j)};
}

Algorithm truncated_recursion_algorithm()
{
  Algorithm algorithm;
  algorithm.name = truncated_recursion_name;
  algorithm.summary = "own design: recursion-based broadcast cut off at blocks above and below, with cheaper rounds";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus: 2^n x 2^m, 2^n x 2^n x 2^n";
  algorithm.tie = "free of contention with either in 2-D; in 3-D not with \"positive\" and full depth";
  algorithm.costs =
      "2^n x 2^m, depth d >= 1, block 0: alpha = n + m + d, beta = 5/2 + (n + m - 2d - 2)/2^d; lattice, d >= 2: "
      "beta = 9/4 + (n + m - 2d - 1)/2^d; 0 < block j < d, W = 3/2 (lattice: 1): alpha = n + m + d - j + 2^j - 1, "
      "beta = 2 + (n + m - 2d + 1)/2^d + W (1/2^j - 2/2^d) + j/2^(j+1) - 1/2^j; cube, d >= 1: "
      "alpha = 3n + d + 1, beta = 5/2 + (4(n - d) - 3)/2^(d+1), lattice, d >= 2: 9/4 + (4(n - d) - 1)/2^(d+1)";
  algorithm.source = "own design, not a published algorithm, after Zhuang & Liberatore, sections 4 to 7";
  algorithm.parameters.push_back(
      {.name = "depth",
       .type = ParameterType::integer,
       .text = "the message is scattered over blocks of 2^depth nodes a side; absent: as deep as the sizes allow; "
               "\"best\": the fastest for the length by the formula, hops left out",
       .optional = true,
       .minimum = 0,
       .maximum = 20,
       .choices = {std::string(best_value)}});
  algorithm.parameters.push_back({.name = "block",
                                  .type = ParameterType::integer,
                                  .text = "the rounds end at blocks of 2^block nodes a side, which finish by a ring; "
                                          "\"best\" as for depth",
                                  .fallback = std::int64_t{0},
                                  .minimum = 0,
                                  .maximum = 20,
                                  .choices = {std::string(best_value)}});
  algorithm.parameters.push_back({.name = "rounds",
                                  .type = ParameterType::choice,
                                  .text =
                                      "sharings of pairs as in recursion_based, or tables for lattices of 4 nodes a "
                                      "side, with two steps of equal length",
                                  .fallback = std::string(rounds_names.text(false)),
                                  .choices = rounds_names.texts()});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = truncated_recursion;
  algorithm.tune = fastest_member;
  algorithm.family = truncations;
  return algorithm;
}

} // namespace wormcast
