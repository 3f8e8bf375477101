// docs/architecture.md against the project, and against arrows put in by hand.

#include "tests/architecture/wings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::filesystem::path project = WORMCAST_TREE;

std::vector<Wing> documented_wings()
{
  std::ifstream page(project / "docs" / "architecture.md");
  return read_wings(page);
}

// What is wrong with the tree if `path` had these includes, too.
std::vector<std::string> violations_with(const SourceFile& added)
{
  std::vector<SourceFile> sources = read_sources(project);
  sources.push_back(added);
  return violations(documented_wings(), sources);
}

TEST(Architecture, TheTreeIsAsTheTableSays)
{
  EXPECT_GE(documented_wings().size(), 30U);
  EXPECT_GE(read_sources(project).size(), 200U);
  EXPECT_THAT(violations(documented_wings(), read_sources(project)), IsEmpty());
}

TEST(Architecture, AnArrowToAHigherPackageIsFound)
{
  EXPECT_THAT(violations_with({"topologies/grid.cpp", {"wormcast/algorithms/registry.hpp"}}),
              ElementsAre("topologies/grid.cpp includes \"wormcast/algorithms/registry.hpp\", but topologies/*.cpp "
                          "(floor 4) may not use algorithms/*.hpp (floor 2)"));
}

TEST(Architecture, AnArrowBackBetweenWingsIsFound)
{
  EXPECT_THAT(violations_with({"experiments/trace/reader.cpp", {"wormcast/experiments/run/run.hpp"}}),
              ElementsAre("experiments/trace/reader.cpp includes \"wormcast/experiments/run/run.hpp\", but "
                          "experiments/trace/ (floor 5) may not use experiments/run/ (floor 6)"));
  EXPECT_THAT(
      violations_with({"simulator/model/network.hpp", {"wormcast/simulator/engines/engine.hpp"}}),
      ElementsAre(
          "simulator/model/network.hpp includes \"wormcast/simulator/engines/engine.hpp\", but simulator/model/ "
          "(floor 2) may not use simulator/engines/ (floor 4)"));
}

TEST(Architecture, AnArrowFromTheProgramToReproductionsIsFound)
{
  for (const char* file : {"experiments/program/commands/list.cpp", "experiments/program/main.cpp"}) {
    EXPECT_THAT(violations_with({file, {"wormcast/experiments/reproduction/frame/claim.hpp"}}), ::testing::SizeIs(1))
        << file;
  }
}

TEST(Architecture, AFamilyThatUsesAnotherOneIsFound)
{
  EXPECT_THAT(violations_with({"algorithms/tcd/eyes.cpp", {"wormcast/algorithms/hypercube/trees.hpp"}}),
              ElementsAre("algorithms/tcd/eyes.cpp includes \"wormcast/algorithms/hypercube/trees.hpp\", but "
                          "algorithms/tcd/ (floor 4) may not use algorithms/hypercube/ (floor 4)"));
}

TEST(Architecture, AWingThatTheTableDoesNotHaveIsFound)
{
  EXPECT_THAT(violations_with({"algorithms/multicast/tree.cpp", {}}),
              ElementsAre("algorithms/multicast/tree.cpp lies in no wing"));
}

TEST(Architecture, AnIncludeThatUsersCouldNotResolveIsFound)
{
  EXPECT_THAT(violations_with({"topologies/grid.cpp", {"topologies/topology.hpp"}}),
              ElementsAre("topologies/grid.cpp includes \"topologies/topology.hpp\", which is no header of a wing"));
}

TEST(Architecture, ATableThatIsNotInTheOrderOfItsFloorsIsWrong)
{
  std::istringstream page("| wing | floor | contents |\n"
                          "|---|---|---|\n"
                          "| `algorithms/tcd/` | 2 | Broadcasts of least distance. |\n"
                          "| `algorithms/grid/` | 1 | |\n"
                          "| `topologies/` | none | Networks, as graphs of Boost. |\n");
  EXPECT_THAT(violations(read_wings(page), {{"algorithms/tcd/eyes.cpp", {}}}),
              ElementsAre("algorithms/grid/ has no sentence",
                          "algorithms/grid/ (floor 1) stands behind algorithms/tcd/ (floor 2)",
                          "topologies/ has no floor", "algorithms/grid/ has no files", "topologies/ has no files"));
}

const std::vector<const char*> code_folders = {"values",    "formats",     "topologies", "algorithms",
                                               "simulator", "experiments", "python"};

// The files in which `used` occurs but not `needed`.
std::vector<std::string> files_with_but_without(const std::filesystem::path& folder, const char* used,
                                                const char* needed)
{
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") {
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      if (text.str().find(used) != std::string::npos && text.str().find(needed) == std::string::npos) {
        files.push_back(entry.path().string());
      }
    }
  }
  return files;
}

void expect_found_with_but_without(const char* used, const char* needed)
{
  for (const char* package : code_folders) {
    EXPECT_THAT(files_with_but_without(project / package, used, needed), IsEmpty());
  }
  const auto folder = std::filesystem::path(::testing::TempDir()) /
                      ::testing::UnitTest::GetInstance()->current_test_info()->name(); // tests run at the same time
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "without.cpp") << used << '\n';
  std::ofstream(folder / "with.cpp") << needed << '\n' << used << '\n';
  EXPECT_THAT(files_with_but_without(folder, used, needed), ElementsAre((folder / "without.cpp").string()));
}

// Whole folders are compiled as one unit, so that a missing include of the formatting library is not noticed there.
TEST(Architecture, FilesIncludeWhatTheyFormatWith)
{
  expect_found_with_but_without("fmt::", "#include <fmt/");
}

// With another policy no program that has one of them gets as far as main() under valgrind.
TEST(Architecture, DistributionsIgnoreOverflow)
{
  expect_found_with_but_without("boost/math/distributions", "IgnoringOverflow");
}

// What the folders of the tests are for is what they are called.
TEST(Architecture, TestsMirrorTheWings)
{
  for (const char* package : code_folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / "tests" / package)) {
      if (entry.is_directory()) {
        const auto folder = std::filesystem::relative(entry.path(), project / "tests");
        EXPECT_TRUE(std::filesystem::is_directory(project / folder)) << folder;
      }
    }
  }
}

} // namespace
} // namespace wormcast::testing
