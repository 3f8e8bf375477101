// The page of `wormcast view`: what its data says of the run.

#include "tests/experiments/program/commands/view_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

/// What tells occupancies apart: resource, message, beginning and end.
using Occupancy = std::tuple<std::uint64_t, std::uint64_t, double, double>;

std::uint64_t resource_number(const Json& record, std::uint64_t channels)
{
  const bool external = record["resource"] == "external";
  return external ? record["channel_id"].get<std::uint64_t>()
                  : channels + 2 * record["node"].get<std::uint64_t>() + (record["resource"] == "ejection" ? 1 : 0);
}

TEST_F(ViewCommand, HoldsTheRecordsOfTheRun)
{
  make(contended);
  const auto channels = header["channels"].get<std::uint64_t>();
  std::vector<Occupancy> expected;
  for (const Json& record : records["occupancy"]) {
    expected.emplace_back(resource_number(record, channels), record["message"], record["from_us"], record["to_us"]);
  }
  std::vector<Occupancy> shown;
  const Json& occupancy = data["occupancy"];
  for (std::size_t i = 0; i < occupancy["message"].size(); ++i) {
    shown.emplace_back(occupancy["resource"][i], occupancy["message"][i], occupancy["from_us"][i],
                       occupancy["to_us"][i]);
  }
  EXPECT_TRUE(std::ranges::is_sorted(occupancy["from_us"]));
  std::ranges::sort(expected);
  std::ranges::sort(shown);
  ASSERT_GT(expected.size(), 100U);
  EXPECT_EQ(shown, expected);

  std::vector<std::tuple<std::string, Occupancy, std::uint64_t>> waits;
  for (const Json& record : records["contention"]) {
    waits.emplace_back(
        record["kind"],
        Occupancy(resource_number(record, channels), record["waiting"]["message"], record["from_us"], record["to_us"]),
        record["holding"]["message"]);
  }
  std::vector<std::tuple<std::string, Occupancy, std::uint64_t>> shown_waits;
  const Json& list = data["waits"];
  for (std::size_t i = 0; i < list["kind"].size(); ++i) {
    shown_waits.emplace_back(list["kind"][i],
                             Occupancy(list["resource"][i], list["waiting"][i], list["from_us"][i], list["to_us"][i]),
                             list["holding"][i]);
  }
  std::ranges::sort(waits);
  std::ranges::sort(shown_waits);
  ASSERT_GT(waits.size(), 10U);
  EXPECT_EQ(shown_waits, waits);
}

TEST_F(ViewCommand, HoldsTheNetworkAndTheMessages)
{
  make(contended);
  EXPECT_EQ(data["format"], "wormcast-view/1");
  EXPECT_EQ(data["title"], "mesh 8 x 8, recursion_based");
  EXPECT_EQ(data["notes"], Json::array());
  EXPECT_EQ(data["deadlock"], nullptr);
  EXPECT_EQ(data["config"], header["config"]);
  EXPECT_EQ(data["end_us"], records["end"].front()["latency_us"]);
  EXPECT_EQ(data["nodes"]["x"][10], 2);
  EXPECT_EQ(data["nodes"]["y"][10], 1);
  EXPECT_EQ(data["nodes"]["name"][10], "(2, 1)");
  EXPECT_EQ(data["channels"]["from"].size(), header["channels"]);
  EXPECT_EQ(data["channels"]["bent"], Json::array());
  const std::vector<Json>& messages = records["message"];
  ASSERT_EQ(data["messages"]["id"].size(), messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    for (const char* key : {"id", "step", "src", "dst", "bytes"}) {
      EXPECT_EQ(data["messages"][key][i], messages[i][key]);
    }
  }
  EXPECT_EQ(data["messages"]["delivered_us"], delivered);
}

TEST_F(ViewCommand, NodesFillAsMessagesArrive)
{
  make(contended);
  const Json& nodes = data["nodes"];
  std::vector<std::uint64_t> held = nodes["start"];
  EXPECT_EQ(std::ranges::count(held, 0U), 63) << "only the source begins with blocks";
  EXPECT_EQ(held[2 + 8 * 5], nodes["wanted"][0]);
  const Json& progress = data["progress"];
  EXPECT_TRUE(std::ranges::is_sorted(progress["at_us"]));
  for (std::size_t i = 0; i < progress["node"].size(); ++i) {
    auto& node = held[progress["node"][i].get<std::size_t>()];
    EXPECT_GT(progress["held"][i], node);
    node = progress["held"][i];
  }
  EXPECT_EQ(Json(held), nodes["wanted"]);
  EXPECT_EQ(progress["at_us"].back(), data["end_us"]);
}

TEST_F(ViewCommand, StepsBeginWithAPortAndEndWithADelivery)
{
  make(folder.write("c.toml", small_config).string());
  std::map<std::uint64_t, std::tuple<std::uint64_t, double, double>> expected;
  for (const Json& message : records["message"]) {
    auto& [count, from, to] = expected.try_emplace(message["step"], 0, 1e300, 0).first->second;
    ++count;
    to = std::max(to, delivered[message["id"].get<std::size_t>()].get<double>());
  }
  for (const Json& record : records["occupancy"]) {
    double& from = std::get<1>(expected.at(record["step"]));
    from = std::min(from, record["from_us"].get<double>());
  }
  const Json& steps = data["steps"];
  ASSERT_EQ(steps["step"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::tuple(steps["messages"][i].get<std::uint64_t>(), steps["from_us"][i].get<double>(),
                         steps["to_us"][i].get<double>()),
              expected.at(steps["step"][i]));
  }
}

TEST_F(ViewCommand, ADeadlockIsShownUpToItsEnd)
{
  make(WORMCAST_CONFIGS "/torus_ring_deadlock.toml", 4);
  EXPECT_THAT(data["deadlock"].get<std::string>(), HasSubstr("6 of 6 messages cannot be delivered"));
  EXPECT_EQ(data["unit"], "message");
  EXPECT_EQ(data["steps"]["step"], Json::array());
  ASSERT_EQ(data["waits"]["to_us"].size(), 6U);
  for (const Json& to : data["waits"]["to_us"]) {
    EXPECT_EQ(to, data["end_us"]);
  }
  EXPECT_EQ(data["occupancy"]["message"].size(), records["occupancy"].size());
  EXPECT_GE(records["occupancy"].size(), 12U) << "each message keeps its port and its channels";
}

TEST_F(ViewCommand, LargeRunsAreThinnedWithANote)
{
  const std::string config = folder.write("c.toml", with(small_config, "[4, 4]", "[128, 128]")).string();
  const ProgramRun run = run_program({"view", config, "--out", "view.html"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json page = page_data(read_file(folder.path() / "view.html"));
  ASSERT_EQ(page["notes"].size(), 1U);
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("messages are drawn as worms"));
  EXPECT_THAT(run.err, HasSubstr(page["notes"][0].get<std::string>()));
  EXPECT_LT(page["occupancy"]["message"].size(), 160'000U);
  EXPECT_GT(page["occupancy"]["message"].size(), 100'000U);
  std::vector<std::uint64_t> held = page["nodes"]["start"];
  for (std::size_t i = 0; i < page["progress"]["node"].size(); ++i) {
    held[page["progress"]["node"][i].get<std::size_t>()] = page["progress"]["held"][i];
  }
  EXPECT_EQ(Json(held), page["nodes"]["wanted"]) << "nodes fill with all messages, drawn or not";
}

TEST_F(ViewCommand, ShowsEveryKindOfTopology)
{
  const auto shows = [&](const std::string& config, std::size_t nodes, std::size_t bent) {
    SCOPED_TRACE(config);
    const ProgramRun run = run_program({"view", config, "--out", "view.html"}, folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Json page = page_data(read_file(folder.path() / "view.html"));
    ASSERT_EQ(page["nodes"]["x"].size(), nodes);
    EXPECT_EQ(page["channels"]["bent"].size(), bent);
    for (std::size_t node = 0; node < nodes; ++node) {
      EXPECT_GE(page["nodes"]["x"][node], 0);
      EXPECT_LT(page["nodes"]["x"][node], 100);
    }
  };
  shows(WORMCAST_CONFIGS "/graph_flooding.toml", 10, 0);
  shows(WORMCAST_CONFIGS "/petersen_all_to_all.toml", 10, 0);
  shows(WORMCAST_CONFIGS "/torus_dominating_nodes.toml", 256, 64);
  shows(WORMCAST_CONFIGS "/mesh_recursive_doubling.toml", 180, 240);
  const std::string hypercube =
      "[topology]\nkind = \"hypercube\"\ndimension = 5\n[network]\nstartup = \"1us\"\nper_byte = "
      "\"1ns\"\n[algorithm]\nname = \"bfs_tree\"\n[message]\nbytes = 64\n";
  shows(folder.write("h.toml", hypercube).string(), 32, 0);
}

TEST_F(ViewCommand, RefusesWhatItCannotShow)
{
  const auto refused = [&](const std::string& config, const std::string& message) {
    const ProgramRun run = run_program({"view", config, "--out", "view.html"}, folder.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "view.html"));
  };
  refused(WORMCAST_CONFIGS "/figure4.toml", "found a sweep, but `wormcast view` takes one value of each key");
  refused(folder.write("large.toml", with(small_config, "[4, 4]", "[512, 256]")).string(),
          "mesh 512 x 256 has 131072 nodes, expected at most 65536 in a page");
}

TEST_F(ViewCommand, ThePageNeedsNoOtherFile)
{
  folder.write("<b>.json", read_file(WORMCAST_CONFIGS "/message_list.json"));
  const std::string config = with(read_file(WORMCAST_CONFIGS "/message_list.toml"), "message_list.json", "<b>.json");
  make(folder.write("c.toml", config).string());
  EXPECT_EQ(data["title"], "mesh 4 x 4, <b>.json");
  const std::string page = read_file(folder.path() / "view.html");
  for (const char* reference : {"src=", "href=", "url(", "http:", "https:", "@import", "{{", "<b>"}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

TEST_F(ViewCommand, APageIsNamedAfterItsConfiguration)
{
  const std::string config = folder.write("small.toml", small_config).string();
  const ProgramRun run = run_program({"view", config}, folder.path());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("the page is small.html"));
  EXPECT_EQ(page_data(read_file(folder.path() / "small.html"))["title"], "mesh 4 x 4, recursion_based");
}

} // namespace
} // namespace wormcast::testing
