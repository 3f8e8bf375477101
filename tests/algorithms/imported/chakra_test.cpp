#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::string varint(std::uint64_t number)
{
  std::string text;
  for (; number >= 128; number >>= 7) {
    text.push_back(static_cast<char>(number | 128));
  }
  return text + static_cast<char>(number);
}

std::string number_field(std::uint64_t field, std::uint64_t value)
{
  return varint(field << 3) + varint(value);
}

std::string text_field(std::uint64_t field, const std::string& value)
{
  return varint(field << 3 | 2) + varint(value.size()) + value;
}

std::string message(const std::string& fields)
{
  return varint(fields.size()) + fields;
}

/// An attribute with a number as int64.
std::string number_of(const std::string& name, std::uint64_t value)
{
  return text_field(10, text_field(1, name) + number_field(9, value));
}

std::string node(std::uint64_t id, std::uint64_t type, const std::string& others = "")
{
  return message(number_field(1, id) + number_field(3, type) + others);
}

constexpr std::uint64_t compute_node = 4;
constexpr std::uint64_t send_node = 5;
constexpr std::uint64_t receive_node = 6;
constexpr std::uint64_t collective_node = 7;

const std::string metadata = message(text_field(1, "0.0.4"));

std::string waits_for(std::uint64_t id)
{
  return number_field(5, id);
}

std::string to(std::uint64_t rank, std::uint64_t bytes)
{
  return number_of("comm_dst", rank) + number_of("comm_size", bytes);
}

std::string from(std::uint64_t rank, std::uint64_t bytes)
{
  return number_of("comm_src", rank) + number_of("comm_size", bytes);
}

std::string takes_part(std::uint64_t type, std::uint64_t bytes, const std::string& group = "")
{
  return number_of("comm_type", type) + number_of("comm_size", bytes) +
         (group.empty() ? "" : text_field(10, text_field(1, "pg_name") + text_field(29, group)));
}

ChakraTrace chakra_of(const std::vector<std::string>& nodes_of_ranks, const ChakraGroups& groups = {})
{
  std::vector<ChakraFile> files;
  for (const std::string& nodes : nodes_of_ranks) {
    files.push_back({.name = "t.et", .bytes = metadata + nodes});
  }
  return read_chakra(files, groups);
}

std::string chakra_error(const std::vector<std::string>& nodes_of_ranks)
{
  return input_error([&] { chakra_of(nodes_of_ranks); });
}

std::vector<std::string> chakra_findings(const std::vector<std::string>& nodes_of_ranks,
                                         const ChakraGroups& groups = {})
{
  ChakraTrace trace = chakra_of(nodes_of_ranks, groups);
  std::vector<std::string> all;
  for (const Finding& finding : check_chakra(trace).findings.all()) {
    all.push_back(std::string(finding_kind_names.text(finding.kind)) + ": " + finding.text);
  }
  return all;
}

TEST(Chakra, ReadsNodesWithAllFormsOfDependencies)
{
  const std::string packed = text_field(4, varint(0) + varint(1));
  ChakraTrace trace = chakra_of({node(2, compute_node, packed + waits_for(0) + number_field(7, 3)) +
                                 node(0, compute_node, number_of("num_ops", 500)) + node(1, 1)});
  const ChakraReport report = check_chakra(trace);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(trace.ranks[0].version, "0.0.4");
  EXPECT_THAT(trace.ranks[0].before[0], ElementsAre(1, 2)); // places: nodes stand in any order
  EXPECT_THAT(trace.ranks[0].order, ElementsAre(1, 2, 0));
  EXPECT_EQ(report.longest_chain, 2U);
  EXPECT_EQ(report.micros, 3U);
}

TEST(Chakra, IsRefuted)
{
  EXPECT_THAT(chakra_findings({node(0, compute_node, waits_for(1)) + node(1, compute_node, waits_for(0))}),
              ElementsAre("deadlock: rank 0: node 0 depends on itself: 0 <- 1 <- 0"));
  EXPECT_THAT(chakra_findings({node(3, compute_node, waits_for(8))}),
              ElementsAre("dependency: rank 0: node 3 depends on node 8, which does not exist"));
  EXPECT_THAT(chakra_findings({node(0, send_node, to(1, 8)), node(0, compute_node)}),
              ElementsAre("matching: from 0 to 1 with tag 0: 1 sends, 0 receives"));
  EXPECT_THAT(chakra_findings({node(0, send_node, to(1, 8)), node(0, receive_node, from(0, 16))}),
              ElementsAre("matching: from 0 to 1 with tag 0: send 0 has 8 bytes, its receive 16"));
  EXPECT_THAT(chakra_findings({node(0, send_node, to(1, 8)), node(0, receive_node, from(0, 8))}), ElementsAre());
}

TEST(Chakra, IsRefutedByCollectivesThatDiffer)
{
  EXPECT_THAT(chakra_findings({node(0, collective_node, takes_part(0, 8)), node(0, collective_node, takes_part(2, 8))}),
              ElementsAre("matching: all ranks: collective 0 is ALL_REDUCE of 8 at rank 0, ALL_GATHER of 8 at rank 1"));
  EXPECT_THAT(chakra_findings({node(0, collective_node, takes_part(0, 8)), node(0, compute_node)}),
              ElementsAre("matching: all ranks: collective 0 is ALL_REDUCE of 8 at rank 0, none at rank 1"));
  const std::vector<std::string> of_a_group = {node(0, collective_node, takes_part(0, 8, "g")), node(0, compute_node)};
  EXPECT_THAT(chakra_findings(of_a_group), ElementsAre()); // its members are those that take part
  EXPECT_THAT(chakra_findings(of_a_group, {{"g", {0, 1}}}),
              ElementsAre("matching: group g: collective 0 is ALL_REDUCE of 8 at rank 0, none at rank 1"));
  EXPECT_THAT(chakra_findings(of_a_group, {{"g", {1}}}),
              ElementsAre("matching: group g: rank 0 takes part in a collective, but is no member"));
  EXPECT_THROW(chakra_of(of_a_group, {{"g", {0, 5}}}), InputError);
}

TEST(Chakra, SaysWhatIsNotOfTheFormat)
{
  EXPECT_EQ(chakra_error({message("12345").substr(0, 4)}), "t.et: byte 9: a message of 5 bytes, but 3 are left");
  EXPECT_EQ(chakra_error({std::string(1, '\0')}), "t.et: byte 8: an empty message");
  EXPECT_EQ(chakra_error({std::string(11, '\xff')}), "t.et: byte 8: a number of more than 64 bits");
  EXPECT_EQ(chakra_error({message(varint(1 << 3 | 3))}),
            "t.et: byte 9: field 1 has wire type 3, expected 0, 1, 2 or 5");
  EXPECT_EQ(chakra_error({message(varint(0))}), "t.et: byte 9: a field with number 0");
  EXPECT_EQ(chakra_error({message(varint(2 << 3 | 2) + varint(9))}),
            "t.et: byte 11: field 2 of 9 bytes, but 0 are left");
  EXPECT_EQ(chakra_error({node(0, 8)}), "t.et: byte 9: rank 0: node 0 has type 8, expected 1 to 7");
  EXPECT_EQ(chakra_error({node(0, compute_node) + node(0, compute_node)}),
            "t.et: byte 14: rank 0: node 0 a second time");
  EXPECT_EQ(chakra_error({node(17, send_node, to(9, 8)), ""}),
            "t.et: byte 9: rank 0: node 17 (COMM_SEND): comm_dst 9, there are 2 ranks");
  EXPECT_EQ(chakra_error({node(17, send_node, to(0, 8)), ""}),
            "t.et: byte 9: rank 0: node 17 (COMM_SEND): comm_dst 0, which is the rank itself");
  EXPECT_EQ(chakra_error({node(17, send_node, number_of("comm_size", 8)), ""}),
            "t.et: byte 9: rank 0: node 17 (COMM_SEND): no comm_dst");
  EXPECT_EQ(chakra_error({node(17, send_node, to(1, static_cast<std::uint64_t>(-5))), ""}),
            "t.et: byte 9: rank 0: node 17 (COMM_SEND): comm_size -5, expected from 0 to 2^62");
  EXPECT_EQ(chakra_error({node(1, collective_node, takes_part(10, 8))}),
            "t.et: byte 9: rank 0: node 1 (COMM_COLL): comm_type 10, expected 0 to 9");
}

TEST(Chakra, IsAProgram)
{
  ChakraTrace trace =
      chakra_of({node(0, compute_node, number_field(7, 3)) + node(1, send_node, waits_for(0) + to(1, 8)) +
                     node(2, compute_node, number_of("num_ops", 500) + number_of("is_cpu_op", 1)),
                 node(0, receive_node, from(0, 8))});
  const ChakraReport report = check_chakra(trace);
  const Program program = chakra_program(trace, report, 1'000'000'000, {}, "t");
  ASSERT_EQ(program.actions.size(), 4U);
  EXPECT_EQ(program.actions[0].duration, Time{3'000'000});
  EXPECT_EQ(program.actions[0].cpu, 1U);
  EXPECT_EQ(program.actions[2].duration, Time{500'000});
  EXPECT_EQ(program.actions[2].cpu, 0U);
  EXPECT_THAT(program.sends, ElementsAre(1));
  ASSERT_EQ(program.dependencies.size(), 1U);
  EXPECT_EQ(program.dependencies[0].after, 1U);
}

TEST(Chakra, AsksForTheProgramsOfCollectives)
{
  const std::string two = node(0, collective_node, takes_part(0, 64, "g")) +
                          node(1, collective_node, waits_for(0) + takes_part(0, 64, "g"));
  ChakraTrace trace = chakra_of({two, node(0, compute_node), two});
  const ChakraReport report = check_chakra(trace);
  int calls = 0;
  const Program program = chakra_program(
      trace, report, 1,
      [&](ChakraCollective kind, std::uint64_t bytes, std::span<const std::uint32_t> members) {
        ++calls;
        EXPECT_EQ(kind, ChakraCollective::all_reduce);
        EXPECT_EQ(bytes, 64U);
        EXPECT_THAT(members, ElementsAre(0, 2));
        Program one;
        one.ranks = 2;
        one.actions = {{.kind = ProgramAction::Kind::send, .rank = 0, .peer = 1, .bytes = 64, .duration = {}},
                       {.kind = ProgramAction::Kind::receive, .rank = 1, .peer = 0, .bytes = 64, .duration = {}}};
        one.sends = {0};
        return one;
      },
      "t");
  EXPECT_EQ(calls, 1); // both collectives are of one kind and size
  ASSERT_EQ(program.sends.size(), 2U);
  const ProgramAction& first = program.actions[program.sends[0]];
  const ProgramAction& second = program.actions[program.sends[1]];
  EXPECT_EQ(first.rank, 0U);
  EXPECT_EQ(first.peer, 2U);
  EXPECT_NE(first.tag, second.tag);
}

TEST(Chakra, ReadsGroups)
{
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "groups.json";
  const auto groups_of = [&](const char* text) {
    std::ofstream(file) << text;
    return read_chakra_groups(file);
  };
  EXPECT_THAT(groups_of(R"({"0": [0, 1], "b": [2]})"),
              UnorderedElementsAre(::testing::Pair("0", ElementsAre(0, 1)), ::testing::Pair("b", ElementsAre(2))));
  EXPECT_THROW(groups_of("[1]"), InputError);
  EXPECT_THROW(groups_of(R"({"0": 1})"), InputError);
  EXPECT_THROW(groups_of(R"({"0": [-1]})"), InputError);
}

} // namespace
} // namespace wormcast
