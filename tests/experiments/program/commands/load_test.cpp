#include "tests/experiments/program/commands/load_config.hpp"
#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string load_config = loaded_mesh + R"(
[load]
points = [0.05, 0.02, 0.9]
saturation = false
)";

ProgramRun load(const TemporaryDirectory& directory, std::vector<std::string> options)
{
  options.insert(options.begin(), {"load", "c.toml"});
  return run_program(options, directory.path());
}

std::string refusal(const std::string& config)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config);
  const ProgramRun run = load(directory, {"--out", "out"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.out, "");
  return run.err;
}

TEST(LoadCommand, MeasuresTheListedPoints)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config);
  const ProgramRun run = load(directory, {"--out", "out", "--json", "load.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const Json json = Json::parse(read_file(directory.path() / "load.json"));
  EXPECT_EQ(json["format"], "wormcast-load/1");
  ASSERT_EQ(json["curves"].size(), 1U);
  const Json& curve = json["curves"][0];
  EXPECT_EQ(curve["setting"], Json::object());
  EXPECT_EQ(curve["config"]["traffic"]["bytes.from"], 16);
  // Start-up 1 us, 20 ns for each of 8/3 hops, 32 bytes of 10 ns.
  EXPECT_NEAR(curve["zero_load_us"].get<double>(), 1 + 0.02 * 8 / 3 + 0.32, 1e-6);
  EXPECT_EQ(curve["saturation"]["offered"], 0.05);
  EXPECT_EQ(curve["saturation"]["unstable_at"], 0.9);
  EXPECT_TRUE(curve["saturation"]["bracketed"]);
  EXPECT_TRUE(curve["saturation"]["monotone"]);
  const Json& points = curve["points"];
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0]["offered"], 0.02); // ascending
  const Json& first = points[0];
  EXPECT_TRUE(first["stable"]);
  EXPECT_EQ(first["messages"], 3000);
  EXPECT_EQ(first["verdict"], "stable");
  EXPECT_EQ(first["accepted"], 0.02); // all that was offered
  EXPECT_NEAR(first["delivered"].get<double>(), 0.02, 0.002);
  const Json& latency = first["latency_us"];
  EXPECT_GT(latency["mean"], curve["zero_load_us"]);
  EXPECT_LT(latency["low"], latency["mean"]);
  EXPECT_GT(latency["high"], latency["mean"]);
  EXPECT_LE(latency["p50"], latency["p95"]);
  EXPECT_LE(latency["p95"], latency["p99"]);
  EXPECT_LE(latency["p99"].get<double>(), latency["max"].get<double>() * 1.004);
  std::uint64_t count = 0;
  for (const Json& bucket : latency["histogram"]) {
    count += bucket[2].get<std::uint64_t>();
  }
  EXPECT_EQ(count, 3000U);
  EXPECT_LE(first["network_latency_us"]["mean"], latency["mean"]);
  EXPECT_TRUE(first["busiest_channel"]["channel"].is_string());
  EXPECT_FALSE(points[2]["stable"]); // and no latency is claimed
  EXPECT_EQ(points[2]["verdict"], "saturated");
  EXPECT_LT(points[2]["accepted"], 0.9);
  EXPECT_TRUE(points[2]["latency_us"].is_null());
  const std::string csv = read_file(directory.path() / "out/results.csv");
  EXPECT_THAT(csv, HasSubstr("offered,created,delivered,accepted,verdict,undecided_by,stable,latency_us.mean,"));
  EXPECT_THAT(csv, HasSubstr("\n0.9,"));
  EXPECT_THAT(run.out, HasSubstr("saturation between the loads 0.05 (stable) and 0.9 (saturated), one seed"));
  EXPECT_THAT(run.out, HasSubstr("out/results.csv"));
  EXPECT_THAT(read_file(directory.path() / "out/latency_load.gnuplot"), HasSubstr("offered load"));
}

// What is reported of nodes and pairs adds up to what is reported of the network.
TEST(LoadCommand, ReportsNodesAndPairs)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", with(load_config, "points = [0.05, 0.02, 0.9]", "points = [0.05, 0.9]"));
  const Json plain = Json::parse(load(directory, {"--out", "plain", "--json", "-"}).out)["curves"][0]["points"];
  const ProgramRun run = load(directory, {"--out", "out", "--set", "traffic.figures_of=pairs", "--json", "load.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("out/nodes.csv"), HasSubstr("out/pairs.csv")));
  const Json points = Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"];
  ASSERT_EQ(points.size(), 2U);
  const Json& point = points[0];
  EXPECT_FALSE(plain[0].contains("nodes"));
  EXPECT_EQ(point["latency_us"], plain[0]["latency_us"]);
  ASSERT_EQ(point["nodes"].size(), 16U);
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  double sum = 0;
  double sum_received = 0;
  double accepted = 0;
  double ejected = 0;
  double largest = 0;
  for (const Json& node : point["nodes"]) {
    sent += node["messages"].get<std::uint64_t>();
    received += node["received_messages"].get<std::uint64_t>();
    sum += node["messages"].get<double>() * node["latency_us"].get<double>();
    sum_received += node["received_messages"].get<double>() * node["received_latency_us"].get<double>();
    accepted += node["accepted"].get<double>() / 16;
    ejected += node["ejected"].get<double>() / 16;
    largest = std::max(largest, node["latency_max_us"].get<double>());
  }
  EXPECT_EQ(sent, 3000U);
  EXPECT_EQ(received, 3000U);
  const double mean = point["latency_us"]["mean"];
  EXPECT_NEAR(sum / 3000, mean, 1e-6 * mean);
  EXPECT_NEAR(sum_received / 3000, mean, 1e-6 * mean);
  EXPECT_NEAR(accepted, point["delivered"].get<double>(), 1e-6);
  EXPECT_NEAR(ejected, accepted, 1e-6);
  EXPECT_EQ(largest, point["latency_us"]["max"]);
  std::uint64_t of_pairs = 0;
  std::uint64_t from_first = 0;
  for (const Json& pair : point["pairs"]) {
    EXPECT_NE(pair["source"], pair["destination"]);
    of_pairs += pair["messages"].get<std::uint64_t>();
    from_first += pair["source"] == 0 ? pair["messages"].get<std::uint64_t>() : 0;
  }
  EXPECT_EQ(of_pairs, 3000U);
  EXPECT_EQ(from_first, point["nodes"][0]["messages"]);
  // A saturated network has no latencies, nor have its nodes
  EXPECT_TRUE(points[1]["nodes"][3]["latency_us"].is_null());
  EXPECT_GT(points[1]["nodes"][3]["accepted"], 0);
  EXPECT_TRUE(points[1]["pairs"][0]["latency_us"].is_null());
  const std::string nodes = read_file(directory.path() / "out/nodes.csv");
  EXPECT_THAT(nodes, HasSubstr("offered,node,name,messages,latency_us,latency_max_us,accepted,received_messages,"));
  EXPECT_EQ(std::ranges::count(nodes, '\n'), 1 + 2 * 16);
  EXPECT_THAT(read_file(directory.path() / "out/pairs.csv"),
              HasSubstr("offered,source,destination,messages,latency_us,latency_max_us\n0.05,0,1,"));
  // Without pairs, and with several jobs and axes
  const ProgramRun swept = load(directory, {"--out", "swept", "--jobs", "2", "--set", "traffic.figures_of=nodes",
                                            "--set", "sweep.traffic.pattern=uniform,transpose"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(read_file(directory.path() / "swept/nodes.csv"), HasSubstr("\ntranspose,0.05,"));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "swept/pairs.csv"));
}

// The messages of a point as a list, and what they waited for.
TEST(LoadCommand, WritesMessagesAndTracesOfOnePoint)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config);
  const std::vector<std::string> one = {"--unset",           "load",  "--set",
                                        "traffic.load=0.05", "--set", "traffic.measure=1000"};
  std::vector<std::string> options = one;
  options.insert(options.end(), {"--out", "out", "--messages", "list.json", "--trace", "t.jsonl", "--trace",
                                 "t.perfetto.json", "--json", "load.json"});
  const ProgramRun run = load(directory, options);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json point = Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"][0];
  const std::string list_config = std::string(loaded_mesh).substr(0, std::string(loaded_mesh).find("[traffic]")) +
                                  "[algorithm]\nname = \"schedule\"\nfile = \"list.json\"\n";
  directory.write("list.toml", list_config);
  const ProgramRun listed =
      run_program({"run", "list.toml", "--json", "run.json", "--trace", "own.jsonl"}, directory.path());
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  const Json result = Json::parse(read_file(directory.path() / "run.json"));
  EXPECT_GE(result["messages"].get<int>(), 1500); // with those of the warm-up
  const auto records = [&](const char* file) {    // all but the header, which has the configuration
    const std::string text = read_file(directory.path() / file);
    return text.substr(text.find('\n'));
  };
  EXPECT_EQ(records("t.jsonl"), records("own.jsonl"));
  const ProgramRun waits = run_program({"contention", "t.jsonl"}, directory.path());
  EXPECT_EQ(waits.exit_code, 0) << waits.err;
  EXPECT_FALSE(Json::parse(read_file(directory.path() / "t.perfetto.json")).empty());
  EXPECT_EQ(point["messages"], 1000);

  EXPECT_THAT(load(directory, {"--out", "out", "--trace", "t.jsonl"}).err,
              HasSubstr("--trace: found several points or a sweep, expected one point"));
  options = one;
  options.insert(options.end(), {"--out", "out", "--messages", "-"});
  EXPECT_THAT(load(directory, options).err, HasSubstr("--messages: found \"-\", expected a file"));
  options = one;
  options.insert(options.end(), {"--out", "self", "--messages", "m.json", "--set", "traffic.include_self=true"});
  EXPECT_EQ(load(directory, options).exit_code, 2);
}

// With shared channels, where flits wait for slots, and in the pipelines of the other router, too.
TEST(LoadCommand, ExplainsWhereTheTimeOfAllMessagesWent)
{
  const std::vector<std::vector<std::string>> networks = {
      {},
      {"network.virtual_channels=2", "network.buffer_flits=1"},
      {"network.router=input_queued", "network.startup=0us", "network.virtual_channels=2", "network.buffer_flits=8"}};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const TemporaryDirectory directory;
    directory.write("c.toml", i < 2 ? load_config : with(load_config, "per_hop = \"20ns\"\n", ""));
    std::vector<std::string> options = {"--unset",   "load",  "--set", "traffic.load=0.05", "--explain", "--json",
                                        "load.json", "--out", "out"};
    for (const std::string& setting : networks[i]) {
      options.insert(options.end(), {"--set", setting});
    }
    const ProgramRun run = load(directory, options);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out,
                AllOf(HasSubstr("3000 messages, "), HasSubstr("where the time went"), HasSubstr("mean of all")));
    const Json point = Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"][0];
    const Json& explanation = point["explanation"];
    EXPECT_EQ(explanation["messages"], 3000);
    const auto total = [](const Json& sums) {
      double all = 0;
      for (const Json& sum : sums) {
        all += sum.get<double>();
      }
      return all;
    };
    const double mean = point["latency_us"]["mean"];
    EXPECT_NEAR(total(explanation["mean_sums"]), mean, 2e-6 * mean) << i;
    const double largest = point["latency_us"]["max"];
    EXPECT_NEAR(total(explanation["slowest"]["sums"]), largest, 1e-6 * largest) << i;
    EXPECT_GT(explanation["mean_sums"]["step_wait_us"], 0);
    if (i < 2) {
      EXPECT_NEAR(explanation["mean_sums"]["startup_us"].get<double>(), 1, 1e-6);
    }
  }
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config);
  const ProgramRun saturated =
      load(directory, {"--unset", "load", "--set", "traffic.load=0.9", "--explain", "--out", "out"});
  EXPECT_EQ(saturated.exit_code, 2);
  EXPECT_THAT(saturated.err, HasSubstr("--explain: there is no latency at the load 0.9, which is saturated"));
}

TEST(LoadCommand, SearchesTheSaturation)
{
  const TemporaryDirectory directory;
  directory.write("c.toml",
                  with(with(load_config, "points = [0.05, 0.02, 0.9]\nsaturation = false", "precision = 0.05"),
                       "measure = 3000", "precision = 0.1"));
  const ProgramRun run = load(directory, {"--out", "out", "--json", "-"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json curve = Json::parse(run.out)["curves"][0];
  const double stable = curve["saturation"]["offered"];
  const double saturated = curve["saturation"]["unstable_at"];
  EXPECT_LT(stable, saturated);
  EXPECT_LE(saturated - stable, 0.05 * saturated); // load.precision, not that of the intervals
  EXPECT_GE(curve["saturation"]["accepted"].get<double>(), stable);
  for (const Json& point : curve["points"]) {
    EXPECT_LE(point["accepted"].get<double>(), point["offered"].get<double>());
    if (point["offered"] <= stable) {
      EXPECT_EQ(point["verdict"], "stable");
    } else if (point["offered"] >= saturated) {
      EXPECT_EQ(point["verdict"], "saturated");
    }
  }
}

TEST(LoadCommand, GivesTheSameBytesForAnyNumberOfJobsAndAfterResuming)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config + "[sweep]\n\"traffic.pattern\" = [\"uniform\", \"transpose\"]\n"
                                          "\"network.virtual_channels\" = [1, 2]\n");
  ASSERT_EQ(load(directory, {"--out", "one", "--json", "one.json", "--jobs", "1"}).exit_code, 0);
  ASSERT_EQ(load(directory, {"--out", "three", "--json", "three.json", "--jobs", "3"}).exit_code, 0);
  const auto same = [&](const std::string& other) {
    EXPECT_EQ(read_file(directory.path() / "one.json"), read_file(directory.path() / (other + ".json")));
    for (const char* name : {"results.csv", "latency_load.gnuplot"}) {
      EXPECT_EQ(read_file(directory.path() / "one" / name), read_file(directory.path() / other / name)) << name;
    }
  };
  same("three");
  const Json json = Json::parse(read_file(directory.path() / "one.json"));
  ASSERT_EQ(json["curves"].size(), 4U);
  EXPECT_EQ(json["curves"][1]["setting"], (Json{{"traffic.pattern", "uniform"}, {"network.virtual_channels", "2"}}));
  EXPECT_EQ(json["curves"][2]["points"][0]["silent_nodes"], 4);

  // Nothing of it is measured again, and further points alone are.
  ASSERT_EQ(load(directory, {"--out", "resumed", "--set", "load.points=[0.02, 0.9]"}).exit_code, 0);
  const ProgramRun resumed = load(directory, {"--out", "resumed", "--json", "resumed.json", "--resume", "--verbose"});
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_THAT(resumed.err, HasSubstr("4 points computed, 8 kept from before"));
  Json kept = Json::parse(read_file(directory.path() / "resumed.json"));
  EXPECT_EQ(kept, json);
  EXPECT_EQ(load(directory, {"--out", "one"}).exit_code, 2); // holds results
}

TEST(LoadCommand, TakesTheFormsOfLengthsAndHotSpots)
{
  const TemporaryDirectory directory;
  const auto measured = [&](const std::string& bytes, const std::string& pattern) {
    directory.write("c.toml",
                    with(with(load_config, "bytes = { from = 16, to = 48 }", bytes), "pattern = \"uniform\"", pattern));
    const ProgramRun run = load(directory, {"--out", "out", "--json", "-", "--resume", "--set", "load.points=[0.02]"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out)["curves"][0];
  };
  const double zero = measured("bytes = 32", "pattern = \"uniform\"")["zero_load_us"];
  EXPECT_EQ(measured("bytes = { mean = 32 }", "pattern = \"uniform\"")["zero_load_us"], zero);
  EXPECT_EQ(measured("bytes = [{ bytes = 8, weight = 3 }, { bytes = 104, weight = 1 }]",
                     "pattern = \"uniform\"")["zero_load_us"],
            zero);
  const Json hot = measured("bytes = 32", "pattern = \"hot_spot\"\nhot_spot = { nodes = [0, 15], share = 0.5 }");
  EXPECT_EQ(hot["config"]["traffic"]["hot_spot.nodes"], (Json{0, 15}));
  EXPECT_EQ(measured("bytes = 32", "pattern = \"hot_spot\"\nhot_spot.nodes = [0, 15]\nhot_spot.share = 0.5"), hot);
  directory.write("weights.txt", "0 5 1\n3 5 2 # both to one node\n");
  EXPECT_EQ(measured("bytes = 32", "pattern = \"file\"\nfile = \"weights.txt\"")["points"][0]["silent_nodes"], 14);
}

TEST(LoadCommand, RefusesWhatDoesNotFit)
{
  EXPECT_THAT(refusal(with(load_config, "\"uniform\"", "\"unifrom\"")), HasSubstr("did you mean \"uniform\"?"));
  EXPECT_THAT(refusal(with(load_config, "\"uniform\"", "\"hot_spot\"")),
              HasSubstr("hot_spot.nodes: missing, pattern \"hot_spot\" needs it"));
  EXPECT_THAT(refusal(with(load_config, "\"uniform\"", "\"uniform\"\nhot_spot.share = 0.1")),
              HasSubstr("only \"hot_spot\" has it"));
  EXPECT_THAT(refusal(with(load_config, "\"uniform\"", "\"hot_spot\"\nhot_spot = { nodes = [16], share = 0.1 }")),
              HasSubstr("found 16, expected nodes from 0 to 15"));
  EXPECT_THAT(refusal(with(load_config, "\"uniform\"", "\"hot_spot\"\nhot_spot = { nodse = [1], share = 0.1 }")),
              HasSubstr("c.toml:13:14: traffic.hot_spot.nodse: unknown key"));
  EXPECT_THAT(refusal(with(load_config, "bytes = { from = 16, to = 48 }", "")), HasSubstr("bytes: missing"));
  EXPECT_THAT(refusal(with(load_config, "{ from = 16, to = 48 }", "{ from = 64, to = 48 }")),
              HasSubstr("from of at most to"));
  EXPECT_THAT(refusal(with(load_config, "dims = [4, 4]", "dims = [6, 4]") + "[sweep]\n\"traffic.pattern\" = "
                                                                            "[\"transpose\"]\n"),
              HasSubstr("pattern: \"transpose\" needs a square or 2^b nodes with an even b, but the mesh 6 x 4"));
  EXPECT_THAT(refusal(with(load_config, "0.9]", "-0.9]")),
              HasSubstr("load.points: found [0.05, 0.02, -0.9], expected"));
  EXPECT_THAT(refusal(with(with(load_config, "dims = [4, 4]", "dims = [65, 64]"), "\"uniform\"",
                           "\"uniform\"\nfigures_of = \"pairs\"")),
              HasSubstr("traffic.figures_of: found \"pairs\" of 4160 nodes, expected at most 4096 nodes"));
  EXPECT_THAT(refusal(with(load_config, "measure = 3000", "measure = 30")),
              HasSubstr("a number of messages of at least 1000, or \"auto\""));
  EXPECT_THAT(refusal(with(with(load_config, "\"uniform\"", "\"uniform\"\ninclude_self = true"), "per_hop",
                           "ports = \"all\"\nper_hop")),
              HasSubstr("c.toml:14:16: traffic.include_self: messages to their own sender need a port"));
  EXPECT_THAT(refusal(with(with(load_config, "\"uniform\"", "\"uniform\"\narrival = \"bernoulli\""), "0.9]", "999]")),
              AllOf(HasSubstr("load.points: found 999, which is more than one message in a flit time"),
                    HasSubstr("expected at most")));
  EXPECT_THAT(refusal(load_config + "[algorithm]\nname = \"flooding\"\n"), HasSubstr("[algorithm]"));
  const auto refused_set = [](const std::string& value) {
    const TemporaryDirectory directory;
    directory.write("c.toml", load_config);
    const ProgramRun run = load(directory, {"--out", "out", "--set", value});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "out"));
    return run.err;
  };
  for (const char* table : {"{ mean = 32 }", "[{ bytes = 8, weight = 1 }]"}) {
    EXPECT_THAT(refused_set(std::string("traffic.bytes=") + table),
                HasSubstr("--set: traffic.bytes: found a table, which only a file can have"));
  }
  EXPECT_THAT(refused_set("traffic.bytes=-5"), HasSubstr("--set: traffic.bytes: found -5, expected a whole number"));
  for (const char* number : {"nan", "inf", "-1", "0", "1e300", "much"}) {
    EXPECT_THAT(refused_set(std::string("traffic.precision=") + number),
                HasSubstr("expected a number above 0 up to 1"));
    EXPECT_THAT(refused_set(std::string("load.points=[") + number + "]"), HasSubstr("--set: load.points: "));
  }
  EXPECT_THAT(refused_set("traffic.drain=-1us"), HasSubstr("--set: traffic.drain: \"-1us\" is negative"));
  EXPECT_THAT(refused_set("traffic.warm_up=-5"), HasSubstr("--set: traffic.warm_up: found -5, expected a time"));
  EXPECT_THAT(refused_set("network.routing=west_frist"), HasSubstr("found \"west_frist\", expected one of"));
  EXPECT_THAT(refused_set("network.routing=west_first"), HasSubstr("only router \"input_queued\" has this value"));
  EXPECT_THAT(refused_set("network.virtual_channels=99999999999"), HasSubstr("expected a whole number from 1 to 16"));
  EXPECT_THAT(refusal(load_config + "[run]\nstart_jitter = \"1us\"\n"), HasSubstr("run.start_jitter"));
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config);
  const ProgramRun run = run_program({"run", "c.toml"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("which \"wormcast load\" alone measures"));
}

TEST(LoadCommand, IsNamedByCommandsThatRunOneOperation)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config + "[sweep]\n\"run.seed\" = [1, 2]\n");
  for (const char* command : {"run", "check", "view"}) {
    const ProgramRun run = run_program({command, "c.toml"}, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("use `wormcast load c.toml`")) << command;
  }
}

TEST(LoadCommand, SaysThatANetworkComesToAStop)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", with(with(load_config, "kind = \"mesh\"\ndims = [4, 4]", "kind = \"torus\"\ndims = [8]"),
                                 "\"uniform\"", "\"tornado\""));
  const ProgramRun run = load(directory, {"--out", "out", "--json", "load.json"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("messages cannot be delivered; these wait for each other:"));
  const Json points = Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"];
  EXPECT_EQ(points.back()["state"], "deadlock");
}

/// The first point of a configuration, and what was printed.
std::pair<Json, std::string> first_point(const std::string& config)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config);
  const ProgramRun run = load(directory, {"--out", "out", "--json", "load.json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return {Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"][0], run.out};
}

TEST(LoadCommand, SaysWhyAPointIsUndecided)
{
  const std::string low = with(load_config, "[0.05, 0.02, 0.9]", "[0.1]");
  const auto [stable, stable_text] = first_point(low);
  EXPECT_EQ(stable["verdict"], "stable");
  EXPECT_EQ(stable["undecided_by"], nullptr);
  const auto [drained, drain_text] = first_point(with(low, "measure = 3000", "measure = 3000\ndrain = \"0ns\""));
  EXPECT_EQ(drained["verdict"], "undecided");
  EXPECT_EQ(drained["stable"], nullptr);
  EXPECT_EQ(drained["undecided_by"], "drain");
  EXPECT_EQ(drained["latency_us"], nullptr);
  EXPECT_THAT(drain_text, HasSubstr("give a longer traffic.drain"));
  const auto [few, few_text] = first_point(with(low, "measure = 3000", "measure = \"20us\""));
  EXPECT_EQ(few["undecided_by"], "messages");
  EXPECT_THAT(few_text, AllOf(HasSubstr("fewer than 1000 messages were generated"),
                              HasSubstr("saturation not bracketed: nothing is decided from 0.1 to 0.1")));
  const auto [saturated, saturated_text] = first_point(with(load_config, "[0.05, 0.02, 0.9]", "[0.9]"));
  EXPECT_EQ(saturated["verdict"], "saturated");
  // The mean of a window that is too short for an interval is given without one.
  const auto [mean, mean_text] = first_point(with(with(low, "[0.1]", "[0.2]"), "measure = 3000", "measure = 1000"));
  EXPECT_EQ(mean["undecided_by"], "correlation");
  EXPECT_GT(mean["latency_us"]["mean"], 1.0);
  EXPECT_EQ(mean["latency_us"]["low"], nullptr);
  EXPECT_THAT(mean_text, HasSubstr("undecided (correlation)"));
}

TEST(LoadCommand, SaysWhereASaturationLiesThatIsNotBracketed)
{
  EXPECT_THAT(first_point(with(load_config, "[0.05, 0.02, 0.9]", "[0.02, 0.05]")).second,
              HasSubstr("saturation not bracketed: no load is saturated; it lies above 0.05, the largest stable load"));
  EXPECT_THAT(first_point(with(load_config, "[0.05, 0.02, 0.9]", "[0.8, 0.9]")).second,
              HasSubstr("saturation not bracketed: no load is stable; it lies below 0.8, the smallest saturated load"));
}

TEST(LoadCommand, RepeatsCurvesWithSeeds)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config + "[run]\nseed = 7\n");
  const ProgramRun run = load(directory, {"--repeat", "3", "--out", "one", "--json", "one.json", "--jobs", "1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(read_file(directory.path() / "one.json"));
  ASSERT_EQ(json["curves"].size(), 3U);
  std::vector<double> means;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(json["curves"][i]["setting"]["run.seed"], std::to_string(7 + i));
    means.push_back(json["curves"][i]["points"][1]["latency_us"]["mean"]);
  }
  ASSERT_EQ(json["repetitions"].size(), 1U);
  const Json& repeated = json["repetitions"][0];
  EXPECT_EQ(repeated["setting"], Json::object());
  EXPECT_EQ(repeated["seeds"], 3);
  ASSERT_EQ(repeated["points"].size(), 3U);
  const Json& point = repeated["points"][1];
  EXPECT_EQ(point["offered"], 0.05);
  EXPECT_EQ(point["stable"], 3);
  const double mean = (means[0] + means[1] + means[2]) / 3;
  double squares = 0;
  for (const double value : means) {
    squares += (value - mean) * (value - mean);
  }
  EXPECT_NEAR(point["latency_us"]["mean"].get<double>(), mean, 1e-6);
  EXPECT_NEAR(point["latency_us"]["high"].get<double>() - mean, 4.302653 * std::sqrt(squares / 2 / 3), 1e-5);
  EXPECT_EQ(repeated["points"][2]["latency_us"], nullptr); // saturated
  // The loads between which it lies are far apart: the interval says so.
  EXPECT_EQ(repeated["saturation"]["low"], 0.05);
  EXPECT_EQ(repeated["saturation"]["high"], 0.9);
  EXPECT_THAT(run.out, HasSubstr("95 % interval 0.05 .. 0.9 over 3 seeds"));
  const std::string statistics = read_file(directory.path() / "one/statistics.csv");
  EXPECT_THAT(statistics, HasSubstr("offered,quantity,runs,not_done,mean,median,standard_deviation,interval_low,"));
  EXPECT_THAT(statistics, HasSubstr("\n0.05,latency_us.mean,3,0,"));
  EXPECT_THAT(statistics, ::testing::Not(HasSubstr("\n0.9,latency_us.mean,")));
  EXPECT_THAT(read_file(directory.path() / "one/latency_load.gnuplot"), HasSubstr("mean latency over the seeds"));

  // One seed's curve is measured already; the rest, in another number of processes, gives the same.
  directory.write("c.toml", load_config + "[run]\nseed = 8\n");
  ASSERT_EQ(load(directory, {"--out", "two"}).exit_code, 0);
  directory.write("c.toml", load_config + "[run]\nseed = 7\n");
  const ProgramRun resumed =
      load(directory, {"--repeat", "3", "--out", "two", "--json", "two.json", "--jobs", "3", "--resume", "--verbose"});
  EXPECT_THAT(resumed.err, HasSubstr("6 points computed, 3 kept from before"));
  EXPECT_EQ(read_file(directory.path() / "two.json"), read_file(directory.path() / "one.json"));
  for (const char* name : {"statistics.csv", "results.csv", "latency_load.gnuplot"}) {
    EXPECT_EQ(read_file(directory.path() / "one" / name), read_file(directory.path() / "two" / name)) << name;
  }
  const ProgramRun none = load(directory, {"--repeat", "0", "--out", "none"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--repeat: found 0, expected a number of seeds"));
  // They are drawn again without measuring.
  const std::string drawn = read_file(directory.path() / "one/latency_load.gnuplot");
  std::filesystem::remove(directory.path() / "one/latency_load.gnuplot");
  const ProgramRun plot = run_program({"plot", "one"}, directory.path());
  ASSERT_EQ(plot.exit_code, 0) << plot.err;
  EXPECT_THAT(plot.out, HasSubstr("one/latency_load.svg\n"));
  EXPECT_EQ(read_file(directory.path() / "one/latency_load.gnuplot"), drawn);
}

TEST(LoadCommand, DrawsOtherFigures)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", load_config + "[sweep]\n\"network.virtual_channels\" = [1, 2]\n[[plot]]\nname = \"a\"\n");
  ASSERT_EQ(load(directory, {"--out", "o", "--plot", "x=accepted", "--set", "plot.title=Figure 5"}).exit_code, 0);
  const auto script = [&](const std::string& name) { return read_file(directory.path() / "o" / (name + ".gnuplot")); };
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "o/latency_load.svg"));
  EXPECT_THAT(script("a"),
              AllOf(HasSubstr("'Figure 5'"), HasSubstr("'virtual_channels = 2'"), HasSubstr("yerrorbars")));
  // Marks have the colour of their curve; the network is in the title, but for what varies.
  EXPECT_THAT(script("a"), HasSubstr("with lines linewidth 1.2 dashtype 3 linecolor rgb '#D55E00'"));
  const std::string accepted = script("latency_us_mean-accepted");
  EXPECT_THAT(accepted, AllOf(HasSubstr("\"accepted load ("), HasSubstr("'mesh "), HasSubstr("uniform traffic,"),
                              HasSubstr("messages of 32 B on average'"), ::testing::Not(HasSubstr("V = "))));
  const auto plot = [&](const std::string& text) {
    return run_program({"plot", "o", "--plot", text}, directory.path());
  };
  ASSERT_EQ(plot("y=latency_us.p99, scale=log_y, name=p").exit_code, 0);
  EXPECT_THAT(script("p"), AllOf(HasSubstr("'99th percentile of the latency (us)'"), HasSubstr("set logscale y")));
  ASSERT_EQ(plot("y=accepted, name=t").exit_code, 0);
  EXPECT_THAT(script("t"), HasSubstr("\n0.9 ")); // saturated points accept something, too
  const ProgramRun unknown = plot("y=latency_us.p98");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("plot.y: found \"latency_us.p98\""));
  EXPECT_THAT(unknown.err, HasSubstr("did you mean \"latency_us.p9"));
  EXPECT_THAT(refusal(load_config + "[plot]\nx = \"acepted\"\n"), HasSubstr("did you mean \"accepted\"?"));
}

TEST(LoadCommand, AWindowWithoutMessagesIsNoSaturation)
{
  const std::string early =
      with(with(load_config, "warm_up = 500", "warm_up = 1"), "measure = 3000", "measure = \"32ps\"");
  const TemporaryDirectory directory;
  directory.write("c.toml", early);
  const ProgramRun run = load(directory, {"--out", "out"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("no message was generated at a load of"));
  EXPECT_THAT(run.out, HasSubstr("not measured"));
}

TEST(LoadCommand, LongMessagesAmongShortOnesAreWaitedFor)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", with(with(with(load_config, "{ from = 16, to = 48 }",
                                           "[{ bytes = 8, weight = 1000 }, { bytes = 1000000, weight = 1 }]"),
                                      "dims = [4, 4]", "dims = [2]"),
                                 "[0.05, 0.02, 0.9]", "[0.3]"));
  const ProgramRun run = load(directory, {"--out", "out", "--json", "load.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json point = Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"][0];
  EXPECT_GT(point["created"].get<double>(), 0.0);
  EXPECT_GT(point["measured_us"].get<double>(), 0.0);
}

TEST(LoadCommand, TakesLoadsFromOnePlace)
{
  EXPECT_THAT(refusal(with(load_config, "[load]", "load = 0.1\n[load]")),
              HasSubstr("traffic.load: found a load beside load.points, expected one of them"));
}

} // namespace
} // namespace wormcast::testing
