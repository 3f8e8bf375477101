// Reductions, multicasts and barriers as users run them.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

std::string reduction_config(const std::string& algorithm, const std::string& mode = "lockstep")
{
  return "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n"
         "[message]\nbytes = 4096\n[run]\nmode = \"" +
         mode + "\"\n[algorithm]\n" + algorithm + "\n";
}

class Reductions : public ::testing::Test {
protected:
  ProgramRun run(const std::string& command, const std::string& config, std::vector<std::string> more = {}) const
  {
    directory.write("c.toml", config);
    std::vector<std::string> words = {command, "c.toml"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, directory.path());
  }

  Json json(const std::string& command, const std::string& config, std::vector<std::string> more = {}) const
  {
    more.insert(more.end(), {"--json", "-"});
    const ProgramRun result = run(command, config, more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  }

  std::string error(const std::string& config) const
  {
    const ProgramRun result = run("run", config);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  }

  TemporaryDirectory directory;
};

const std::string reduce = "name = \"recursion_based\"\noperation = \"reduce\"\nsource = [1, 2]";

std::string torus_config(const std::string& algorithm)
{
  return "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[network]\nstartup = \"1us\"\nper_byte = \"20ps\"\nports = "
         "\"all\"\nvirtual_channels = 2\n[message]\nbytes = 65536\n[algorithm]\n" +
         algorithm + "\n";
}

TEST_F(Reductions, AllReduceAlgorithmsOfToriBroadcast)
{
  const Json rings =
      json("run", torus_config("name = \"hamiltonian_rings\"\noperation = \"broadcast\"\nsource = [1, 2]"));
  EXPECT_EQ(rings["latency_us"], rings["predicted_us"]);
  EXPECT_EQ(rings["config"]["algorithm"]["operation"], "broadcast");
  EXPECT_GT(rings["chosen"]["segments"].get<int>(), 1);
  const Json bucket = json("run", torus_config("name = \"bucket\"\noperation = \"broadcast\""));
  EXPECT_EQ(bucket["alpha"], 12);
  EXPECT_EQ(bucket["beta"], "15/32");
  EXPECT_EQ(bucket["latency_us"], bucket["predicted_us"]);
  const std::string few =
      run("run", torus_config("name = \"swing\"\noperation = \"broadcast\"\nvariant = \"latency\"")).out;
  EXPECT_THAT(few, HasSubstr("broadcast from (0, 0)"));
  EXPECT_THAT(run("compare", torus_config("name = \"bucket\"\noperation = \"broadcast\""),
                  {"--lengths", "none", "--algorithms", "bucket,swing,hamiltonian_rings,edge_disjoint_trees"})
                  .out,
              HasSubstr("swing variant=latency operation=broadcast"));
}

TEST_F(Reductions, BroadcastsOfToriRefuseWhatTheyCannotServe)
{
  EXPECT_THAT(error(torus_config("name = \"hamiltonian_rings\"\nsegments = 4")),
              HasSubstr("hamiltonian_rings: found segments for all_reduce"));
  EXPECT_THAT(error(torus_config("name = \"hamiltonian_rings\"\noperation = \"broadcast\"\nsegments = 65537")),
              HasSubstr("segments is 65537, the message has 65536 bytes"));
  EXPECT_THAT(error(torus_config("name = \"trivance\"\noperation = \"broadcast\"")),
              HasSubstr("the x size of the torus 4 x 4 is 4; the nearest is 3"));
  EXPECT_THAT(error(torus_config("name = \"swing\"\noperation = \"scatter\"")), HasSubstr("algorithm.operation"));
}

TEST_F(Reductions, RunAsPredicted)
{
  const Json result = json("run", reduction_config(reduce));
  EXPECT_EQ(result["latency_us"], result["predicted_us"]);
  EXPECT_EQ(result["alpha"], 6);
  EXPECT_EQ(result["beta"], "2");
  EXPECT_EQ(result["config"]["algorithm"]["operation"], "reduce");
  EXPECT_THAT(run("run", reduction_config(reduce)).out, HasSubstr("recursion_based, reduce to (1, 2)"));
}

TEST_F(Reductions, AreProvedAndTheProofSaysHow)
{
  ASSERT_EQ(run("schedule", reduction_config(reduce), {"--out", "s.json"}).exit_code, 0);
  const ProgramRun check = run_program({"check", "s.json", "--json", "-", "--contention-free"}, directory.path());
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const Json report = Json::parse(check.out);
  EXPECT_EQ(report["valid"], true);
  EXPECT_EQ(report["counted_once"], true);
  EXPECT_EQ(report["contributions_proved_by"], "contributor_sets");
  EXPECT_EQ(report["error_probability"], 0);
  const ProgramRun text = run_program({"check", "s.json"}, directory.path());
  EXPECT_THAT(text.out, HasSubstr("reduce to (1, 2)"));
  EXPECT_THAT(text.out, HasSubstr("counted once      yes (by the set of contributors of every partial result)"));
}

TEST_F(Reductions, FailTheirProofWithTheContributor)
{
  directory.write("s.json", R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [3]}, "ports": 1,
 "operation": "reduce", "source": 0, "blocks": 1, "message_bytes": 8, "messages": [
 {"id": 0, "step": 0, "src": 2, "dst": 1, "blocks": [[0, 1]]}, {"id": 1, "step": 1, "src": 1, "dst": 0, "blocks": [[0, 1]]},
 {"id": 2, "step": 2, "src": 2, "dst": 0, "blocks": [[0, 1]]}]})");
  const ProgramRun check = run_program({"check", "s.json", "--json", "-"}, directory.path());
  EXPECT_EQ(check.exit_code, 3);
  const Json report = Json::parse(check.out);
  EXPECT_EQ(report["valid"], false);
  EXPECT_EQ(report["counted_once"], false);
  EXPECT_EQ(report["violations"][0]["kind"], "counting");
  EXPECT_EQ(report["violations"][0]["nodes"], Json::array({0}));
  EXPECT_EQ(report["violations"][0]["contributors"], Json({2}));
}

TEST_F(Reductions, AreExplainedInBothModes)
{
  for (const std::string algorithm :
       {"name = \"ring\"\noperation = \"all_reduce\"", "name = \"dissemination\"",
        "name = \"chain_halving\"\ndestinations = [3, 9, 14]", "name = \"dimension_halving\"\noperation = \"gather\"",
        "name = \"bine_butterfly\"\noperation = \"reduce_scatter\"", "name = \"pairwise_exchange\""}) {
    for (const std::string mode : {"lockstep", "self_timed"}) {
      SCOPED_TRACE(algorithm + " " + mode);
      const Json result = json("run", reduction_config(algorithm, mode), {"--explain"});
      EXPECT_EQ(result["critical_path"]["latency_us"], result["latency_us"]);
      EXPECT_EQ(run("schedule", reduction_config(algorithm), {"--format", "goal"}).exit_code, 0);
      EXPECT_EQ(run("view", reduction_config(algorithm, mode), {"--out", "v.html"}).exit_code, 0);
    }
  }
}

TEST_F(Reductions, AreComparedWithEachOther)
{
  const Json result = json("compare", reduction_config("name = \"ring\"\noperation = \"all_reduce\""));
  EXPECT_EQ(result["operation"], "all_reduce");
  std::vector<std::string> names;
  for (const Json& algorithm : result["algorithms"]) {
    names.push_back(algorithm["algorithm"]);
    EXPECT_TRUE(algorithm["state"] == "left_out" || algorithm["valid"] == true) << algorithm;
  }
  EXPECT_THAT(names, ::testing::IsSupersetOf({"ring", "dimension_ring", "recursive_halving", "bine_butterfly",
                                              "recursion_based", "scatter_collect"}));
}

TEST_F(Reductions, BadInputNamesWhatIsServed)
{
  EXPECT_THAT(
      error(reduction_config("name = \"recursion_based\"\noperation = \"gather\"")),
      HasSubstr("algorithm.operation: found \"gather\", expected one of \"broadcast\", \"reduce\", \"all_reduce\", "
                "\"multicast\""));
  EXPECT_THAT(error(reduction_config("name = \"petersen_torus_broadcast\"\noperation = \"reduce\"")),
              HasSubstr("found \"reduce\", expected one of \"broadcast\", \"multicast\""));
  EXPECT_THAT(error(reduction_config("name = \"chain_halving\"")), HasSubstr("algorithm.destinations: missing"));
  EXPECT_THAT(error(reduction_config("name = \"chain_halving\"\ndestinations = []")),
              HasSubstr("algorithm.destinations"));
  EXPECT_THAT(error(reduction_config("name = \"chain_halving\"\ndestinations = [4, 4]")),
              HasSubstr("the destination 4 occurs twice"));
  EXPECT_THAT(error(reduction_config("name = \"chain_halving\"\ndestinations = [4, 0]")),
              HasSubstr("node 0 is the source and cannot be a destination"));
}

} // namespace
} // namespace wormcast::testing
