#include "tests/experiments/program/commands/load_config.hpp"
#include "tests/experiments/program/commands/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A mesh with two classes; of each node 1/4 and 3/4 of the bytes.
const std::string classes_config = loaded_mesh.substr(0, loaded_mesh.find("[traffic]")) + R"([traffic]
warm_up = 500
measure = 3000

[traffic.classes.short]
bytes = 8
pattern = "hot_spot"
hot_spot = { nodes = [5], share = 0.3 }

[traffic.classes.long]
weight = 3
bytes = [{ bytes = 16, weight = 1 }, { bytes = 48, weight = 1 }]
arrival = "periodic"

[load]
points = [0.02]
saturation = false
)";

ProgramRun load_classes(const TemporaryDirectory& directory, std::vector<std::string> options)
{
  directory.write("c.toml", classes_config);
  options.insert(options.begin(), {"load", "c.toml", "--out", "out"});
  return run_program(options, directory.path());
}

Json point_of(const TemporaryDirectory& directory, std::vector<std::string> options)
{
  options.insert(options.end(), {"--json", "load.json"});
  std::filesystem::remove_all(directory.path() / "out");
  const ProgramRun run = load_classes(directory, options);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"][0];
}

TEST(LoadClasses, AreReportedBesideTheWholeNetwork)
{
  const TemporaryDirectory directory;
  const ProgramRun run = load_classes(directory, {"--json", "load.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("offered  class   load  accepted"), HasSubstr("out/classes.csv")));
  const Json curve = Json::parse(read_file(directory.path() / "load.json"))["curves"][0];
  const Json& traffic = curve["config"]["traffic"];
  EXPECT_EQ(traffic["classes.long.weight"], 3);
  EXPECT_EQ(traffic["classes.short.hot_spot.nodes"], Json::array({5}));
  EXPECT_FALSE(traffic.contains("pattern"));
  const Json& point = curve["points"][0];
  ASSERT_EQ(point["classes"].size(), 2U);
  std::uint64_t messages = 0;
  double sum = 0;
  double network_sum = 0;
  double largest = 0;
  for (const Json& one : point["classes"]) {
    messages += one["messages"].get<std::uint64_t>();
    sum += one["messages"].get<double>() * one["latency_us"].get<double>();
    network_sum += one["messages"].get<double>() * one["network_latency_us"].get<double>();
    largest = std::max(largest, one["latency_max_us"].get<double>());
    EXPECT_LT(one["latency_low_us"], one["latency_us"]);
    EXPECT_LT(one["latency_us"], one["latency_high_us"]);
    EXPECT_LE(one["latency_p50_us"], one["latency_p95_us"]);
    EXPECT_LE(one["latency_p95_us"], one["latency_p99_us"]);
  }
  EXPECT_EQ(messages, 3000U);
  const double mean = point["latency_us"]["mean"];
  EXPECT_NEAR(sum / 3000, mean, 1e-6 * mean);
  EXPECT_NEAR(network_sum / 3000, point["network_latency_us"]["mean"].get<double>(), 1e-6 * mean);
  EXPECT_EQ(largest, point["latency_us"]["max"]);
  EXPECT_EQ(point["classes"][0]["class"], "long"); // by name
  EXPECT_EQ(point["classes"][0]["load"], 0.015);
  EXPECT_EQ(point["classes"][1]["load"], 0.005);
  EXPECT_EQ(point["classes"][1]["accepted"], 0.005); // the point is stable
  // 8 bytes, a quarter of the bytes, against 32 on average.
  EXPECT_NEAR(point["classes"][1]["messages"].get<double>() / 3000, 4.0 / 7, 0.03);
  EXPECT_THAT(read_file(directory.path() / "out/classes.csv"),
              HasSubstr("offered,class,load,accepted,messages,latency_us,latency_low_us,"));
}

// The only class of traffic is the same as the traffic.
TEST(LoadClasses, AreNothingElseThanTraffic)
{
  const TemporaryDirectory directory;
  const std::vector<std::string> pattern = {"traffic.pattern=transpose", "traffic.bytes=24",
                                            "traffic.arrival=periodic"};
  std::vector<std::string> plain = {"--unset", "traffic.classes"};
  std::vector<std::string> one_class = {"--unset", "traffic.classes"};
  for (const std::string& set : pattern) {
    plain.insert(plain.end(), {"--set", set});
    one_class.insert(one_class.end(), {"--set", "traffic.classes.only." + set.substr(set.find('.') + 1)});
  }
  one_class.insert(one_class.end(), {"--set", "traffic.classes.only.weight=7"});
  const Json expected = point_of(directory, plain);
  Json found = point_of(directory, one_class);
  ASSERT_EQ(found["classes"].size(), 1U);
  EXPECT_EQ(found["classes"][0]["latency_us"], expected["latency_us"]["mean"]);
  EXPECT_EQ(found["classes"][0]["latency_high_us"], expected["latency_us"]["high"]);
  EXPECT_EQ(found["classes"][0]["latency_p99_us"], expected["latency_us"]["p99"]);
  found.erase("classes");
  EXPECT_EQ(found, expected);
}

TEST(LoadClasses, AreAxesAndCases)
{
  const TemporaryDirectory directory;
  const ProgramRun run = load_classes(directory, {"--set", "sweep.traffic.classes.long.weight=1,2", "--jobs", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nlong.weight = 2.0\n"));
  EXPECT_THAT(read_file(directory.path() / "out/classes.csv"),
              AllOf(HasSubstr("traffic.classes.long.weight,offered,class,"), HasSubstr("\n2.0,0.02,long,0.01333333,")));
  directory.write("cases.toml", classes_config + R"([[case]]
name = "as given"

[[case]]
name = "three"
traffic = { classes = { third = { bytes = 4 } } }
)");
  const ProgramRun cases = run_program({"load", "cases.toml", "--out", "cases"}, directory.path());
  ASSERT_EQ(cases.exit_code, 0) << cases.err;
  const std::string csv = read_file(directory.path() / "cases/classes.csv");
  EXPECT_THAT(csv, AllOf(HasSubstr("\nas given,0.02,long,0.015,"), HasSubstr("\nthree,0.02,third,0.004,")));
}

TEST(LoadClasses, HaveMeansOverSeeds)
{
  const TemporaryDirectory directory;
  const ProgramRun run = load_classes(directory, {"--repeat", "3", "--json", "load.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("offered  class  accepted  +-  latency us"));
  const Json json = Json::parse(read_file(directory.path() / "load.json"));
  double sum = 0;
  for (const Json& curve : json["curves"]) {
    sum += curve["points"][0]["classes"][1]["latency_p95_us"].get<double>();
  }
  const Json& repeated = json["repetitions"][0]["points"][0]["classes"];
  ASSERT_EQ(repeated.size(), 2U);
  EXPECT_EQ(repeated[1]["class"], "short");
  EXPECT_NEAR(repeated[1]["latency_p95_us"]["mean"].get<double>(), sum / 3, 1e-6);
  EXPECT_LT(repeated[1]["latency_p95_us"]["low"], repeated[1]["latency_p95_us"]["mean"]);
  EXPECT_EQ(repeated[0]["accepted"]["mean"], 0.015);
  const std::string statistics = read_file(directory.path() / "out/statistics.csv");
  EXPECT_THAT(statistics,
              AllOf(HasSubstr("\n0.02,classes.short.latency_us,3,0,"), HasSubstr("\n0.02,classes.long.messages,3,0,")));
  EXPECT_THAT(statistics, ::testing::Not(HasSubstr("classes.long.load")));
}

// A class that only some nodes send: they send their parts, and what is silent is silent in all classes.
TEST(LoadClasses, CanHaveSendersOfTheirOwn)
{
  const TemporaryDirectory directory;
  directory.write("pattern", "0 5 1\n1 5 1\n");
  const std::vector<std::string> few = {"--unset", "traffic.classes.short.pattern",
                                        "--unset", "traffic.classes.short.hot_spot",
                                        "--set",   "traffic.classes.short.pattern=file",
                                        "--set",   "traffic.classes.short.file=pattern",
                                        "--set",   "traffic.figures_of=nodes"};
  const Json point = point_of(directory, few);
  EXPECT_EQ(point["silent_nodes"], 0);
  EXPECT_EQ(point["classes"][1]["load"], 0.005);
  // 16 nodes send 0.015 in long messages, two of them 0.005 in short ones.
  const double rate_of_long = 16 * 0.015 / 32;
  const double rate_of_short = 2 * 0.005 / 8;
  EXPECT_NEAR(point["classes"][1]["messages"].get<double>() / 3000, rate_of_short / (rate_of_long + rate_of_short),
              0.03);
  std::vector<std::string> alone = few;
  alone.insert(alone.end(), {"--unset", "traffic.classes.long"});
  EXPECT_EQ(point_of(directory, alone)["silent_nodes"], 14);
}

TEST(LoadClasses, AreSentAmongBroadcasts)
{
  const TemporaryDirectory directory;
  const ProgramRun run =
      load_classes(directory, {"--explain", "--unset", "load", "--set", "traffic.load=0.02", "--trace", "t.jsonl"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("3000 messages"));
  const ProgramRun among =
      run_program({"run", "c.toml", "--unset", "load", "--unset", "traffic.measure", "--set", "traffic.load=0.02",
                   "--set", "algorithm.name=binomial_tree", "--set", "message.bytes=64", "--set", "broadcast.repeat=5"},
                  directory.path());
  EXPECT_EQ(among.exit_code, 0) << among.err;
  EXPECT_THAT(among.out, HasSubstr("load's latency"));
}

// Short messages of higher priority pass the long ones, and a list of the messages has the same times.
TEST(LoadClasses, HavePriorities)
{
  const TemporaryDirectory directory;
  const auto set = [](const std::vector<std::string>& settings) {
    std::vector<std::string> options;
    for (const std::string& setting : settings) {
      options.insert(options.end(), {"--set", setting});
    }
    return options;
  };
  std::vector<std::string> options = set({"network.router=input_queued", "network.startup=0us",
                                          "network.priority=message", "network.allocator=separable_input_first",
                                          "network.vc_allocator=separable_input_first", "traffic.load=0.25"});
  options.insert(options.end(), {"--unset", "load", "--unset", "network.per_hop"});
  const Json without = point_of(directory, options);
  options.insert(options.end(), {"--set", "traffic.classes.short.priority=3"});
  const Json with = point_of(directory, options);
  EXPECT_LT(with["classes"][1]["latency_us"], without["classes"][1]["latency_us"]);
  EXPECT_EQ(with["classes"][0]["messages"], without["classes"][0]["messages"]);

  options.insert(options.end(), {"--set", "traffic.measure=1000", "--messages", "list.json", "--trace", "t.jsonl"});
  std::filesystem::remove_all(directory.path() / "out");
  const ProgramRun traced = load_classes(directory, options);
  ASSERT_EQ(traced.exit_code, 0) << traced.err;
  EXPECT_THAT(read_file(directory.path() / "list.json"), HasSubstr("\"priority\": 3"));
  directory.write("list.toml", classes_config.substr(0, classes_config.find("[traffic]")) +
                                   "[algorithm]\nname = \"schedule\"\nfile = \"list.json\"\n");
  const auto records = [&](const char* file) { // all but the header, which has the configuration
    const std::string text = read_file(directory.path() / file);
    return text.substr(text.find('\n'));
  };
  for (const char* priority : {"message", "none"}) {
    std::vector<std::string> words = {"run", "list.toml", "--trace", "own.jsonl", "--unset", "network.per_hop"};
    const std::vector<std::string> router =
        set({"network.router=input_queued", "network.startup=0us", std::string("network.priority=") + priority,
             "network.allocator=separable_input_first", "network.vc_allocator=separable_input_first"});
    words.insert(words.end(), router.begin(), router.end());
    const ProgramRun listed = run_program(words, directory.path());
    ASSERT_EQ(listed.exit_code, 0) << listed.err;
    EXPECT_EQ(records("t.jsonl") == records("own.jsonl"), priority == std::string("message")) << priority;
  }
}

TEST(LoadClasses, AreCurvesOfPictures)
{
  const TemporaryDirectory directory;
  const std::vector<std::string> drawn = {
      "--json", "load.json",   "--set",  "load.points=[0.02, 0.04]",
      "--plot", "group=class", "--plot", "facet=class, y=accepted, x=accepted, name=a"};
  const ProgramRun run = load_classes(directory, drawn);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json points = Json::parse(read_file(directory.path() / "load.json"))["curves"][0]["points"];
  const std::string script = read_file(directory.path() / "out/latency_load.gnuplot");
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& first = points[0]["classes"][i];
    const Json& second = points[1]["classes"][i];
    EXPECT_THAT(script, HasSubstr("'class = " + first["class"].get<std::string>() + "'"));
    EXPECT_THAT(script, HasSubstr(fmt::format("$panel0_{} << END\n0.02 {}\n0.04 {}\nEND\n", i,
                                              first["latency_us"].dump(), second["latency_us"].dump())));
    EXPECT_THAT(
        read_file(directory.path() / "out/a.gnuplot"),
        HasSubstr(fmt::format("$panel{}_0 << END\n{} {}\n", i, first["accepted"].dump(), first["accepted"].dump())));
  }
  EXPECT_THAT(script, Not(HasSubstr("saturation"))) << "is that of all messages";
  const ProgramRun plot =
      run_program({"plot", "out", "--plot", "group=class, y=latency_us.p99, name=p99"}, directory.path());
  ASSERT_EQ(plot.exit_code, 0) << plot.err;
  EXPECT_THAT(read_file(directory.path() / "out/p99.gnuplot"),
              HasSubstr(" " + points[1]["classes"][1]["latency_p99_us"].dump() + "\n"));
  ASSERT_EQ(
      run_program({"plot", "out", "--plot", "group=class, y=accepted/offered, name=q"}, directory.path()).exit_code, 0);
  const auto refusal = [&](const std::string& plot_text) {
    const ProgramRun refused = run_program({"plot", "out", "--plot", plot_text}, directory.path());
    EXPECT_EQ(refused.exit_code, 2) << plot_text;
    return refused.err;
  };
  EXPECT_THAT(refusal("group=class, y=zero_load_us"),
              HasSubstr("plot.y: found \"zero_load_us\", expected what classes of traffic have: offered, accepted, "));
  EXPECT_THAT(refusal("facet=class, x=latency_us.low"), HasSubstr("plot.x: found \"latency_us.low\", expected what "));
  directory.write("one.toml", loaded_mesh);
  const ProgramRun without = run_program({"load", "one.toml", "--out", "o", "--plot", "group=class"}, directory.path());
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("plot.group: found \"class\""));
}

// Of several seeds the means, with intervals.
TEST(LoadClasses, AreCurvesOfMeansOverSeeds)
{
  const TemporaryDirectory directory;
  const ProgramRun run = load_classes(directory, {"--json", "load.json", "--repeat", "3", "--plot", "group=class"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json load = Json::parse(read_file(directory.path() / "load.json"));
  const std::string script = read_file(directory.path() / "out/latency_load.gnuplot");
  for (std::size_t i = 0; i < 2; ++i) {
    double sum = 0;
    for (const Json& curve : load["curves"]) {
      sum += curve["points"][0]["classes"][i]["latency_us"].get<double>();
    }
    EXPECT_THAT(script, HasSubstr(fmt::format("$panel0_{} << END\n0.02 {:.10g} ", i, sum / 3)));
  }
  EXPECT_THAT(script, HasSubstr("over the seeds (us), 95 % interval"));
}

TEST(LoadClasses, SayWhatTheyExpect)
{
  const TemporaryDirectory directory;
  const auto refusal = [&](const std::string& setting) {
    const ProgramRun run = load_classes(directory, {"--set", setting});
    EXPECT_EQ(run.exit_code, 2) << setting;
    EXPECT_EQ(run.out, "") << setting;
    return run.err;
  };
  EXPECT_THAT(refusal("traffic.bytes=8"), HasSubstr("traffic.bytes: found beside classes, each of which has its own"));
  EXPECT_THAT(refusal("traffic.arrival=poisson"), HasSubstr("traffic.arrival: found beside classes"));
  EXPECT_THAT(refusal("traffic.classes=3"), HasSubstr("expected keys of classes, such as traffic.classes.NAME."));
  EXPECT_THAT(refusal("traffic.classes.short=3"), HasSubstr("traffic.classes.short: expected keys of classes"));
  EXPECT_THAT(refusal("traffic.classes.a b.bytes=3"), HasSubstr("found a class named \"a b\", expected letters"));
  EXPECT_THAT(refusal("traffic.classes.short.weigth=3"), HasSubstr("did you mean \"traffic.classes.short.weight\"?"));
  EXPECT_THAT(refusal("traffic.classes.short.weight=0"), HasSubstr("found 0, expected a number above 0"));
  EXPECT_THAT(refusal("traffic.classes.third.pattern=uniform"),
              HasSubstr("traffic.classes.third.bytes: missing, expected a size"));
  EXPECT_THAT(refusal("traffic.classes.long.on_off.burst=3"),
              HasSubstr("traffic.classes.long.on_off.burst: found with arrival \"periodic\""));
  EXPECT_THAT(refusal("traffic.classes.short.hot_spot.nodes=[99]"),
              HasSubstr("traffic.classes.short.hot_spot.nodes: "));
  directory.write("list.toml",
                  classes_config.substr(0, classes_config.find("[traffic.classes")) + "[traffic.classes]\nshort = 8\n");
  EXPECT_THAT(run_program({"load", "list.toml", "--out", "out"}, directory.path()).err,
              HasSubstr("list.toml:16:9: traffic.classes.short: found 8, expected a table with the keys of a class"));
}

} // namespace
} // namespace wormcast::testing
