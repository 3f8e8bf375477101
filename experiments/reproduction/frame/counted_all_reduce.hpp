#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// An all_reduce of whole vectors with one port, on the torus of a shape or in the folded box of the shape.
struct CountedAllReduce {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> box; ///< x y z a b c; empty: the torus of the shape
  std::string algorithm;
};

/// The text of its configuration.
std::string configuration_text(const CountedAllReduce& counted);

/// Its schedule, with the changes of the present mutation, and what that costs. Throws InputError where the algorithm
/// cannot be used on the shape.
Schedule schedule_of(const CountedAllReduce& counted);
ScheduleCosts costs_of(const CountedAllReduce& counted);

/// The hops of the messages of one node, each of the whole vector: the mean of all nodes.
Fraction hops_of_a_node(const CountedAllReduce& counted);

/// "swing on 8 x 8 x 8, folded".
std::string name_of(const CountedAllReduce& counted);

} // namespace wormcast
