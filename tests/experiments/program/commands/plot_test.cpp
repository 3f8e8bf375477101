// Repetitions, cases and plots of sweeps, and plots of what sweeps have left.

#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/stored_points.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace wormcast::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class PlotCommand : public ::testing::Test {
protected:
  ProgramRun run(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path()); }
  ProgramRun sweep(const std::string& config, std::vector<std::string> arguments = {})
  {
    folder_.write("c.toml", config);
    arguments.insert(arguments.begin(), {"sweep", "c.toml", "--out", "results"});
    return run(arguments);
  }
  std::string file(const std::string& name) const { return read_file(folder_.path() / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_.path() / name); }

  TemporaryDirectory folder_;
  std::string jitter_ =
      with(small_config, "[message]", "[run]\nmode = \"self_timed\"\nstart_jitter = \"2ms\"\n[message]");
  /// On any topology.
  std::string flooding_ = with(small_config, "name = \"recursion_based\"\nsource = [0, 0]", "name = \"flooding\"");
  std::string names_ = "[sweep]\n\"algorithm.name\" = [\"scatter_collect\", \"recursion_based\"]\n";
};

TEST_F(PlotCommand, SeedsAreRepetitions)
{
  const ProgramRun swept = sweep(jitter_ + names_ + "\"message.bytes\" = [64, 4096]\nrepeat = 5\n");
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("latency from the source's start (us), mean of 5 runs +- 95 % interval\n"));
  EXPECT_THAT(swept.out, HasSubstr("recursion_based - scatter_collect"));
  EXPECT_THAT(file("results/statistics.csv"), HasSubstr("scatter_collect,4096,latency_from_source_us,5,0,"));
  EXPECT_THAT(file("results/differences.csv"),
              HasSubstr("4096,latency_from_source_us,scatter_collect,recursion_based,5,0,"));
  EXPECT_THAT(file("results/latency_from_source.svg"), HasSubstr("start (us), mean and 95 % interval"));
  const std::string seeds =
      stored_rows(folder_.path() / "results/results.sqlite",
                  "SELECT \"run.seed\", count(*) FROM runs WHERE state = 'done' GROUP BY 1 ORDER BY 1");
  EXPECT_EQ(seeds, "1|4\n2|4\n3|4\n4|4\n5|4\n");
  // The same by an option, in place of what the file says.
  ASSERT_EQ(sweep(jitter_ + names_ + "repeat = 5\n", {"--repeat", "2", "--resume"}).exit_code, 0);
  EXPECT_EQ(stored_rows(folder_.path() / "results/results.sqlite", "SELECT count(*) FROM runs"), "4\n");
}

/// The cells of the first line of a CSV text that begins like this.
std::vector<std::string> line_of(const std::string& csv, const std::string& beginning)
{
  std::istringstream lines(csv);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with(beginning)) {
  }
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) {
    cells.push_back(cell);
  }
  return cells;
}

TEST_F(PlotCommand, LatenciesOfOneNameAgreeEverywhere)
{
  const ProgramRun swept = sweep(jitter_ + names_ + "\"message.bytes\" = [64, 4096]\nrepeat = 5\n");
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const std::filesystem::path database = folder_.path() / "results/results.sqlite";
  const auto mean = [&](const std::string& quantity) {
    const std::string name = "recursion_based,64," + quantity + ",5,0,";
    const double of_statistics = std::stod(line_of(file("results/statistics.csv"), name).at(5));
    const double of_runs =
        std::stod(stored_rows(database, ("SELECT avg(" + quantity +
                                         ") FROM runs WHERE \"algorithm.name\" = 'recursion_based' AND "
                                         "\"message.bytes\" = 64")
                                            .c_str()));
    EXPECT_NEAR(of_statistics, of_runs, 1e-6);
    return of_statistics;
  };
  const double from_source = mean("latency_from_source_us");
  EXPECT_GT(mean("latency_us"), from_source + 100); // the source's own delay, up to 2 ms
  // What the table, the differences and the plot show is the one from the source, and is called that.
  EXPECT_THAT(swept.out, StartsWith("latency from the source's start (us), mean of 5 runs"));
  EXPECT_THAT(swept.out, HasSubstr(fmt::format("  {:.3f} +- ", from_source)));
  EXPECT_THAT(swept.out, HasSubstr("\nlatency from the source's start: differences with the same seed\n"));
  EXPECT_THAT(swept.out, HasSubstr("\nlatency from the source's start: crossing points (bytes)\n"));
  const std::string header = line_of(file("results/differences.csv"), "message.bytes").at(1);
  EXPECT_EQ(header, "quantity");
  EXPECT_THAT(file("results/differences.csv"), HasSubstr("\n4096,latency_from_source_us,scatter_collect,"));
  const std::string plotted = file("results/latency_from_source.gnuplot");
  EXPECT_THAT(plotted, HasSubstr("latency from the source's start (us), mean and 95 % interval"));
  EXPECT_THAT(plotted, HasSubstr(fmt::format("{:.10g}", from_source)));
  ASSERT_EQ(run({"plot", "results", "--plot", "y=latency_us, name=from_0"}).exit_code, 0);
  EXPECT_THAT(file("results/from_0.gnuplot"), HasSubstr("'latency (us), mean and 95 % interval'"));
  // More curves than fit side by side: a line for each run.
  const ProgramRun many =
      sweep(jitter_ + names_ + "\"message.bytes\" = [64, 4096]\n\"network.ports\" = [1, 2, 3, 4]\n", {"--resume"});
  EXPECT_THAT(many.out, StartsWith("latency from the source's start (us)\n"));
  EXPECT_THAT(many.out, HasSubstr("  latency_from_source_us\n"));
}

TEST_F(PlotCommand, NumbersAreNumbersInTheDatabase)
{
  const ProgramRun swept = sweep(jitter_ + R"([sweep]
"message.bytes" = [64, 256, "1KiB", 16384]
"network.ports" = [1, "all"]
"network.startup" = ["10us", "2.5us"]
"run.start_jitter" = ["0us", "20us"]
"algorithm.name" = ["scatter_collect"]
)");
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const auto ask = [&](const char* sql) { return stored_rows(folder_.path() / "results/results.sqlite", sql); };
  EXPECT_EQ(ask("SELECT count(*) FROM runs WHERE \"message.bytes\" > 1000"), "16\n"); // of 32
  EXPECT_EQ(ask("SELECT DISTINCT \"message.bytes\" FROM runs ORDER BY 1"), "64\n256\n1024\n16384\n");
  EXPECT_EQ(ask("SELECT DISTINCT typeof(\"message.bytes\"), typeof(\"run.seed\"), typeof(\"algorithm.name\"), "
                "typeof(\"network.startup\"), typeof(nodes), typeof(tcd), typeof(\"contention.depth\") FROM runs"),
            "integer|integer|text|text|integer|integer|integer\n");
  EXPECT_EQ(ask("SELECT DISTINCT \"network.ports\", typeof(\"network.ports\") FROM runs ORDER BY 1"),
            "1|integer\nall|text\n");
  // Times and fractions, swept or not, have a number beside them.
  EXPECT_EQ(ask("SELECT DISTINCT \"network.startup\", \"network.startup_us\", typeof(\"network.startup_us\"), "
                "\"network.per_byte_us\" FROM runs ORDER BY 2"),
            "2500ns|2.5|real|0.5\n10us|10.0|real|0.5\n");
  EXPECT_EQ(ask("SELECT count(*) FROM runs WHERE \"run.start_jitter_us\" > 3"), "16\n");
  EXPECT_EQ(ask("SELECT DISTINCT beta, beta_decimal, typeof(beta_decimal), typeof(largest_message_decimal) FROM runs "
                "WHERE \"network.ports\" = 1"),
            "15/8|1.875|real|real\n");
  EXPECT_EQ(ask("SELECT count(*) FROM runs WHERE typeof(latency_us) NOT IN ('integer', 'real')"), "0\n");
}

TEST_F(PlotCommand, SaysThatSeedsHaveNoEffect)
{
  const ProgramRun swept = sweep(small_config + names_, {"--repeat", "3"});
  EXPECT_EQ(swept.exit_code, 0);
  EXPECT_THAT(swept.err, HasSubstr("warning: runs with different seeds are all equal: seeds have an effect with"));
  EXPECT_THAT(file("results/statistics.csv"), HasSubstr("recursion_based,latency_us,3,0,"));
  sweep(small_config + names_, {"--resume"});
  EXPECT_FALSE(exists("results/statistics.csv")); // of another sweep
  EXPECT_FALSE(exists("results/differences.csv"));
}

TEST_F(PlotCommand, OneAxisOfSeedsHasASummary)
{
  folder_.write("c.toml", jitter_);
  const ProgramRun swept = run({"sweep", "c.toml", "--repeat", "4"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("latency from the source's start (us), over the seeds\nruns  "));
}

TEST_F(PlotCommand, RunsCasesOfDifferentKinds)
{
  const std::string cases = flooding_ + R"(
[[case]]
name = "mesh"
[[case]]
name = "cube, all ports"
topology = { kind = "hypercube", dimension = 4 }
network.ports = "all"
[sweep]
"message.bytes" = [64, 4096]
)";
  const ProgramRun swept = sweep(cases, {"--all-columns"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const std::string csv = file("results/results.csv");
  EXPECT_THAT(csv, StartsWith("case,message.bytes,nodes,channels,"));
  EXPECT_THAT(csv, HasSubstr("\nmesh,64,16,48,"));
  EXPECT_THAT(csv, HasSubstr("\n\"cube, all ports\",4096,16,64,"));
  EXPECT_THAT(csv, HasSubstr(",topology.kind,topology.dims,"));
  EXPECT_THAT(file("results/crossings.csv"), StartsWith("quantity,faster_before,faster_behind,"));
  EXPECT_EQ(
      stored_rows(folder_.path() / "results/results.sqlite",
                  "SELECT \"case\", \"topology.kind\", \"topology.dimension\", \"network.ports\" FROM runs LIMIT 3"),
      "mesh|mesh|-|1\nmesh|mesh|-|1\ncube, all ports|hypercube|4|all\n");
  EXPECT_EQ(sweep(cases, {"--set", "network.ports=1", "--set", "message.bytes=64", "--resume"}).exit_code, 0);
  EXPECT_EQ(stored_rows(folder_.path() / "results/results.sqlite", "SELECT \"network.ports\" FROM runs"), "1\n1\n");
  const ProgramRun single = run({"run", "c.toml"});
  EXPECT_EQ(single.exit_code, 2);
  EXPECT_THAT(single.err, HasSubstr("case: found a sweep"));
  EXPECT_EQ(run({"run", "c.toml", "--unset", "case", "--unset", "sweep"}).exit_code, 0);
}

TEST_F(PlotCommand, SweepsTablesOfASection)
{
  const std::string kinds = flooding_ + R"([sweep]
topology = [{ kind = "mesh", dims = [3, 3] }, { kind = "hypercube", dimension = 3 }, { kind = "mesh", dims = [5, 5] }]
)";
  ASSERT_EQ(sweep(kinds).exit_code, 0);
  EXPECT_THAT(file("results/results.csv"), HasSubstr("\n\"mesh dims=[3,3]\",9,"));
  EXPECT_THAT(file("results/results.csv"), HasSubstr("\nhypercube dimension=3,8,"));
  EXPECT_THAT(file("results/latency_from_source.svg"), HasSubstr("nodes")); // a number on the axis
}

TEST_F(PlotCommand, UnsetTakesKeysAndSectionsOut)
{
  folder_.write("c.toml", flooding_);
  const std::vector<std::string> cube = {"--set", "topology.kind=hypercube", "--set", "topology.dimension=4"};
  const auto with_cube = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "c.toml"});
    arguments.insert(arguments.end(), cube.begin(), cube.end());
    return run(arguments);
  };
  EXPECT_THAT(with_cube({}).err,
              HasSubstr("topology.dims: not a parameter of hypercube, "
                        "expected one of dimension, parallel_links, dead_nodes, dead_links, random_dead_nodes, "
                        "random_dead_links, dead_node_share, dead_link_share, fault_seed; --unset "
                        "topology.dims takes it out"));
  EXPECT_EQ(with_cube({"--unset", "topology.dims"}).exit_code, 0);
  EXPECT_EQ(with_cube({"--unset", "topology"}).exit_code, 0);
  const ProgramRun unknown = with_cube({"--unset", "topology.dim"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--unset: found \"topology.dim\", which c.toml does not set; expected a key or a "
                                     "section of it; did you mean \"topology.dims\"?"));
}

TEST_F(PlotCommand, RefusesWrongCasesAndAxesAndPlots)
{
  const auto error = [&](const std::string& text) {
    const ProgramRun swept = sweep(text);
    EXPECT_EQ(swept.exit_code, 2);
    EXPECT_FALSE(exists("results"));
    return swept.err;
  };
  EXPECT_THAT(error(small_config + "[[case]]\nname = 3\n"), HasSubstr("case.name: found 3, expected a text"));
  EXPECT_THAT(
      error(small_config + "[[case]]\ntoplogy = { kind = \"mesh\" }\n"),
      HasSubstr("case.toplogy: found a table, expected a name and tables of the sections topology, network, "
                "ranks, algorithm, message, program, run, broadcast, mpi, traffic, load; did you mean \"topology\"?"));
  EXPECT_THAT(error(small_config + "[[case]]\ntopology.dim = 4\n"), HasSubstr("topology.dim: unknown key"));
  EXPECT_THAT(error(small_config + "[[case]]\nname = \"a\"\n[[case]]\nname = \"a\"\n"),
              HasSubstr("case: found \"a\" a second time, expected different ones"));
  EXPECT_THAT(error(small_config + "[case]\nname = \"a\"\n"),
              HasSubstr("case: found a table, expected a list of tables"));
  EXPECT_THAT(
      error(small_config + "[[case]]\nmessage.bytes = 3\n[sweep]\n\"message.bytes\" = [1, 2]\n"),
      HasSubstr("message.bytes: set by the axis \"case\" and by the axis \"message.bytes\", expected one of them"));
  EXPECT_THAT(error(small_config + "[sweep]\ntopology = [3]\n"),
              HasSubstr("sweep.topology: found 3 in the list, expected tables alone"));
  EXPECT_THAT(error(small_config + "[sweep]\nrepeat = 0\n"),
              HasSubstr("sweep.repeat: found 0, expected a number of seeds from 1 to 10000"));
  EXPECT_THAT(error(small_config + "[sweep]\nrepeat = \"often\"\n"), HasSubstr("sweep.repeat: found \"often\""));
  EXPECT_THAT(error(small_config + "[sweep]\nrepeat = 3\n\"run.seed\" = [1, 2]\n"),
              HasSubstr("sweep.run.seed: found a second time"));
  EXPECT_THAT(
      error(small_config + names_ + "[plot]\ny = \"latancy_us\"\n"),
      HasSubstr("plot.y: found \"latancy_us\", expected a column of results.csv or a key of the configuration; did "
                "you mean \"latency_us\"?"));
  EXPECT_THAT(error(small_config + names_ + "[plot]\nscale = \"logarithmic\"\n"),
              HasSubstr("[plot]: \"scale\": found \"logarithmic\", expected one of"));
  EXPECT_THAT(error(small_config + names_ + "[plot]\nsize = 3\n"), HasSubstr("size"));
  EXPECT_THAT(error(small_config + names_ + "[[plot]]\nname = \"a\"\n[[plot]]\nname = \"a\"\n"),
              HasSubstr("plot.name: a second plot would be called \"a\", expected a name of its own"));
}

TEST_F(PlotCommand, DrawsWhatTheConfigurationAsksFor)
{
  const ProgramRun swept = sweep(small_config + names_ + R"("message.bytes" = [64, 1024, 4096]
[[plot]]
y = "latency_us/bounds.latency_us"
[[plot]]
name = "tcd"
y = "tcd"
x = "algorithm.name"
group = "message.bytes"
)",
                                 {"--plot", "y=latency_us, bounds=true, name=with_bounds"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  for (const char* name : {"latency_us_bounds_latency_us-message_bytes", "tcd", "with_bounds"}) {
    for (const char* ending : {".svg", ".png", ".pdf", ".gnuplot"}) {
      EXPECT_TRUE(exists("results/" + std::string(name) + ending)) << name << ending;
      EXPECT_THAT(swept.out, HasSubstr("results/" + std::string(name) + ending + "\n"));
    }
  }
  EXPECT_FALSE(exists("results/latency_from_source.svg"));
  EXPECT_THAT(file("results/with_bounds.svg"), HasSubstr("lower bound"));
  EXPECT_THAT(file("results/tcd.svg"), HasSubstr("1 KiB"));
}

TEST_F(PlotCommand, DrawsAgainWithoutRunning)
{
  const std::string config = small_config + names_ + "\"message.bytes\" = [64, 1024, 4096]\n";
  ASSERT_EQ(sweep(config).exit_code, 0);
  const std::string svg = file("results/latency_from_source.svg");
  const std::string pdf = file("results/latency_from_source.pdf");
  EXPECT_THAT(svg, HasSubstr("lines: predicted"));
  std::filesystem::remove(folder_.path() / "results/latency_from_source.svg");
  std::filesystem::remove(folder_.path() / "c.toml");
  const ProgramRun drawn = run({"plot", "results"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_EQ(drawn.out, "results/latency_from_source.svg\nresults/latency_from_source.png\nresults/"
                       "latency_from_source.pdf\nresults/latency_from_source.gnuplot\n");
  EXPECT_EQ(file("results/latency_from_source.svg"), svg);
  EXPECT_EQ(file("results/latency_from_source.pdf"), pdf);
  const ProgramRun other =
      run({"plot", "results", "--plot", "x=algorithm.name, y=alpha, group=message.bytes", "--out", "elsewhere"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_TRUE(exists("elsewhere/alpha-algorithm_name.pdf"));
  EXPECT_FALSE(exists("results/alpha-algorithm_name.pdf"));
}

TEST_F(PlotCommand, ReportsWhatItCannotDraw)
{
  EXPECT_THAT(run({"plot", "nowhere"}).err, HasSubstr("nowhere: holds no results of a sweep (no results.sqlite)"));
  EXPECT_THAT(folder_.names(), Not(Contains("nowhere")));
  ASSERT_EQ(sweep(small_config + names_).exit_code, 0);
  const auto error = [&](const std::string& plot) {
    const ProgramRun drawn = run({"plot", "results", "--plot", plot});
    EXPECT_EQ(drawn.exit_code, 2);
    return drawn.err;
  };
  EXPECT_THAT(error("y=tcdd"), HasSubstr("did you mean \"tcd\"?"));
  EXPECT_THAT(error("y=latency"), HasSubstr("did you mean \"latency_us\"?"));
  EXPECT_THAT(error("y=tcd x=nodes"), HasSubstr("--plot: found \"y=tcd x=nodes\", expected a comma before \"x=\""));
  EXPECT_THAT(error("y=contention.step, scale=log_y"), HasSubstr("a logarithmic y axis needs numbers above 0"));
  EXPECT_THAT(error("y"), HasSubstr("--plot: found \"y\", expected KEY=VALUE, such as x=nodes"));
  EXPECT_EQ(run({"plot", "results", "--plot", "y=tcd,name=a", "--plot", "y=alpha,name=a"}).exit_code, 2);
}

TEST_F(PlotCommand, TitlesNameTheNetwork)
{
  ASSERT_EQ(sweep(small_config + names_ + "\"message.bytes\" = [64, 1024]\n").exit_code, 0);
  EXPECT_THAT(file("results/latency_from_source.gnuplot"),
              HasSubstr("'mesh 4 x 4, one port, T_s = 150 us, T_f = 0 us, T_c = 0.5 us per byte'"));
  ASSERT_EQ(sweep(small_config + names_ + "\"network.ports\" = [1, 2]\n", {"--set", "plot.title=Figure 3", "--resume"})
                .exit_code,
            0);
  EXPECT_THAT(file("results/latency_from_source.gnuplot"), HasSubstr("'Figure 3'"));
  const ProgramRun wrong = sweep(small_config + names_, {"--set", "plot.titel=Figure 3"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"title\"?"));
}

TEST_F(PlotCommand, DrawsTheNearestOfManyCurvesAndNamesTheOthers)
{
  const std::string all =
      "[sweep]\n\"algorithm.name\" = [\"line_pipeline\", \"segmented_chain\", \"recursion_based\", "
      "\"recursive_doubling\", \"scatter_collect\", \"binomial_tree\", \"minimum_tcd\", \"recursive_halving_tcd\", "
      "\"network_partitioning\", \"intercom\", \"two_combs\", \"two_trees\", \"bine_tree\", \"round_optimal\"]\n"
      "\"message.bytes\" = [64, 1024]\n";
  const ProgramRun swept = sweep(small_config + all);
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const std::string script = file("results/latency_from_source.gnuplot");
  EXPECT_THAT(script, HasSubstr("set label 'recursive_doubling' at "));
  const std::size_t note = script.find("'Not drawn, farther from the lowest curves: ");
  ASSERT_NE(note, std::string::npos);
  const std::string others = script.substr(note, script.find('\n', note) - note);
  EXPECT_THAT(others, HasSubstr("; ")); // two of fourteen
  EXPECT_THAT(others, Not(HasSubstr("recursive_doubling")));
  EXPECT_THAT(script, Not(HasSubstr("curves 1 to 12")));
  EXPECT_THAT(file("results/results.csv"), HasSubstr("line_pipeline,64,")); // nothing is lost
}

TEST(PlotFolder, AnEmptyDatabaseHoldsNoResults)
{
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path() / "d");
  directory.write("d/results.sqlite", "");
  const ProgramRun run = run_program({"plot", "d"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("holds no results of a sweep"), std::string::npos) << run.err;
}

} // namespace
} // namespace wormcast::testing
