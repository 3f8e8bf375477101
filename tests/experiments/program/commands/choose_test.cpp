// `wormcast choose` and parameters that are "best", run as a user runs them.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string config_of(const std::string& topology, const std::string& algorithm, const std::string& network = "")
{
  return "[topology]\n" + topology + "\n[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n" + network +
         "\n[algorithm]\n" + algorithm + "\n[message]\nbytes = 4096\n";
}

class ChooseCommand : public ::testing::Test {
protected:
  ProgramRun run(const std::vector<std::string>& words) { return run_program(words, directory.path()); }

  Json choice(const std::string& topology, const std::vector<std::string>& more = {}, const std::string& network = "")
  {
    directory.write("c.toml", config_of(topology, "name = \"recursive_doubling\"", network));
    std::vector<std::string> words = {"choose", "c.toml", "--json", "-"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun result = run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? Json::parse(result.out) : Json();
  }

  TemporaryDirectory directory;
};

/// "FROM NAME" of each piece.
std::vector<std::string> pieces_of(const Json& json)
{
  std::vector<std::string> pieces;
  for (const Json& piece : json["fastest"]) {
    pieces.push_back(piece["from_bytes"].get<std::string>() + " " + piece["algorithm"].get<std::string>());
  }
  return pieces;
}

// The published algorithms on 32 x 32, and what is left of recursion-based broadcast beside its own truncation.
TEST_F(ChooseCommand, FindsTheExactCrossings)
{
  const std::string mesh = "kind = \"mesh\"\ndims = [32, 32]";
  const Json published =
      choice(mesh, {"--algorithms", "recursive_doubling,scatter_collect,network_partitioning,recursion_based"});
  EXPECT_EQ(
      pieces_of(published),
      (std::vector<std::string>{"64 recursive_doubling", "200/3 network_partitioning", "300 network_partitioning",
                                "9600/17 recursion_based", "16000 network_partitioning", "19200 network_partitioning",
                                "33600 network_partitioning", "4761600/49 scatter_collect"}));
  for (const Json& piece : published["fastest"]) {
    EXPECT_EQ(piece["by"], "formula");
  }
  const Json truncated = choice(mesh, {"--algorithms", "recursion_based,truncated_recursion,two_combs"});
  EXPECT_EQ(
      pieces_of(truncated),
      (std::vector<std::string>{"64 truncated_recursion", "200/3 truncated_recursion", "150 truncated_recursion",
                                "2400/7 truncated_recursion", "960 truncated_recursion", "3200 truncated_recursion",
                                "19200 truncated_recursion", "33600 truncated_recursion",
                                truncated["fastest"][8]["from_bytes"].get<std::string>() + " two_combs"}));
  const Json& combs = truncated["fastest"][8];
  EXPECT_EQ(combs["parameters"]["segments"], "best");
  EXPECT_EQ(combs["by"], "formula");
  EXPECT_LT(combs["chosen"]["segments"][0].get<int>(), combs["chosen"]["segments"][1].get<int>());
}

// Checked by hand: on 4 x 4 nodes recursive doubling takes 4 T_s + 4 L T_c, recursion-based broadcast 6 T_s + 2 L T_c,
// so that they cross at L = 2 T_s / 2 T_c = 300.
TEST_F(ChooseCommand, PrintsATable)
{
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [4, 4]", "name = \"recursive_doubling\""));
  const ProgramRun proved = run({"choose", "c.toml", "--lengths", "64..64KiB", "--algorithms",
                                 "recursive_doubling,scatter_collect,recursion_based,two_trees"});
  EXPECT_EQ(proved.exit_code, 0) << proved.err;
  EXPECT_EQ(proved.out, R"(mesh 4 x 4: broadcast from (0, 0), 64 B to 64 KiB, one port, startup 150us, 0.5us per byte
per_hop = 0s, flit_bytes = 1, buffer_flits = 2, mode = lockstep

fastest of 4                        from bytes             by
recursive_doubling                          64    64  formula
recursion_based reduction=pairwise         300   300  formula
two_trees segments=10..34                 5400  5400  formula
4 candidates: 4 by proved formulas, 0 by simulation; 0 do not run here
)");
  const ProgramRun simulated =
      run({"choose", "c.toml", "--lengths", "64..64KiB", "--algorithms", "recursive_doubling,scatter_collect", "--set",
           "run.mode=self_timed", "--set", "topology.kind=torus", "--set", "network.tie=positive"});
  EXPECT_EQ(simulated.exit_code, 0) << simulated.err;
  EXPECT_EQ(simulated.out,
            R"(torus 4 x 4: broadcast from (0, 0), 64 B to 64 KiB, one port, startup 150us, 0.5us per byte
per_hop = 0s, flit_bytes = 1, buffer_flits = 2, tie = positive, mode = self_timed

fastest of 2        from bytes               by
recursive_doubling          64   64  simulation
scatter_collect            848  848  simulation
2 candidates: 0 by proved formulas, 2 by simulation; 0 do not run here
)");
}

TEST_F(ChooseCommand, SimulatesWhereNoFormulaIsProved)
{
  const Json json = choice("kind = \"torus\"\ndims = [4, 4]", {"--lengths", "64..16KiB"}, "tie = \"positive\"\n");
  EXPECT_GT(json["by_simulation"].get<int>(), 0);
  EXPECT_GT(json["by_formula"].get<int>(), 0);
  EXPECT_EQ(json["fastest"][0]["from_bytes"], "64");
  EXPECT_EQ(json["fastest"].back()["to_bytes"], "16384");
  for (std::size_t i = 1; i < json["fastest"].size(); ++i) {
    EXPECT_EQ(json["fastest"][i]["from_bytes"], json["fastest"][i - 1]["to_bytes"]);
  }
}

// Without a startup a message is best cut into single bytes: never into more segments than it has bytes, and each
// number beyond 512 that is looked at counts from its bytes on.
TEST_F(ChooseCommand, CutsNoMessageIntoMoreSegmentsThanItHasBytes)
{
  directory.write("c.toml", "[topology]\nkind = \"hypercube\"\ndimension = 4\n[network]\nstartup = \"0us\"\nper_byte = "
                            "\"1us\"\n[algorithm]\nname = \"msbt\"\n[message]\nbytes = 64\n");
  for (const auto& [lengths, segments] : {std::pair("64..300", "[64,300]"), std::pair("1..16", "[1,16]")}) {
    const ProgramRun result = run({"choose", "c.toml", "--algorithms", "msbt", "--lengths", lengths, "--json", "-"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Json json = Json::parse(result.out);
    EXPECT_EQ(json["fastest"].size(), 1U);
    EXPECT_EQ(json["fastest"][0]["chosen"]["segments"].dump(), segments);
  }
}

// Where the network or the run makes the formula false nothing counts by formula.
TEST_F(ChooseCommand, SimulatesWhereTheNetworkHasNoFormula)
{
  const std::vector<std::string> some = {"--algorithms", "recursive_doubling,two_combs", "--lengths", "64..1KiB"};
  for (const std::string network :
       {"switching = \"store_and_forward\"", "per_hop = \"10us\"\nbuffer_flits = 1", "flit_bytes = 4"}) {
    const Json json = choice("kind = \"mesh\"\ndims = [4, 4]", some, network + "\n");
    EXPECT_EQ(json["by_formula"], 0) << network;
    EXPECT_EQ(json["by_simulation"], 2) << network;
    for (const Json& piece : json["fastest"]) {
      EXPECT_EQ(piece["by"], "simulation") << network;
    }
  }
  directory.write("j.toml", config_of("kind = \"mesh\"\ndims = [4, 4]", "name = \"recursive_doubling\"") +
                                "[run]\nstart_jitter = \"1us\"\n");
  const ProgramRun jitter = run({"choose", "j.toml", "--algorithms", "recursive_doubling", "--json", "-"});
  EXPECT_EQ(Json::parse(jitter.out)["by_simulation"], 1);
}

// On a port that sends or receives a chain takes one segment, and deadlocks with more: the check of the configured
// message, which is sent in one, must not count for the others.
TEST_F(ChooseCommand, SegmentsThatDoNotFitHalfDuplexPortsAreNotChosen)
{
  const Json json = choice(
      "kind = \"mesh\"\ndims = [4, 4]",
      {"--algorithms", "recursive_doubling,segmented_chain", "--lengths", "64..1MiB", "--set", "message.bytes=1"},
      "duplex = \"half\"\n");
  EXPECT_EQ(json["by_formula"], 1);
  EXPECT_EQ(pieces_of(json), (std::vector<std::string>{"64 recursive_doubling"}));
}

TEST_F(ChooseCommand, WritesATableAndCsv)
{
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [8, 4]", "name = \"recursive_doubling\""));
  const ProgramRun table = run({"choose", "c.toml", "--algorithms", "recursive_doubling,scatter_collect"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("mesh 8 x 4: broadcast from (0, 0), 64 B to 1 MiB"));
  EXPECT_THAT(table.out, HasSubstr("2 candidates: 2 by proved formulas, 0 by simulation; 0 do not run here\n"));
  EXPECT_THAT(table.out, HasSubstr("one port, startup 150us, 0.5us per byte\nper_hop = 0s, flit_bytes = 1, "));
  EXPECT_THAT(table.out, HasSubstr("fastest of 2 "));
  const ProgramRun csv = run({"choose", "c.toml", "--algorithms", "recursive_doubling,scatter_collect", "--csv", "-"});
  EXPECT_TRUE(csv.out.starts_with("from_bytes,to_bytes,algorithm,parameters,by,not_decided,"
                                  "from_bytes_decimal,to_bytes_decimal,deadlock_free_from\n64,"));
}

// Noise makes the change from one algorithm to the other a range of lengths in which it is not decided.
TEST_F(ChooseCommand, BoundariesBetweenNoisyWinnersAreNotDecided)
{
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [6, 4]", "name = \"binomial_tree\"") +
                                "[run.noise]\ndistribution = \"exponential\"\nmean = 0.5\n");
  const auto chosen = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "choose", "c.toml", "--lengths", "64..64KiB", "--algorithms", "binomial_tree,scatter_collect", "--json", "-"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun result = run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  };
  const Json json = chosen({});
  EXPECT_EQ(json["repeats"]["runs"], 20);
  EXPECT_EQ(json["repeats"]["random"], Json({"run.noise"}));
  const Json& pieces = json["fastest"];
  ASSERT_EQ(pieces.size(), 3U) << pieces.dump(1);
  EXPECT_EQ(pieces[0]["algorithm"], "binomial_tree");
  EXPECT_EQ(pieces[1]["algorithm"], nullptr);
  EXPECT_EQ(pieces[1]["decided"], false);
  EXPECT_EQ(pieces[1]["between"].size(), 2U);
  EXPECT_EQ(pieces[2]["algorithm"], "scatter_collect");
  // More runs tell more apart; one run tells nothing.
  const auto width = [](const Json& piece) {
    return std::stoi(piece["to_bytes"].get<std::string>()) - std::stoi(piece["from_bytes"].get<std::string>());
  };
  EXPECT_LT(width(chosen({"--repeat", "60"})["fastest"][1]), width(pieces[1]));
  const Json once = chosen({"--repeat", "1"});
  for (const Json& piece : once["fastest"]) {
    EXPECT_EQ(piece["algorithm"], nullptr);
  }
  const ProgramRun table =
      run({"choose", "c.toml", "--lengths", "64..64KiB", "--algorithms", "binomial_tree,scatter_collect"});
  EXPECT_THAT(table.out, HasSubstr("noise.distribution = exponential, noise.mean = 0.5\n"
                                   "means of 20 runs, run.seed = 1 .. 20 (random: run.noise)\n"));
  EXPECT_THAT(table.out, HasSubstr("not decided: "));
}

// Where buffers do not cover the hop no schedule has a formula, and each message loses the rest of a hop for each full
// buffer. The ranges are those of simulations of each flit.
TEST_F(ChooseCommand, HasTheSameRangesOnSlowChannelsByBothEngines)
{
  const std::string slow = "per_hop = \"10us\"\nflit_bytes = 16\nbuffer_flits = 1\n";
  const std::vector<std::string> words = {"--lengths", "16..8KiB", "--algorithms",
                                          "binomial_tree,recursive_doubling,scatter_collect,intercom"};
  for (const char* mode : {"run.mode=self_timed", "run.mode=lockstep"}) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--set", mode});
    const Json fast = choice("kind = \"mesh\"\ndims = [4, 3]", more, slow);
    more.insert(more.end(), {"--set", "run.engine=flit"});
    EXPECT_EQ(fast["fastest"], choice("kind = \"mesh\"\ndims = [4, 3]", more, slow)["fastest"]) << mode;
    ASSERT_GT(fast["fastest"].size(), 1U);
    EXPECT_EQ(fast["fastest"][0]["deadlock_free"], "proved");
    EXPECT_EQ(fast["fastest"][0]["deadlock_free_from"], 1);
  }
}

// Bounds rule most simulations out; what is found is what simulating everything finds.
TEST_F(ChooseCommand, BoundsDoNotChangeTheOutcome)
{
  const std::string slow = "per_hop = \"10us\"\nflit_bytes = 16\nbuffer_flits = 1\n";
  const std::vector<std::string> lengths = {"--lengths", "16..8KiB", "--set", "run.mode=self_timed"};
  std::vector<std::string> all = lengths;
  all.insert(all.end(), {"--algorithms", "binomial_tree,recursive_doubling,scatter_collect,intercom,flooding"});
  const Json json = choice("kind = \"mesh\"\ndims = [4, 3]", all, slow);
  ASSERT_FALSE(json["fastest"].empty());
  EXPECT_EQ(json["by_formula"], 0);
  // The latencies at the ends of the ranges, one by one.
  const auto latency = [&](const Json& piece, const std::string& bytes) {
    std::vector<std::string> words = {"run",    "c.toml",
                                      "--json", "-",
                                      "--set",  "run.mode=self_timed",
                                      "--set",  "message.bytes=" + bytes,
                                      "--set",  "algorithm.name=" + piece["algorithm"].get<std::string>()};
    for (const auto& [name, value] : piece["parameters"].items()) {
      words.insert(words.end(), {"--set", "algorithm." + name + "=" +
                                              (value.is_string() ? value.get<std::string>() : value.dump())});
    }
    return Json::parse(run(words).out)["latency_us"].get<double>();
  };
  for (std::size_t i = 0; i < json["fastest"].size(); ++i) {
    const Json& piece = json["fastest"][i];
    const std::string from = piece["from_bytes"];
    for (const Json& other : json["fastest"]) {
      EXPECT_LE(latency(piece, from), latency(other, from)) << piece.dump() << other.dump();
    }
  }
}

TEST_F(ChooseCommand, TakesListsOfLengthsAndSingleOnes)
{
  const std::string mesh = "kind = \"mesh\"\ndims = [4, 4]";
  const std::vector<std::string> some = {"--algorithms", "recursive_doubling,scatter_collect"};
  const auto bounds = [&](const std::string& lengths) {
    std::vector<std::string> more = some;
    more.insert(more.end(), {"--lengths", lengths});
    const Json json = choice(mesh, more);
    return std::pair(json["fastest"][0]["from_bytes"].get<std::string>(),
                     json["fastest"].back()["to_bytes"].get<std::string>());
  };
  EXPECT_EQ(bounds("64"), std::pair(std::string("64"), std::string("64")));
  EXPECT_EQ(bounds("4KiB,64"), std::pair(std::string("64"), std::string("4096")));
}

TEST_F(ChooseCommand, NamesWhatDoesNotRun)
{
  const Json json = choice("kind = \"mesh\"\ndims = [6, 6]", {"--algorithms", "recursive_doubling,recursion_based"});
  EXPECT_EQ(json["left_out"], 1);
  ASSERT_EQ(json["do_not_run"].size(), 1U);
  EXPECT_EQ(json["do_not_run"][0]["algorithm"], "recursion_based");
  EXPECT_FALSE(json["do_not_run"][0]["reason"].get<std::string>().empty());
  const ProgramRun table = run({"choose", "c.toml", "--algorithms", "recursive_doubling,recursion_based", "--verbose"});
  EXPECT_THAT(table.out, HasSubstr("; 1 do not run here (--verbose names them)\n"));
  EXPECT_THAT(table.err, HasSubstr("recursion_based"));
}

TEST_F(ChooseCommand, IsTheSameForAnyNumberOfJobs)
{
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [4, 4]", "name = \"recursive_doubling\"") +
                                "[run]\nstart_jitter = \"40us\"\n");
  const std::vector<std::string> words = {"choose", "c.toml", "--lengths", "64..4KiB", "--repeat", "5", "--json", "-"};
  std::vector<std::string> outputs;
  for (const char* jobs : {"1", "3"}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--jobs", jobs});
    const ProgramRun result = run(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr(" candidates have no formula: ")); // 5 runs of each at 7 lengths
    outputs.push_back(result.out);
  }
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_THAT(run({"choose", "c.toml", "--repeat", "0"}).err,
              HasSubstr("--repeat: found 0, expected a number of seeds from 1 to 10000"));
}

TEST_F(ChooseCommand, BadInput)
{
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [6, 6]", "name = \"recursive_doubling\""));
  EXPECT_THAT(run({"choose", "c.toml", "--lengths", "none"}).err,
              HasSubstr("--lengths: found \"none\", expected lengths, such as 64..1MiB"));
  const ProgramRun nothing = run({"choose", "c.toml", "--algorithms", "recursion_based"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("nothing to choose from: "));
  EXPECT_THAT(run({"choose", "c.toml", "--algorithms", "recursive_dubling"}).err, HasSubstr("did you mean"));
  const ProgramRun fluid = run({"choose", "c.toml", "--set", "run.model=fluid"});
  EXPECT_EQ(fluid.exit_code, 2);
  EXPECT_THAT(fluid.err, HasSubstr("run.model: choose"));
  const ProgramRun long_messages =
      run({"choose", "c.toml", "--algorithms", "recursive_doubling", "--lengths", "1GiB..4000000000GiB"});
  EXPECT_EQ(long_messages.exit_code, 2);
  EXPECT_THAT(long_messages.err, HasSubstr("does not fit 64 bits of picoseconds"));
}

// What was taken for "best" stands in the result, in the table and in the schedule's file.
TEST_F(ChooseCommand, BestParametersSayWhatWasTaken)
{
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [32, 32]", "name = \"truncated_recursion\"\ndepth = "
                                                                          "\"best\"\nblock = \"best\""));
  const ProgramRun table = run({"run", "c.toml", "--set", "algorithm.rounds=lattice"});
  EXPECT_THAT(table.out, HasSubstr("chosen as best    block = 0, depth = 5\n"));
  EXPECT_THAT(table.out, HasSubstr("latency           6794 us\n"));
  const ProgramRun json = run({"run", "c.toml", "--json", "-"});
  EXPECT_EQ(Json::parse(json.out)["chosen"].dump(), R"({"block":2,"depth":4})");
  EXPECT_EQ(Json::parse(json.out)["config"]["algorithm"]["depth"], "best");
  EXPECT_EQ(run({"schedule", "c.toml", "--out", "s.json"}).exit_code, 0);
  EXPECT_THAT(read_file(directory.path() / "s.json").substr(0, 400),
              HasSubstr(R"("chosen": {"block": 2, "depth": 4})"));
  EXPECT_THAT(run({"check", "s.json"}).out, HasSubstr("chosen as best    block = 2, depth = 4\n"));
  const ProgramRun wrong = run({"run", "c.toml", "--set", "algorithm.depth=deepest"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("found \"deepest\", expected a whole number from 0 to 20, or \"best\""));
}

} // namespace
} // namespace wormcast::testing
