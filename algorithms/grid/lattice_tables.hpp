#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wormcast {

// The tables of a lattice round (truncated_recursion): the sends among 4 x 4 or 4 x 4 x 4 nodes in straight rows and
// columns after which each half of them in every dimension has all units of the lattice, while no channel of the
// lattice is used twice in a step. Nodes are given by their ranks 0..3 in each dimension; a unit is the blocks that one
// node owns at the beginning. Own design; found by a SAT solver, proved by the tests.

/// A message of a table: nodes and the first owner of the unit, each with its ranks as a number x + 4*y + 16*z.
struct LatticeSend {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t owner = 0;
};

/// A round: the owners before it, and its sends.
struct LatticeTable {
  std::vector<std::uint32_t> owners; ///< the nodes that own something at the beginning, by unit
  std::vector<std::vector<LatticeSend>>
      steps; ///< afterwards every node owns the units that it had and those that it received
};

/// Returns a round of 2-D, two steps of one unit. `y_class` gives the positions of the eight owners: 0: on the two
/// diagonals, x = y and x = 3 - y; 1: on all other nodes. Afterwards every node owns two units, and each quarter all of
/// them once.
const LatticeTable& lattice_table(std::uint32_t y_class);

/// Returns a round of 3-D, three steps of one unit. The sixteen owners are the nodes where x and y, and x and z, are of
/// the given classes to each other. Afterwards every node owns two units, and each eighth all of them once.
const LatticeTable& lattice_table(std::uint32_t y_class, std::uint32_t z_class);

/// Returns the first round on a whole ring in both dimensions, two steps of one unit: the four owners are the nodes
/// with y = x xor `delta`. No message goes two ranks far, where both directions are equally long; three ranks are one
/// over the wrap-around link. Afterwards every node owns one unit, and each quarter all of them once.
const LatticeTable& first_torus_table(std::uint32_t delta);

} // namespace wormcast
