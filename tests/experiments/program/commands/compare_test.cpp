// `wormcast compare`, run as a user runs it.

#include "tests/experiments/program/commands/small_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

/// The published name of a line: "NP-RD(3)".
std::string published_name(const Json& entry)
{
  const std::string name = entry["algorithm"];
  if (name == "network_partitioning") {
    const std::string inner = entry["parameters"]["inner"];
    const char* published = inner == "recursive_doubling" ? "NP-RD(" : inner == "scatter_collect" ? "NP-SC(" : "NP-D(";
    return published + entry["parameters"]["d"].dump() + ")";
  }
  return name == "recursive_doubling" ? "RD" : name == "scatter_collect" ? "SC" : "RB";
}

TEST(CompareCommand, HasTheLinesAndCrossingsOfZhuangAndLiberatore)
{
  const Json golden = Json::parse(read_file(WORMCAST_TEST_DATA "/golden/broadcast_crossings.json"))["cases"][0];
  const TemporaryDirectory directory;
  const Json result = compare_json({WORMCAST_CONFIGS "/compare_mesh.toml", "--algorithms",
                                    "recursive_doubling,scatter_collect,network_partitioning,recursion_based"},
                                   directory.path());
  EXPECT_EQ(result["format"], "wormcast-compare/1");
  std::size_t compared = 0;
  for (const Json& algorithm : result["algorithms"]) {
    const std::string name = published_name(algorithm);
    if (golden["alpha_beta"].contains(name)) {
      EXPECT_EQ(algorithm["alpha"], golden["alpha_beta"][name][0]) << name;
      EXPECT_EQ(algorithm["beta"], golden["alpha_beta"][name][1]) << name;
      EXPECT_TRUE(algorithm["fits_ports"].get<bool>() && algorithm["valid"].get<bool>()) << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, golden["alpha_beta"].size());

  Json envelope = Json::array();
  for (const Json& piece : result["fastest"]) {
    envelope.push_back({piece["from_bytes"], published_name(piece)});
    EXPECT_EQ(result["algorithms"][piece["position"].get<std::size_t>()]["algorithm"], piece["algorithm"]);
  }
  EXPECT_EQ(envelope, golden["lower_envelope"]);
  EXPECT_EQ(result["fastest"][0]["to_bytes"], "200/3");
  EXPECT_EQ(result["fastest"].back()["to_bytes"], nullptr);
}

TEST_F(SmallComparison, AgreesWithRun)
{
  const std::string hops = with(small_config, "[algorithm]", "per_hop = \"1us\"\n[algorithm]");
  for (const auto& [text, kind] : {std::pair(small_config, "exact"), std::pair(hops, "lower_bound")}) {
    const Json compared = json(text, {"--algorithms", "recursive_doubling,network_partitioning"});
    for (const Json& algorithm : compared["algorithms"]) {
      std::vector<std::string> words = {"run", "c.toml", "--json",
                                        "-",   "--set",  "algorithm.name=" + algorithm["algorithm"].get<std::string>()};
      for (const auto& [name, value] : algorithm["parameters"].items()) {
        words.insert(words.end(), {"--set", "algorithm." + name + "=" + value.dump()});
      }
      const Json result = Json::parse(run_program(words, directory.path()).out);
      for (const char* key : {"alpha", "beta", "predicted_us", "predicted_is", "latency_us", "contention", "messages",
                              "bytes_sent", "tcd", "max_channel_load"}) {
        EXPECT_EQ(algorithm[key], result[key]) << algorithm["parameters"] << " " << key;
      }
      EXPECT_EQ(algorithm["predicted_is"].is_null(), algorithm["predicted_us"].is_null());
      if (algorithm["algorithm"] == "recursive_doubling") {
        EXPECT_EQ(algorithm["predicted_is"], kind);
      }
    }
  }
}

TEST_F(SmallComparison, TakesFamiliesAndTheConfiguredParameters)
{
  const auto segments = [&](const std::string& text) {
    std::vector<std::int64_t> found;
    const Json compared = json(text, {"--algorithms", "line_pipeline"});
    for (const Json& algorithm : compared["algorithms"]) {
      found.push_back(algorithm["parameters"]["segments"]);
      EXPECT_EQ(algorithm["configured"], found.back() == 5);
    }
    return found;
  };
  EXPECT_THAT(segments(small_config), ElementsAre(1, 4, 16));
  EXPECT_THAT(segments(with(small_config, "\"recursion_based\"", "\"line_pipeline\"\nsegments = 5")),
              ElementsAre(5, 1, 4, 16));

  std::vector<std::string> partitionings;
  const Json compared = json(small_config, {"--algorithms", "network_partitioning"});
  for (const Json& algorithm : compared["algorithms"]) {
    partitionings.push_back(published_name(algorithm));
  }
  EXPECT_THAT(partitionings, ElementsAre("NP-RD(0)", "NP-RD(1)", "NP-RD(2)", "NP-SC(0)", "NP-SC(1)", "NP-D(0)",
                                         "NP-D(1)", "NP-D(1)", "NP-D(2)", "NP-D(2)"));
}

TEST_F(SmallComparison, IsTheSameForAnyNumberOfJobs)
{
  const ProgramRun one = compare(small_config, {"--jobs", "1", "--json", "one.json", "--csv", "one.csv"});
  const ProgramRun three = compare(small_config, {"--jobs", "3", "--json", "three.json", "--csv", "three.csv"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, three.out);
  EXPECT_EQ(read_file(directory.path() / "one.json"), read_file(directory.path() / "three.json"));
  EXPECT_EQ(read_file(directory.path() / "one.csv"), read_file(directory.path() / "three.csv"));
  EXPECT_EQ(one.err, "");
}

TEST_F(SmallComparison, MarksAlgorithmsForMorePortsAndKeepsThemOutOfTheFastest)
{
  const Json one = json(small_config);
  bool marked = false;
  for (const Json& piece : one["fastest"]) {
    EXPECT_TRUE(one["algorithms"][piece["position"].get<std::size_t>()]["fits_ports"].get<bool>());
  }
  for (const Json& algorithm : one["algorithms"]) {
    if (algorithm["algorithm"] == "flooding") {
      EXPECT_FALSE(algorithm["fits_ports"].get<bool>());
      EXPECT_GT(algorithm["contention"]["port"], 0);
      EXPECT_GT(algorithm["latency_us"], algorithm["predicted_us"]);
      marked = true;
    }
  }
  EXPECT_TRUE(marked);
  EXPECT_THAT(compare(small_config).out, HasSubstr("flooding operation=broadcast *"));

  const Json all_ports = json(with(small_config, "[algorithm]", "ports = \"all\"\n[algorithm]"));
  for (const Json& algorithm : all_ports["algorithms"]) {
    // Made for tori: on a mesh their mirrored exchanges take the channels of the plain ones.
    const bool mirrors = algorithm["algorithm"] == "swing" || algorithm["algorithm"] == "torus_doubling";
    if (algorithm["state"] == "done") {
      EXPECT_EQ(algorithm["fits_ports"].get<bool>(), !mirrors) << algorithm;
    }
  }
}

TEST_F(SmallComparison, NamesWhatDoesNotFitOnce)
{
  const std::string out = compare(small_config).out;
  const std::string reason = "\n  petersen_broadcast needs ";
  const std::size_t first = out.find(reason);
  ASSERT_NE(first, std::string::npos) << out;
  EXPECT_EQ(out.find(reason, first + 1), std::string::npos);
  EXPECT_THAT(out, Not(HasSubstr("petersen_all_to_all"))); // another operation
  const Json left_out = json(small_config, {"--algorithms", "recursive_doubling,petersen_broadcast"})["algorithms"][1];
  EXPECT_EQ(left_out["state"], "left_out");
  EXPECT_FALSE(left_out["error"].get<std::string>().empty());
}

TEST_F(SmallComparison, OtherOperations)
{
  const std::string text = "[topology]\nkind = \"petersen\"\n[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n"
                           "ports = \"all\"\n[algorithm]\nname = \"petersen_all_to_all\"\n[message]\nbytes = 100\n";
  const Json result = json(text);
  EXPECT_EQ(result["operation"], "multinode_broadcast");
  std::set<std::string> names;
  for (const Json& algorithm : result["algorithms"]) {
    names.insert(algorithm["algorithm"]);
    if (algorithm["algorithm"] == "flooding") {
      EXPECT_EQ(algorithm["parameters"]["operation"], "multinode_broadcast");
    }
  }
  EXPECT_TRUE(names.contains("flooding") && names.contains("petersen_all_to_all"));
  EXPECT_FALSE(names.contains("recursive_doubling"));
}

TEST_F(SmallComparison, ComparesAScheduleFromAFile)
{
  directory.write("source.toml", small_config);
  ASSERT_EQ(run_program({"schedule", "source.toml", "--out", "s.json"}, directory.path()).exit_code, 0);
  const std::string text = "[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n"
                           "[algorithm]\nname = \"schedule\"\nfile = \"s.json\"\n";
  const Json algorithms = json(text, {"--algorithms", "recursion_based"})["algorithms"];
  ASSERT_EQ(algorithms.size(), 2U);
  EXPECT_EQ(algorithms[0]["algorithm"], "schedule");
  for (const char* key : {"alpha", "beta", "latency_us", "tcd"}) {
    EXPECT_EQ(algorithms[0][key], algorithms[1][key]) << key;
  }
}

TEST_F(SmallComparison, BadInput)
{
  const auto error = [&](const std::string& text, const std::vector<std::string>& options) {
    const ProgramRun run = compare(text, options);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_EQ(error(small_config, {"--algorithms", "recursion_base"}),
            "wormcast: error: there is no algorithm \"recursion_base\", did you mean \"recursion_based\"?\n");
  EXPECT_EQ(error(small_config, {"--algorithms", "petersen_all_to_all"}),
            "wormcast: error: petersen_all_to_all is for multinode_broadcast, expected an algorithm for broadcast\n");
  EXPECT_THAT(error(small_config, {"--algorithms", "petersen_broadcast"}),
              HasSubstr("wormcast: error: nothing to compare: petersen_broadcast"));
  EXPECT_EQ(error(small_config, {"--jobs", "0"}),
            "wormcast: error: --jobs: found 0, expected a whole number from 1 to 4096\n");
  EXPECT_EQ(error(small_config, {"--json", "-", "--csv", "-"}),
            "wormcast: error: --json and --csv: found - for both, expected at most one of them on standard output\n");
  EXPECT_THAT(error(small_config + "[sweep]\n\"run.seed\" = [1, 2]\n", {}), HasSubstr("`wormcast compare`"));
  EXPECT_THAT(error("[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\nfile = \"" +
                        std::string(WORMCAST_CONFIGS) + "/message_list.json\"\n",
                    {}),
              HasSubstr("found a plain message list"));
}

// 8 x 8, 16 KiB: what contends within its steps is far slower than alpha and beta say.
TEST_F(SmallComparison, OnlyProvedFormulasMakeTheFastestByPrediction)
{
  const std::string mesh =
      "[topology]\nkind = \"mesh\"\ndims = [8, 8]\n[network]\nstartup = \"150us\"\n"
      "per_byte = \"0.5us\"\n[algorithm]\nname = \"recursion_based\"\n[message]\nbytes = \"16KiB\"\n";
  const Json result =
      json(mesh, {"--algorithms", "recursion_based,round_optimal,recursive_doubling", "--lengths", "64..64KiB"});
  bool contended = false;
  for (const Json& algorithm : result["algorithms"]) {
    contended = contended || (algorithm["algorithm"] == "round_optimal" && !algorithm["contention_free"].get<bool>() &&
                              algorithm["latency_us"] > algorithm["predicted_us"]);
  }
  EXPECT_TRUE(contended);
  for (const Json& piece : result["fastest"]) {
    EXPECT_TRUE(result["algorithms"][piece["position"].get<std::size_t>()]["contention_free"].get<bool>());
  }
  const Json& pieces = result["fastest_measured"];
  ASSERT_GE(pieces.size(), 2U);
  EXPECT_EQ(pieces.front()["from_bytes"], 64);
  EXPECT_EQ(pieces.back()["to_bytes"], 65536);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i]["from_bytes"].get<int>(), pieces[i - 1]["to_bytes"].get<int>() + 1);
  }
  EXPECT_THAT(compare(mesh, {"--algorithms", "recursion_based,round_optimal", "--lengths", "none"}).out,
              HasSubstr("~ contends within its steps"));
}

TEST_F(SmallComparison, ADeadlockIsARowAndExitCode4)
{
  const std::string ring =
      "[topology]\nkind = \"torus\"\ndims = [5]\n[network]\nstartup = \"1us\"\nper_byte = \"1us\"\n"
      "per_hop = \"100ns\"\n[algorithm]\nname = \"schedule\"\nfile = \"ring.json\"\n";
  std::string messages;
  for (int i = 0; i < 5; ++i) {
    messages += (i == 0 ? "" : ", ") + std::string("{\"id\": ") + std::to_string(i) +
                ", \"step\": 0, \"src\": " + std::to_string(i) + ", \"dst\": " + std::to_string((i + 2) % 5) +
                ", \"blocks\": [[" + std::to_string(i) + ", " + std::to_string(i + 1) + "]]}";
  }
  directory.write("ring.json",
                  "{\"format\": \"wormcast-schedule/1\", \"topology\": {\"kind\": \"torus\", \"dims\": [5]}, "
                  "\"ports\": 1, \"duplex\": \"full\", \"operation\": \"multinode_broadcast\", "
                  "\"message_bytes\": 100, \"messages\": [" +
                      messages + "]}");
  const ProgramRun run = compare(ring, {"--algorithms", "flooding"});
  EXPECT_EQ(run.exit_code, 4) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("deadlock"));
  EXPECT_THAT(run.err, HasSubstr("1 of 2 runs failed; the first: schedule ring.json: deadlock"));
  compare(ring, {"--algorithms", "flooding", "--json", "ring.out.json", "--csv", "ring.csv"});
  const Json stopped = Json::parse(read_file(directory.path() / "ring.out.json"))["algorithms"][0];
  EXPECT_EQ(stopped["state"], "deadlock");
  EXPECT_TRUE(stopped["latency_us"].is_null());
  EXPECT_GT(stopped["deadlock_us"], 0);
  EXPECT_THAT(read_file(directory.path() / "ring.csv"), HasSubstr(",latency_us,deadlock_us,"));
}

TEST_F(SmallComparison, DrawsTheLinesOverTheMessageLength)
{
  const ProgramRun run = compare(small_config, {"--algorithms", "recursive_doubling,scatter_collect,recursion_based",
                                                "--picture", "all.gnuplot", "--picture", "all.svg"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string script = read_file(directory.path() / "all.gnuplot");
  for (const std::string title : {"'recursive_doubling'", "'scatter_collect'", "'lower bound'"}) {
    EXPECT_THAT(script, HasSubstr("set label " + title));
  }
  EXPECT_THAT(script, HasSubstr("'broadcast, mesh 4 x 4, one port, T_s = 150 us, "));
  EXPECT_THAT(script, HasSubstr("'1 KiB' 1024"));
  const ProgramRun titled = compare(small_config, {"--set", "plot.title=Figure 4", "--picture", "all.gnuplot"});
  ASSERT_EQ(titled.exit_code, 0) << titled.err;
  EXPECT_THAT(read_file(directory.path() / "all.gnuplot"), HasSubstr("set label 'Figure 4'"));
  EXPECT_THAT(read_file(directory.path() / "all.svg"), HasSubstr("<svg"));
}

TEST_F(SmallComparison, DrawsNothingWithoutFormulas)
{
  const auto refused = [&](const std::string& text, const std::vector<std::string>& options) {
    const ProgramRun run = compare(text, options);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  };
  EXPECT_THAT(refused(small_config, {"--picture", "all.jpg"}), HasSubstr("all.jpg"));
  EXPECT_THAT(refused(small_config, {"--picture", "all.svg", "--lengths", "none"}), HasSubstr("--lengths none"));
  EXPECT_THAT(refused(small_config,
                      {"--algorithms", "scatter_collect", "--picture", "all.svg", "--set", "run.mode=self_timed"}),
              HasSubstr("no algorithm has a formula"));
}

TEST(CompareFluid, StandsBesideTheWorms)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const ProgramRun run =
      run_program({"compare", "c.toml", "--fluid", "--algorithms", "recursive_doubling,recursion_based", "--set",
                   "network.per_hop=0us", "--set", "run.mode=self_timed", "--lengths", "none", "--json", "r.json"},
                  directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("on SimGrid's fluid models"), std::string::npos) << run.out;
  const nlohmann::json result = nlohmann::json::parse(read_file(directory.path() / "r.json"));
  for (const nlohmann::json& algorithm : result["algorithms"]) {
    const double worms = algorithm["latency_us"].get<double>();
    EXPECT_NEAR(algorithm["fluid"]["CM02 without cross traffic"].get<double>(), worms, 1e-3);
    EXPECT_GT(algorithm["fluid"]["LV08"].get<double>(), worms);
  }
  const ProgramRun other = run_program({"compare", "c.toml", "--fluid", "--algorithms", "recursive_doubling", "--set",
                                        "network.router=input_queued", "--lengths", "none"},
                                       directory.path());
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(other.out.find("-: SimGrid's fluid models do not know other routers (network.router)\n"), std::string::npos)
      << other.out;
}

} // namespace
} // namespace wormcast::testing
