#include "wormcast/algorithms/rank_order/random_binomial_tree.hpp"

#include "wormcast/algorithms/rank_order/rank_order.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr const char* tcd_parameter = "tcd";
constexpr const char* seed_parameter = "seed";

/// Which host has which rank of a binomial tree in which a rank's parent lacks its lowest bit.
class PlacedTree {
public:
  PlacedTree(const Topology& topology, NodeId source) : topology_(topology)
  {
    const RankOrder ranks(topology, source);
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
      places_.push_back(ranks.node(rank));
    }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  const std::vector<NodeId>& places() const { return places_; }

  void exchange(std::uint32_t one, std::uint32_t other) { std::swap(places_[one], places_[other]); }

  /// The hops of all messages to and from a rank.
  std::int64_t hops_of(std::uint32_t rank) const
  {
    std::int64_t hops = rank == 0 ? 0 : edge(rank);
    const std::uint32_t below = rank == 0 ? std::bit_ceil(size()) : rank & (~rank + 1);
    for (std::uint32_t bit = 1; bit < below && bit < size() - rank; bit *= 2) {
      hops += edge(rank + bit);
    }
    return hops;
  }

  std::int64_t tcd() const
  {
    std::int64_t hops = 0;
    for (std::uint32_t rank = 1; rank < size(); ++rank) {
      hops += edge(rank);
    }
    return hops;
  }

private:
  /// From the parent of a rank.
  std::int64_t edge(std::uint32_t rank) const { return topology_.distance(places_[rank & (rank - 1)], places_[rank]); }

  const Topology& topology_;
  std::vector<NodeId> places_; ///< by rank
};

/// A number from 0 to `below` - 1, the same on every machine; std::uniform_int_distribution need not be.
std::uint32_t draw(std::mt19937_64& random, std::uint32_t below)
{
  return static_cast<std::uint32_t>(((random() >> 32U) * below) >> 32U);
}

void shuffle(PlacedTree& tree, std::mt19937_64& random)
{
  for (std::uint32_t rank = tree.size() - 1; rank > 1; --rank) {
    tree.exchange(rank, 1 + draw(random, rank));
  }
}

/// Exchanges places until the tree has the TCD; returns how far it is off.
std::int64_t approach(PlacedTree& tree, std::int64_t target, std::mt19937_64& random)
{
  std::int64_t off = tree.tcd() - target;
  constexpr std::uint64_t tries_of_each = 2000;
  for (std::uint64_t tries = tries_of_each * tree.size(); off != 0 && tree.size() > 2 && tries > 0; --tries) {
    const std::uint32_t one = 1 + draw(random, tree.size() - 1);
    const std::uint32_t other = 1 + draw(random, tree.size() - 1);
    // A message between the two is counted twice before and after, and has the same hops.
    const std::int64_t before = tree.hops_of(one) + tree.hops_of(other);
    tree.exchange(one, other);
    const std::int64_t now = off + tree.hops_of(one) + tree.hops_of(other) - before;
    if (std::abs(now) <= std::abs(off)) {
      off = now;
    } else {
      tree.exchange(one, other);
    }
  }
  return off;
}

/// More than any tree has.
constexpr std::int64_t most_tcd = std::numeric_limits<std::int64_t>::max() / 4;

/// The TCD that is nearest to the target among those that exchanges find.
std::int64_t reached(PlacedTree tree, std::int64_t target, std::mt19937_64& random)
{
  approach(tree, target, random);
  return tree.tcd();
}

Schedule random_binomial_tree(const Topology& topology, const ScheduleRequest& request)
{
  PlacedTree tree(topology, request.source);
  std::mt19937_64 random(static_cast<std::uint64_t>(request.parameters.integer(seed_parameter)));
  shuffle(tree, random);
  if (request.parameters.has(tcd_parameter)) {
    const std::int64_t target = request.parameters.integer(tcd_parameter);
    if (target < std::int64_t{tree.size()} - 1) { // needs no search
      throw InputError(
          fmt::format("random_binomial_tree: no tree has a TCD of {} on the {}: each of {} messages takes a "
                      "hop or more",
                      target, topology.title(), tree.size() - 1));
    }
    if (const std::int64_t off = approach(tree, target, random); off != 0) {
      const std::int64_t least = std::min(target + off, reached(tree, 0, random));
      const std::int64_t greatest = std::max(target + off, reached(tree, most_tcd, random));
      throw InputError(fmt::format("random_binomial_tree: found no tree with a TCD of {} on the {}, but with {}; the "
                                   "least found is {}, the greatest {}",
                                   target, topology.title(), target + off, least, greatest));
    }
  }
  std::vector<std::uint32_t> ranks(topology.node_count());
  for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
    ranks[index(tree.places()[rank])] = rank;
  }
  return far_children_first(
      tree.size(), Ownership(tree.size(), request.source, 1), [&](NodeId node) { return ranks[index(node)]; },
      [&](std::uint32_t rank) { return tree.places()[rank]; });
}

} // namespace

Algorithm random_binomial_tree_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "random_binomial_tree";
  algorithm.summary =
      "binomial tree over hosts in random order, with the total communication distance that is asked for";
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes: alpha = beta = ceil(log2 N); TCD: the parameter";
  algorithm.source = "own: varies what Cang & Wu 2000, section 1, say contention depends on, and nothing else";
  algorithm.parameters.push_back({.name = tcd_parameter,
                                  .type = ParameterType::integer,
                                  .text = "hops of all messages together; without it as the random order has it",
                                  .optional = true});
  algorithm.parameters.push_back({.name = seed_parameter,
                                  .type = ParameterType::integer,
                                  .text = "another seed gives another tree",
                                  .fallback = ParameterValue{std::int64_t{1}}});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.compared_unnamed = false;
  algorithm.make = random_binomial_tree;
  return algorithm;
}

} // namespace wormcast
