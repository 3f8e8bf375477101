#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace wormcast::zhuang_liberatore {

/// Who has which blocks while a broadcast runs step by step. Nodes keep what they send, and what a node has not got
/// does not arrive from it.
class Holdings {
public:
  static constexpr std::size_t most_blocks = 256;
  using Blocks = std::bitset<most_blocks>;

  /// Before the first step. The schedule must outlive this object. Throws std::logic_error where it has more blocks.
  Holdings(const Schedule& schedule, std::uint32_t node_count);

  /// Runs a step; false where none is left.
  bool run_step();
  /// Runs steps, none at the least, until `reached` holds: the number of steps that have run altogether by then; none
  /// if it never does.
  std::optional<std::uint32_t> run_until(const std::function<bool()>& reached);

  std::uint32_t steps() const { return steps_run_; }
  std::uint64_t block_count() const { return schedule_.blocks; }
  const Blocks& of(NodeId node) const { return held_[index(node)]; }

private:
  Blocks sent_by(const Message& message) const;

  const Schedule& schedule_;
  StepOrder order_;
  std::uint32_t steps_run_ = 0;
  std::vector<Blocks> held_;
};

/// A square or a cube of nodes.
struct GridPart {
  std::vector<std::int64_t> origin;
  std::int64_t side = 1;
};

/// From the coordinates in which an algorithm draws its diagonals to the node there.
using NodeOfPlace = std::function<NodeId(std::span<const std::int64_t>)>;

/// The parts of that side which a grid of these sizes consists of.
std::vector<GridPart> parts_of_side(std::span<const std::int64_t> sizes, std::int64_t side);

/// A diagonal of a part by what is mirrored: bit i says that coordinate i falls where coordinate 0 rises. 0: the main
/// diagonal.
using Mirrored = std::uint32_t;
inline constexpr Mirrored mirrored_y = 2;
inline constexpr Mirrored mirrored_z = 4;

/// All diagonals of a square (2) or a cube (4).
std::vector<Mirrored> all_diagonals(std::size_t dimensions);

/// The nodes of the given diagonals of a part, each once.
std::vector<NodeId> nodes_on_diagonals(const GridPart& part, std::span<const Mirrored> diagonals,
                                       const NodeOfPlace& node_of);

/// Whether the nodes together have the whole message.
bool have_everything(const Holdings& holdings, std::span<const NodeId> nodes);

/// Whether each of the nodes can keep an equal part of the message, so that the parts add up to all of it.
bool have_equal_parts(const Holdings& holdings, std::span<const NodeId> nodes);

} // namespace wormcast::zhuang_liberatore
