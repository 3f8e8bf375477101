// The reference says all that there is, and templates run.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace wormcast::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::filesystem::path reference_folder()
{
  return std::filesystem::path(WORMCAST_CONFIGS).parent_path() / "docs/reference";
}

Json list(const std::string& what)
{
  return Json::parse(run_program({"list", what, "--json"}).out)[what];
}

TEST(Reference, IsWhatTheProgramWrites)
{
  const TemporaryDirectory directory;
  ASSERT_EQ(run_program({"reference", "--out", "found"}, directory.path()).exit_code, 0);
  for (const char* name : {"configuration.md", "sweeps.md", "results.md", "traces.md", "wormcast.schema.json"}) {
    EXPECT_EQ(read_file(directory.path() / "found" / name), read_file(reference_folder() / name))
        << "docs/reference is what `wormcast reference --out docs/reference` writes: run it when declarations change";
  }
}

TEST(Reference, HasEveryKeyOfEverySection)
{
  const std::string page = read_file(reference_folder() / "configuration.md");
  const Json schema = Json::parse(read_file(reference_folder() / "wormcast.schema.json"));
  for (const char* section : {"topology", "network", "algorithm", "message", "run", "mpi", "traffic", "load"}) {
    EXPECT_THAT(page, HasSubstr("\n## [" + std::string(section) + "]\n"));
    for (const Json& item : list(section)) {
      for (const Json& parameter : item["parameters"]) {
        const std::string name = parameter["name"];
        EXPECT_THAT(page, HasSubstr("| `" + name + "` | ")) << section;
        EXPECT_TRUE(schema["$defs"][section]["properties"].contains(name)) << section << "." << name;
      }
    }
  }
  const Json plot = list("plot");
  for (const Json& parameter : plot[0]["parameters"]) {
    EXPECT_THAT(read_file(reference_folder() / "sweeps.md"),
                HasSubstr("| `" + parameter["name"].get<std::string>() + "` | "));
    EXPECT_TRUE(schema["$defs"]["plot"]["properties"].contains(parameter["name"].get<std::string>()));
  }
  EXPECT_EQ(list("sweep")[0]["name"], "sweep");
}

/// The columns in the first line of a CSV file.
std::vector<std::string> columns(const std::filesystem::path& file)
{
  std::istringstream line(read_file(file).substr(0, read_file(file).find('\n')));
  std::vector<std::string> names;
  for (std::string name; std::getline(line, name, ',');) {
    names.push_back(name);
  }
  return names;
}

TEST(Reference, HasEveryColumnOfEveryFile)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config + R"([sweep]
"message.bytes" = [64, 4096]
"algorithm.name" = ["recursive_doubling", "recursion_based"]
repeat = 2
)");
  ASSERT_EQ(run_program({"sweep", "c.toml", "--out", "out"}, directory.path()).exit_code, 0);
  const std::string page = read_file(reference_folder() / "results.md");
  for (const char* name : {"results.csv", "statistics.csv", "differences.csv", "crossings.csv"}) {
    EXPECT_THAT(page, HasSubstr("\n## " + std::string(name) + "\n"));
    for (const std::string& column : columns(directory.path() / "out" / name)) {
      if (column != "message.bytes" && column != "algorithm.name" && column != "run.seed") {
        const std::string fraction = column.substr(0, column.rfind("_decimal")); // which the page names for both
        EXPECT_THAT(page, AnyOf(HasSubstr("| `" + column + "` | "), HasSubstr("| `" + fraction + "` | "))) << name;
      }
    }
  }
}

TEST(Init, WritesConfigurationsThatRun)
{
  const Json kinds = list("topologies");
  ASSERT_GE(kinds.size(), 6U);
  for (const Json& kind : kinds) {
    const TemporaryDirectory directory;
    std::filesystem::copy(WORMCAST_CONFIGS "/bridged_rings.dot", directory.path() / "network.dot");
    std::filesystem::copy(WORMCAST_CONFIGS "/simgrid_cluster.xml", directory.path() / "network.xml");
    const ProgramRun init = run_program({"init", kind["name"], "--out", "c.toml"}, directory.path());
    EXPECT_EQ(init.exit_code, 0) << init.err;
    const ProgramRun run = run_program({"run", "c.toml"}, directory.path());
    EXPECT_EQ(run.exit_code, 0) << kind["name"] << ": " << run.err;
    // What stands in comments are the defaults: without the comments nothing else comes out.
    std::istringstream lines(read_file(directory.path() / "c.toml"));
    std::string uncommented;
    for (std::string line; std::getline(lines, line) && !line.starts_with("# What `wormcast sweep` runs");) {
      const bool is_default = line.starts_with("# ") && line.find(" = ") != std::string::npos &&
                              line.find(' ', 2) == line.find(" = ") && !line.ends_with("=");
      uncommented += (is_default ? line.substr(2) : line) + "\n";
    }
    directory.write("defaults.toml", uncommented);
    const ProgramRun defaults = run_program({"run", "defaults.toml"}, directory.path());
    EXPECT_EQ(defaults.out, run.out) << uncommented << defaults.err;
  }
}

TEST(Init, WritesTrafficThatCanBeMeasured)
{
  const TemporaryDirectory directory;
  ASSERT_EQ(run_program({"init", "load", "--out", "c.toml"}, directory.path()).exit_code, 0);
  const ProgramRun run = run_program({"load", "c.toml", "--out", "out", "--set", "load.points=0.1", "--set",
                                      "load.saturation=false", "--set", "traffic.measure=2000"},
                                     directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(Init, OverwritesNothing)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", "mine");
  const ProgramRun run = run_program({"init", "--out", "c.toml"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("c.toml: is there already, expected a new file"));
  EXPECT_EQ(read_file(directory.path() / "c.toml"), "mine");
  EXPECT_EQ(run_program({"init", "ring"}).exit_code, 2);
  EXPECT_THAT(run_program({"init"}).out, HasSubstr("kind = \"mesh\""));
}

} // namespace
} // namespace wormcast::testing
