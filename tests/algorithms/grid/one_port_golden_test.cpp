// The one-port broadcasts against tests/golden/mesh-one-port.json, which an independent program computed; its
// `conventions` explain the fields.

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/half_duplex_steps.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/topologies/grid.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

namespace wormcast {
namespace {

using nlohmann::json;

const json& golden()
{
  static const json file = json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/mesh-one-port.json"));
  return file;
}

struct Case {
  std::string algorithm;
  ParameterValues parameters;
};

Case case_of(const json& vector)
{
  const std::string algo = vector["algo"];
  Case result;
  if (algo == "RD") {
    result.algorithm = "recursive_doubling";
  } else if (algo == "SC") {
    result.algorithm = "scatter_collect";
  } else if (algo == "NP-RD" || algo == "NP-SC") {
    result.algorithm = "network_partitioning";
    result.parameters.set("d", vector["d"].get<std::int64_t>());
    result.parameters.set("inner", std::string(algo == "NP-RD" ? "recursive_doubling" : "scatter_collect"));
  } else if (algo == "LINE") {
    result.algorithm = "line_pipeline";
    result.parameters.set("segments", vector["nblocks"].get<std::int64_t>());
    result.parameters.set("order",
                          std::string(vector["variant"].get<std::string>().starts_with("rows") ? "rows" : "snake"));
  } else {
    result.algorithm = "recursion_based";
    result.parameters.set("reduction", std::string(algo == "RB-nonsquare-ring" ? "ring" : "pairwise"));
  }
  return result;
}

std::unique_ptr<Topology> grid_with_tie(const std::string& kind, const json& dims, const std::string& tie = "no_wrap")
{
  TopologyDescription description;
  description.kind = kind;
  description.parameters.set("dims", dims.get<std::vector<std::int64_t>>());
  return make_topology(description, {.routing = {}, .tie = tie});
}

Schedule schedule_of(const Case& chosen, const Topology& topology, const json& source, std::uint64_t bytes,
                     Duplex duplex = Duplex::full)
{
  ScheduleRequest request;
  request.source = topology.node_at(source.get<std::vector<std::int64_t>>());
  request.message_bytes = bytes;
  request.duplex = duplex;
  request.parameters = chosen.parameters;
  return make_schedule(find_algorithm(chosen.algorithm), topology, request);
}

std::string as_text(const json& fraction)
{
  return fraction.is_string() ? fraction.get<std::string>() : fraction.dump();
}

// Run-length list of steps: [repeat, messages, largest size, sum of hops].
json profile(const Topology& topology, const Schedule& schedule)
{
  json result = json::array();
  const StepOrder steps = order_by_step(schedule);
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    std::int64_t largest = 0;
    std::uint64_t hops = 0;
    for (std::size_t i = steps.offsets[step]; i < steps.offsets[step + 1]; ++i) {
      const Message& message = schedule.messages[index(steps.order[i])];
      largest = std::max(largest, static_cast<std::int64_t>(schedule.block_sets.size(message.blocks)));
      hops += topology.distance(message.source, message.destination);
    }
    const json entry = {1, steps.offsets[step + 1] - steps.offsets[step],
                        format_fraction(Fraction(largest, static_cast<std::int64_t>(schedule.blocks))), hops};
    const bool again = !result.empty() && std::equal(entry.begin() + 1, entry.end(), result.back().begin() + 1);
    if (again) {
      result.back()[0] = result.back()[0].get<int>() + 1;
    } else {
      result.push_back(entry);
    }
  }
  return result;
}

class GoldenVector : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GoldenVector, IsReproduced)
{
  const json& vector = golden()["vectors"][GetParam()];
  const Case chosen = case_of(vector);
  SCOPED_TRACE(vector.dump().substr(0, 120));
  const std::uint64_t blocks = vector["nblocks"];
  const auto mesh = grid_with_tie("mesh", vector["dims"]);
  const Schedule schedule = schedule_of(chosen, *mesh, vector["source"], blocks);
  const CheckReport report = check_schedule(*mesh, schedule);
  EXPECT_EQ(report.valid(), vector["valid"].get<bool>());
  EXPECT_EQ(schedule.blocks, blocks);
  EXPECT_EQ(report.costs.alpha, vector["alpha"].get<std::uint64_t>());
  EXPECT_EQ(format_fraction(report.costs.beta), as_text(vector["beta"]));
  EXPECT_EQ(report.costs.messages, vector["messages"].get<std::uint64_t>());
  EXPECT_EQ(
      format_fraction(Fraction(static_cast<std::int64_t>(report.costs.bytes_sent), static_cast<std::int64_t>(blocks))),
      as_text(vector["volume"]));
  EXPECT_EQ(report.costs.tcd, vector["tcd"].get<std::uint64_t>());
  EXPECT_EQ(report.contended_pairs, vector["contended_pairs"].get<std::uint64_t>());
  std::uint32_t longest = 0;
  for (const Message& message : schedule.messages) {
    longest = std::max(longest, mesh->distance(message.source, message.destination));
  }
  EXPECT_EQ(longest, vector["max_distance"].get<std::uint32_t>());
  if (vector.contains("profile")) {
    EXPECT_EQ(profile(*mesh, schedule), vector["profile"]);
  }
  if (vector.contains("bytes_1000")) {
    const Schedule thousand = schedule_of(chosen, *mesh, vector["source"], 1000);
    EXPECT_EQ(schedule_costs(*mesh, thousand).beta_bytes, vector["bytes_1000"].get<std::uint64_t>());
  }
  if (vector.contains("hd")) {
    const CheckReport half = check_schedule(*mesh, divided_for_half_duplex(schedule, mesh->node_count()));
    EXPECT_TRUE(half.valid());
    EXPECT_EQ(half.costs.alpha, vector["hd"][0].get<std::uint64_t>());
    EXPECT_EQ(format_fraction(half.costs.beta), as_text(vector["hd"][1]));
  }
  for (const auto& [key, tie] : {std::pair("torus_tie_mesh", "no_wrap"), std::pair("torus_tie_plus", "positive")}) {
    if (vector.contains(key)) {
      const auto torus = grid_with_tie("torus", vector["dims"], tie);
      const CheckReport on_torus = check_schedule(*torus, schedule_of(chosen, *torus, vector["source"], blocks));
      EXPECT_EQ(on_torus.contended_pairs, vector[key]["contended_pairs"].get<std::uint64_t>()) << key;
      EXPECT_EQ(on_torus.costs.tcd, vector[key]["tcd"].get<std::uint64_t>()) << key;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OnePort, GoldenVector, ::testing::Range(std::size_t{0}, golden()["vectors"].size()));

TEST(GoldenSchedules, AreReproducedMessageForMessage)
{
  std::size_t compared = 0;
  for (const json& expected : golden()["explicit"]) {
    SCOPED_TRACE(expected["algo"].dump() + expected["dims"].dump());
    const auto mesh = grid_with_tie("mesh", expected["dims"]);
    const Schedule schedule = schedule_of(case_of(expected), *mesh, expected["source"], 1000);
    ASSERT_EQ(step_count(schedule), expected["steps"].size());
    using Sends = std::multiset<std::string>;
    std::vector<Sends> steps(expected["steps"].size());
    for (const Message& message : schedule.messages) {
      json blocks = json::array();
      for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
        blocks.push_back({range.begin, range.end});
      }
      const json send = {mesh->coordinates(message.source), mesh->coordinates(message.destination), blocks};
      steps[message.step].insert(send.dump());
    }
    for (std::size_t step = 0; step < steps.size(); ++step) {
      Sends wanted;
      for (const json& send : expected["steps"][step]) {
        wanted.insert(send.dump());
      }
      EXPECT_EQ(steps[step], wanted) << "step " << step;
    }
    ++compared;
  }
  EXPECT_GT(compared, 0U);
}

} // namespace
} // namespace wormcast
