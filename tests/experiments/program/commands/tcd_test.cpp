// `wormcast tcd`, run as a user runs it.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The columns of a CSV file without quotes, by name.
std::map<std::string, std::vector<std::int64_t>> columns(const std::string& csv)
{
  std::istringstream lines(csv);
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::int64_t>> found;
  std::string line;
  std::string cell;
  std::getline(lines, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) {
    names.push_back(cell);
  }
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
      found[names.at(i)].push_back(std::stoll(cell));
    }
  }
  return found;
}

class TcdCommand : public ::testing::Test {
protected:
  ProgramRun tcd(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), "topology");
    arguments.emplace_back("--tcd");
    return run_program(arguments, directory.path());
  }

  std::map<std::string, std::vector<std::int64_t>> csv(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.end(), {"--format", "csv"});
    const ProgramRun run = tcd(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return columns(run.out);
  }

  std::string error(const std::vector<std::string>& arguments) const
  {
    const ProgramRun run = tcd(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  }

  TemporaryDirectory directory;
  std::string mesh = WORMCAST_CONFIGS "/tcd_mesh.toml";
};

TEST_F(TcdCommand, HasTheGoldenMatrices)
{
  const auto golden = nlohmann::json::parse(read_file(WORMCAST_TEST_DATA "/golden/tcd/tcd.json"));
  for (const auto& [title, matrix] : golden["matrices"].items()) {
    const std::string dims = "topology.dims=" + matrix["dims"].dump();
    const std::vector<std::string> words = {mesh, "--set", "algorithm.source=0", "--set", dims, "--values"};
    const auto with_values = [&](const std::string& values, const std::string& order) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {values, "--set", "algorithm.order=" + order});
      return csv(all);
    };
    auto found = with_values("algorithm,paper,halving,bound,difference,gap", "paper");
    EXPECT_EQ(found["paper"], matrix["paper_order"].get<std::vector<std::int64_t>>()) << title;
    EXPECT_EQ(found["algorithm"], found["paper"]) << title; // made and counted against the closed form
    EXPECT_EQ(found["halving"], matrix["halving"].get<std::vector<std::int64_t>>()) << title;
    for (std::size_t node = 0; node < found["paper"].size(); ++node) {
      EXPECT_EQ(found["node"][node], static_cast<std::int64_t>(node));
      EXPECT_EQ(found["difference"][node], found["paper"][node] - found["halving"][node]);
      EXPECT_EQ(found["gap"][node], found["halving"][node] - found["bound"][node]);
      EXPECT_GE(found["gap"][node], 0);
    }
    EXPECT_EQ(with_values("paper", "best")["paper"], matrix["best_order"].get<std::vector<std::int64_t>>()) << title;
  }
}

TEST_F(TcdCommand, MarksTheEyes)
{
  const auto found = csv({mesh});
  for (std::size_t node = 0; node < 64; ++node) {
    const auto is_coordinate = [](std::int64_t at) { return at == 2 || at == 5; };
    EXPECT_EQ(found.at("eye")[node], is_coordinate(found.at("x")[node]) && is_coordinate(found.at("y")[node]));
  }
  const ProgramRun run = tcd({mesh, "--values", "paper"});
  EXPECT_EQ(run.out, "mesh 8 x 8: total communication distance (hops) by source\n"
                     "\n"
                     "paper  minimum_tcd, order paper: 69 .. 79, mean 73\n"
                     "\n"
                     "paper (x to the right, y upwards; eyes in brackets)\n"
                     "7   79  76  75  76  76  75  76  79 \n"
                     "6   75  72  71  72  72  71  72  75 \n"
                     "5   73  70 [69] 70  70 [69] 70  73 \n"
                     "4   75  72  71  72  72  71  72  75 \n"
                     "3   75  72  71  72  72  71  72  75 \n"
                     "2   73  70 [69] 70  70 [69] 70  73 \n"
                     "1   75  72  71  72  72  71  72  75 \n"
                     "0   79  76  75  76  76  75  76  79 \n"
                     "     0   1   2   3   4   5   6   7 \n");
}

TEST_F(TcdCommand, ShowsEverythingThatExistsAndSaysHowOften)
{
  const std::string out = tcd({mesh, "--set", "algorithm.order=best"}).out;
  for (const char* line :
       {"\npaper       minimum_tcd, order best: 69 .. 79", "\nhalving     recursive halving, minimum: 69 .. 79",
        "\nbound       lower bound: ", "at 28 of 64 sources\n"}) {
    EXPECT_THAT(out, HasSubstr(line));
  }
  EXPECT_THAT(out, Not(HasSubstr("algorithm")));
  EXPECT_THAT(tcd({mesh, "--set", "topology.dims=[8, 4]", "--set", "algorithm.name=recursive_doubling", "--set",
                   "algorithm.order=best"})
                  .err,
              HasSubstr("algorithm.order"));
}

TEST_F(TcdCommand, OtherAlgorithmsAreCountedInTheirSchedules)
{
  directory.write("c.toml", with(small_config, "recursion_based", "recursive_doubling"));
  auto found = csv({"c.toml"});
  for (const char* name : {"algorithm", "paper", "halving", "bound", "difference", "gap"}) {
    EXPECT_EQ(found[name].size(), 16U) << name;
  }
  for (const std::int64_t node : {0, 6}) {
    const ProgramRun run = run_program(
        {"check", "c.toml", "--set", "algorithm.source=" + std::to_string(node), "--json", "-"}, directory.path());
    EXPECT_EQ(nlohmann::json::parse(run.out)["tcd"], found["algorithm"][static_cast<std::size_t>(node)]);
    EXPECT_EQ(found["difference"][static_cast<std::size_t>(node)],
              found["algorithm"][static_cast<std::size_t>(node)] - found["halving"][static_cast<std::size_t>(node)]);
  }
  // Sizes that are no powers of two: only the schedules.
  const std::string out = tcd({"c.toml", "--set", "topology.dims=[5, 3]"}).out;
  EXPECT_THAT(out, HasSubstr("\nalgorithm  recursive_doubling: "));
  EXPECT_THAT(out, Not(HasSubstr("halving")));
}

TEST_F(TcdCommand, PlanesOfHigherDimensions)
{
  const std::string out = tcd({WORMCAST_CONFIGS "/tcd_cube.toml", "--set", "topology.dims=[4, 4, 4]", "--set",
                               "algorithm.source=0", "--values", "halving"})
                              .out;
  EXPECT_THAT(out, HasSubstr("\nhalving, z = 1 (x to the right, y upwards; eyes in brackets)\n"
                             "3   66  64  64  66 \n"
                             "2   64 [63][63] 64 \n"));
  EXPECT_THAT(out, HasSubstr("\nhalving, z = 3 "));
  EXPECT_THAT(out, Not(HasSubstr("z = 4")));
}

TEST_F(TcdCommand, LargeMatricesAreShownWhenAskedFor)
{
  const std::vector<std::string> words = {mesh, "--set", "topology.dims=[64, 64]"};
  EXPECT_THAT(tcd(words).out, Not(HasSubstr("upwards")));
  std::vector<std::string> asked = words;
  asked.insert(asked.end(), {"--values", "halving"});
  EXPECT_THAT(tcd(asked).out, HasSubstr("upwards"));
}

TEST_F(TcdCommand, OnATorusEverySourceIsTheSame)
{
  const auto found = csv({mesh, "--set", "topology.kind=torus"});
  for (const char* name : {"paper", "halving"}) {
    EXPECT_EQ(found.at(name), std::vector<std::int64_t>(64, 69)) << name;
  }
  EXPECT_EQ(found.at("eye"), std::vector<std::int64_t>(64, 0));
}

TEST_F(TcdCommand, DrawsPictures)
{
  const ProgramRun run = tcd({mesh, "--out", "tcd.txt", "--picture", "tcd.svg", "--picture", "tcd.png"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(directory.names(), ElementsAre("tcd.png", "tcd.svg", "tcd.txt"));
  EXPECT_EQ(read_file(directory.path() / "tcd.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  const std::string svg = read_file(directory.path() / "tcd.svg");
  for (const char* text : {"mesh 8 x 8: total communication distance", "minimum_tcd, order paper", "lower bound",
                           "<text>79</text>", "<text>eyes of Cang &amp; Wu</text>"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  const std::string first = read_file(directory.path() / "tcd.png");
  tcd({mesh, "--picture", "tcd.png"});
  EXPECT_EQ(read_file(directory.path() / "tcd.png"), first);
}

TEST_F(TcdCommand, ThePictureProgramDrawsTheSamePicture)
{
  EXPECT_EQ(tcd({mesh, "--values", "paper", "--picture", "a.gnuplot", "--picture", "a.png"}).exit_code, 0);
  const std::string png = read_file(directory.path() / "a.png");
  std::filesystem::remove(directory.path() / "a.png");
  ASSERT_EQ(std::system(("cd '" + directory.path().string() + "' && gnuplot a.gnuplot").c_str()), 0);
  EXPECT_EQ(read_file(directory.path() / "a.png"), png);
}

TEST_F(TcdCommand, BadInput)
{
  EXPECT_EQ(error({mesh, "--values", "halfing"}),
            "wormcast: error: --values: found \"halfing\", expected one of algorithm, paper, halving, bound, "
            "difference, gap; did you mean \"halving\"?\n");
  EXPECT_EQ(error({mesh, "--picture", "tcd.gif"}),
            "wormcast: error: tcd.gif: expected a picture's name that ends in .svg, .png, .pdf or .gnuplot\n");
  EXPECT_EQ(error({mesh, "--set", "topology.dims=[8, 4]", "--values", "paper"}),
            "wormcast: error: value \"paper\" is defined where all "
            "sizes are powers of two and equal; found a mesh 8 x 4\n");
  EXPECT_EQ(error({mesh, "--set", "topology.dims=[6, 6]"}),
            "wormcast: error: value \"halving\" is defined where all sizes are powers of two; found a mesh 6 x 6\n");
  EXPECT_THAT(error({WORMCAST_CONFIGS "/message_list.toml"}), HasSubstr("found a schedule from a file"));
  EXPECT_THAT(error({mesh, "--set", "topology.dims=[64, 64]", "--set", "algorithm.source=0", "--set",
                     "algorithm.name=scatter_collect"}),
              HasSubstr("algorithm.order"));
  directory.write("c.toml", with(with(small_config, "[4, 4]", "[64, 64]"), "recursion_based", "scatter_collect"));
  EXPECT_THAT(error({"c.toml"}), HasSubstr("messages, more than 268435456"));
  directory.write("p.toml", "[topology]\nkind = \"petersen\"\n[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n"
                            "[algorithm]\nname = \"petersen_broadcast\"\n[message]\nbytes = 100\n");
  EXPECT_THAT(error({"p.toml"}), HasSubstr("tcd runs on a mesh or torus"));
  EXPECT_THAT(error({mesh, "--set", "topology.dims=[512, 512]", "--values", "paper", "--picture", "a.png", "--format",
                     "csv", "--out", "a.csv"}),
              HasSubstr("a picture of 1 columns"));
}

} // namespace
} // namespace wormcast::testing
