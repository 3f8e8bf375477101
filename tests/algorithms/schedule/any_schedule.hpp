#pragma once

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast::testing {

/// Any topology, operation, ports and duplex; messages with any blocks, or plain ones with any sizes, starts and
/// `after`.
inline Schedule any_schedule()
{
  Schedule schedule;
  schedule.topology = grid(*rc::gen::element<std::string>("mesh", "torus"),
                           {*rc::gen::inRange<std::int64_t>(1, 5), *rc::gen::inRange<std::int64_t>(2, 5)});
  schedule.routing.tie = *rc::gen::element<std::string>("no_wrap", "positive");
  schedule.routing.routing = *rc::gen::element<std::string>("", "dimension_order");
  const std::uint32_t nodes = make_topology(schedule.topology, schedule.routing)->node_count();
  schedule.ports.count = *rc::gen::inRange<std::uint32_t>(PortModel::all, 65);
  schedule.duplex = *rc::gen::element(Duplex::full, Duplex::half);
  schedule.operation = all_operations()[*rc::gen::inRange<std::size_t>(0, all_operations().size())];
  schedule.blocks = chooses_blocks(schedule.operation) ? *rc::gen::inRange<std::uint64_t>(1, 1000)
                                                       : fixed_blocks(schedule.operation, nodes);
  if (has_source(schedule.operation)) {
    schedule.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, nodes)};
  }
  if (schedule.operation == Operation::multicast) {
    schedule.destinations.push_back(
        NodeId{(index(schedule.source) + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes});
  }
  if (schedule.operation != Operation::none) {
    schedule.message_bytes = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 62);
  }
  if (*rc::gen::element(true, false)) {
    schedule.chosen.set("segments", *rc::gen::inRange<std::int64_t>(0, 1000));
    schedule.chosen.set("stages", *rc::gen::element<std::string>("Mx1", "a \"quoted\" text"));
  }
  const auto count = *rc::gen::inRange<std::uint32_t>(0, 20);
  const auto blocks = static_cast<std::uint32_t>(schedule.blocks);
  for (std::uint32_t id = 0; id < count; ++id) {
    const auto from = *rc::gen::inRange<std::uint32_t>(0, nodes);
    Message message{*rc::gen::inRange<std::uint32_t>(0, 100), NodeId{from},
                    NodeId{(from + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes}, BlockSetId{}};
    if (schedule.operation == Operation::none) {
      schedule.plain.push_back({*rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 62),
                                Time{*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 60)},
                                Time{*rc::gen::inRange<std::int64_t>(0, 3)}});
      std::vector<MessageId> after;
      for (std::uint32_t earlier = 0; earlier < id; ++earlier) {
        if (*rc::gen::inRange(0, 4) == 0) {
          after.push_back(MessageId{earlier});
        }
      }
      schedule.after.set(id, after);
    } else {
      std::vector<BlockRange> ranges;
      for (std::uint32_t block = *rc::gen::inRange<std::uint32_t>(0, blocks); block < blocks && ranges.size() < 5;) {
        const auto end = *rc::gen::inRange<std::uint32_t>(block + 1, blocks + 1);
        ranges.push_back({block, end});
        block = end + *rc::gen::inRange<std::uint32_t>(1, 10);
      }
      message.blocks = schedule.block_sets.intern(ranges);
    }
    schedule.messages.push_back(message);
  }
  return schedule;
}

} // namespace wormcast::testing
