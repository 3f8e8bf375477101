// The broadcasts that recursion-based broadcast is compared with, against tests/golden/comparators.json, which an
// independent program computed; its `conventions` explain the fields.

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace wormcast {
namespace {

using nlohmann::json;

std::vector<json> vectors_of_registered_algorithms()
{
  const json file = json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/comparators.json"));
  std::vector<json> vectors;
  for (const json& vector : file["vectors"]) {
    const bool other_trees = vector["algo"] == "two_trees"; // the file's own; two_trees_test.cpp compares depths
    if (!other_trees &&
        std::ranges::find(algorithms(), vector["algo"].get<std::string>(), &Algorithm::name) != algorithms().end()) {
      vectors.push_back(vector);
    }
  }
  return vectors;
}

const std::vector<json>& vectors()
{
  static const std::vector<json> all = vectors_of_registered_algorithms();
  return all;
}

std::unique_ptr<Topology> topology_of(const json& vector)
{
  TopologyDescription description;
  description.kind = vector["topology"];
  const auto dims = vector["dims"].get<std::vector<std::int64_t>>();
  if (description.kind == "hypercube") {
    description.parameters.set("dimension", static_cast<std::int64_t>(dims.size()));
  } else {
    description.parameters.set("dims", dims);
  }
  return make_topology(description, {.routing = {}, .tie = vector.value("tie", "no_wrap")});
}

ScheduleRequest request_of(const json& vector, const Topology& topology)
{
  ScheduleRequest request;
  request.source = topology.node_at(vector["source"].get<std::vector<std::int64_t>>());
  request.message_bytes = vector["nblocks"];
  request.ports.count = vector["ports"] == "all" ? PortModel::all : vector["ports"].get<std::uint32_t>();
  for (const auto& [name, value] : vector["params"].items()) {
    if (value.is_string()) {
      request.parameters.set(name, value.get<std::string>());
    } else {
      request.parameters.set(name, value.get<std::int64_t>());
    }
  }
  return request;
}

class Comparator : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Comparator, IsReproduced)
{
  const json& vector = vectors()[GetParam()];
  SCOPED_TRACE(vector.dump());
  const auto topology = topology_of(vector);
  const Schedule schedule =
      make_schedule(find_algorithm(vector["algo"].get<std::string>()), *topology, request_of(vector, *topology));
  const CheckReport report = check_schedule(*topology, schedule);
  EXPECT_TRUE(report.valid());
  EXPECT_EQ(schedule.blocks, vector["nblocks"].get<std::uint64_t>());
  EXPECT_EQ(report.costs.alpha, vector["alpha"].get<std::uint64_t>());
  EXPECT_EQ(format_fraction(report.costs.beta), vector["beta"].get<std::string>());
  EXPECT_EQ(report.contended_pairs, vector["contended_pairs"].get<std::uint64_t>());
  EXPECT_EQ(report.contention_free, vector["contention_free"].get<bool>());
  EXPECT_EQ(report.costs.messages, vector["messages"].get<std::uint64_t>());
  EXPECT_EQ(report.costs.tcd, vector["tcd"].get<std::uint64_t>());
}

INSTANTIATE_TEST_SUITE_P(Golden, Comparator, ::testing::Range(std::size_t{0}, vectors().size()));

} // namespace
} // namespace wormcast
