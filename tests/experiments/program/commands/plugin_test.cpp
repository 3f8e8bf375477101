// Topologies and algorithms from outside: plug-ins, and programs that print schedules.

#include "tests/experiments/program/commands/printing_program.hpp"
#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/program/commands/stored_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

const std::string chordal_config = R"([topology]
kind = "chordal_ring"
nodes = 16
chord = 4
[network]
startup = "10us"
per_byte = "10ns"
[algorithm]
name = "halving"
source = 3
[message]
bytes = 1000
)";

std::vector<std::string> with_plugin(std::vector<std::string> arguments)
{
  arguments.insert(arguments.end(), {"--plugin", WORMCAST_EXAMPLE_PLUGIN});
  return arguments;
}

std::size_t rows(const std::string& csv)
{
  return static_cast<std::size_t>(std::ranges::count(csv, '\n')) - 1;
}

TEST(Plugin, IsKnownToEveryCommand)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", chordal_config);
  const auto run = [&](const std::vector<std::string>& arguments) {
    ProgramRun result = run_program(with_plugin(arguments), directory.path());
    EXPECT_EQ(result.exit_code, 0) << arguments.front() << ": " << result.err;
    return result.out;
  };
  EXPECT_THAT(run({"list", "topologies"}), HasSubstr("chordal_ring"));
  EXPECT_THAT(run({"list", "algorithms"}), HasSubstr("halving"));
  EXPECT_THAT(run({"topology", "c.toml"}), HasSubstr("chordal ring 16 with chords of 4"));
  // Four steps of 10 us and 1000 bytes of 10 ns each.
  EXPECT_EQ(Json::parse(run({"run", "c.toml", "--json", "-"}))["latency_us"], 80);
  const Json check = Json::parse(run({"check", "c.toml", "--json", "-"}));
  EXPECT_EQ(check["valid"], true);
  EXPECT_EQ(check["alpha"], 4);
  EXPECT_EQ(Json::parse(run({"schedule", "c.toml"}))["messages"].size(), 15U);
  EXPECT_THAT(run({"compare", "c.toml", "--algorithms", "halving,bfs_tree", "--lengths", "64..128"}),
              AllOf(HasSubstr("halving"), HasSubstr("bfs_tree")));
  run({"view", "c.toml", "--out", "page.html"});
  EXPECT_THAT(read_file(directory.path() / "page.html"), HasSubstr("chordal ring 16"));
  EXPECT_THAT(run({"init", "chordal_ring"}), HasSubstr("chord = "));
  EXPECT_THAT(run({"reference"}), HasSubstr("kind = \"chordal_ring\""));
}

TEST(Plugin, BringsPatternsOfTraffic)
{
  const TemporaryDirectory directory;
  const auto config = [&](const std::string& keys) {
    directory.write("c.toml",
                    "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"0ns\"\nper_byte = \"1ns\"\n"
                    "[traffic]\nbytes = 8\nmeasure = 2000\n" +
                        keys + "[load]\npoints = [0.1]\n");
    return run_program(with_plugin({"load", "c.toml", "--json", "-", "--out", std::to_string(keys.size())}),
                       directory.path());
  };
  EXPECT_THAT(run_program(with_plugin({"list", "patterns"}), directory.path()).out,
              HasSubstr("ahead.step ids further"));
  const ProgramRun run = config("pattern = \"ahead\"\nahead.step = 4\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  // Half of the messages go one row down, or from the last one three rows up; the others 8/3 hops on average.
  const Json curve = Json::parse(run.out)["curves"][0];
  EXPECT_NEAR(curve["points"][0]["hops"].get<double>(), (1.5 + 8 / 3.0) / 2, 0.1);
  EXPECT_EQ(config("pattern = \"ahead\"\n").exit_code, 0);
  EXPECT_THAT(config("ahead.step = 4\n").err,
              HasSubstr("c.toml:10:14: traffic.ahead.step: found with pattern \"uniform\", only \"ahead\" has it"));
  EXPECT_THAT(config("pattern = \"ahed\"\n").err, HasSubstr("\"ahead\""));
}

class RouterPlugin : public ::testing::Test {
protected:
  ProgramRun run(std::vector<std::string> arguments)
  {
    arguments.insert(arguments.end(), {"--plugin", WORMCAST_IDEAL_ROUTER});
    return run_program(arguments, directory_.path());
  }

  ProgramRun run_with(const std::string& network, std::vector<std::string> arguments)
  {
    directory_.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4]\n[algorithm]\nname = \"binomial_tree\"\n"
                               "[message]\nbytes = 100\n[network]\nstartup = \"1us\"\nper_hop = \"10ns\"\n"
                               "per_byte = \"1ns\"\n" +
                                   network);
    arguments.insert(arguments.begin() + 1, "c.toml");
    return run(std::move(arguments));
  }

  TemporaryDirectory directory_;
};

TEST_F(RouterPlugin, TellsWhenFlitsLeaveAndArrive)
{
  const ProgramRun done = run_with("router = \"ideal\"\n", {"run", "--deliveries", "d.json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const Json deliveries = Json::parse(read_file(directory_.path() / "d.json"));
  // Lockstep: two hops from 0 on, then one hop from 1.12 us on; each 1 us, 10 ns a hop and 100 ns for the flits.
  EXPECT_EQ(deliveries["delivered_us"], Json({1.12, 2.23, 2.23}));
  EXPECT_EQ(deliveries["head_injected_us"], Json({1, 2.12, 2.12}));
  EXPECT_EQ(deliveries["tail_injected_us"], Json({1.1, 2.22, 2.22}));
  EXPECT_EQ(deliveries["head_ejected_us"], Json({1.02, 2.13, 2.13}));
}

TEST_F(RouterPlugin, RunsSchedulesAndTraffic)
{
  const auto latency = [&](const std::string& network) {
    const ProgramRun done = run_with(network, {"run", "--json", "-"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return Json::parse(done.out);
  };
  // Two hops and one hop, each with 1 us, 10 ns a hop, and 100 bytes of 1 ns or half of that.
  const std::string self_timed = "[run]\nmode = \"self_timed\"\n";
  const Json one = latency("router = \"ideal\"\n" + self_timed);
  EXPECT_EQ(one["latency_us"], 2.23);
  EXPECT_EQ(one["engine"], "ideal");
  EXPECT_EQ(latency("router = \"ideal\"\nideal.speed_up = 2\n" + self_timed)["latency_us"], 2.13);

  EXPECT_THAT(run({"list", "network"}).out, HasSubstr("ideal.speed_up: what the time of the flits is divided by"));
  const ProgramRun sweep =
      run_with("[sweep]\n\"network.router\" = [\"wormhole\", \"ideal\"]\n", {"sweep", "--out", "out"});
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_EQ(rows(read_file(directory_.path() / "out/results.csv")), 2U);

  directory_.write("load.toml",
                   "[topology]\nkind = \"mesh\"\ndims = [4]\n[network]\nstartup = \"1us\"\nper_hop = \"10ns\"\n"
                   "per_byte = \"1ns\"\nrouter = \"ideal\"\n[traffic]\nbytes = 100\npattern = \"bit_complement\"\n"
                   "measure = 1000\n[load]\npoints = [0.5]\n");
  const ProgramRun load = run({"load", "load.toml", "--json", "-"});
  EXPECT_EQ(load.exit_code, 0) << load.err;
  const Json curve = Json::parse(load.out)["curves"][0];
  EXPECT_EQ(curve["zero_load_us"], 1.12); // half of the messages take three hops, half one
  EXPECT_NEAR(curve["points"][0]["latency_us"]["mean"].get<double>(), 1.12, 0.001);
}

TEST_F(RouterPlugin, SaysWhatIsNotKnownOfIt)
{
  const std::string ideal = "router = \"ideal\"\n";
  EXPECT_THAT(run_with(ideal + "ideal.speed_up = 0\n", {"run"}).err, HasSubstr("network.ideal.speed_up: found 0"));
  EXPECT_THAT(run_with("ideal.speed_up = 2\n", {"run"}).err, HasSubstr("only router \"ideal\" has this key"));
  EXPECT_THAT(run_with(ideal + "speculative = true\n", {"run"}).err,
              HasSubstr("only router \"input_queued\" has this key"));
  EXPECT_THAT(run_with(ideal + "[run]\nengine = \"flit\"\n", {"run"}).err, HasSubstr("which has one of its own"));
  EXPECT_THAT(run_with(ideal, {"run", "--explain"}).err, HasSubstr("the critical path is not known"));
  EXPECT_THAT(run_with(ideal, {"topology", "--check-deadlock"}).err, HasSubstr("--check-deadlock: nothing is known"));
  EXPECT_THAT(run_with("router = \"ideel\"\n", {"run"}).err, HasSubstr("did you mean \"ideal\"?"));
}

// Whatever the program asks of a router, it asks of this one, too.
TEST(CompleteRouterPlugin, IsAskedForAllThatItSays)
{
  const TemporaryDirectory directory;
  const auto run = [&](const std::string& network, std::vector<std::string> arguments) {
    directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4]\n[algorithm]\nname = \"binomial_tree\"\n"
                              "[message]\nbytes = 100\n[network]\nrouter = \"metered\"\nstartup = \"1us\"\n"
                              "per_hop = \"10ns\"\nper_byte = \"1ns\"\n" +
                                  network);
    arguments.insert(arguments.begin() + 1, "c.toml");
    arguments.insert(arguments.end(), {"--plugin", WORMCAST_METERED_ROUTER});
    return run_program(arguments, directory.path());
  };
  const auto result = [&](const std::string& network) {
    const ProgramRun done = run(network, {"run", "--json", "-"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return Json::parse(done.out);
  };
  // Two steps of 1 us, a toll of 7 ns and 100 bytes of 1 ns; two hops and one.
  const Json one = result("");
  EXPECT_EQ(one["latency_us"], 2.244);
  EXPECT_EQ(one["engine"], "quick");
  EXPECT_EQ(one["predicted_is"], "lower_bound");
  EXPECT_THAT(one["prediction_leaves_out"].dump(), HasSubstr("tolls"));
  EXPECT_EQ(one["config"]["network"]["router"], "metered");
  EXPECT_EQ(one["config"]["network"]["metered.toll"], "7ns");
  EXPECT_FALSE(one["config"]["network"].contains("hold"));
  EXPECT_EQ(result("metered.toll = \"3ns\"\n")["latency_us"], 2.236);
  EXPECT_EQ(result("[run]\nengine = \"careful\"\n")["engine"], "careful");
  const Json paired = result("[run]\nmode = \"self_timed\"\npaired = true\n");
  EXPECT_FALSE(paired["latency_us"].is_null());

  const Json slow = result("buffer_flits = 1\n");
  EXPECT_EQ(slow["engine"], "careful");
  const ProgramRun forced = run("buffer_flits = 1\n[run]\nengine = \"quick\"\n", {"run"});
  EXPECT_EQ(forced.exit_code, 2);
  EXPECT_THAT(forced.err, HasSubstr("engine \"quick\" cannot run this exactly: short buffers, so that one message "
                                    "reaches 50 % of a channel's rate"));
  EXPECT_THAT(run("[run]\nengine = \"flit\"\n", {"run"}).err,
              HasSubstr("engine \"flit\" cannot run router \"metered\", expected \"auto\", \"quick\" or \"careful\""));
  EXPECT_THAT(run("hold = \"path\"\n", {"run"}).err,
              HasSubstr("network.hold: only router \"wormhole\" has this key, but the configuration has router "
                        "\"metered\", where channels are released behind the tail"));
  EXPECT_THAT(run("virtual_channels = 5\n", {"run"}).err, HasSubstr("network.virtual_channels: found 5"));

  const ProgramRun explained = run("", {"run", "--explain"});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("where the time went"));
  const ProgramRun proved = run("", {"topology", "--check-deadlock"});
  EXPECT_EQ(proved.exit_code, 0) << proved.err;
  const ProgramRun listed = run_program({"list", "network", "--plugin", WORMCAST_METERED_ROUTER}, directory.path());
  EXPECT_THAT(listed.out, AllOf(HasSubstr("metered.toll: added to startup"), HasSubstr("source      a test")));
}

TEST(Plugin, IsKnownToTheProcessesOfASweepAndPartOfItsKeys)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", chordal_config + "[sweep]\n\"topology.chord\" = [2, 4, 6]\n"
                                             "\"algorithm.name\" = [\"halving\", \"binomial_tree\"]\n");
  const ProgramRun first =
      run_program(with_plugin({"sweep", "c.toml", "--out", "out", "--jobs", "2"}), directory.path());
  EXPECT_EQ(first.exit_code, 0) << first.err;
  const std::string csv = read_file(directory.path() / "out/results.csv");
  EXPECT_EQ(rows(csv), 6U);
  EXPECT_EQ(csv.find("bad_input"), std::string::npos);
  const auto resume = [&](const std::string& plugin) {
    const ProgramRun again =
        run_program({"sweep", "c.toml", "--out", "out", "--resume", "--plugin", plugin}, directory.path());
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(read_file(directory.path() / "out/results.csv"), csv);
    return stored_points(directory.path() / "out");
  };
  EXPECT_EQ(resume(WORMCAST_EXAMPLE_PLUGIN), 6);
  directory.write("changed.so", read_file(WORMCAST_EXAMPLE_PLUGIN) + " ");
  EXPECT_EQ(resume("changed.so"), 12);
}

TEST(Plugin, IsNamedByTheEnvironment)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", chordal_config);
  const ProgramRun run = run_script("export WORMCAST_PLUGINS=" WORMCAST_EXAMPLE_PLUGIN "\n"
                                    "$wormcast run c.toml && $wormcast run c.toml --plugin=" WORMCAST_EXAMPLE_PLUGIN,
                                    directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run_program({"run", "c.toml"}, directory.path()).exit_code, 2);
}

TEST(Plugin, ThatIsNoneIsAnError)
{
  const TemporaryDirectory directory;
  directory.write("text.so", "no shared object");
  const auto error = [&](const std::string& name) {
    const ProgramRun run = run_program({"list", "topologies", "--plugin", name}, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_THAT(error(""), HasSubstr("--plugin: found nothing"));
  EXPECT_THAT(error("missing.so"), AllOf(HasSubstr("plug-in missing.so: "), HasSubstr("No such file")));
  EXPECT_THAT(error("text.so"), HasSubstr("plug-in text.so: "));
  EXPECT_THAT(error("libm.so.6"), HasSubstr("found no function wormcast_plugin, expected a plug-in of wormcast"));
  EXPECT_THAT(error(WORMCAST_OLD_PLUGIN), HasSubstr("made for version 0.0.1, expected " WORMCAST_VERSION));
  EXPECT_THAT(error(WORMCAST_STRANGE_PLUGIN), HasSubstr("made with other headers of this version"));
  EXPECT_THAT(error(WORMCAST_RIVAL_PLUGIN),
              HasSubstr("there is a kind of topology \"mesh\" already, expected another name"));
}

TEST(Plugin, WhatItsAlgorithmsMakeIsLookedAt)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const auto error = [&](const std::string& algorithm) {
    const ProgramRun run =
        run_program({"run", "c.toml", "--set", "algorithm.name=" + algorithm, "--plugin", WORMCAST_CARELESS_PLUGIN},
                    directory.path());
    EXPECT_EQ(run.exit_code, 2) << algorithm;
    return run.err;
  };
  EXPECT_THAT(error("outside"), HasSubstr("algorithm \"outside\": message 0: node 999 is outside of the mesh 4 x 4"));
  EXPECT_THAT(error("to_itself"), HasSubstr("message 0: node 0 sends to itself"));
  EXPECT_THAT(error("no_set"), HasSubstr("message 0: its blocks are no set"));
  EXPECT_THAT(error("no_blocks"), HasSubstr("a schedule of 0 blocks, expected at least 1"));
  EXPECT_THAT(error("other_blocks"), HasSubstr("message 0: block 6 of a schedule of 1 blocks"));
}

TEST(Command, IsAnAlgorithmLikeAnyOther)
{
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path() / "mine");
  directory.write("mine/mine.sh", printing_script);
  directory.write("mine/c.toml", command_config(R"(["sh", "mine.sh"])"));
  const auto run = [&](const std::vector<std::string>& arguments) {
    ProgramRun result = run_program(arguments, directory.path());
    EXPECT_EQ(result.exit_code, 0) << arguments.front() << ": " << result.err;
    return result.out;
  };
  const Json result = Json::parse(run({"run", "mine/c.toml", "--json", "-"}));
  EXPECT_EQ(result["latency_us"], 15 * 20); // 15 steps of 10 us and 1000 bytes of 10 ns
  EXPECT_EQ(result["config"]["algorithm"]["name"], "command");
  EXPECT_EQ(result["config"]["algorithm"]["command"], Json({"sh", "mine.sh"}));
  EXPECT_EQ(Json::parse(run({"check", "mine/c.toml", "--json", "-"}))["valid"], true);
  EXPECT_EQ(Json::parse(run({"schedule", "mine/c.toml"}))["messages"].size(), 15U);
  EXPECT_THAT(run({"compare", "mine/c.toml", "--algorithms", "command,binomial_tree", "--lengths", "64..128"}),
              AllOf(HasSubstr("command"), HasSubstr("binomial_tree")));
  run({"view", "mine/c.toml", "--out", "page.html"});
}

TEST(Command, IsSweptAndRunAgainWhenItsFileHasChanged)
{
  const TemporaryDirectory directory;
  directory.write("mine.sh", printing_script);
  directory.write("c.toml", command_config(R"(["sh", "mine.sh"])") + "[sweep]\n\"message.bytes\" = [500, 1000]\n");
  const auto sweep = [&] {
    const ProgramRun run = run_program({"sweep", "c.toml", "--out", "out", "--resume"}, directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return read_file(directory.path() / "out/results.csv");
  };
  const std::string first = sweep();
  EXPECT_EQ(rows(first), 2U);
  EXPECT_THAT(first, HasSubstr(",300,"));
  EXPECT_EQ(sweep(), first);
  EXPECT_EQ(stored_points(directory.path() / "out"), 2);
  directory.write("mine.sh", printing_script + "# changed\n");
  EXPECT_EQ(sweep(), first);
  EXPECT_EQ(stored_points(directory.path() / "out"), 4);
  directory.write("mine.sh", "exit 1\n");
  EXPECT_NE(run_program({"sweep", "c.toml", "--out", "out", "--resume"}, directory.path()).exit_code, 0);
}

TEST(Command, SaysWhatWentWrong)
{
  const TemporaryDirectory directory;
  const auto error = [&](const std::string& command, const std::vector<std::string>& more = {}) {
    directory.write("c.toml", command_config(command));
    std::vector<std::string> arguments = {"run", "c.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_program(arguments, directory.path());
    EXPECT_EQ(run.exit_code, 2) << command;
    return run.err;
  };
  EXPECT_THAT(error(R"(["no-such-program", "x"])"), HasSubstr("command \"no-such-program x\": cannot be executed"));
  EXPECT_THAT(error(R"(["sh", "-c", "echo no dims here >&2; exit 3"])"),
              AllOf(HasSubstr("ended with exit code 3"), HasSubstr("no dims here")));
  EXPECT_THAT(error(R"(["sh", "-c", "kill -9 $$"])"), HasSubstr("was ended by signal 9"));
  EXPECT_THAT(error(R"(["sleep", "30"])", {"--set", "algorithm.time_limit=100ms"}),
              HasSubstr("did not end within 100ms, which algorithm.time_limit can change"));
  EXPECT_THAT(error(R"(["sh", "-c", "exec 2>&-; sleep 30"])", {"--set", "algorithm.time_limit=100ms"}),
              HasSubstr("did not end within 100ms"));
  EXPECT_THAT(error(R"(["sh", "-c", "exit 127"])"), HasSubstr("ended with exit code 127"));
  EXPECT_THAT(error(R"(["echo", "hello"])"), HasSubstr("its standard output"));
  EXPECT_THAT(error(R"(["true"])"), HasSubstr("its standard output"));
  EXPECT_THAT(error(R"(["sed", "s/broadcast/barrier/"])"),
              HasSubstr("printed a schedule with the operation \"barrier\", expected \"broadcast\""));
  EXPECT_THAT(error(R"(["sed", "s/4, 4/4, 5/"])"), HasSubstr("printed a schedule for mesh 4 x 5, expected one for"));
  EXPECT_THAT(error(R"("sh mine.sh")"), HasSubstr("expected a list of texts"));
  EXPECT_THAT(error("[]"), HasSubstr("expected a list of texts"));
  // A schedule without messages is a schedule, but not a right one.
  directory.write("c.toml", command_config(R"(["cat"])"));
  const ProgramRun check = run_program({"check", "c.toml"}, directory.path());
  EXPECT_EQ(check.exit_code, 3) << check.err;
}

TEST(Command, ExampleInPythonRuns)
{
  const TemporaryDirectory directory;
  std::filesystem::copy(std::filesystem::path(WORMCAST_CONFIGS).parent_path() / "examples/one_after_another.py",
                        directory.path());
  directory.write("c.toml", command_config(R"(["python3", "one_after_another.py"])"));
  const ProgramRun run = run_script("type python3 > /dev/null || exit 77\n"
                                    "$wormcast check c.toml && ! $wormcast run c.toml --unset topology "
                                    "--set topology.kind=petersen",
                                    directory.path());
  if (run.exit_code == 77) {
    GTEST_SKIP() << "there is no python3";
  }
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("only meshes and tori, not petersen"));
}

} // namespace
} // namespace wormcast::testing
