#include "tests/experiments/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string load_config = R"([topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "1us"
per_hop = "20ns"
per_byte = "10ns"
buffer_flits = 4

[traffic]
pattern = "uniform"
bytes = { from = 16, to = 48 }
warm_up = 500
measure = 3000

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
  const Json& points = curve["points"];
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0]["offered"], 0.02); // ascending
  const Json& first = points[0];
  EXPECT_TRUE(first["stable"]);
  EXPECT_EQ(first["messages"], 3000);
  EXPECT_NEAR(first["accepted"].get<double>(), 0.02, 0.002);
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
  EXPECT_TRUE(points[2]["latency_us"].is_null());
  const std::string csv = read_file(directory.path() / "out/results.csv");
  EXPECT_THAT(csv, HasSubstr("offered,created,accepted,stable,saturated_by,latency_us.mean,"));
  EXPECT_THAT(csv, HasSubstr("\n0.9,"));
  EXPECT_THAT(run.out, HasSubstr("saturated"));
  EXPECT_THAT(run.out, HasSubstr("out/results.csv"));
  EXPECT_THAT(read_file(directory.path() / "out/latency_load.gnuplot"), HasSubstr("accepted load"));
}

TEST(LoadCommand, SearchesTheSaturation)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", with(load_config, "points = [0.05, 0.02, 0.9]\nsaturation = false", "saturation = true"));
  const ProgramRun run = load(directory, {"--out", "out", "--json", "-", "--set", "traffic.precision=0.1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json curve = Json::parse(run.out)["curves"][0];
  const double stable = curve["saturation"]["offered"];
  const double saturated = curve["saturation"]["unstable_at"];
  EXPECT_LT(stable, saturated);
  EXPECT_LE(saturated - stable, 0.1 * saturated);
  EXPECT_GE(curve["saturation"]["accepted"].get<double>(), 0.98 * stable);
  for (const Json& point : curve["points"]) {
    EXPECT_EQ(point["stable"].get<bool>(), point["offered"].get<double>() <= stable);
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
  EXPECT_THAT(resumed.err, HasSubstr("4 points measured, 8 kept from before"));
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
                HasSubstr("--set: traffic.bytes: found a table, which stands in a file alone"));
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

TEST(LoadCommand, SaysWhatMakesAPointSaturated)
{
  const auto saturated_by = [](const std::string& config) {
    const TemporaryDirectory directory;
    directory.write("c.toml", config);
    const ProgramRun run = load(directory, {"--out", "out", "--json", "load.json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    Json by = Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"][0]["saturated_by"];
    EXPECT_EQ(run.out.find("saturated (drain)") != std::string::npos, by == "drain");
    return by;
  };
  const std::string low = with(load_config, "[0.05, 0.02, 0.9]", "[0.1]");
  EXPECT_EQ(saturated_by(low), nullptr);
  EXPECT_EQ(saturated_by(with(low, "measure = 3000", "measure = 3000\ndrain = \"0ns\"")), "drain");
  EXPECT_EQ(saturated_by(with(load_config, "[0.05, 0.02, 0.9]", "[0.9]")), "backlog");
}

TEST(LoadCommand, AWindowWithoutMessagesIsNoSaturation)
{
  const std::string early =
      with(with(load_config, "warm_up = 500", "warm_up = 1"), "measure = 3000", "measure = \"32ps\"");
  const TemporaryDirectory directory;
  directory.write("c.toml", early);
  const ProgramRun run = load(directory, {"--out", "out"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("no message came at a load of"));
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
