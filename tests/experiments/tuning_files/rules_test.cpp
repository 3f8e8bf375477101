// Which algorithm of a library stands for which, and the texts of the rules.

#include "wormcast/experiments/tuning_files/library_algorithms.hpp"
#include "wormcast/experiments/tuning_files/mpich_rules.hpp"
#include "wormcast/experiments/tuning_files/openmpi_rules.hpp"
#include "wormcast/experiments/tuning_files/tuning_rules.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

std::string in_library(TunedLibrary library, const std::string& collective, const std::string& name,
                       std::uint64_t ranks, std::uint64_t bytes, Json values = Json::object())
{
  const auto found = library_algorithm(library, {collective, name, std::move(values)}, ranks, bytes);
  return found ? found->name + " " + std::to_string(found->number) + " " + std::to_string(found->segment) : "none";
}

TEST(LibraryAlgorithms, HaveTheSegmentsThatSmpiCuts)
{
  const auto pipeline = [](std::uint64_t ranks, std::uint64_t bytes) {
    return in_library(TunedLibrary::openmpi, "bcast", "ompi_pipeline", ranks, bytes);
  };
  EXPECT_EQ(pipeline(8, 32768), "pipeline 3 16384");   // 8 < 3.2118e-6 * 32768 + 8.7936
  EXPECT_EQ(pipeline(9, 32768), "pipeline 3 131072");  // none of the three lines is above 9
  EXPECT_EQ(pipeline(2, 32768), "pipeline 3 131072");  // 2 < 1.6134e-6 * 32768 + 2.1102
  EXPECT_EQ(pipeline(8, 3000000), "pipeline 3 65536"); // 8 < 2.3679e-6 * 3e6 + 1.1787, not < 1.6134e-6 * 3e6 + 2.1102
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "bcast", "ompi_split_bintree", 8, 370727), "split_binary_tree 4 1024");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "bcast", "ompi_split_bintree", 8, 370728), "split_binary_tree 4 8192");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "bcast", "wormcast:segmented_chain", 8, 1000, {{"segments", 16}}),
            "pipeline 3 63"); // 1000 / 16 = 62.5
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "bcast", "wormcast:segmented_chain", 8, 1024, {{"segments", 16}}),
            "pipeline 3 64");
}

TEST(LibraryAlgorithms, StandOnlyWhereTheySendTheSame)
{
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "bcast", "binomial_tree", 8, 64), "none");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "bcast", "binomial_tree", 8, 64), "MPIR_Bcast_intra_binomial 0 0");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "bcast", "wormcast:binomial_tree", 8, 64), "none");
  const Json near = {{"children", "near_first"}};
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "bcast", "wormcast:binomial_tree", 8, 64, near), "binomial 6 0");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "bcast", "wormcast:binomial_tree", 8, 64, near), "none");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "bcast", "wormcast:binomial_tree", 8, 64, {{"children", "far_first"}}),
            "MPIR_Bcast_intra_binomial 0 0");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "allreduce", "rab_rdb", 8, 64), "rabenseifner 6 0");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "allreduce", "rab_rdb", 6, 64), "none");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "allreduce", "rab_rdb", 6, 64),
            "MPIR_Allreduce_intra_reduce_scatter_allgather 0 0");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "allreduce", "lr", 6, 600), "ring 4 0");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "allreduce", "lr", 6, 601), "none");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "alltoall", "pair", 8, 64), "MPIR_Alltoall_intra_pairwise 0 0");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "alltoall", "ring", 8, 64), "none");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "alltoall", "ring", 6, 64), "MPIR_Alltoall_intra_pairwise 0 0");
  EXPECT_EQ(in_library(TunedLibrary::mpich, "alltoall", "basic_linear", 33, 64), "none");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "alltoall", "wormcast:pairwise_exchange", 8, 64), "none");
  EXPECT_EQ(in_library(TunedLibrary::openmpi, "alltoall", "wormcast:pairwise_exchange", 6, 64), "pairwise 2 0");
}

/// A table with these times in microseconds, by algorithm and length.
CollectiveTable table_of(const std::vector<std::uint64_t>& lengths,
                         const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& times)
{
  CollectiveTable table;
  table.collective = "bcast";
  table.lengths = lengths;
  for (const auto& [name, of_lengths] : times) {
    CollectiveRow& row = table.rows.emplace_back();
    row.algorithm = name;
    row.own = name.starts_with("wormcast:");
    if (name == "wormcast:binomial_tree") {
      row.values["children"] = "near_first";
    }
    for (const std::int64_t time : of_lengths) {
      row.runs.push_back(time == 0 ? CollectiveRun{.state = CollectiveState::wrong, .latency = {}, .error = "wrong"}
                                   : CollectiveRun{.state = CollectiveState::done, .latency = Time{time * 1000000}});
    }
  }
  return table;
}

std::vector<std::string> names_of(const TuningRules& rules)
{
  std::vector<std::string> names;
  for (const TunedLength& length : rules.lengths) {
    names.push_back(std::to_string(length.bytes) + " " + length.algorithm.name +
                    (length.lost ? " lost " + length.lost->title : ""));
  }
  return names;
}

TEST(TuningRules, TakeTheFastestThatTheLibraryHas)
{
  const CollectiveTable table = table_of({64, 128, 256, 512}, {{"default", {1, 1, 1, 1}},
                                                               {"binomial_tree", {5, 6, 9, 9}},
                                                               {"flattree", {7, 8, 9, 9}},
                                                               {"scatter_rdb_allgather", {9, 8, 8, 9}},
                                                               {"wormcast:scatter_all_gather", {9, 4, 4, 4}},
                                                               {"wormcast:binomial_tree", {6, 8, 10, 10}}});
  const TuningRules rules = rules_of_collectives(TunedLibrary::openmpi, table, 8, true);
  // At 128 three take the same: the one before goes on. SMPI's own time counts where it has one, and selectors never.
  EXPECT_THAT(names_of(rules), ElementsAre("64 binomial lost binomial_tree", "128 binomial lost binomial_tree",
                                           "256 scatter_allgather", "512 scatter_allgather"));
  EXPECT_EQ(merged_rules(rules).size(), 2);
  EXPECT_EQ(merged_rules(rules)[0].from, 0);
  EXPECT_EQ(merged_rules(rules)[1].from, 256);
  // Wormcast's send by nodes: with another map they say nothing of the library.
  EXPECT_THAT(names_of(rules_of_collectives(TunedLibrary::openmpi, table, 8, false)),
              ElementsAre("64 basic_linear lost binomial_tree", "128 basic_linear lost binomial_tree",
                          "256 scatter_allgather", "512 scatter_allgather"));
  EXPECT_THAT(names_of(rules_of_collectives(TunedLibrary::mpich, table, 8, false)).front(),
              "64 MPIR_Bcast_intra_binomial");
}

TEST(TuningRules, SayAtWhichLengthsTheLibraryHasNoTime)
{
  const CollectiveTable table = table_of({64, 128}, {{"flattree", {0, 8}}, {"binomial_tree", {5, 5}}});
  const TuningRules rules = rules_of_collectives(TunedLibrary::openmpi, table, 8, true);
  EXPECT_THAT(rules.without, ElementsAre(64));
  EXPECT_THAT(openmpi_rules_text(rules), HasSubstr("# 64 bytes: none of Open MPI's algorithms has a time\n"));
  EXPECT_THAT(lost_texts(rules),
              ElementsAre("128 B: Open MPI does not have binomial_tree, 5 us; basic_linear takes 8 us, "
                          "60.0 % more",
                          "64 B: no algorithm that Open MPI has gives a time"));
  EXPECT_THROW(rules_of_collectives(TunedLibrary::openmpi, table_of({64}, {{"binomial_tree", {5}}}), 8, true),
               InputError);
}

TuningRules rules_of(TunedLibrary library, const std::string& collective,
                     const std::vector<std::pair<std::uint64_t, std::string>>& algorithms)
{
  TuningRules rules;
  rules.library = library;
  rules.collective = collective;
  rules.ranks = 6;
  rules.place = "6 ranks on mesh 3 x 2";
  rules.command = "collectives";
  for (const auto& [bytes, name] : algorithms) {
    rules.lengths.push_back({.bytes = bytes, .algorithm = {.name = name}, .measured = {"x", Time{1000000}}});
  }
  return rules;
}

TEST(TuningRules, CountTheBytesAsTheLibraryDoes)
{
  EXPECT_EQ(bytes_of_rule(rules_of(TunedLibrary::openmpi, "alltoall", {}), 10), 60);
  EXPECT_EQ(bytes_of_rule(rules_of(TunedLibrary::openmpi, "allgather", {}), 10), 60);
  EXPECT_EQ(bytes_of_rule(rules_of(TunedLibrary::openmpi, "bcast", {}), 10), 10);
  EXPECT_EQ(bytes_of_rule(rules_of(TunedLibrary::mpich, "alltoall", {}), 10), 10);
  EXPECT_EQ(bytes_of_rule(rules_of(TunedLibrary::mpich, "allgather", {}), 10), 60);
  EXPECT_THROW(bytes_of_rule(rules_of(TunedLibrary::openmpi, "alltoall", {}), std::uint64_t{1} << 62), InputError);
}

TEST(TuningRules, SayHowMuchIsLostWithoutRoundingItAway)
{
  EXPECT_EQ(excess_text(Time{107500}, Time{100000}), "7.5 %");
  EXPECT_EQ(excess_text(Time{100001}, Time{100000}), "less than 0.1 %");
  EXPECT_EQ(excess_text(Time{300000}, Time{100000}), "200.0 %");
}

const char* const small_base = R"({"collective=alltoall": {"comm_type=intra": {"algorithm=A": {}},
 "comm_type=inter": {"algorithm=B": {}}}, "collective=allreduce": {"comm_type=intra": {
 "algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather": {}}}})";

TEST(MpichRules, ChangeOneCollectiveForOneNumberOfRanks)
{
  const Json base = Json::parse(small_base);
  const Json written = Json::parse(mpich_rules_text(
      rules_of(TunedLibrary::mpich, "alltoall", {{64, "A"}, {128, "B"}, {256, "B"}, {512, "A"}}), base));
  const Json a = Json::parse(R"({"algorithm=A": {}})");
  const Json rules = Json::parse(
      R"({"avg_msg_size<=127": {"algorithm=A": {}}, "avg_msg_size<=511": {"algorithm=B": {}},
          "avg_msg_size=any": {"algorithm=A": {}}})");
  const Json& changed = written["collective=alltoall"]["comm_type=intra"];
  EXPECT_EQ(changed["comm_size<6"], a);
  EXPECT_EQ(changed["comm_size<=6"]["is_sendbuf_inplace=yes"], a);
  EXPECT_EQ(changed["comm_size<=6"]["is_sendbuf_inplace=no"].dump(), rules.dump()); // in this order
  EXPECT_EQ(changed["comm_size=any"], a);
  EXPECT_EQ(written["collective=alltoall"]["comm_type=inter"], base["collective=alltoall"]["comm_type=inter"]);
  EXPECT_EQ(written["collective=allreduce"], base["collective=allreduce"]);
}

TEST(MpichRules, KeepWhatAnAlgorithmCannotDo)
{
  const std::string algorithm = "MPIR_Allreduce_intra_reduce_scatter_allgather";
  const Json written = Json::parse(
      mpich_rules_text(rules_of(TunedLibrary::mpich, "allreduce", {{64, algorithm}}), Json::parse(small_base)));
  const Json chosen = written["collective=allreduce"]["comm_type=intra"]["comm_size<=6"]["avg_msg_size=any"];
  EXPECT_TRUE(chosen.contains("is_op_built_in=no"));
  EXPECT_TRUE(chosen["is_op_built_in=yes"].contains("count<pow2"));
  EXPECT_TRUE(chosen["is_op_built_in=yes"]["count=any"].contains("algorithm=" + algorithm));
}

TEST(MpichRules, RefuseWhatTheBaseDoesNotKnow)
{
  const auto error = [](const TuningRules& rules, const std::string& base) -> std::string {
    try {
      mpich_rules_text(rules, Json::parse(base));
    } catch (const InputError& thrown) {
      return thrown.what();
    }
    return "none";
  };
  EXPECT_THAT(error(rules_of(TunedLibrary::mpich, "alltoall", {{64, "C"}}), small_base),
              HasSubstr("no rule for C: it is of another version of MPICH"));
  EXPECT_THAT(error(rules_of(TunedLibrary::mpich, "bcast", {{64, "A"}}), small_base),
              HasSubstr(R"(no rules with the keys "collective=bcast", "comm_type=intra")"));
  EXPECT_THAT(error(rules_of(TunedLibrary::mpich, "bcast", {{64, "A"}}), "[]"), HasSubstr("no rules with the keys"));
  EXPECT_THAT(error(rules_of(TunedLibrary::mpich, "alltoall", {{64, "A"}, {std::uint64_t{1} << 32, "B"}}), small_base),
              HasSubstr("found a rule from 4294967296 bytes on, expected at most 2^31"));
}

TEST(OpenMpiRules, HaveNoLineThatTheLibraryWouldNotRead)
{
  const std::string text = openmpi_rules_text(
      rules_of(TunedLibrary::openmpi, "alltoall", {{64, "linear"}, {128, "linear"}, {256, "pairwise"}}));
  EXPECT_THAT(text, HasSubstr("MPI_Alltoall among 6 ranks on mesh 3 x 2"));
  EXPECT_THAT(text, HasSubstr("\n3  # alltoall\n1  # number of communicator sizes\n6  # ranks\n2  # number of rules"));
  EXPECT_THAT(text, HasSubstr("\n1536 0 0 0  # pairwise\n")); // 6 blocks of 256 bytes
  EXPECT_THAT(text, Not(HasSubstr("rule-file-version")));
}

} // namespace
} // namespace wormcast
