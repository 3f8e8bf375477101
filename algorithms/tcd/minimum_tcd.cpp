#include "wormcast/algorithms/tcd/minimum_tcd.hpp"

#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <bit>

namespace wormcast {

namespace {

constexpr std::string_view minimum_tcd_name = "minimum_tcd";

/// Coordinates in which the source may be any node of a mesh; on a torus they are shifted so that it is an eye.
class MeshFrame {
public:
  MeshFrame(const Grid& grid, unsigned k, NodeId source) : grid_(grid)
  {
    for (std::size_t axis = 0; axis < grid.sizes().size() && grid.wraps(); ++axis) {
      shift_[axis] = grid.coordinate(source, axis) - eye_coordinates(k).low;
    }
  }

  std::size_t dimensions() const { return grid_.sizes().size(); }

  AxisValues position(NodeId node) const
  {
    AxisValues position{};
    for (std::size_t axis = 0; axis < dimensions(); ++axis) {
      position[axis] = modulo_size(grid_.coordinate(node, axis) - shift_[axis], axis);
    }
    return position;
  }

  NodeId node(const AxisValues& position) const
  {
    std::int64_t id = 0;
    for (std::size_t axis = 0; axis < dimensions(); ++axis) {
      id += modulo_size(position[axis] + shift_[axis], axis) * grid_.stride(axis);
    }
    return NodeId{static_cast<std::uint32_t>(id)};
  }

private:
  std::int64_t modulo_size(std::int64_t coordinate, std::size_t axis) const
  {
    return coordinate & (grid_.sizes()[axis] - 1); // a power of two
  }

  const Grid& grid_;
  AxisValues shift_{};
};

/// The sends of one level in one submesh of side 2^k.
struct LevelPlan {
  std::array<AxisTargets, max_grid_dimensions> targets; ///< by axis, relative to the submesh
  CrossingOrder order;
};

LevelPlan plan_level(const AxisValues& source, std::size_t dimensions, unsigned k, AxisOrder order)
{
  LevelPlan plan;
  AxisValues offsets{};
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    const std::int64_t relative = source[axis] & ((std::int64_t{1} << k) - 1);
    offsets[axis] = eye_offset(relative, k);
    plan.targets[axis] = axis_targets(relative, k);
    if (order == AxisOrder::naive) {
      plan.targets[axis].closest = plan.targets[axis].near;
    }
  }
  plan.order = crossing_order(order, {offsets.data(), dimensions}, k);
  return plan;
}

/// To whom the source of a submesh sends when it is crossed for the r-th time, r = 0 .. d-1: axes crossed already get
/// the closest eye coordinate of level k-1, others that of level k.
AxisValues source_target(const LevelPlan& plan, const AxisValues& source, std::size_t r, unsigned k)
{
  AxisValues target{};
  const std::int64_t within = (std::int64_t{1} << k) - 1;
  for (std::size_t place = 0; place < plan.order.count; ++place) {
    const std::size_t axis = plan.order.axes[place];
    const AxisTargets& targets = plan.targets[axis];
    const std::int64_t relative = place < r ? targets.closest : place == r ? targets.mirrored : targets.near;
    target[axis] = (source[axis] & ~within) + relative;
  }
  return target;
}

/// To whom the others send: straight across the axis.
AxisValues straight_across(const LevelPlan& plan, AxisValues holder, std::size_t r, unsigned k)
{
  const std::size_t axis = plan.order.axes[r];
  const std::int64_t within = (std::int64_t{1} << k) - 1;
  holder[axis] = (holder[axis] & ~within) + plan.targets[axis].mirrored;
  return holder;
}

Schedule broadcast_through_eyes(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, minimum_tcd_name);
  const unsigned levels = equal_sides_level(grid, minimum_tcd_name);
  const AxisOrder order = axis_order_names.read(request.parameters.text("order"));
  const MeshFrame frame(grid, levels, request.source);
  const std::size_t d = frame.dimensions();

  Schedule schedule;
  const BlockSetId message = schedule.block_sets.intern({0, 1});
  schedule.messages.reserve(grid.node_count() - 1);
  std::uint32_t step = 0;
  std::vector<AxisValues> holders = {frame.position(request.source)}; // grouped by submesh, its source first
  for (unsigned k = levels; k > 0; --k) {
    std::vector<LevelPlan> plans;
    plans.reserve(holders.size());
    for (const AxisValues& source : holders) {
      plans.push_back(plan_level(source, d, k, order));
    }
    for (std::size_t r = 0; r < d; ++r, ++step) {
      const std::size_t in_submesh = std::size_t{1} << r;
      std::vector<AxisValues> after;
      after.reserve(2 * holders.size());
      for (std::size_t submesh = 0; submesh < plans.size(); ++submesh) {
        const std::span<const AxisValues> senders(&holders[submesh * in_submesh], in_submesh);
        after.insert(after.end(), senders.begin(), senders.end());
        for (std::size_t i = 0; i < in_submesh; ++i) {
          const LevelPlan& plan = plans[submesh];
          const AxisValues target =
              i == 0 ? source_target(plan, senders[i], r, k) : straight_across(plan, senders[i], r, k);
          schedule.messages.push_back({step, frame.node(senders[i]), frame.node(target), message});
          after.push_back(target);
        }
      }
      holders = std::move(after);
    }
  }
  return schedule;
}

} // namespace

unsigned equal_sides_level(const Grid& grid, std::string_view algorithm)
{
  const std::int64_t side = grid.sizes().front();
  for (std::size_t axis = 0; axis < grid.sizes().size(); ++axis) {
    const std::int64_t size = grid.sizes()[axis];
    if (size != side || !std::has_single_bit(static_cast<std::uint64_t>(size))) {
      throw InputError(fmt::format("{} needs equal sizes that are powers of two; the {} size of the {} is {}",
                                   algorithm, dimension_name(axis), grid.title(), size));
    }
  }
  return static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(side)));
}

std::vector<std::uint64_t> minimum_tcds(const Grid& grid, AxisOrder order)
{
  const unsigned k = equal_sides_level(grid, minimum_tcd_name);
  const std::size_t d = grid.sizes().size();
  const std::int64_t from_eye = optimal_tcd(static_cast<unsigned>(d), k);
  std::vector<std::uint64_t> tcds(grid.node_count(), static_cast<std::uint64_t>(from_eye));
  for (std::uint32_t node = 0; node < grid.node_count() && !grid.wraps(); ++node) {
    const AxisValues position = MeshFrame(grid, k, NodeId{node}).position(NodeId{node});
    tcds[node] += static_cast<std::uint64_t>(source_excess({position.data(), d}, k, order));
  }
  return tcds;
}

Algorithm minimum_tcd_algorithm()
{
  Algorithm algorithm;
  algorithm.name = minimum_tcd_name;
  algorithm.summary = "from submesh to submesh through the eyes of meshes of side 2^k, with a small sum of all hops";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of any dimensions, sizes equal and a power of two";
  algorithm.costs =
      "alpha = beta = log2 N; TCD from an eye, and from every node of a torus, for d >= 2: (2^d-1)/(3(2^d+1)"
      "(2^(d-1)-1)) * (3*2^(d(k+1)-1) - (-1)^k (2^(d-1)-1) - 2^k (2^d+1))";
  algorithm.source = "Cang & Wu 1998, algorithm 1; Cang & Wu 2000, algorithms 2 and 3, section 4";
  algorithm.parameters = {{.name = "order",
                           .type = ParameterType::choice,
                           .text =
                               "which axis a level crosses first: as in the papers, the one with the larger gain, or "
                               "as in the papers without the choice of the nearer eye",
                           .fallback = std::string(axis_order_names.text(AxisOrder::best)),
                           .choices = axis_order_names.texts()}};
  algorithm.by_reversal = {Operation::reduce};
  algorithm.make = broadcast_through_eyes;
  algorithm.family = every_choice(algorithm.parameters.front());
  return algorithm;
}

} // namespace wormcast
