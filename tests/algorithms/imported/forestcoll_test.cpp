#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/imported/forestcoll.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;

Forest forest_of(const std::string& text)
{
  std::istringstream in(text);
  return read_forestcoll(in, "t.xml");
}

std::string forest_error(const std::string& text)
{
  return input_error([&] { forest_of(text); });
}

std::string edge(const std::string& from, const std::string& to)
{
  return "<send src=\"" + from + "\" dst=\"" + to + "\" path=\"" + from + "," + to + "\"/>\n";
}

std::string tree(const std::string& root, int chunks, int height, const std::string& sends)
{
  return "<tree root=\"" + root + "\" index=\"0\" nchunks=\"" + std::to_string(chunks) + "\" height=\"" +
         std::to_string(height) + "\">\n" + sends + "</tree>\n";
}

std::vector<std::string> forest_findings_of(const std::string& text)
{
  std::vector<std::string> all;
  for (const Finding& finding : check_forestcoll(forest_of(text)).findings.all()) {
    all.push_back(std::string(finding_kind_names.text(finding.kind)) + ": " + finding.text);
  }
  return all;
}

const std::string chain = tree("2", 3, 2, edge("2", "10") + edge("10", "x"));

TEST(ForestColl, ReadsNamesOfAllKinds)
{
  const Forest forest = forest_of(chain);
  EXPECT_THAT(forest.names, ElementsAre("2", "10", "x"));
  EXPECT_EQ(forest.chunks, 3U);
  EXPECT_FALSE(forest.is_all_gather());
  const Forest gpus = forest_of(R"xml(<tree root="(0, 'GPU', 0)" index="0" nchunks="1" height="1">
<send src="(0, 'GPU', 0)" dst="(1, 'GPU', 0)" path="(0, 'GPU', 0),(-1, 'IB', 0),(1, 'GPU', 0)"/></tree>)xml");
  EXPECT_THAT(gpus.names, ElementsAre("(0, 'GPU', 0)", "(1, 'GPU', 0)"));
  EXPECT_THAT(gpus.switches, ElementsAre("(-1, 'IB', 0)"));
}

TEST(ForestColl, ProvesTreesAndRefutesThem)
{
  EXPECT_THAT(forest_findings_of(chain), ElementsAre());
  EXPECT_EQ(check_forestcoll(forest_of(chain)).longest_chain, 2U);
  EXPECT_THAT(forest_findings_of(tree("0", 1, 1, edge("0", "1") + edge("0", "1"))),
              ElementsAre("counting: tree 0 of 0: 1 is reached twice"));
  EXPECT_THAT(forest_findings_of(tree("0", 1, 1, edge("1", "2") + edge("0", "1"))),
              ElementsAre("possession: tree 0 of 0: 1 sends to 2 before it has anything",
                          "coverage: tree 0 of 0 does not reach 2"));
  EXPECT_THAT(forest_findings_of("<Algo nchunkspernode=\"2\">" + tree("0", 2, 1, edge("0", "1")) +
                                 tree("1", 1, 1, edge("1", "0")) + "</Algo>"),
              ElementsAre("coverage: the trees of 1 have 1 chunks, of 2"));
}

TEST(ForestColl, SaysWhatIsNotOfTheFormat)
{
  EXPECT_EQ(forest_error("<Algo nchunkspernode=\"1\"/>"), "t.xml: no tree");
  EXPECT_EQ(forest_error("<graph/>"), "t.xml:1:1: element 'graph', expected 'Algo' with 'tree's, or one 'tree', of "
                                      "'send's");
  EXPECT_EQ(forest_error("<Algo nchunkspernode=\"x\"/>"),
            "t.xml:1:1: nchunkspernode=\"x\", expected a number from 0 to 2147483648");
  EXPECT_EQ(forest_error(tree("0", 1, 3, edge("0", "1"))),
            "t.xml:1: tree 0 of 0: height 3, the longest path has 1 sends");
  EXPECT_EQ(forest_error(tree("0", 1, 1, "<send src=\"0\" dst=\"1\" path=\"0,2\"/>")),
            "t.xml:2:1: tree 0 of 0: path '0,2' does not join '0' and '1'");
}

TEST(ForestColl, IsAProgramThatPassesOnWhatItReceived)
{
  const Program program = forestcoll_program(forest_of(chain), Operation::multinode_broadcast, 100, "t.xml");
  ASSERT_EQ(program.sends.size(), 2U);
  EXPECT_EQ(program.actions[program.sends[1]].bytes, 100U);
  ASSERT_EQ(program.dependencies.size(), 1U);
  EXPECT_EQ(program.dependencies[0].before, 1U);
  EXPECT_EQ(program.dependencies[0].after, program.sends[1]);
  EXPECT_THROW(forestcoll_program(forest_of(tree("0", 1, 1, edge("1", "2") + edge("0", "1"))),
                                  Operation::multinode_broadcast, 100, "t.xml"),
               InputError);
}

/// "FROM>TO BYTES after MESSAGES with MESSAGE" of each message.
std::vector<std::string> sends_of(const Program& program)
{
  std::vector<std::string> texts;
  for (const std::uint32_t action : program.sends) {
    const ProgramAction& send = program.actions[action];
    std::string text = std::to_string(send.rank) + ">" + std::to_string(send.peer) + " " + std::to_string(send.bytes);
    for (const ProgramDependency& dependency : program.dependencies) {
      if (dependency.after == action) {
        text += (dependency.on_start ? " with " : " after ") + std::to_string(dependency.before / 2);
      }
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

TEST(ForestColl, ReducesBackwards)
{
  // From 0 to 1 and 2, from 1 to 3.
  const Forest star = forest_of(tree("0", 1, 2, edge("0", "1") + edge("0", "2") + edge("1", "3")));
  EXPECT_THAT(sends_of(forestcoll_program(star, Operation::all_reduce, 100, "t.xml")),
              ElementsAre("3>1 100", "2>0 100", "1>0 100 after 0", "0>1 100 after 1 after 2", "0>2 100 with 3",
                          "1>3 100 after 3"));
  EXPECT_THROW(forestcoll_program(star, Operation::reduce_scatter, 100, "t.xml"), InputError);
  EXPECT_THROW(forestcoll_program(star, Operation::broadcast, 100, "t.xml"), InputError);
  const Forest both = forest_of("<Algo nchunkspernode=\"1\">" + tree("0", 1, 1, edge("0", "1")) +
                                tree("1", 1, 1, edge("1", "0")) + "</Algo>");
  // The vector of 101 bytes is cut in the middle: rank 0 ends with the first part, rank 1 with the second.
  EXPECT_THAT(sends_of(forestcoll_program(both, Operation::reduce_scatter, 101, "t.xml")),
              ElementsAre("1>0 50", "0>1 51"));
  EXPECT_THAT(sends_of(forestcoll_program(both, Operation::multinode_broadcast, 101, "t.xml")),
              ElementsAre("0>1 101", "1>0 101"));
}

} // namespace
} // namespace wormcast
