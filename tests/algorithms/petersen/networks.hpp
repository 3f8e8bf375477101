#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/registry.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace wormcast::testing {

/// tests/golden/petersen-torus.json, which an independent program computed; its `conventions` explain the fields.
inline const nlohmann::json& petersen_golden()
{
  static const nlohmann::json file =
      nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/petersen-torus.json"));
  return file;
}

inline std::unique_ptr<Topology> network(const std::string& kind, std::vector<std::int64_t> dims = {})
{
  TopologyDescription description;
  description.kind = kind;
  if (!dims.empty()) {
    description.parameters.set("dims", std::move(dims));
  }
  return make_topology(description);
}

/// The algorithm's schedule with its only choice parameter, if it has one, set to `choice`.
inline Schedule schedule_of(const std::string& name, const Topology& topology, std::uint32_t ports,
                            std::uint32_t source = 0, const std::string& choice = {})
{
  const Algorithm& algorithm = find_algorithm(name);
  ScheduleRequest request;
  request.source = NodeId{source};
  request.ports.count = ports;
  for (const Parameter& parameter : algorithm.parameters) {
    if (!parameter.optional) {
      request.parameters.set(parameter.name, choice.empty() ? parameter.fallback.value() : choice);
    }
  }
  return make_schedule(algorithm, topology, request);
}

inline std::uint64_t fnv1a(const std::string& text)
{
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

inline std::string hexadecimal(std::uint64_t value)
{
  std::ostringstream out;
  out << std::hex << std::setw(16) << std::setfill('0') << value;
  return out.str();
}

/// Sum of the hashes of "t u v" of all messages, with t counted from 1.
inline std::string schedule_hash(const Schedule& schedule)
{
  std::uint64_t sum = 0;
  for (const Message& message : schedule.messages) {
    sum += fnv1a(std::to_string(message.step + 1) + " " + std::to_string(index(message.source)) + " " +
                 std::to_string(index(message.destination)));
  }
  return hexadecimal(sum);
}

/// By node: the step, counted from 1, in which a broadcast reaches it first; 0 for the source.
inline std::vector<std::uint32_t> arrival_steps(const Schedule& schedule, std::uint32_t nodes)
{
  std::vector<std::uint32_t> arrival(nodes, std::numeric_limits<std::uint32_t>::max());
  arrival[index(schedule.source)] = 0;
  for (const Message& message : schedule.messages) {
    std::uint32_t& step = arrival[index(message.destination)];
    step = std::min(step, message.step + 1);
  }
  return arrival;
}

/// Messages as "step source destination", sorted.
inline std::vector<std::array<std::uint32_t, 3>> sorted_sends(const Schedule& schedule)
{
  std::vector<std::array<std::uint32_t, 3>> sends;
  for (const Message& message : schedule.messages) {
    sends.push_back({message.step, index(message.source), index(message.destination)});
  }
  std::ranges::sort(sends);
  return sends;
}

} // namespace wormcast::testing
