#pragma once

#include "wormcast/algorithms/tcd/eyes.hpp"
#include "wormcast/experiments/reproduction/cang_wu/checks.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/topologies/grid.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormcast::cang_wu {

/// The broadcasts that the claims of Cang & Wu's papers measure. Meshes have d axes of side 2^k.

using Position = std::vector<std::int64_t>;

/// By node id.
using Tcds = std::vector<std::int64_t>;

/// minimum_tcd with an order of the axes.
BroadcastCase through_eyes(std::size_t d, unsigned k, AxisOrder order = AxisOrder::paper, const Position& source = {});

/// recursive_halving_tcd.
BroadcastCase by_halving(std::size_t d, unsigned k, const Position& source = {});

/// A mesh or torus as a grid.
std::shared_ptr<const Grid> grid_of(const BroadcastCase& broadcast);

/// Hops of all messages of the schedule. Throws std::logic_error unless the verifier finds that it is a broadcast in
/// log2 N steps in which a node sends or receives one message.
std::int64_t counted_tcd(const BroadcastCase& broadcast);

/// counted_tcd from every source.
Tcds counted_tcds(const BroadcastCase& broadcast);

/// Hops of each step.
std::vector<std::int64_t> step_distances(const BroadcastCase& broadcast);

/// All positions of submesh 1, where all coordinates are less than 2^(k-1). The other submeshes are its mirror images.
std::vector<Position> first_submesh(std::size_t d, unsigned k);

/// Every node of the mesh.
std::vector<Position> all_positions(std::size_t d, unsigned k);

/// The eye with the lowest coordinates.
Position first_eye(std::size_t d, unsigned k);

/// Returns the mirror image of a position in submesh 1, across the centre of these axes.
Position mirrored(Position node, const std::array<bool, 3>& across, unsigned k);

/// Hops on a mesh.
std::int64_t hops(const Position& from, const Position& to);

/// "mesh 8 x 8 from (3, 2)".
std::string place_text(std::size_t d, unsigned k, const Position& source = {});

/// Expected and found are numbers; holds where they are equal.
Observation equal_numbers(const std::string& what, std::int64_t expected, std::int64_t found);

/// Heat maps of values by node id, eyes marked: one for d = 2, columns x, rows y; for d = 3 one for each y, columns x,
/// rows z, as figure 5 of 2000; from side 8 on only the lower half of the y, which the others mirror. The origin is at
/// the upper left, as in the papers.
std::vector<ExhibitMatrix> heat_maps(const std::string& title, std::size_t d, unsigned k, const Tcds& values);

/// Returns the excess of `more` over `less`.
Tcds differences(const Tcds& more, const Tcds& less);

/// TCD from every source: the papers' order, the best order, recursive halving, what the first has more than the last,
/// and the lower bound of all broadcasts.
std::vector<ExhibitMatrix> matrices_of_minima(std::size_t d, unsigned k);

/// Of the positions on a mesh of side 4.
bool is_corner_of_4x4x4(const Position& node);

/// minimum_tcd with the best order of the axes is minimal from every node of 4 x 4 x 4 that is no corner, by the lower
/// bounds of all broadcasts.
Evidence best_order_is_minimal_in_3d();

/// A value that a paper says to be the minimum from a place of a mesh, with what is known of the minimum.
struct KnownMinimum {
  std::string place;
  std::int64_t claimed = 0;
  std::int64_t least_halving = 0; ///< least of all recursive halvings
  std::int64_t bound = 0;         ///< no broadcast in log2 N steps has less
};

/// Whether the values are minima, read once among recursive halvings and once among all broadcasts in log2 N steps. Of
/// the latter it is open where the bound is less than the claimed value and no broadcast with less is known.
Evidence are_minima(const std::vector<KnownMinimum>& values);

/// A check whose demonstration is `wormcast topology --tcd` on a mesh of side 8, in 3-D of side 4.
Check check_of(const Part& part, const std::string& name, std::function<Evidence()> measure);

/// Half duplex, for `wormcast check` and others.
Demonstration demonstration(const BroadcastCase& broadcast, const std::string& command);

} // namespace wormcast::cang_wu
