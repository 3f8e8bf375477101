#include "tests/equality/picosecond_computation.hpp"

#include <map>
#include <utility>

namespace wormcast::testing {

PicosecondComputation::PicosecondComputation(const Schedule& schedule, const NetworkParameters& network,
                                             const RunParameters& run, std::size_t nodes)
    : schedule_(schedule), serial_(run.computation.additions == Additions::serial),
      latency_(network.startup_latency.picoseconds), longest_(latency_), work_(schedule.messages.size(), 0),
      nodes_(nodes)
{
  if (schedule.operation == Operation::none) {
    for (std::size_t id = 0; id < work_.size(); ++id) {
      work_[id] = schedule.plain[id].compute.picoseconds;
    }
  } else if (combines(schedule.operation) && schedule.operation != Operation::barrier) {
    find_additions(nodes, run.computation.reduce);
  }
  for (const std::int64_t work : work_) {
    longest_ += work;
  }
}

// Of every node and block the nodes that contributed to the result there, step after step.
void PicosecondComputation::find_additions(std::size_t nodes, const TimeTable& table)
{
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Place, std::set<std::uint32_t>> contributors;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::uint32_t block = 0; block < schedule_.blocks; ++block) {
      contributors[{node, block}] = {node};
    }
  }
  const std::uint32_t steps = step_count(schedule_);
  for (std::uint32_t step = 0; step < steps; ++step) {
    const auto before = contributors;
    std::vector<std::uint64_t> added(work_.size(), 0);
    for (std::size_t id = 0; id < work_.size(); ++id) {
      const Message& message = schedule_.messages[id];
      if (message.step != step) {
        continue;
      }
      for (const BlockRange& range : schedule_.block_sets.ranges(message.blocks)) {
        for (std::uint32_t block = range.begin; block < range.end; ++block) {
          const auto& carried = before.at({index(message.source), block});
          contributors[{index(message.destination), block}].insert(carried.begin(), carried.end());
          added[id] += carried.size() == nodes ? 0 : block_bytes(schedule_, {block, block + 1});
        }
      }
    }
    for (std::size_t id = work_.size(); id-- > 0;) {
      if (schedule_.messages[id].step == step) {
        work_[id] = table.at(added_with(added, id)).picoseconds;
      }
    }
  }
}

// What is added when a message has come: nothing before the last of its packets, then what all of them brought.
std::uint64_t PicosecondComputation::added_with(const std::vector<std::uint64_t>& added, std::size_t id) const
{
  if (schedule_.packets.empty()) {
    return added[id];
  }
  if (id + 1 < schedule_.packets.size() && schedule_.packets[id + 1] > 0) {
    return 0;
  }
  std::uint64_t sum = 0;
  for (std::size_t one = id - schedule_.packets[id]; one <= id; ++one) {
    sum += added[one];
  }
  return sum;
}

void PicosecondComputation::deliver(std::size_t message, std::int64_t now)
{
  nodes_[index(schedule_.messages[message].destination)].received.push_back({message, now + latency_});
}

void PicosecondComputation::complete_at(NodeState& node, std::int64_t now, std::set<std::size_t>& complete)
{
  for (;;) {
    if (node.adds && node.ends == now) {
      complete.insert(node.adds->message);
      node.adds.reset();
    }
    // Messages without work are complete whatever the node does.
    std::optional<Received> next;
    for (auto one = node.received.begin(); one != node.received.end();) {
      const bool without_work = work_[one->message] == 0;
      const bool ends_now = one->known_from + (serial_ ? 0 : work_[one->message]) == now;
      if (ends_now && (without_work || !serial_)) {
        complete.insert(one->message);
        one = node.received.erase(one);
        continue;
      }
      next = next || without_work || one->known_from > now ? next : std::optional(*one);
      ++one;
    }
    if (!serial_ || node.adds || !next) {
      return;
    }
    node.adds = next;
    node.ends = now + work_[next->message];
    std::erase_if(node.received, [&](const Received& one) { return one.message == next->message; });
  }
}

std::vector<std::size_t> PicosecondComputation::complete(std::int64_t now)
{
  std::set<std::size_t> complete;
  for (NodeState& node : nodes_) {
    complete_at(node, now, complete);
  }
  return {complete.begin(), complete.end()};
}

} // namespace wormcast::testing
