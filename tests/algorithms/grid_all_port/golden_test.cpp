// The all-port broadcasts against tests/golden/all-port.json and all-port-schedules/, which an independent program
// computed.

#include "tests/algorithms/grid_all_port/networks.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace wormcast {
namespace {

using nlohmann::json;

const std::string golden_folder = WORMCAST_TEST_DATA "/golden/";

json read(const std::string& file)
{
  return json::parse(std::ifstream(golden_folder + file));
}

std::string title(const json& given)
{
  return given["alg"].get<std::string>() + " " + given["kind"].get<std::string>() + " n=" + given["n"].dump() +
         " d=" + given["d"].dump() + " source " + given["source"].dump();
}

std::unique_ptr<Topology> topology_of(const json& given)
{
  return testing::square(given["kind"], given["n"].get<unsigned>());
}

Schedule schedule_of(const json& given, const Topology& topology)
{
  return testing::all_port_schedule(given["alg"], topology,
                                    topology.node_at(given["source"].get<std::vector<std::int64_t>>()),
                                    given["d"].is_null() ? 0 : given["d"].get<int>());
}

std::vector<std::string> largest_by_step(const Schedule& schedule)
{
  std::vector<std::uint64_t> largest(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    largest[message.step] = std::max(largest[message.step], schedule.block_sets.size(message.blocks));
  }
  std::vector<std::string> result;
  for (const std::uint64_t blocks : largest) {
    result.push_back(
        format_fraction(Fraction(static_cast<std::int64_t>(blocks), static_cast<std::int64_t>(schedule.blocks))));
  }
  return result;
}

TEST(AllPortGolden, CostsStepSizesAndMessages)
{
  const json cases = read("all-port.json")["cases"];
  ASSERT_EQ(cases.size(), 222U);
  for (const json& given : cases) {
    SCOPED_TRACE(title(given));
    const auto topology = topology_of(given);
    const Schedule schedule = schedule_of(given, *topology);
    const CheckReport report = check_schedule(*topology, schedule);
    EXPECT_TRUE(report.valid());
    EXPECT_TRUE(report.contention_free);
    EXPECT_EQ(report.costs.alpha, given["alpha"].get<std::uint64_t>());
    EXPECT_EQ(format_fraction(report.costs.beta), given["beta"].get<std::string>());
    EXPECT_EQ(largest_by_step(schedule), given["per_step"].get<std::vector<std::string>>());
    EXPECT_EQ(report.costs.messages, given["messages"].get<std::uint64_t>());
  }
}

// Source, destination and segments, in units of which the message has `units`.
using Sent = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint64_t>>;
using SentByStep = std::vector<std::multiset<Sent>>;

SentByStep sent(const Schedule& schedule, std::uint64_t units)
{
  const std::uint64_t scale = units / schedule.blocks;
  SentByStep steps(step_count(schedule));
  for (const Message& message : schedule.messages) {
    std::vector<std::uint64_t> parts;
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      for (std::uint64_t part = range.begin * scale; part < range.end * scale; ++part) {
        parts.push_back(part);
      }
    }
    steps[message.step].insert({index(message.source), index(message.destination), parts});
  }
  return steps;
}

SentByStep sent(const json& given, const Topology& topology)
{
  const auto node = [&](const json& position) {
    return index(topology.node_at(position.get<std::vector<std::int64_t>>()));
  };
  SentByStep steps;
  for (const json& step : given["steps"]) {
    steps.emplace_back();
    for (const json& message : step) {
      steps.back().insert({node(message[0]), node(message[1]), message[2].get<std::vector<std::uint64_t>>()});
    }
  }
  return steps;
}

TEST(AllPortGolden, SchedulesMessageForMessage)
{
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(golden_folder + "all-port-schedules")) {
    const json given = json::parse(std::ifstream(file.path()));
    SCOPED_TRACE(title(given));
    const auto topology = topology_of(given);
    const SentByStep expected = sent(given, *topology);
    const SentByStep found = sent(schedule_of(given, *topology), given["block_size"].size());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t step = 0; step < expected.size(); ++step) {
      EXPECT_TRUE(found[step] == expected[step]) << "step " << step;
    }
    ++files;
  }
  EXPECT_EQ(files, 8);
}

} // namespace
} // namespace wormcast
