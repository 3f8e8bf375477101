// Every operation on every model, engine and router: right, or refused in a line.

#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/sanitizer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What is done, by an algorithm that does it on a 4 x 4 mesh.
struct OperationCase {
  std::string operation;
  std::string algorithm;
};

std::ostream& operator<<(std::ostream& out, const OperationCase& chosen)
{
  return out << chosen.operation;
}

const std::vector<OperationCase> operations = {{"broadcast", "name = \"recursion_based\""},
                                               {"multicast", "name = \"chain_halving\"\ndestinations = [3, 5, 9]"},
                                               {"scatter", "name = \"dimension_halving\"\noperation = \"scatter\""},
                                               {"gather", "name = \"dimension_halving\"\noperation = \"gather\""},
                                               {"multinode_broadcast", "name = \"ring\"\noperation = \"all_gather\""},
                                               {"total_exchange", "name = \"pairwise_exchange\""},
                                               {"reduce", "name = \"recursive_doubling\"\noperation = \"reduce\""},
                                               {"reduce_scatter", "name = \"ring\"\noperation = \"reduce_scatter\""},
                                               {"all_reduce", "name = \"scatter_collect\"\noperation = \"all_reduce\""},
                                               {"barrier", "name = \"dissemination\""},
                                               {"none", "name = \"schedule\"\nfile = \"list.json\""}};

const std::string plain_list =
    R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[4,4]},"operation":"none","messages":[)"
    R"({"id":0,"src":0,"dst":5,"bytes":64},{"id":1,"src":5,"dst":9,"bytes":64,"after":[0]}]})";

class Models : public ::testing::TestWithParam<OperationCase> {
protected:
  /// The result as JSON; null where it was refused.
  Json result(const std::vector<std::string>& sets) const
  {
    std::vector<std::string> arguments = {"run", "c.toml", "--json", "-"};
    for (const std::string& set : sets) {
      arguments.insert(arguments.end(), {"--set", set});
    }
    const ProgramRun run = run_program(arguments, directory.path());
    if (run.exit_code == 0) {
      return Json::parse(run.out);
    }
    EXPECT_EQ(run.exit_code, 2) << ::testing::PrintToString(sets) << run.err;
    EXPECT_THAT(run.err, StartsWith("wormcast: error: ")) << ::testing::PrintToString(sets);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    return nullptr;
  }

  void SetUp() override
  {
    directory.write("list.json", plain_list);
    const std::string topology = GetParam().operation == "none" ? "" : "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n";
    const std::string message = GetParam().operation == "none" ? "" : "[message]\nbytes = 4096\n";
    directory.write("c.toml", topology + "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\nflit_bytes = 8\n" +
                                  message + "[algorithm]\n" + GetParam().algorithm + "\n");
  }

  bool is_list() const { return GetParam().operation == "none"; }

  TemporaryDirectory directory;
};

TEST_P(Models, OfWormsRunEveryOperation)
{
  for (const char* mode : {"lockstep", "self_timed"}) {
    const std::string in_mode = fmt::format("run.mode={}", mode);
    const Json worm = result({in_mode, "run.engine=worm"});
    const Json flit = result({in_mode, "run.engine=flit"});
    ASSERT_TRUE(worm.is_object() && flit.is_object()) << mode;
    EXPECT_EQ(worm["latency_us"], flit["latency_us"]) << mode;
    EXPECT_EQ(result({in_mode})["latency_us"], flit["latency_us"]) << mode;
    EXPECT_TRUE(result({in_mode, "run.engine=cycle"}).is_null()) << mode;
    for (const char* engine : {"auto", "worm", "flit", "cycle"}) {
      const Json queued =
          result({in_mode, fmt::format("run.engine={}", engine), "network.router=input_queued", "network.startup=0us"});
      EXPECT_TRUE(queued.is_null() || queued["latency_us"].get<double>() > 0) << mode << ' ' << engine;
    }
  }
}

TEST_P(Models, OfSimGridRunEveryOperation)
{
  for (const char* mode : {"lockstep", "self_timed"}) {
    for (const char* model : {"fluid", "fluid_cross_traffic", "fluid_tcp"}) {
      std::vector<std::string> sets = {fmt::format("run.mode={}", mode), fmt::format("run.model={}", model)};
      const Json with_flits = result(sets); // of 8 bytes, which a fluid model ignores
      sets.emplace_back("network.flit_bytes=1");
      const Json fluid = result(sets);
      ASSERT_TRUE(fluid.is_object() && with_flits.is_object()) << model;
      EXPECT_EQ(fluid["latency_us"], with_flits["latency_us"]) << model;
      for (const char* engine : {"worm", "flit", "cycle"}) {
        sets.push_back(fmt::format("run.engine={}", engine));
        EXPECT_TRUE(result(sets).is_null()) << model << ' ' << engine;
        sets.pop_back();
      }
      const Json worms = result({sets.front(), "network.flit_bytes=1"});
      // No model is faster than worms that meet nobody, and CM02 with channels free as slow.
      if (!is_list()) {
        EXPECT_GE(fluid["latency_us"].get<double>(), worms["predicted_us"].get<double>() - 1e-3) << model << mode;
      }
      if (std::string(model) == "fluid" && worms["contention"]["step"] == 0 && worms["contention"]["port"] == 0 &&
          worms["contention"]["depth"] == 0) {
        EXPECT_NEAR(fluid["latency_us"].get<double>(), worms["latency_us"].get<double>(), 1e-3) << mode;
      }
    }
  }
}

TEST_P(Models, ComputeTheSame)
{
  if (is_list() || GetParam().operation == "barrier") {
    return; // without vectors there is nothing to add or to copy
  }
  const std::vector<std::string> computing = {"run.reduce=1B 1ns", "run.copy=1KiB 3us", "run.call=2us",
                                              "network.startup_latency=5us", "network.flit_bytes=1"};
  for (const char* mode : {"lockstep", "self_timed"}) {
    std::vector<std::string> sets = {fmt::format("run.mode={}", mode)};
    sets.insert(sets.end(), computing.begin(), computing.end());
    const Json worms = result(sets);
    ASSERT_TRUE(worms.is_object());
    EXPECT_TRUE(worms["predicted_us"].is_null());
    sets.emplace_back("run.engine=flit");
    EXPECT_EQ(worms["latency_us"], result(sets)["latency_us"]);
    sets.back() = "run.model=fluid";
    const Json fluid = result(sets);
    ASSERT_TRUE(fluid.is_object());
    EXPECT_EQ(worms["additions"], fluid["additions"]);
    EXPECT_EQ(worms["addition_us"], fluid["addition_us"]);
    if (worms["contention"]["step"] == 0 && worms["contention"]["port"] == 0 && worms["contention"]["depth"] == 0) {
      EXPECT_NEAR(fluid["latency_us"].get<double>(), worms["latency_us"].get<double>(), 1e-3) << mode;
    }
  }
}

TEST(FluidRuns, OfSchedulesThatStopAreRefusedInALine)
{
  if (has_address_sanitizer) {
    GTEST_SKIP() << "the sanitizer takes an exception on the stack of one of SimGrid's actors for an overflow";
  }
  const TemporaryDirectory directory;
  directory.write("stops.json", R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[3]},)"
                                R"("operation":"broadcast","source":0,"blocks":1,"message_bytes":64,"messages":[)"
                                R"({"id":0,"step":0,"src":2,"dst":1,"blocks":[[0,1]]}]})");
  directory.write("c.toml",
                  "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\nfile = "
                  "\"stops.json\"\n[run]\nmode = \"self_timed\"\nmodel = \"fluid\"\n");
  const ProgramRun run = run_program({"run", "c.toml", "--unchecked"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("the schedule lets a node send what it never gets\n"));
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Run, Models, ::testing::ValuesIn(operations),
                         [](const auto& chosen) { return chosen.param.operation; });

} // namespace
} // namespace wormcast::testing
