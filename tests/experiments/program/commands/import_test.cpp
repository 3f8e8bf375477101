#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

class BookSimImport : public ::testing::Test {
protected:
  ProgramRun import(const std::string& text) const
  {
    directory.write("b.cfg", text);
    return run_program({"init", "--from", "booksim", "b.cfg"}, directory.path());
  }

  TemporaryDirectory directory;
};

TEST_F(BookSimImport, GivesAConfigurationThatRuns)
{
  const ProgramRun result = import("// a mesh\ntopology = mesh;\nk = 4;\nn = 2;\nrouting_function = dor;\n"
                                   "num_vcs = 4;\nvc_buf_size = 6; wait_for_tail_credit = 1;\n"
                                   "vc_allocator = separable_input_first; sw_allocator = islip(2);\n"
                                   "priority = local_age; credit_delay = 2; routing_delay = 0;\n"
                                   "internal_speedup = 2.0;\ntraffic = uniform;\ninjection_rate = 0.1;\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (
      const char* line :
      {"kind = \"mesh\"\ndims = [4, 4]\n", "virtual_channels = 4\nbuffer_flits = 6\n", "speculative = false\n",
       "vc_allocator = \"separable_input_first\"\nallocator = \"islip\"\nislip_iterations = 2\ninput_speedup = 1\n",
       "internal_speedup = 2\npriority = \"local_age\"\nrelease = \"tail_credit\"\nrouting_delay = 0\nswitch_delay = 1\n"
       "credit_delay = 2\nlink_delay = 1\n"}) {
    EXPECT_NE(result.out.find(line), std::string::npos) << result.out;
  }
  directory.write("c.toml", result.out + "[algorithm]\nname = \"recursive_doubling\"\n[message]\nbytes = 20\n");
  EXPECT_EQ(run_program({"run", "c.toml", "--unset", "traffic", "--unset", "load"}, directory.path()).exit_code, 0);
}

TEST_F(BookSimImport, HasBookSimsDefaults)
{
  const ProgramRun result = import("routing_function = dim_order;");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("kind = \"torus\"\ndims = [8, 8]\n"), std::string::npos);
  EXPECT_NE(result.out.find("virtual_channels = 16\nbuffer_flits = 8\n"), std::string::npos);
  EXPECT_NE(result.out.find("routing_delay = 1\n"), std::string::npos);
  EXPECT_NE(result.out.find("link_delay = 2\n"), std::string::npos);
  EXPECT_NE(result.out.find("tie = \"random\""), std::string::npos); // it tosses a coin for each message
}

TEST_F(BookSimImport, TakesRoutingsByRandomNodesWithANote)
{
  for (const std::string routing : {"romm", "valiant"}) {
    const ProgramRun result = import("topology = mesh; k = 4; n = 2; num_vcs = 4; routing_function = " + routing + ";");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("routing = \"" + routing + "\"\n"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("# The same in the mean, not cycle by cycle: routing_function = " + routing),
              std::string::npos);
    EXPECT_NE(result.err.find("info: b.cfg: the same in the mean, not cycle by cycle"), std::string::npos)
        << result.err;
    directory.write("c.toml", result.out);
    EXPECT_EQ(run_program(
                  {"load", "c.toml", "--set", "load.points=[0.01]", "--set", "traffic.precision=0.2", "--out", routing},
                  directory.path())
                  .exit_code,
              0);
  }
  EXPECT_EQ(import("topology = mesh; num_vcs = 3; routing_function = romm;").exit_code, 2);
}

TEST_F(BookSimImport, TakesTheInputSpeedupThatItsVirtualChannelsAllow)
{
  EXPECT_NE(import("routing_function = dim_order; num_vcs = 4; input_speedup = 3;").out.find("input_speedup = 3\n"),
            std::string::npos);
  const ProgramRun result = import("routing_function = dim_order; num_vcs = 4; input_speedup = 5;");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("input_speedup = 5 (line 1; covered: "), std::string::npos) << result.err;
}

// In BookSim2 a speed-up of 1.7 takes two steps in seven of ten cycles.
TEST_F(BookSimImport, TakesInternalSpeedupsOfWholeSteps)
{
  EXPECT_NE(import("routing_function = dim_order; internal_speedup = 4;").out.find("internal_speedup = 4\n"),
            std::string::npos);
  for (const char* value : {"1.7", "0", "17", "fast"}) {
    const ProgramRun result = import(std::string("routing_function = dim_order; internal_speedup = ") + value + ";");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(
        result.err.find(std::string("internal_speedup = ") + value + " (line 1; covered: a whole number from 1 to 16)"),
        std::string::npos)
        << result.err;
  }
}

TEST_F(BookSimImport, TakesWavefronts)
{
  const ProgramRun result =
      import("routing_function = dim_order; num_vcs = 4; vc_allocator = wavefront; sw_allocator = rr_wavefront;");
  EXPECT_NE(result.out.find("vc_allocator = \"wavefront\"\nallocator = \"rr_wavefront\"\n"), std::string::npos)
      << result.out << result.err;
  EXPECT_EQ(import("routing_function = dim_order; num_vcs = 4; vc_allocator = wavefront(2);").exit_code, 2);
}

TEST_F(BookSimImport, NamesAllThatIsNotCovered)
{
  const ProgramRun result = import("topology = flatfly;\nrouting_function = ran_min;\noutput_speedup = 2;\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "wormcast: error: b.cfg: router \"input_queued\" does not cover output_speedup = 2 (line 3; "
                        "covered: 1); topology = flatfly (line 1; covered: mesh or torus); "
                        "routing_function = ran_min (line 2; covered: dim_order)\n");
}

TEST_F(BookSimImport, RefusesWhatIsNoConfiguration)
{
  EXPECT_EQ(import("num_vc = 4; routing_function = dim_order;").err,
            "wormcast: error: b.cfg:1: num_vc: unknown option of BookSim2; did you mean \"num_vcs\"?\n");
  EXPECT_EQ(import("// none\n\nnum_vcs 4; routing_function = dim_order;").err,
            "wormcast: error: b.cfg:3: expected \"name = value;\" as in a configuration of BookSim2\n");
  EXPECT_EQ(import("routing_function = dim_order; num_vcs = 4").err,
            "wormcast: error: b.cfg:1: expected \"name = value;\" as in a configuration of BookSim2\n");
  EXPECT_EQ(import("topology = mesh; routing_function = dor; num_vcs = many;").exit_code, 2);
}

TEST_F(BookSimImport, NamesAllErrorsOfAFileInOneMessage)
{
  EXPECT_EQ(
      import("topology = mesh;\nrouting_function = dor;\nnum_vc = 4;\nrouting 3;\nnoq = 1;\ninjection_rate = x;").err,
      "wormcast: error: b.cfg:3: num_vc: unknown option of BookSim2; did you mean \"num_vcs\"?; b.cfg:4: expected "
      "\"name = value;\" as in a configuration of BookSim2; b.cfg: router \"input_queued\" does not cover noq = 1 "
      "(line 5; covered: 0); injection_rate = x (line 6; covered: a number from 0 to 1000)\n");
}

// All of them are options of BookSim2, which say nothing without what reads them.
TEST_F(BookSimImport, LeavesOutOptionsWithTheirReasons)
{
  const ProgramRun result =
      import("topology = mesh; routing_function = dor; read_request_begin_vc = 0; write_reply_end_vc = 7; "
             "write_fraction = 0.3; read_reply_subnet = 0; write_request_size = 4; private_bufs = -1; "
             "private_buf_start_vc = -1; max_held_slots = 3; feedback_offset = 1; max_samples = 20; watch_out = w; "
             "sim_count = 2; batch_size = 9; include_queuing = 1; perm_seed = 3; alloc_iters = 2; packet_size = 2;");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string left_out =
      "watch_out (output and the model of power); max_samples (BookSim2's rule for the end of a measurement, in whose "
      "place traffic.precision is); alloc_iters (not read by its input-queued router on a mesh or torus); "
      "feedback_offset, max_held_slots, private_buf_start_vc, private_bufs (only shared buffers read them); "
      "read_reply_subnet, read_request_begin_vc, write_fraction, write_reply_end_vc, write_request_size (only "
      "request-reply traffic reads them); batch_size (only sim_type = batch reads them); include_queuing (latencies "
      "include the time in the source queue); perm_seed (permutations are drawn by run.seed); sim_count (repetitions "
      "are those of wormcast load --repeat)";
  EXPECT_NE(result.out.find("# Left out: " + left_out + ".\n"), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "wormcast: warning: b.cfg: left out: " + left_out + "\n");
}

TEST_F(BookSimImport, TakesTheTrafficOver)
{
  const ProgramRun result =
      import("topology = mesh; routing_function = dor; traffic = bitcomp; packet_size = {{1,5}}; "
             "packet_size_rate = {{1,3}}; injection_rate = 0.01; warmup_periods = 2; sample_period = 500; seed = 7;");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("\n[traffic]\npattern = \"bit_complement\"\ninclude_self = true\n"
                            "bytes = [{ bytes = 1, weight = 1 }, { bytes = 5, weight = 3 }]\n"
                            "arrival = \"bernoulli\"\nwarm_up = \"1000ns\"\n\n"
                            "[load]\npoints = [0.04]   # flits in a cycle and node\nsaturation = false\n\n"
                            "[run]\nseed = 7\n"),
            std::string::npos)
      << result.out;
  EXPECT_NE(
      import("routing_function = dim_order; packet_size = 4; injection_rate = 0.2; injection_rate_uses_flits = 1;")
          .out.find("points = [0.2] "),
      std::string::npos);
  const ProgramRun bursts = import("routing_function = dim_order; injection_process = on_off; burst_alpha = 0.01; "
                                   "burst_beta = 0.03; injection_rate = 0.1;");
  EXPECT_NE(bursts.out.find("arrival = \"on_off\"\non_off = { burst = 13.3333333333, duty = 0.25 }\n"),
            std::string::npos)
      << bursts.out;
}

// An option without braces, and the last element of those with, is that of all further classes.
TEST_F(BookSimImport, TakesClassesOver)
{
  const ProgramRun result =
      import("topology = mesh; k = 4; routing_function = dor; num_vcs = 4; vc_allocator = separable_input_first; "
             "sw_allocator = separable_input_first; classes = 4; priority = class; class_priority = {7,0}; "
             "traffic = {hotspot({{5,6}}),transpose}; packet_size = {{1},{1,20}}; packet_size_rate = {{1},{1,3}}; "
             "injection_rate = {0.01,0.004,0.0,0.001};");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string difference =
      "ot the same: classes = 4: a node sends its messages one after the other, those of higher priority first; in "
      "BookSim2 each class has a queue of its own there, and their flits alternate";
  EXPECT_EQ(result.err, "wormcast: warning: b.cfg: n" + difference + "\n");
  EXPECT_NE(result.out.find("# N" + difference + ".\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\npriority = \"message\"\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n[traffic]\ninclude_self = true\nwarm_up = \"3000ns\"\n\n"
                            "[traffic.classes.class0]\nweight = 0.01   # flits in a cycle and node\npriority = 7\n"
                            "pattern = \"hot_spot\"\nhot_spot = { nodes = [5, 6], share = 1.0 }\nbytes = 1\n"
                            "arrival = \"bernoulli\"\n\n"
                            "[traffic.classes.class1]\nweight = 0.061   # flits in a cycle and node\npriority = 0\n"
                            "pattern = \"transpose\"\n"
                            "bytes = [{ bytes = 1, weight = 1 }, { bytes = 20, weight = 3 }]\n"
                            "arrival = \"bernoulli\"\n\n"
                            "[traffic.classes.class3]\nweight = 0.01525   # flits in a cycle and node\n"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("\n[load]\npoints = [0.08625] "), std::string::npos) << result.out;
  directory.write("c.toml", result.out);
  const ProgramRun load =
      run_program({"load", "c.toml", "--set", "traffic.precision=0.2", "--json", "-"}, directory.path());
  ASSERT_EQ(load.exit_code, 0) << load.err;
  EXPECT_EQ(nlohmann::json::parse(load.out).at("/curves/0/points/0/classes"_json_pointer).size(), 3U);
}

TEST_F(BookSimImport, TakesPrioritiesOfClassesOnlyWhereTheyCount)
{
  const ProgramRun result = import("routing_function = dim_order; classes = 2; class_priority = {1,0};");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("# Left out: class_priority (only priority = class reads it).\n"), std::string::npos)
      << result.out;
  EXPECT_EQ(result.out.find("\npriority = 1\n"), std::string::npos) << result.out;
  EXPECT_EQ(import("routing_function = dim_order; classes = 3; priority = class; class_priority = {1,-1};").err,
            "wormcast: error: b.cfg: router \"input_queued\" does not cover class_priority = {1,-1} (line 1; covered: "
            "whole numbers from 0 to 255)\n");
  EXPECT_NE(import("routing_function = dim_order; classes = 0;").err.find("classes = 0 (line 1; covered: 1 to 64)"),
            std::string::npos);
}

TEST_F(BookSimImport, TakesHotSpotsOver)
{
  const auto traffic_of = [&](const std::string& pattern) {
    return import("topology = mesh; routing_function = dor; num_vcs = 2; traffic = " + pattern + ";").out;
  };
  for (const char* same : {"hotspot({{5,6}})", "hotspot({{5,6},{3}})", "hotspot({{5,6},{2,2}})"}) {
    EXPECT_NE(traffic_of(same).find("pattern = \"hot_spot\"\nhot_spot = { nodes = [5, 6], share = 1.0 }\n"),
              std::string::npos)
        << same;
  }
  EXPECT_NE(traffic_of("hotspot(5)").find("hot_spot = { nodes = [5], share = 1.0 }\n"), std::string::npos);
  for (const char* other : {"hotspot", "hotspot()", "hotspot({{}})", "hotspot({{-1}})", "hotspot({{1,1}})",
                            "hotspot({{1,2},{2,1}})", "hotspot({{1,2},{0,0}})", "hotspot({{1},{1},{1}})"}) {
    EXPECT_EQ(traffic_of(other).find("[traffic]\n"), std::string::npos) << other;
  }
}

TEST_F(BookSimImport, LeavesOutTrafficThatIsNotCovered)
{
  for (const std::string option :
       {"traffic = hotspot({{1,2},{2,1}})", "sim_type = batch", "injection_process = other", "injection_rate = 0"}) {
    const ProgramRun result = import("routing_function = dim_order; " + option + ";");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(
        result.out.find("# Without the traffic, as [traffic] does not cover " + option + ": it needs [traffic] for "),
        std::string::npos)
        << result.out;
    EXPECT_EQ(result.out.find("[traffic]\n"), std::string::npos);
    EXPECT_NE(result.err.find("does not cover " + option), std::string::npos) << result.err;
  }
  EXPECT_NE(import("routing_function = dim_order; traffic = a\nb;").out.find("traffic = a\\x0ab"), std::string::npos);
}

double mean_latency(const std::string& text)
{
  const TemporaryDirectory directory;
  directory.write("b.cfg", text);
  EXPECT_EQ(run_program({"init", "--from", "booksim", "b.cfg", "--out", "b.toml"}, directory.path()).exit_code, 0);
  const ProgramRun run = run_program({"load", "b.toml", "--json", "-"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return 1000 *
         nlohmann::json::parse(run.out).at("/curves/0/points/0/latency_us/mean"_json_pointer).get<double>(); // cycles
}

// BookSim2 (git 28f43299), means of five seeds with their 95 % intervals: a torus as in its example torus88 33.57 +-
// 0.13, a mesh as in mesh88_lat, but without its input_speedup, 65.3 +- 3.8 cycles. With it 67.2 +- 2.4: its few
// messages cannot show what the speed-up gains.
TEST(ImportCommand, GivesLoadsWithTheLatenciesOfBookSim2)
{
  EXPECT_NEAR(
      mean_latency("topology = torus; k = 8; n = 2; routing_function = dim_order; num_vcs = 2; traffic = uniform; "
                   "injection_rate = 0.15;"),
      33.57, 0.3);
  const std::string mesh88_lat =
      "topology = mesh; k = 8; n = 2; routing_function = dor; num_vcs = 8; vc_buf_size = 8; wait_for_tail_credit = 1; "
      "vc_allocator = islip; sw_allocator = islip; alloc_iters = 1; credit_delay = 2; routing_delay = 0; "
      "vc_alloc_delay = 1; sw_alloc_delay = 1; traffic = transpose; packet_size = 20; sim_type = latency; "
      "injection_rate = 0.005; input_speedup = ";
  const double without_speedup = mean_latency(mesh88_lat + "1;");
  EXPECT_NEAR(without_speedup, 65.3, 3.8);
  const double with_speedup = mean_latency(mesh88_lat + "2;");
  EXPECT_LT(with_speedup, without_speedup);
  EXPECT_GT(with_speedup, without_speedup - 1);
}

TEST(ImportCommand, TakesOnlyIterationsThatThereAre)
{
  const TemporaryDirectory directory;
  const auto import = [&](const std::string& count) {
    directory.write("a.cfg", "topology=mesh;k=4;n=2;routing_function=dor;num_vcs=1;sw_allocator=islip(" + count +
                                 ");vc_allocator=islip(" + count + ");");
    return run_program({"init", "--from", "booksim", "a.cfg", "--out", "a.toml"}, directory.path());
  };
  for (const std::string count : {"99", "0", "00", "-1", "17", "1 2"}) {
    EXPECT_EQ(import(count).exit_code, 2) << count;
  }
  EXPECT_EQ(import("02").exit_code, 0);
  EXPECT_NE(read_file(directory.path() / "a.toml").find("islip_iterations = 2\n"), std::string::npos);
  EXPECT_EQ(run_program({"topology", "a.toml"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"init", "--from", "booksim", "a.cfg", "--out", "./a.cfg"}, directory.path()).exit_code, 2);
}

} // namespace
} // namespace wormcast::testing
