#pragma once

#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wormcast {

// Two trees of small depth for full rate on one port, built from blocks that are joined again and again, as an H-tree
// is (own design, found by a computer search; the idea of two trees is that of Sanders, Speck & Traeff, Parallel
// Computing 35, 2009). Steps have two colours, even and odd; segments of tree 0 cross an edge in steps of its colour,
// those of tree 1 likewise, and a node receives tree 0 and tree 1 in different colours, sends one segment in each
// colour, and shares no channel with anyone in a colour.

/// An edge of a block. Nodes are x + width*y.
struct BlockEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t tree = 0;   ///< 0 or 1
  std::uint32_t colour = 0; ///< of the steps in which it is used

  friend bool operator==(BlockEdge, BlockEdge) = default;
};

/// Two complete binary trees, each on all nodes of a rectangle but one, its spare. Every other node has two children in
/// one tree and none in the other.
struct TwoTreeBlock {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::array<std::uint32_t, 2> root = {0, 0};         ///< by tree
  std::array<std::uint32_t, 2> spare = {0, 0};        ///< by tree
  std::array<std::uint32_t, 2> root_colour = {0, 0};  ///< in which the root is to receive its tree
  std::array<std::uint32_t, 2> spare_colour = {0, 0}; ///< in which the spare is to receive the tree that it is not in
  std::vector<BlockEdge> edges;
};

/// The way in which two copies of a block form one of twice the nodes: one copy's spare becomes the root of both.
struct BlockJoin {
  bool along_x = false;
  /// Of the copy at the low and at the high end; bits: 1 reflect x, 2 reflect y, 4 exchange the trees, 8 the colours.
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t choice = 0; ///< bit t: the root of tree t is the spare of the copy at the high end
};

/// The block of twice the nodes.
TwoTreeBlock joined(const TwoTreeBlock& block, const BlockJoin& join);

/// A small block and the joins that make a large one of it.
struct TwoTreeRecipe {
  TwoTreeBlock base;
  std::vector<BlockJoin> joins;
};

/// Reads "WxH roots spares root-colours spare-colours | FROM TO TREE COLOUR ... | AXIS LOW HIGH CHOICE ...", numbers
/// with spaces between, AXIS x or y. Throws std::logic_error where the text is not of this form.
TwoTreeRecipe parse_recipe(std::string_view text);

/// The block that a recipe makes.
TwoTreeBlock block_of(const TwoTreeRecipe& recipe);

/// Trees from `source` on a mesh of the block's sizes: the source leaves its place in both trees, and its former
/// children, the spares and the roots are fed from the free slots (the source's, its former parents', the spares') over
/// free channels; up to three edges in the way are taken back, and their receivers fed in the same manner. The search
/// gives up after a fixed number of trials, which take some milliseconds. None where nothing is found; of what is found
/// with the fewest edges taken back the least deep.
std::optional<SegmentTrees> trees_from(const TwoTreeBlock& block, const Grid& mesh, NodeId source);

/// The same from the source's reflection (bits: 1 in x, 2 in y), reflected back.
std::optional<SegmentTrees> trees_from_reflection(const TwoTreeBlock& block, const Grid& mesh, NodeId source,
                                                  std::uint32_t reflection);

/// D: an even number k of segments takes k + D steps.
std::uint32_t depth_of(const SegmentTrees& trees);

} // namespace wormcast
