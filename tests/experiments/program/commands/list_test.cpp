#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;

std::set<std::string> names(const Json& list)
{
  std::set<std::string> found;
  for (const Json& item : list) {
    EXPECT_FALSE(item["summary"].get<std::string>().empty());
    EXPECT_FALSE(item["source"].get<std::string>().empty());
    found.insert(item["name"]);
  }
  return found;
}

TEST(ListCommand, Topologies)
{
  const Json list = Json::parse(run_program({"list", "topologies", "--json"}).out)["topologies"];
  EXPECT_TRUE(names(list).contains("mesh") && names(list).contains("torus"));
  const Json& dims = list[0]["parameters"][0];
  EXPECT_EQ(dims["name"], "dims");
  EXPECT_TRUE(dims["required"]);
}

TEST(ListCommand, Algorithms)
{
  const auto found = names(Json::parse(run_program({"list", "algorithms", "--json"}).out)["algorithms"]);
  EXPECT_TRUE(found.contains("recursive_doubling") && found.contains("scatter_collect") &&
              found.contains("recursion_based"));
}

TEST(ListCommand, SectionsOfAConfiguration)
{
  const Json network = Json::parse(run_program({"list", "network", "--json"}).out)["network"];
  EXPECT_EQ(network[0]["parameters"][0]["name"], "router");
  EXPECT_EQ(network[1]["name"], "router \"wormhole\"");
  EXPECT_EQ(network[1]["parameters"][0]["name"], "startup");
  EXPECT_TRUE(network[1]["parameters"][0]["required"]);
  EXPECT_EQ(network[2]["name"], "router \"input_queued\"");
  const auto has = [](const Json& router, const char* key) {
    return std::ranges::any_of(router["parameters"], [&](const Json& parameter) { return parameter["name"] == key; });
  };
  EXPECT_TRUE(has(network[1], "per_hop") && !has(network[1], "credit_delay"));
  EXPECT_TRUE(has(network[2], "credit_delay") && !has(network[2], "per_hop"));
  EXPECT_NE(run_program({"list", "run"}).out.find("  parameter   mode: "), std::string::npos);
  EXPECT_NE(run_program({"list", "mpi"}).out.find("  parameter   envelope: "), std::string::npos);
}

TEST(ListCommand, Text)
{
  const ProgramRun result = run_program({"list", "algorithms"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("\nrecursion_based\n  operation   broadcast, reduce, all_reduce, multicast\n"),
            std::string::npos)
      << result.out;
  EXPECT_NE(run_program({"list", "topologies"}).out.find("  parameter   dims: "), std::string::npos);
}

} // namespace
} // namespace wormcast::testing
