#include "wormcast/algorithms/torus_all_reduce/bucket.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/algorithms/torus_all_reduce/broadcasts.hpp"
#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view bucket_name = "bucket";

/// A closed path through the nodes of a line, as coordinates by position and positions by coordinate.
class RingOrder {
public:
  RingOrder(std::int64_t size, bool wraps) : positions_(static_cast<std::size_t>(size))
  {
    const std::int64_t stride = wraps ? 1 : 2;
    for (std::int64_t coordinate = 0; coordinate < size; coordinate += stride) {
      coordinates_.push_back(coordinate);
    }
    for (std::int64_t coordinate = size - 1; !wraps && coordinate > 0; --coordinate) {
      if (coordinate % 2 == 1) {
        coordinates_.push_back(coordinate);
      }
    }
    for (std::size_t position = 0; position < coordinates_.size(); ++position) {
      positions_[static_cast<std::size_t>(coordinates_[position])] = static_cast<std::int64_t>(position);
    }
  }

  std::int64_t size() const { return static_cast<std::int64_t>(positions_.size()); }

  /// The coordinate that is `places`, at least -size() of them, ahead of `coordinate`.
  std::int64_t ahead(std::int64_t coordinate, std::int64_t places) const
  {
    const std::int64_t position = positions_[static_cast<std::size_t>(coordinate)] + places + size();
    return coordinates_[static_cast<std::size_t>(position % size())];
  }

private:
  std::vector<std::int64_t> coordinates_;
  std::vector<std::int64_t> positions_;
};

/// One collective in one phase, in which it serves one dimension.
struct Phase {
  std::size_t dimension = 0;
  std::int64_t direction = 1;    ///< 1, or -1 where the collective is mirrored
  std::vector<BlockSetId> units; ///< by node: its collective's blocks of all nodes with the node's coordinates in the
                                 ///< dimensions that have been served, this one included
};

class Bucket {
public:
  Bucket(const Grid& grid, const ScheduleRequest& request, Operation operation)
      : grid_(grid),
        collectives_(share_collectives(
            grid, request, grid.wraps() && !grid.mixes_rings_and_lines() ? MirroredToo::yes : MirroredToo::no,
            ShareOrder::directions_first)),
        halves_(halves_of(operation)), schedule_(schedule_of_shares(operation, grid.node_count(), collectives_.size())),
        phases_(collectives_.front().dimensions.size()), length_(phases_.size(), 0)
  {
    for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
      orders_.emplace_back(grid.sizes()[dimension], grid.wraps(dimension));
    }
    std::uint64_t messages = 0; // of each node
    for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
      for (const ShareCollective& collective : collectives_) {
        const auto steps = static_cast<std::uint32_t>(grid.sizes()[collective.dimensions[phase]] - 1);
        length_[phase] = std::max(length_[phase], steps);
        messages += steps;
      }
    }
    require_message_limit(bucket_name, std::max<std::uint64_t>(messages * halves_.count(), 1), "messages of each node",
                          grid.node_count());
    schedule_.messages.reserve(messages * halves_.count() * grid.node_count());
  }

  Schedule make()
  {
    for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
      for (std::size_t collective = 0; collective < collectives_.size(); ++collective) {
        phases_[phase].push_back(phase_of(collective, phase));
      }
    }
    for (std::size_t phase = 0; halves_.scatters && phase < phases_.size(); ++phase) {
      add_steps(phase, 1);
    }
    for (std::size_t phase = phases_.size(); halves_.gathers && phase-- > 0;) {
      add_steps(phase, 0);
    }
    return std::move(schedule_);
  }

private:
  Phase phase_of(std::size_t collective, std::size_t phase)
  {
    const std::vector<std::size_t>& dimensions = collectives_[collective].dimensions;
    Phase made;
    made.dimension = dimensions[phase];
    made.direction = collectives_[collective].mirrored ? -1 : 1;
    std::vector<std::int64_t> offsets = {0}; // in node ids, of the nodes that differ in dimensions not yet served
    for (const std::size_t open : std::span(dimensions).subspan(phase + 1)) {
      const std::size_t before = offsets.size();
      for (std::int64_t coordinate = 1; coordinate < grid_.sizes()[open]; ++coordinate) {
        for (std::size_t i = 0; i < before; ++i) {
          offsets.push_back(offsets[i] + coordinate * grid_.stride(open));
        }
      }
    }
    std::ranges::sort(offsets);
    const std::uint32_t nodes = grid_.node_count();
    std::vector<BlockRange> ranges;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      NodeId first{node}; // the one with the least id in the same unit
      for (const std::size_t open : std::span(dimensions).subspan(phase + 1)) {
        first = at_coordinate(grid_, first, open, 0);
      }
      if (index(first) < node) {
        made.units.push_back(made.units[index(first)]);
        continue;
      }
      ranges.clear();
      for (const std::int64_t offset : offsets) {
        const auto block =
            static_cast<std::uint32_t>(std::int64_t{nodes} * static_cast<std::int64_t>(collective) + node + offset);
        if (!ranges.empty() && ranges.back().end == block) {
          ++ranges.back().end;
        } else {
          ranges.push_back({block, block + 1});
        }
      }
      made.units.push_back(schedule_.block_sets.intern(ranges));
    }
    return made;
  }

  /// The steps of one phase: in step t a node sends to the next one the unit of the node that is t + `behind` places
  /// behind itself. A collective whose lines are shorter than others' rests at the end.
  void add_steps(std::size_t phase, std::int64_t behind)
  {
    for (std::uint32_t t = 0; t < length_[phase]; ++t, ++step_) {
      for (std::uint32_t node = 0; node < grid_.node_count(); ++node) {
        for (const Phase& of : phases_[phase]) {
          const RingOrder& order = orders_[of.dimension];
          if (t + 1 >= order.size()) {
            continue;
          }
          const std::int64_t here = grid_.coordinate(NodeId{node}, of.dimension);
          const NodeId next = at_coordinate(grid_, NodeId{node}, of.dimension, order.ahead(here, of.direction));
          const NodeId owner =
              at_coordinate(grid_, NodeId{node}, of.dimension, order.ahead(here, -of.direction * (t + behind)));
          schedule_.messages.push_back(
              {.step = step_, .source = NodeId{node}, .destination = next, .blocks = of.units[index(owner)]});
        }
      }
    }
  }

  const Grid& grid_;
  std::vector<ShareCollective> collectives_;
  AllReduceHalves halves_;
  Schedule schedule_;
  std::vector<RingOrder> orders_;          ///< by dimension of the grid
  std::vector<std::vector<Phase>> phases_; ///< by phase and collective
  std::vector<std::uint32_t> length_;      ///< by phase, in steps
  std::uint32_t step_ = 0;
};

} // namespace

Algorithm bucket_algorithm()
{
  Algorithm algorithm = torus_all_reduce_algorithm(bucket_name);
  algorithm.summary =
      "rings along all lines, dimension after dimension; with all ports 2D of them on parts of the vector";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "mesh and torus of any dimensions and sizes";
  algorithm.costs = "N nodes, D dimensions of d_k; one port: all_reduce alpha = 2 sum(d_k - 1), beta = 2(1 - 1/N); all "
                    "ports: alpha = 2 D (d_max - 1), and with equal sides beta = (1 - 1/N)/D on a torus, twice that on "
                    "a mesh; reduce_scatter and all_gather half of it; "
                    "broadcast, by scatter and all_gather, as all_reduce; free of contention";
  algorithm.source = "Barnett, Littlefield, Payne & van de Geijn, JPDC 24(2), 1995; all ports: Jain & Sabharwal, ICS "
                     "2010, Sack & Gropp, ACM TOPC 1(2), 2015, as in De Sensi et al., NSDI 2024, section 2.3.2; on "
                     "meshes own order of the lines";
  algorithm.parameters.push_back(shares_parameter());
  algorithm.share_blocks = ShareBlocks::in_order;
  algorithm.by_reversal = {Operation::reduce};
  algorithm.make = with_broadcast([](const Topology& topology, const ScheduleRequest& request) {
    return Bucket(require_any_grid(topology, bucket_name), request, requested_all_reduce(request)).make();
  });
  return algorithm;
}

} // namespace wormcast
