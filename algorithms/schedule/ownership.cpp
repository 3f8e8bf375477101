#include "wormcast/algorithms/schedule/ownership.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

Ownership::Ownership(std::uint32_t node_count, NodeId source, std::uint64_t blocks) : owned_(node_count, nothing)
{
  schedule_.blocks = blocks;
  owned_[index(source)] = schedule_.block_sets.intern({0, static_cast<std::uint32_t>(blocks)});
}

BlockSetId Ownership::united(BlockSetId a, BlockSetId b)
{
  if (a == nothing || a == b) {
    return b;
  }
  if (b == nothing) {
    return a;
  }
  const std::uint32_t low = static_cast<std::uint32_t>(std::min(a, b));
  const std::uint32_t high = static_cast<std::uint32_t>(std::max(a, b));
  const auto [known, inserted] = unions_.try_emplace((std::uint64_t{low} << 32) | high, nothing);
  if (inserted) {
    const auto first = schedule_.block_sets.ranges(a);
    const auto second = schedule_.block_sets.ranges(b);
    std::vector<BlockRange> ranges(first.begin(), first.end());
    ranges.insert(ranges.end(), second.begin(), second.end());
    known->second = schedule_.block_sets.intern(ranges);
  }
  return known->second;
}

void Ownership::send(NodeId from, NodeId to, BlockSetId blocks)
{
  steps_.add();
  schedule_.messages.push_back({.step = step_, .source = from, .destination = to, .blocks = blocks});
}

void Ownership::transfer(const Partner& partner)
{
  transfer(partner, [this](NodeId node) {
    const std::uint64_t blocks = schedule_.block_sets.size(owned_[index(node)]);
    if (blocks % 2 != 0) {
      throw std::logic_error("an odd number of blocks has no halves");
    }
    return blocks / 2;
  });
}

void Ownership::transfer(const Partner& partner, const std::function<std::uint64_t(NodeId)>& kept)
{
  std::vector<BlockSetId> after = owned_;
  for (std::uint32_t i = 0; i < owned_.size(); ++i) {
    const NodeId node{i};
    const NodeId to = owned_[i] == nothing ? node : partner(node);
    if (to == node) {
      continue;
    }
    const BlockRanges ranges = schedule_.block_sets.ranges(owned_[i]);
    if (ranges.size() != 1 || owned_[index(to)] != nothing) {
      throw std::logic_error("transfer needs one range of blocks and a partner that owns nothing");
    }
    const BlockRange whole = ranges.front();
    const auto middle = static_cast<std::uint32_t>(whole.begin + kept(node));
    after[index(to)] = schedule_.block_sets.intern({middle, whole.end});
    after[i] = schedule_.block_sets.intern({whole.begin, middle});
    send(node, to, after[index(to)]);
  }
  owned_ = std::move(after);
  ++step_;
}

void Ownership::share(const Partner& partner)
{
  share_in_turns(partner, 1, [](NodeId) { return 0U; });
}

void Ownership::share_in_turns(const Partner& partner, std::uint32_t turns,
                               const std::function<std::uint32_t(NodeId)>& turn)
{
  const std::vector<BlockSetId> before = owned_;
  for (std::uint32_t now = 0; now < turns; ++now) {
    for (std::uint32_t i = 0; i < before.size(); ++i) {
      const NodeId node{i};
      if (before[i] == nothing || (turns > 1 && turn(node) != now)) {
        continue;
      }
      const NodeId to = partner(node);
      if (to == node) {
        continue;
      }
      send(node, to, before[i]);
      owned_[index(to)] = united(owned_[index(to)], before[i]);
    }
    ++step_;
  }
}

void Ownership::all_gather(const Partner& next, std::uint32_t length)
{
  std::vector<BlockSetId> unit = owned_; // by node: the blocks that it sends next
  for (std::uint32_t step = 1; step < length; ++step) {
    std::vector<BlockSetId> received(owned_.size(), nothing);
    for (std::uint32_t i = 0; i < owned_.size(); ++i) {
      if (unit[i] == nothing) {
        continue;
      }
      const NodeId to = next(NodeId{i});
      send(NodeId{i}, to, unit[i]);
      received[index(to)] = unit[i];
    }
    unit = std::move(received);
    ++step_;
  }
  unite_rings(next, length);
}

void Ownership::relay(std::vector<std::vector<Relay>> steps)
{
  const std::vector<BlockSetId> unit = owned_; // by its owner
  for (std::vector<Relay>& sends : steps) {
    std::ranges::sort(sends, {}, &Relay::from);
    for (const Relay& one : sends) {
      send(one.from, one.to, unit[index(one.owner)]);
      owned_[index(one.to)] = united(owned_[index(one.to)], unit[index(one.owner)]);
    }
    ++step_;
  }
}

// United once for a ring, at the end: the blocks owned in between would be a set for every node and step.
void Ownership::unite_rings(const Partner& next, std::uint32_t length)
{
  std::vector<bool> done(owned_.size(), false);
  std::vector<NodeId> ring;
  for (std::uint32_t i = 0; i < owned_.size(); ++i) {
    if (done[i]) {
      continue;
    }
    ring.clear();
    BlockSetId all = nothing;
    for (NodeId node{i}; ring.size() < length; node = next(node)) {
      ring.push_back(node);
      all = united(all, owned_[index(node)]);
    }
    if (next(ring.back()) != ring.front()) {
      throw std::logic_error("an all-gather needs rings of the given length");
    }
    for (const NodeId node : ring) {
      owned_[index(node)] = all;
      done[index(node)] = true;
    }
  }
}

} // namespace wormcast
