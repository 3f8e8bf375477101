// `wormcast collectives --format`, the files in the libraries for which they are, and whether SMPI's algorithms send
// what the libraries' send.

#include "tests/experiments/tuning_files/libraries.hpp"
#include "wormcast/experiments/tuning_files/library_algorithms.hpp"
#include "wormcast/experiments/tuning_files/mpich_rules.hpp"
#include "wormcast/experiments/tuning_files/openmpi_rules.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <regex>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr unsigned rank_count = 8;

/// An algorithm of SMPI or wormcast, and the function of a library that sends the same.
struct Pair {
  std::string measured;
  std::string function;
};

/// Lengths with which SMPI sends what a library is to send, and the bytes that are sent in all.
struct MeasuredPairs {
  std::vector<std::uint64_t> lengths;
  BytesByPair bytes;
};

class MeasuredRules : public ::testing::Test {
protected:
  void SetUp() override
  {
    directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4, 2]\n[network]\nstartup = \"10us\"\n"
                              "per_hop = \"100ns\"\nper_byte = \"1ns\"\n[mpi]\nenvelope = 0\n");
  }

  ProgramRun collectives(std::vector<std::string> more)
  {
    more.insert(more.begin(), {"collectives", "c.toml"});
    return run_program(more, directory.path());
  }

  /// The bytes of SMPI's algorithm, without those of the program that calls it.
  BytesByPair bytes_of_smpi(const std::string& collective, const std::string& algorithm, std::uint64_t length)
  {
    const ProgramRun run =
        run_program({"mpi", "c.toml", "--" + collective, algorithm, "--messages", "m.json", "--",
                     std::string(WORMCAST_EXAMPLES) + "/collectives", collective, std::to_string(length)},
                    directory.path());
    EXPECT_EQ(run.exit_code, 0) << algorithm << run.err;
    BytesByPair all;
    constexpr std::uint64_t time_of_rank = 8;
    const Json list = Json::parse(read_file(directory.path() / "m.json"));
    for (const Json& message : list["messages"]) {
      const auto bytes = message["bytes"].get<std::uint64_t>();
      if (bytes > time_of_rank) {
        all[{message["src"].get<unsigned>(), message["dst"].get<unsigned>()}] += bytes;
      }
    }
    return all;
  }

  /// A length for each pair: all multiples of the ranks, longer than the segments of most.
  MeasuredPairs measured_pairs(const std::string& collective, const std::vector<Pair>& pairs)
  {
    MeasuredPairs measured;
    for (const Pair& pair : pairs) {
      measured.lengths.push_back(40000 + 1000 * measured.lengths.size());
      for (const auto& [ends, bytes] : bytes_of_smpi(collective, pair.measured, measured.lengths.back())) {
        measured.bytes[ends] += bytes;
      }
    }
    return measured;
  }

  TemporaryDirectory directory;
};

const std::map<std::string, std::vector<Pair>> openmpi_pairs = {
    {"bcast",
     {{"flattree", "basic_linear"},
      {"ompi_pipeline", "pipeline"},
      {"NTSL", "pipeline"},
      {"wormcast:segmented_chain segments=5", "pipeline"},
      {"ompi_split_bintree", "split_bintree"},
      {"wormcast:binomial_tree children=near_first", "binomial"},
      {"scatter_rdb_allgather", "scatter_allgather"},
      {"wormcast:scatter_all_gather", "scatter_allgather"},
      {"scatter_LR_allgather", "scatter_allgather_ring"}}},
    {"allreduce",
     {{"rdb", "recursivedoubling"},
      {"lr", "ring"},
      {"ompi_ring_segmented", "ring_segmented"},
      {"rab_rdb", "redscat_allgather"}}},
    // The linear one uses persistent requests, which Open MPI does not count: all pairs.
    {"alltoall", {{"ring", "pairwise"}, {"bruck", "bruck"}}}};

const std::map<std::string, std::vector<Pair>> mpich_pairs = {
    {"bcast",
     {{"binomial_tree", "MPIR_Bcast_intra_binomial"},
      {"scatter_rdb_allgather", "MPIR_Bcast_intra_scatter_recursive_doubling_allgather"},
      {"scatter_LR_allgather", "MPIR_Bcast_intra_scatter_ring_allgather"}}},
    {"allreduce",
     {{"rdb", "MPIR_Allreduce_intra_recursive_doubling"},
      {"rab_rdb", "MPIR_Allreduce_intra_reduce_scatter_allgather"}}},
    {"alltoall",
     {{"basic_linear", "MPIR_Alltoall_intra_scattered"},
      {"bruck", "MPIR_Alltoall_intra_brucks"},
      {"pair", "MPIR_Alltoall_intra_pairwise"}}}};

/// Rules that take the pairs one after the other, each from its length on.
TuningRules rules_of(TunedLibrary library, const std::string& collective, const std::vector<Pair>& pairs,
                     const std::vector<std::uint64_t>& lengths)
{
  TuningRules rules;
  rules.library = library;
  rules.collective = collective;
  rules.ranks = rank_count;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string& title = pairs[i].measured;
    MeasuredAlgorithm measured{.collective = collective, .name = title.substr(0, title.find(' '))};
    if (title.ends_with("near_first")) {
      measured.values["children"] = "near_first";
    } else if (title.ends_with("segments=5")) {
      measured.values["segments"] = 5;
    }
    const auto algorithm = library_algorithm(library, measured, rank_count, lengths[i]);
    if (algorithm) {
      rules.lengths.push_back({.bytes = lengths[i], .algorithm = *algorithm, .measured = {title, Time{1}}});
    }
  }
  return rules;
}

/// Expects a run to call the functions of the pairs, `called` of what it says of each, and to send as many bytes.
void expect_pairs(const LibraryRun& run, const std::vector<Pair>& pairs, const MeasuredPairs& measured,
                  const std::function<std::string(const std::vector<std::string>&)>& called)
{
  ASSERT_EQ(run.exit_code, 0) << run.output;
  ASSERT_EQ(run.functions.size(), pairs.size()) << run.output;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_FALSE(run.functions[i].empty()) << run.output;
    EXPECT_EQ(called(run.functions[i]), pairs[i].function) << pairs[i].measured;
  }
  EXPECT_EQ(run.bytes, measured.bytes);
}

TEST_F(MeasuredRules, NameWhatSendsTheSameInOpenMpi)
{
  if (const std::string why = why_no_open_mpi(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  for (const auto& [collective, pairs] : openmpi_pairs) {
    SCOPED_TRACE(collective);
    const MeasuredPairs measured = measured_pairs(collective, pairs);
    const TuningRules rules = rules_of(TunedLibrary::openmpi, collective, pairs, measured.lengths);
    ASSERT_EQ(rules.lengths.size(), pairs.size());
    directory.write("r.conf", openmpi_rules_text(rules));
    expect_pairs(run_open_mpi(directory, "r.conf", rank_count, collective, measured.lengths), pairs, measured,
                 [](const std::vector<std::string>& functions) { return functions.front(); });
  }
}

TEST_F(MeasuredRules, NameWhatSendsTheSameInMpich)
{
  if (const std::string why = why_no_mpich(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  for (const auto& [collective, pairs] : mpich_pairs) {
    SCOPED_TRACE(collective);
    const MeasuredPairs measured = measured_pairs(collective, pairs);
    const TuningRules rules = rules_of(TunedLibrary::mpich, collective, pairs, measured.lengths);
    ASSERT_EQ(rules.lengths.size(), pairs.size());
    directory.write("r.json", mpich_rules_text(rules, read_mpich_base(mpich_library())));
    expect_pairs(run_mpich(directory, "r.json", rank_count, collective, measured.lengths), pairs, measured,
                 [](const std::vector<std::string>& functions) { return functions.back(); });
  }
}

TEST_F(MeasuredRules, AreTakenByOpenMpiInBytesOfAllBlocks)
{
  const ProgramRun run = collectives({"--collective", "alltoall", "--algorithms", "bruck,ring", "--lengths", "8,64KiB",
                                      "--format", "openmpi", "--rules", "a.conf"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("8 B: modified_bruck"), HasSubstr("64 KiB: pairwise")));
  EXPECT_THAT(read_file(directory.path() / "a.conf"),
              AllOf(HasSubstr("\n0 3 0 0  # modified_bruck\n"), HasSubstr("\n524288 2 0 0  # pairwise\n")));
  if (const std::string why = why_no_open_mpi(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  const LibraryRun used = run_open_mpi(directory, "a.conf", rank_count, "alltoall", {8, 65535, 65536});
  ASSERT_EQ(used.exit_code, 0) << used.output;
  EXPECT_EQ(used.functions, (std::vector<std::vector<std::string>>{{"bruck"}, {"bruck"}, {"pairwise"}}));
}

TEST_F(MeasuredRules, SayWhatTheyWereMeasuredBy)
{
  const ProgramRun run =
      collectives({"--algorithms", "binomial_tree,flattree,ompi,wormcast:binomial_tree children=near_first",
                   "--lengths", "64", "--format", "openmpi"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("# Open MPI, coll/tuned: rules for MPI_Bcast among 8 ranks on mesh 4 x 2, mapped by "
                              "block, from simulated times\n"),
                    HasSubstr("us as wormcast:binomial_tree children=near_first; SMPI's ompi "),
                    HasSubstr("#   lost: binomial_tree, "), HasSubstr("\n0 6 0 0  # binomial\n")));
  EXPECT_THAT(run.err, HasSubstr("64 B: Open MPI does not have binomial_tree"));
  // Wormcast's send by nodes; with another map the library does not.
  const ProgramRun mapped =
      collectives({"--map", "random", "--algorithms", "binomial_tree", "--lengths", "64", "--format", "openmpi"});
  EXPECT_EQ(mapped.exit_code, 2);
  EXPECT_THAT(mapped.err, HasSubstr("--format openmpi: no algorithm for bcast that Open MPI has gives a time here"));
  EXPECT_THAT(collectives({"--ranks", "1", "--format", "openmpi"}).err, HasSubstr("found 1 rank, expected at least 2"));
  EXPECT_THAT(collectives({"--format", "msccl"}).err, AllOf(HasSubstr("openmpi"), HasSubstr("mpich")));
}

TEST_F(MeasuredRules, HaveBoundariesToTheByteWhereTheyAreSearchedFor)
{
  const std::vector<std::string> words = {"--collective", "alltoall", "--algorithms", "bruck,ring,pair",
                                          "--lengths",    "64,64KiB", "--format",     "openmpi"};
  std::vector<std::string> exact = words;
  exact.insert(exact.end(), {"--exact", "--rules", "a.conf"});
  const ProgramRun run = collectives(exact);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string text = read_file(directory.path() / "a.conf");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(text, match, std::regex("\n(\\d+) 2 0 0  # pairwise\n"))) << text;
  const std::uint64_t boundary = std::stoull(match[1]) / rank_count; // the file has the bytes of all blocks
  EXPECT_GT(boundary, 64);
  EXPECT_LT(boundary, 65536);
  // The byte before it is Bruck's.
  std::vector<std::string> two = words;
  two[5] = std::to_string(boundary - 1) + "," + std::to_string(boundary);
  const std::string around = collectives(two).out;
  EXPECT_THAT(around, AllOf(HasSubstr("\n0 3 0 0  # modified_bruck\n"),
                            HasSubstr("\n" + std::to_string(boundary * rank_count) + " 2 0 0  # pairwise\n")));
  EXPECT_THAT(collectives({"--exact"}).err, HasSubstr("--exact: found no --format"));
}

} // namespace
} // namespace wormcast::testing
