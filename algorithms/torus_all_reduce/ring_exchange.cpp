#include "wormcast/algorithms/torus_all_reduce/ring_exchange.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint16_t no_step = std::numeric_limits<std::uint16_t>::max();

std::uint32_t side(const Grid& grid, std::size_t dimension)
{
  return static_cast<std::uint32_t>(grid.sizes()[dimension]);
}

std::uint32_t coordinate(const Grid& grid, NodeId node, std::size_t dimension)
{
  return static_cast<std::uint32_t>(grid.coordinate(node, dimension));
}

/// One collective of exchange_blocks.
class BlockExchange {
public:
  BlockExchange(const Grid& grid, const ShareCollective& collective, std::uint32_t first_block,
                const std::map<std::uint32_t, RingHops>& hops)
      : grid_(grid), first_block_(first_block), hops_(grid.sizes().size(), nullptr), when_(grid.sizes().size())
  {
    for (const std::size_t dimension : collective.dimensions) {
      hops_[dimension] = &hops.at(side(grid, dimension));
      when_[dimension].resize(hops_[dimension]->steps());
    }
    steps_ = served_steps(collective, [&](std::size_t dimension) { return hops_[dimension]->steps(); });
    for (std::uint32_t step = 0; step < steps_.size(); ++step) {
      when_[steps_[step].dimension][steps_[step].relative] = step;
    }
  }

  std::uint32_t steps() const { return static_cast<std::uint32_t>(steps_.size()); }

  /// Calls send(receiver, set) for each message of `node` in a step of the reduce_scatter.
  template <typename Send> void for_each_send(std::uint32_t step, NodeId node, BlockSets& sets, Send&& send)
  {
    const ServedStep served = steps_[step];
    const std::uint32_t here = coordinate(grid_, node, served.dimension);
    const RingHops& ring = *hops_[served.dimension];
    receivers_.clear();
    for (std::uint32_t owner = 0; owner < ring.size(); ++owner) {
      if (owner != here && ring.hop(here, owner).step == served.relative) {
        receivers_[ring.hop(here, owner).to].push_back(owner);
      }
    }
    for (const auto& [receiver, owners] : receivers_) {
      const BlockSetId set = blocks(step, node, owners, sets);
      send(at_coordinate(grid_, node, served.dimension, receiver), set);
    }
  }

private:
  /// The blocks of the nodes whose coordinate in the served dimension is one of `owners`, and for which no other
  /// dimension has a hop before this step is over.
  BlockSetId blocks(std::uint32_t step, NodeId node, const std::vector<std::uint32_t>& owners, BlockSets& sets)
  {
    bases_ = {first_block_};
    for (std::size_t dimension = grid_.sizes().size(); dimension-- > 0;) {
      coordinates_.clear();
      const std::uint32_t here = coordinate(grid_, node, dimension);
      if (dimension == steps_[step].dimension) {
        coordinates_ = owners;
      } else {
        for (std::uint32_t owner = 0; owner < side(grid_, dimension); ++owner) {
          if (owner == here || when_[dimension][hops_[dimension]->hop(here, owner).step] > step) {
            coordinates_.push_back(owner);
          }
        }
      }
      const auto stride = static_cast<std::uint32_t>(grid_.stride(dimension));
      if (dimension > 0) {
        next_bases_.clear();
        for (const std::uint32_t base : bases_) {
          for (const std::uint32_t owner : coordinates_) {
            next_bases_.push_back(base + owner * stride);
          }
        }
        std::swap(bases_, next_bases_);
      }
    }
    ranges_.clear();
    for (const std::uint32_t base : bases_) {
      for (const std::uint32_t owner : coordinates_) {
        const std::uint32_t block = base + owner;
        if (!ranges_.empty() && ranges_.back().end == block) {
          ++ranges_.back().end;
        } else {
          ranges_.push_back({block, block + 1});
        }
      }
    }
    work_.add(ranges_.size());
    return sets.intern(ranges_);
  }

  const Grid& grid_;
  std::uint32_t first_block_ = 0;
  std::vector<const RingHops*> hops_;            ///< by dimension of the grid
  std::vector<std::vector<std::uint32_t>> when_; ///< by dimension and relative step: the step
  std::vector<ServedStep> steps_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> receivers_; ///< coordinates of the owners by that of the receiver
  std::vector<std::uint32_t> bases_;
  std::vector<std::uint32_t> next_bases_;
  std::vector<std::uint32_t> coordinates_;
  std::vector<BlockRange> ranges_;
  WorkSteps work_;
};

} // namespace

RingHops::RingHops(std::uint32_t size, std::uint32_t steps) : size_(size), steps_(steps)
{
  if (size >= no_step) {
    throw InputError(fmt::format("found a ring of {} nodes, expected at most {}", size, no_step - 1));
  }
  reserve_memory(std::uint64_t{size} * size * sizeof(RingHop), fmt::format("the hops of a ring of {} nodes", size));
  hops_.resize(std::size_t{size} * size, {no_step, 0});
}

RingHops hops_by_pattern(const RingPattern& pattern, std::string_view algorithm)
{
  RingHops hops(pattern.size, pattern.steps);
  // Whom each node reaches by the steps behind the current one, itself included.
  std::vector<std::vector<bool>> reached(pattern.size, std::vector<bool>(pattern.size, false));
  for (std::uint32_t node = 0; node < pattern.size; ++node) {
    reached[node][node] = true;
  }
  WorkSteps work;
  for (std::uint32_t step = pattern.steps; step-- > 0;) {
    const std::vector<std::vector<bool>> behind = reached;
    for (std::uint32_t node = 0; node < pattern.size; ++node) {
      for (const std::uint32_t peer : pattern.peers(node, step)) {
        work.add(pattern.size);
        for (std::uint32_t owner = 0; owner < pattern.size; ++owner) {
          if (!behind[peer][owner] || owner == node) {
            continue;
          }
          reached[node][owner] = true;
          if (hops.hop(node, owner).step == no_step) {
            hops.hop(node, owner) = {static_cast<std::uint16_t>(step), static_cast<std::uint16_t>(peer)};
          }
        }
      }
    }
  }
  for (std::uint32_t node = 0; node < pattern.size; ++node) {
    if (std::ranges::find(reached[node], false) != reached[node].end()) {
      throw InputError(
          fmt::format("{} does not bring the blocks of a ring of {} nodes to all of them", algorithm, pattern.size));
    }
  }
  return hops;
}

std::vector<ServedStep> served_steps(const ShareCollective& collective,
                                     const std::function<std::uint32_t(std::size_t dimension)>& steps_of)
{
  const std::size_t dimensions = collective.dimensions.size();
  std::vector<std::uint32_t> done(dimensions, 0);
  std::uint32_t all = 0;
  for (const std::size_t dimension : collective.dimensions) {
    all += steps_of(dimension);
  }
  std::vector<ServedStep> served;
  while (served.size() < all) {
    std::size_t next = served.size() % dimensions;
    while (done[next] == steps_of(collective.dimensions[next])) {
      next = (next + 1) % dimensions;
    }
    served.push_back({collective.dimensions[next], done[next]++});
  }
  return served;
}

Schedule exchange_blocks(const Grid& grid, const std::vector<ShareCollective>& collectives, Operation operation,
                         const RingHopTables& hops)
{
  const std::uint32_t nodes = grid.node_count();
  const AllReduceHalves halves = halves_of(operation);
  Schedule schedule = schedule_of_shares(operation, nodes, collectives.size());
  OrderedMessages messages;
  std::map<std::uint32_t, RingHops> tables[2]; // of plain and mirrored collectives, by side
  for (std::uint32_t c = 0; c < collectives.size(); ++c) {
    auto& of = tables[collectives[c].mirrored ? 1 : 0];
    for (const std::size_t dimension : collectives[c].dimensions) {
      const std::uint32_t size = side(grid, dimension);
      if (!of.contains(size)) {
        of.emplace(size, hops(size, collectives[c].mirrored));
      }
    }
    BlockExchange exchange(grid, collectives[c], c * nodes, of);
    const std::uint32_t last_step = exchange.steps() * halves.count() - 1;
    for (std::uint32_t step = 0; step < exchange.steps(); ++step) {
      for (std::uint32_t node = 0; node < nodes; ++node) {
        exchange.for_each_send(step, NodeId{node}, schedule.block_sets, [&](NodeId receiver, BlockSetId set) {
          if (halves.scatters) {
            messages.add(c, {.step = step, .source = NodeId{node}, .destination = receiver, .blocks = set});
          }
          if (halves.gathers) {
            messages.add(c, {.step = last_step - step, .source = receiver, .destination = NodeId{node}, .blocks = set});
          }
        });
      }
    }
  }
  messages.take_into(schedule);
  return schedule;
}

Schedule exchange_own_blocks(const Grid& grid, const ShareCollective& collective, const RingHopTables& hops,
                             std::string_view algorithm)
{
  const std::uint32_t nodes = grid.node_count();
  require_total_exchange_blocks(algorithm, grid.title(), nodes);
  std::map<std::size_t, RingHops> rings; // by dimension
  for (const std::size_t dimension : collective.dimensions) {
    rings.emplace(dimension, hops(side(grid, dimension), collective.mirrored));
  }
  const std::vector<ServedStep> served =
      served_steps(collective, [&](std::size_t dimension) { return rings.at(dimension).steps(); });
  Schedule schedule;
  schedule.operation = Operation::total_exchange;
  schedule.blocks = std::uint64_t{nodes} * nodes;
  const std::uint64_t bytes_of_block = sizeof(std::uint32_t) + served.size() * sizeof(BlockRange) / 2; // held, and sent
  reserve_memory(schedule.blocks * bytes_of_block, fmt::format("a total exchange of {} blocks", schedule.blocks));
  std::vector<std::vector<std::uint32_t>> held(nodes); // by node: its blocks
  for (std::uint32_t node = 0; node < nodes; ++node) {
    held[node].resize(nodes);
    std::iota(held[node].begin(), held[node].end(), node * nodes);
  }
  WorkSteps work;
  for (std::uint32_t step = 0; step < served.size(); ++step) {
    const auto [dimension, relative] = served[step];
    const RingHops& ring = rings.at(dimension);
    const std::size_t first = schedule.messages.size();
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const std::uint32_t here = coordinate(grid, NodeId{node}, dimension);
      std::map<NodeId, std::vector<BlockRange>> sent; // by receiver
      std::erase_if(held[node], [&](std::uint32_t block) {
        const std::uint32_t owner = coordinate(grid, NodeId{block % nodes}, dimension);
        if (owner == here || ring.hop(here, owner).step != relative) {
          return false;
        }
        sent[at_coordinate(grid, NodeId{node}, dimension, ring.hop(here, owner).to)].push_back({block, block + 1});
        return true;
      });
      work.add(nodes);
      for (const auto& [receiver, blocks] : sent) {
        schedule.messages.push_back({.step = step,
                                     .source = NodeId{node},
                                     .destination = receiver,
                                     .blocks = schedule.block_sets.intern(blocks)});
      }
    }
    for (std::size_t id = first; id < schedule.messages.size(); ++id) {
      const Message& message = schedule.messages[id];
      for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
        for (std::uint32_t block = range.begin; block < range.end; ++block) {
          held[index(message.destination)].push_back(block);
        }
      }
    }
  }
  return schedule;
}

Schedule exchange_partial_results(const Grid& grid, const std::vector<ShareCollective>& collectives,
                                  const RingPatterns& patterns)
{
  Schedule schedule;
  schedule.operation = Operation::all_reduce;
  schedule.blocks = collectives.size();
  OrderedMessages messages;
  for (std::uint32_t c = 0; c < collectives.size(); ++c) {
    std::map<std::size_t, RingPattern> rings; // by dimension
    for (const std::size_t dimension : collectives[c].dimensions) {
      rings.emplace(dimension, patterns(side(grid, dimension), collectives[c].mirrored));
    }
    const auto served = served_steps(collectives[c], [&](std::size_t dimension) { return rings.at(dimension).steps; });
    const BlockSetId share = schedule.block_sets.intern({c, c + 1});
    for (std::uint32_t step = 0; step < served.size(); ++step) {
      const std::size_t dimension = served[step].dimension;
      for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
        const std::uint32_t here = coordinate(grid, NodeId{node}, dimension);
        for (const std::uint32_t peer : rings.at(dimension).peers(here, served[step].relative)) {
          messages.add(c, {.step = step,
                           .source = NodeId{node},
                           .destination = at_coordinate(grid, NodeId{node}, dimension, peer),
                           .blocks = share});
        }
      }
    }
  }
  messages.take_into(schedule);
  return schedule;
}

} // namespace wormcast
