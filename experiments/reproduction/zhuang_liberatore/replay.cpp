#include "wormcast/experiments/reproduction/zhuang_liberatore/replay.hpp"

#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

namespace wormcast::zhuang_liberatore {

Replay::Replay(int n, NodeId source)
    : topology_(topology_of({.dims = square(n), .algorithm = "recursion_based"})), n_(n), source_(source)
{
  schedule_ = schedule_of({.dims = square(n), .algorithm = "recursion_based", .source = topology_->coordinates(source)},
                          *topology_);
  owned_.resize(topology_->node_count());
  owned_[index(source)] = (Flints{1} << schedule_.blocks) - 1;
}

void Replay::run_until(std::uint32_t step)
{
  for (; step_ < step; ++step_) {
    std::vector<Flints> after = owned_;
    for (const Message& message : schedule_.messages) {
      if (message.step != step_) {
        continue;
      }
      const Flints sent = flints_of(message);
      after[index(message.destination)] |= sent;
      if (step_ < static_cast<std::uint32_t>(n_)) {
        after[index(message.source)] &= ~sent;
      }
    }
    owned_ = std::move(after);
  }
}

Flints Replay::flints_of(const Message& message) const
{
  Flints flints = 0;
  for (const BlockRange range : schedule_.block_sets.ranges(message.blocks)) {
    flints |= ((Flints{1} << range.end) - 1) & ~((Flints{1} << range.begin) - 1);
  }
  return flints;
}

NodeId Replay::node(std::int64_t a, std::int64_t b) const
{
  const Grid& grid = require_grid(*topology_, "the replay");
  return flip(grid, flip(grid, source_, 0, a), 1, b);
}

} // namespace wormcast::zhuang_liberatore
