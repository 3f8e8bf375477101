#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/random_draws.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>

namespace wormcast {
namespace {

using testing::small_config;
using testing::TemporaryDirectory;
using testing::with;

/// The error of making the experiment that `text` describes; the file is called "c.toml" in it.
std::string config_error(const std::string& text, const std::vector<std::string>& overrides = {})
{
  const TemporaryDirectory directory;
  const auto file = directory.write("c.toml", text);
  try {
    make_experiment(read_config(file, overrides));
  } catch (const InputError& error) {
    std::string message = error.what();
    const std::string prefix = directory.path().string() + "/";
    for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
      message.erase(at, prefix.size());
    }
    return testing::elide_names(message);
  }
  return "no error";
}

Experiment experiment(const std::string& text, const std::vector<std::string>& overrides = {})
{
  const TemporaryDirectory directory;
  return make_experiment(read_config(directory.write("c.toml", text), overrides));
}

TEST(Config, ValuesAndDefaults)
{
  const Experiment made = experiment(small_config);
  EXPECT_EQ(made.topology->title(), "mesh 4 x 4");
  EXPECT_EQ(made.network.startup, parse_time("150us"));
  EXPECT_EQ(made.network.per_byte, parse_time("500ns"));
  EXPECT_EQ(made.network.buffer_flits, 2u);
  EXPECT_EQ(made.request.message_bytes, 4096u);
  EXPECT_EQ(made.run.mode, Mode::lockstep);
  EXPECT_EQ(made.algorithm, "recursion_based");
}

TEST(Config, EffectiveHoldsEveryValueInFixedOrder)
{
  const Experiment made = experiment(small_config, {"algorithm.source=[1, 2]", "network.ports=all"});
  EXPECT_EQ(made.effective.dump(),
            R"({"topology":{"kind":"mesh","dims":[4,4]},)"
            R"("network":{"startup":"150us","per_hop":"0s","per_byte":"500ns","flit_bytes":1,"buffer_flits":2,)"
            R"("virtual_channels":1,"ports":"all","duplex":"full","switching":"wormhole","hold":"tail",)"
            R"("routing":"dimension_order","tie":"no_wrap"},)"
            R"("algorithm":{"name":"recursion_based","source":9,"reduction":"pairwise"},"message":{"bytes":4096},)"
            R"("run":{"mode":"lockstep","engine":"auto","seed":1,"tie_break":"id","start_jitter":"0s"}})");
}

// What one of them forgets, such as the seed of drawn routes, the others show.
TEST(Config, OperationsSchedulesProgramsAndLoadsHaveTheSameMachine)
{
  const std::string topology = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n";
  const std::string network = "[network]\nrouter = \"input_queued\"\nstartup = \"1us\"\nper_byte = \"1ns\"\n"
                              "routing = \"valiant\"\nvirtual_channels = 2\nflit_bytes = 8\n[run]\nseed = 7\n";
  const TemporaryDirectory directory;
  const auto config = [&](const std::string& text) { return read_config(directory.write("c.toml", text)); };
  const Experiment operation =
      make_experiment(config(topology + network + "[algorithm]\nname = \"recursion_based\"\n[message]\nbytes = 64\n"));
  const Experiment schedule = make_schedule_experiment(config(network), experiment_schedule(operation));
  const ProgramMachine program = program_machine(config(topology + network));
  EXPECT_THROW(program_machine(config(topology + network + "threads = 2\n")), InputError);
  const LoadExperiment load = make_load_experiment(config(topology + network + "[traffic]\nbytes = 64\n"), {});
  for (const Machine* machine : std::initializer_list<const Machine*>{&operation, &schedule, &program, &load}) {
    EXPECT_EQ(machine->topology->title(), "mesh 4 x 4");
    EXPECT_EQ(machine->network.routing_seed, 7u);
    EXPECT_EQ(machine->network.pipeline.link_delay, 1u);
    EXPECT_EQ(machine->run.seed, 7u);
    for (const char* section : {"topology", "network", "run"}) {
      EXPECT_EQ(machine->effective.at(section).dump(), operation.effective.at(section).dump());
    }
  }
  EXPECT_EQ(operation.effective.at("network").at("routing"), "valiant");
}

TEST(Config, OverridesWin)
{
  const Experiment made =
      experiment(small_config, {"message.bytes=4KiB", "message.bytes=8KiB", "topology.dims=[8,8]",
                                "topology.kind=torus", "algorithm.name=scatter_collect", "network.startup=\"10us\""});
  EXPECT_EQ(made.request.message_bytes, 8192u);
  EXPECT_EQ(made.topology->title(), "torus 8 x 8");
  EXPECT_EQ(made.algorithm, "scatter_collect");
  EXPECT_EQ(made.network.startup, parse_time("10us"));
}

TEST(Config, OverrideReplacesSweepAxis)
{
  const TemporaryDirectory directory;
  const auto file = directory.write("c.toml", small_config + "[sweep]\n\"message.bytes\" = [1, 2]\n");
  EXPECT_EQ(read_config(file).sweep.size(), 1u);
  EXPECT_TRUE(read_config(file, std::vector<std::string>{"message.bytes=3"}).sweep.empty());
}

TEST(Config, HoldsTheScheduleItself)
{
  const std::string network = "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\n";
  const std::string text =
      "text = '{\"format\": \"wormcast-schedule/1\", \"topology\": {\"kind\": \"mesh\", \"dims\": [2]}, "
      "\"operation\": \"none\", \"messages\": [{\"id\": 0, \"src\": 0, \"dst\": 1, \"bytes\": 5}]}'\n";
  const Experiment made = experiment(network + text);
  EXPECT_EQ(made.topology->title(), "mesh 2");
  EXPECT_EQ(made.given->plain.at(0).bytes, 5u);
  EXPECT_EQ(schedule_name(made), "in memory");
  EXPECT_EQ(config_error(network + text + "file = \"x.json\"\n"),
            "c.toml:7:8: algorithm.file: found beside algorithm.text, expected one of ...");
  EXPECT_EQ(config_error(network + "text = '[]'\n"),
            "c.toml:6:8: algorithm.text: the schedule: expected a schedule as one JSON object");
}

struct BadConfig {
  std::string old;
  std::string replacement;
  std::string message;

  /// For the names of failed tests.
  friend void PrintTo(const BadConfig& bad, std::ostream* out) { *out << bad.replacement; }
};

class BadConfigs : public ::testing::TestWithParam<BadConfig> {};

TEST_P(BadConfigs, SaysWhereWhatAndWhatWasExpected)
{
  EXPECT_EQ(config_error(with(small_config, GetParam().old, GetParam().replacement)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Messages, BadConfigs,
    ::testing::Values(
        BadConfig{"startup = \"150us\"", "startup = 150",
                  "c.toml:6:11: network.startup: found 150 without a unit, expected a time with a unit, such as "
                  "\"150us\", from 0s to 2305843s (2^61 ps)"},
        BadConfig{"startup = \"150us\"", "startup = \"150\"",
                  "c.toml:6:11: network.startup: \"150\" has no unit; expected a time with a unit (s, ms, us, ns, ps), "
                  "such as \"150us\""},
        BadConfig{"\"150us\"", "\"-1us\"",
                  "c.toml:6:11: network.startup: \"-1us\" is negative; expected a time with a unit (s, ms, us, ns, "
                  "ps), such as \"150us\""},
        BadConfig{"\"150us\"", "\"0.0000001us\"",
                  "c.toml:6:11: network.startup: \"0.0000001us\" is not a whole number of picoseconds; expected a time "
                  "with a unit (s, ms, us, ns, ps), such as \"150us\""},
        BadConfig{"\"150us\"", "\"1e30s\"",
                  "c.toml:6:11: network.startup: \"1e30s\" is too large; expected at most 9223372s (2^63 ps)"},
        BadConfig{"\"150us\"", "\"150 fortnights\"",
                  "c.toml:6:11: network.startup: \"150 fortnights\" has the unknown unit \"fortnights\"; expected a "
                  "time with a unit (s, ms, us, ns, ps), such as \"150us\""},
        BadConfig{"\"150us\"", "2020-01-01",
                  "c.toml:6:11: network.startup: found a date, expected a time with a unit, such as \"150us\", from 0s "
                  "to 2305843s (2^61 ps)"},
        BadConfig{
            "startup", "statup",
            "c.toml:6:1: network.statup: unknown key, expected one of router, startup, startup_latency, per_hop, link_per_hop, per_byte, link_per_byte, port_per_byte, "
            "flit_bytes, last_flit, buffer_flits, virtual_channels, ports, port_choice, duplex, switching, hold, routing, tie, speculative, "
            "vc_allocator, allocator, islip_iterations, input_speedup, internal_speedup, priority, release, routing_delay, switch_delay, "
            "credit_delay, link_delay; did you mean "
            "\"network.startup\"?"},
        BadConfig{"startup = \"150us\"\n", "",
                  "c.toml: network.startup: missing, expected a time with a unit, such as \"150us\", from 0s to "
                  "2305843s (2^61 ps)"},
        BadConfig{
            "[network]", "[netwrok]",
            "c.toml:5:2: [netwrok]: unknown section, expected one of topology, network, ranks, algorithm, message, program, run, "
            "broadcast, mpi, traffic, load, sweep, case, plot; did you mean \"network\"?"},
        BadConfig{
            "[topology]", "dims = 3\n[topology]",
            "c.toml:1:1: dims: unknown key, expected a key of one of the sections topology, network, ranks, algorithm, "
            "message, program, run, broadcast, mpi, traffic, load; did you mean \"topology.dims\"?"},
        BadConfig{"[topology]", "network = 3\n[topology]",
                  "c.toml:6:1: not valid TOML: Error while parsing table header: cannot redefine existing integer "
                  "'network' as table"},
        BadConfig{"\"mesh\"", "\"mehs\"",
                  "c.toml:2:8: topology.kind: found \"mehs\", expected one of ...; did you mean \"mesh\"?"},
        BadConfig{"\"mesh\"", "7", "c.toml:2:8: topology.kind: found 7, expected one of ..."},
        BadConfig{"dims = [4, 4]\n", "",
                  "c.toml: topology.dims: missing, expected a list of whole numbers from 1 to 67108864"},
        BadConfig{"dims = [4, 4]", "dims = [4, 0]",
                  "c.toml:3:8: topology.dims: found [4, 0], whose number 2 is 0, "
                  "expected a list of whole numbers from 1 to 67108864"},
        BadConfig{"dims = [4, 4]", "dims = [4, -4]",
                  "c.toml:3:8: topology.dims: found [4, -4], whose number 2 is -4, expected a list of whole numbers "
                  "from 1 to 67108864"},
        BadConfig{"dims = [4, 4]", "dims = []",
                  "c.toml:3:8: topology.dims: found [], expected a list of whole numbers from 1 to 67108864"},
        BadConfig{
            "dims = [4, 4]", "dims = [4, \"4\"]",
            "c.toml:3:12: topology.dims: found \"4\" in a list, expected a list of whole numbers from 1 to 67108864"},
        BadConfig{"dims = [4, 4]", "dims = 16",
                  "c.toml:3:8: topology.dims: found 16, expected a list of whole numbers from 1 to 67108864"},
        BadConfig{
            "dims = [4, 4]", "dims = [4, 4.5]",
            "c.toml:3:12: topology.dims: found 4.5 in a list, expected a list of whole numbers from 1 to 67108864"},
        BadConfig{"dims = [4, 4]", "dims = [1000000, 1000000]",
                  "c.toml:3:8: [topology]: a mesh 1000000 x 1000000 has too many nodes, expected at most 67108864"},
        BadConfig{"dims = [4, 4]", "dims = [1, 1, 1, 1, 1, 1, 1, 1, 1]",
                  "c.toml:3:8: [topology]: a mesh of 9 dimensions, expected 1 to 8"},
        BadConfig{"dims = [4, 4]", "dims = [4, 4]\nlength = 3",
                  "c.toml:4:1: topology.length: unknown key, expected one of ..."},
        BadConfig{"[0, 0]", "[4, 0]",
                  "c.toml:11:10: algorithm.source: node (4, 0) is outside of the mesh 4 x 4: its coordinate in x is 4, "
                  "expected 0 to 3"},
        BadConfig{"[0, 0]", "[0]",
                  "c.toml:11:10: algorithm.source: [0] has 1 coordinates, but the mesh 4 x 4 has 2 dimensions"},
        BadConfig{"[0, 0]", "16",
                  "c.toml:11:10: algorithm.source: node 16 is outside of the mesh 4 x 4, expected 0 to 15"},
        BadConfig{"[0, 0]", "-1",
                  "c.toml:11:10: algorithm.source: found -1, expected a node id (a whole number of at least 0), a "
                  "list of coordinates or a name"},
        BadConfig{"[0, 0]", "\"x\"",
                  "c.toml:11:10: algorithm.source: no node of the mesh 4 x 4 is called \"x\"; they are called "
                  "\"(0, 0)\", \"(1, 0)\", \"(2, 0)\", ..."},
        BadConfig{"recursion_based", "recursion_base",
                  "c.toml:10:8: algorithm.name: found \"recursion_base\", expected one of ...; did you mean "
                  "\"recursion_based\"?"},
        BadConfig{"recursion_based", "schedule", "c.toml: algorithm.file: missing, expected a file name"},
        BadConfig{"bytes = 4096", "bytes = 0",
                  "c.toml:14:9: message.bytes: found 0, expected a whole "
                  "number of bytes, such as 4096 or \"4KiB\", of at least 1"},
        BadConfig{"bytes = 4096", "bytes = -5",
                  "c.toml:14:9: message.bytes: found -5, expected a whole "
                  "number of bytes, such as 4096 or \"4KiB\", of at least 1"},
        BadConfig{
            "bytes = 4096", "bytes = \"4 KiBi\"",
            "c.toml:14:9: message.bytes: \"4 KiBi\" has the unknown unit \"KiBi\"; expected a number of bytes, "
            "alone or with a unit (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"4KiB\"; did you mean kB or KiB?"},
        BadConfig{"bytes = 4096", "bytes = \"0.3B\"",
                  "c.toml:14:9: message.bytes: \"0.3B\" is not a whole number of bytes; expected a number of bytes, "
                  "alone or with a unit (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"4KiB\""},
        BadConfig{
            "bytes = 4096", "bytes = \"8388608TiB\"",
            "c.toml:14:9: message.bytes: \"8388608TiB\" is too large; expected at most 4611686018427387904 (2^62)"},
        BadConfig{"bytes = 4096", "bytes = 99999999999999999999",
                  "c.toml:14:29: not valid TOML: Error while parsing decimal integer: '99999999999999999999' is not "
                  "representable in 64 bits"},
        BadConfig{"bytes = 4096", "bytes = true",
                  "c.toml:14:9: message.bytes: found true, expected a whole "
                  "number of bytes, such as 4096 or \"4KiB\", of at least 1"},
        BadConfig{"[message]\nbytes = 4096\n", "",
                  "c.toml: message.bytes: missing, expected a whole number of bytes, "
                  "such as 4096 or \"4KiB\", of at least 1"},
        BadConfig{"bytes = 4096", "bytes = 4096\nbytes = 1",
                  "c.toml:15:9: not valid TOML: Error while parsing key-value pair: "
                  "cannot redefine existing integer 'bytes'"},
        BadConfig{"bytes = 4096", "bytes = ",
                  "c.toml:14:9: not valid TOML: Error while parsing key-value pair: expected value, saw '\\n'"},
        BadConfig{"bytes = 4096", "bytes = 4096\n[run",
                  "c.toml:15:5: not valid TOML: Error while parsing table header: expected ']', saw '\\n'"},
        BadConfig{"bytes = 4096", "bytes = 4096\n[run]\nmode = \"lockstop\"",
                  "c.toml:16:8: run.mode: found \"lockstop\", expected one of \"lockstep\", \"self_timed\"; did you "
                  "mean \"lockstep\"?"},
        BadConfig{"bytes = 4096", "bytes = 4096\n[run]\nseed = -1",
                  "c.toml:16:8: run.seed: found -1, expected a whole number of at least 0"},
        BadConfig{
            "bytes = 4096", "bytes = 4096\n[run]\nports = 2",
            "c.toml:16:1: run.ports: unknown key, expected one of mode, engine, seed, tie_break, start_jitter, "
            "model, noise.distribution, noise.mean, noise.to, noise.shape, noise.file, paired, threads, "
            "unchecked, ready_above, barriers, segment_bytes, segments_of, packet_bytes, reduce, reduce_by, copy, copy_at, call; did you mean \"network.ports\"?"},
        BadConfig{"source", "d = 2\nsource",
                  "c.toml:11:5: algorithm.d: not a parameter of recursion_based, expected one of ..."},
        BadConfig{"startup", "ports = 0\nstartup",
                  "c.toml:6:9: network.ports: found 0, expected a whole number from 1 to 64, or \"all\""},
        BadConfig{"startup", "flit_bytes = \"1EiB\"\nstartup",
                  "c.toml:6:14: network.flit_bytes: \"1EiB\" is not a number with a unit; expected a number of bytes, "
                  "alone or with a unit (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"4KiB\""},
        BadConfig{"startup", "tie = \"negative\"\nstartup",
                  "c.toml:6:7: network.tie: found \"negative\", expected one of \"no_wrap\", \"positive\", \"random\""},
        BadConfig{
            "startup", "routing = \"minimal\"\nstartup",
            "c.toml:6:11: network.routing: found \"minimal\", expected a routing of a mesh: dimension_order, up_down, "
            "shortest_path"},
        BadConfig{"dims = [4, 4]", "dims = [4, 4]\ndead_node_share = 0.1\nrandom_dead_nodes = 1",
                  "c.toml:4:19: topology.dead_node_share: found it beside random_dead_nodes, expected one of ..."},
        BadConfig{"dims = [4, 4]", "dims = [4, 4]\ndead_nodes = [\"(4, 0)\"]",
                  "c.toml:4:14: topology.dead_nodes: found \"(4, 0)\", expected a node of the mesh 4 x 4: a name such "
                  "as \"(3, 3)\", or a number, 0 to 15"},
        BadConfig{"dims = [4, 4]", "dims = [4, 4]\ndead_links = [\"0 - 1\", \"0 - 4\"]",
                  "c.toml:4:14: topology.dead_links: the faults cut (1, 0) off from (0, 0): no path of the mesh 4 x 4 "
                  "is left between them, expected faults that leave all other nodes connected"},
        BadConfig{"dims = [4, 4]", "dims = [4, 4]\ndead_links = [\"0 - 1\"]",
                  "c.toml:4:14: topology.dead_links: the faults cut (1, 0) off from (0, 0): routing dimension_order "
                  "takes messages over the channel (0, 0) -> (1, 0), which does not work; network.routing = "
                  "\"up_down\" or \"shortest_path\" leads around faults"},
        BadConfig{"dims = [4, 4]\n\n[network]",
                  "dims = [4, 4]\ndead_nodes = [\"(0, 0)\"]\n[network]\nrouting = \"up_down\"",
                  "c.toml:12:10: algorithm.source: node (0, 0) of the mesh 4 x 4 without 1 node is dead, expected one "
                  "that works"}));

TEST(Config, BadOverrides)
{
  EXPECT_EQ(config_error(small_config, {"message.bytes"}),
            "--set: found \"message.bytes\", expected key=value, such as message.bytes=4KiB");
  EXPECT_EQ(config_error(small_config, {"message.byte=3"}),
            "--set: message.byte: unknown key, expected one of bytes; did you mean \"message.bytes\"?");
  EXPECT_EQ(
      config_error(small_config, {"bytes=3"}),
      "--set: bytes: unknown key, expected a key of one of the sections topology, network, ranks, algorithm, message, "
      "program, run, broadcast, mpi, traffic, load; did you mean \"message.bytes\"?");
  EXPECT_EQ(config_error(small_config, {"message.bytes=three"}),
            "--set: message.bytes: \"three\" is not a number with a unit; expected a number of bytes, alone or with a "
            "unit (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"4KiB\"");
  EXPECT_EQ(config_error(small_config, {"topology.dims=[4,"}),
            "--set: topology.dims: found \"[4,\", expected a list of whole numbers from 1 to 67108864");
  EXPECT_EQ(config_error(small_config, {"network.startup=3\nper_byte=4"}),
            "--set: network.startup: \"3\nper_byte=4\" has the unknown unit \"\nper_byte=4\"; expected a time with a "
            "unit (s, ms, us, ns, ps), such as \"150us\"");
  EXPECT_EQ(config_error(small_config, {"algorithm.file=x.json"}),
            "--set: algorithm.file: not a parameter of recursion_based, expected one of ...");
  EXPECT_EQ(config_error(small_config, {"sweep.mesage.bytes=[1,2]"}),
            "--set: mesage.bytes: unknown key, expected a key of one of the sections topology, network, "
            "ranks, algorithm, message, program, run, broadcast, mpi, traffic, load; did you mean \"message\"?");
}

TEST(Config, UnreadableFiles)
{
  const TemporaryDirectory directory;
  EXPECT_THROW(read_config(directory.path() / "missing.toml"), FileError);
  EXPECT_THROW(read_config(directory.path()), FileError);
}

TEST(Config, TopologyAlone)
{
  const TemporaryDirectory directory;
  const auto topology = [&](std::string_view text) {
    return configured_topology(read_config(directory.write("t.toml", text))).topology;
  };
  EXPECT_EQ(topology("[topology]\nkind = \"torus\"\ndims = [5, 3]\n")->title(), "torus 5 x 3");
  EXPECT_EQ(topology("[topology]\nkind = \"mesh\"\ndims = [2]\n[network]\nstartup = \"1us\"\n")->title(), "mesh 2");
  EXPECT_THROW(topology("[network]\nstartup = \"1us\"\n"), InputError);
}

TEST(Config, KeysThatDrawByTheSeed)
{
  const auto keys = [](const std::vector<std::string>& overrides) {
    return random_keys(experiment(small_config, overrides));
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys({}), Keys());
  EXPECT_EQ(keys({"run.start_jitter=1us"}), Keys{"run.start_jitter"});
  EXPECT_EQ(keys({"run.tie_break=seeded"}), Keys{"run.tie_break"});
  EXPECT_EQ(keys({"run.noise.distribution=exponential", "run.noise.mean=1.0"}), Keys{"run.noise"});
  EXPECT_EQ(keys({"network.tie=random"}), Keys()) << "a mesh has no ties";
  EXPECT_EQ(keys({"topology.kind=torus", "network.tie=random", "network.virtual_channels=2"}), Keys{"network.tie"});
  EXPECT_EQ(keys({"topology.kind=torus", "topology.dims=[5,5]", "network.tie=random", "network.virtual_channels=2"}),
            Keys())
      << "nor has a torus of odd lengths";
  const nlohmann::ordered_json load = {{"network", {{"routing", "valiant"}}}, {"traffic", {{"pattern", "uniform"}}}};
  EXPECT_EQ(random_keys(load), (Keys{"traffic", "network.routing"}));
  EXPECT_EQ(random_keys(nlohmann::ordered_json{{"broadcast", {{"source", "random"}}}}), Keys{"broadcast.source"});
}

TEST(Config, RepetitionsBeginWithTheConfiguredSeed)
{
  const TemporaryDirectory directory;
  const auto seeds = [&](const std::string& text, std::int64_t count) {
    RawConfig config = read_config(directory.write("c.toml", text));
    if (count > 0) {
      set_repetitions(config, count);
    }
    return config.sweep.back().values;
  };
  using Values = std::vector<RawValue>;
  const std::string from_seven = small_config + "[run]\nseed = 7\n";
  EXPECT_EQ(seeds(small_config, 2), (Values{std::int64_t{1}, std::int64_t{2}}));
  EXPECT_EQ(seeds(from_seven, 2), (Values{std::int64_t{7}, std::int64_t{8}}));
  EXPECT_EQ(seeds(from_seven + "[sweep]\nrepeat = 3\n", 0),
            (Values{std::int64_t{7}, std::int64_t{8}, std::int64_t{9}}));
  EXPECT_THROW(seeds(small_config, 10'001), InputError);
  EXPECT_THROW(repetition_seeds("--repeat", 2, std::numeric_limits<std::int64_t>::max()), InputError);
  EXPECT_EQ(repetition_seeds("--repeat", 1, std::numeric_limits<std::int64_t>::max()).size(), 1U);
}

} // namespace
} // namespace wormcast
