#pragma once

#include "tests/algorithms/petersen/networks.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace wormcast::testing {

/// tests/golden/hypercube.json, which an independent program computed; its `conventions` explain the fields.
inline const nlohmann::json& hypercube_golden()
{
  static const nlohmann::json file = nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/hypercube.json"));
  return file["d"];
}

inline std::unique_ptr<Topology> hypercube(std::int64_t dimension)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", dimension);
  return make_topology(description);
}

/// The only block of a message.
inline std::uint32_t packet(const Schedule& schedule, const Message& message)
{
  const BlockRanges ranges = schedule.block_sets.ranges(message.blocks);
  EXPECT_TRUE(ranges.size() == 1 && ranges[0].end == ranges[0].begin + 1);
  return ranges[0].begin;
}

/// Messages as step, source, destination, block; sorted.
inline std::vector<std::array<std::uint32_t, 4>> sorted_packets(const Schedule& schedule)
{
  std::vector<std::array<std::uint32_t, 4>> packets;
  for (const Message& message : schedule.messages) {
    packets.push_back({message.step, index(message.source), index(message.destination), packet(schedule, message)});
  }
  std::ranges::sort(packets);
  return packets;
}

/// Sum of the hashes of "t u v o" or "t u v o D" of all messages, with t counted from 1.
inline std::string packet_hash(const Schedule& schedule, std::uint32_t nodes)
{
  std::uint64_t sum = 0;
  for (const Message& message : schedule.messages) {
    const std::uint32_t block = packet(schedule, message);
    std::string text = std::to_string(message.step + 1) + " " + std::to_string(index(message.source)) + " " +
                       std::to_string(index(message.destination)) + " ";
    switch (schedule.operation) {
    case Operation::broadcast:
      text += std::to_string(index(schedule.source));
      break;
    case Operation::scatter:
      text += std::to_string(index(schedule.source)) + " " + std::to_string(block);
      break;
    case Operation::multinode_broadcast:
      text += std::to_string(block);
      break;
    default:
      text += std::to_string(block / nodes) + " " + std::to_string(block % nodes);
    }
    sum += fnv1a(text);
  }
  return hexadecimal(sum);
}

} // namespace wormcast::testing
