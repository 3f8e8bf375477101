// `wormcast choose --format`, and the files in the libraries for which they are.

#include "tests/experiments/tuning_files/libraries.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <regex>
#include <sstream>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

std::string config_of(const std::string& dims, const std::string& algorithm)
{
  return fmt::format("[topology]\nkind = \"mesh\"\ndims = {}\n[network]\nstartup = \"10us\"\nper_hop = \"100ns\"\n"
                     "per_byte = \"10ns\"\n[algorithm]\n{}\n[message]\nbytes = 4096\n",
                     dims, algorithm);
}

class ChosenRules : public ::testing::Test {
protected:
  ProgramRun choose(const std::string& dims, const std::string& algorithm, std::vector<std::string> more)
  {
    directory.write("c.toml", config_of(dims, algorithm));
    more.insert(more.begin(), {"choose", "c.toml"});
    return run_program(more, directory.path());
  }

  std::string error(const std::string& algorithm, const std::vector<std::string>& more)
  {
    const ProgramRun run = choose("[2, 2]", algorithm, more);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  }

  TemporaryDirectory directory;
};

const std::string broadcast = "name = \"binomial_tree\"\nsource = [0, 0]";

TEST_F(ChosenRules, RefuseWhatDoesNotFit)
{
  EXPECT_THAT(error(broadcast, {"--format", "nccl"}),
              AllOf(HasSubstr("--format"), HasSubstr("openmpi"), HasSubstr("mpich"), HasSubstr("msccl")));
  EXPECT_THAT(error(broadcast, {"--rules", "r"}), HasSubstr("--rules: found no --format"));
  EXPECT_THAT(error(broadcast, {"--format", "mpich"}), HasSubstr("found no --base FILE"));
  EXPECT_THAT(error(broadcast, {"--format", "openmpi", "--base", "b"}), HasSubstr("only with --format mpich"));
  EXPECT_THAT(error(broadcast, {"--format", "msccl"}), HasSubstr("expected a folder"));
  EXPECT_THAT(error(broadcast, {"--format", "openmpi", "--csv", "-"}), HasSubstr("found - for --csv, too"));
  EXPECT_THAT(error(broadcast, {"--format", "mpich", "--base", "none.json"}), HasSubstr("none.json"));
  directory.write("text", "no rules");
  EXPECT_THAT(error(broadcast, {"--format", "mpich", "--base", "text"}),
              HasSubstr("text: found no rules of MPICH, expected generic.json of its sources, or libmpich.so"));
  directory.write("broken.json", "{\"collective=bcast\": ");
  EXPECT_THAT(error(broadcast, {"--format", "mpich", "--base", "broken.json"}), HasSubstr("broken.json: "));
  const std::string all_reduce = "name = \"ring\"\noperation = \"all_reduce\"";
  EXPECT_THAT(error(all_reduce, {"--format", "openmpi"}),
              HasSubstr("Open MPI has none of wormcast's algorithms for all_reduce, expected broadcast, all_gather or "
                        "all_to_all"));
  EXPECT_THAT(error("name = \"dissemination\"", {"--format", "msccl", "--rules", "x"}),
              HasSubstr("found operation barrier, expected all_reduce"));
}

/// A rule of Open MPI's file.
struct WrittenRule {
  std::uint64_t from = 0;
  unsigned number = 0;
};

std::vector<WrittenRule> rules_in(const std::string& text)
{
  std::vector<WrittenRule> rules;
  const std::regex pattern("(\\d+) (\\d+) 0 \\d+  # .*");
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, match, pattern)) {
      rules.push_back({std::stoull(match[1]), static_cast<unsigned>(std::stoul(match[2]))});
    }
  }
  return rules;
}

TEST_F(ChosenRules, NameWhatIsLost)
{
  const ProgramRun run = choose("[4, 2]", broadcast, {"--lengths", "64..64KiB", "--format", "openmpi"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("# Open MPI, coll/tuned"), HasSubstr("#   lost: "), Not(HasSubstr("fastest of"))));
  EXPECT_THAT(run.err, HasSubstr("Open MPI does not have recursive_doubling"));
  const ProgramRun table =
      choose("[4, 2]", broadcast, {"--lengths", "64..64KiB", "--format", "openmpi", "--rules", "bcast.conf"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(read_file(directory.path() / "bcast.conf"), run.out);
  EXPECT_THAT(table.out, AllOf(HasSubstr("fastest of"), HasSubstr("rules for Open MPI"), HasSubstr("slower by")));
}

TEST_F(ChosenRules, SayOfHowManyRunsTheyAreMeans)
{
  const ProgramRun run =
      choose("[4, 2]", broadcast,
             {"--lengths", "64", "--format", "openmpi", "--set", "run.start_jitter=5us", "--repeat", "3"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("8 ranks on mesh 4 x 2, rank r on node r, means of 3 runs, run.seed = 1 .. 3"));
}

TEST_F(ChosenRules, AreTheSameForAnyNumberOfJobs)
{
  const std::vector<std::string> words = {"--lengths", "64..16KiB", "--format", "openmpi"};
  std::vector<std::string> with_jobs = words;
  with_jobs.insert(with_jobs.end(), {"--jobs", "2"});
  EXPECT_EQ(choose("[4, 2]", broadcast, words).out, choose("[4, 2]", broadcast, with_jobs).out);
}

TEST_F(ChosenRules, AreTakenByOpenMpi)
{
  if (const std::string why = why_no_open_mpi(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  const ProgramRun run =
      choose("[4, 2]", broadcast, {"--lengths", "64..256KiB", "--format", "openmpi", "--rules", "r.conf", "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::map<unsigned, std::string> functions = {{3, "pipeline"}, {6, "binomial"}, {8, "scatter_allgather"}};
  const std::vector<WrittenRule> rules = rules_in(read_file(directory.path() / "r.conf"));
  ASSERT_GE(rules.size(), 2);
  std::vector<std::uint64_t> lengths;
  std::vector<std::string> expected;
  for (std::size_t i = 1; i < rules.size(); ++i) { // the last byte of a rule and the first of the next one
    lengths.insert(lengths.end(), {rules[i].from - 1, rules[i].from});
    expected.push_back(functions.at(rules[i - 1].number));
    expected.push_back(functions.at(rules[i].number));
  }
  const LibraryRun used = run_open_mpi(directory, "r.conf", 8, "bcast", lengths);
  ASSERT_EQ(used.exit_code, 0) << used.output;
  ASSERT_EQ(used.functions.size(), lengths.size()) << used.output;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    ASSERT_FALSE(used.functions[i].empty()) << used.output;
    EXPECT_EQ(used.functions[i].front(), expected[i]) << lengths[i];
  }
}

TEST_F(ChosenRules, AreTakenByMpich)
{
  if (const std::string why = why_no_mpich(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  const auto rules_for = [&](const std::string& algorithm, const std::string& file) {
    const ProgramRun run =
        choose("[4, 2]", algorithm,
               {"--lengths", "64..64KiB", "--format", "mpich", "--base", mpich_library(), "--rules", file, "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(read_file(directory.path() / file));
  };
  const Json bcast = rules_for(broadcast, "bcast.json")["collective=bcast"]["comm_type=intra"]["comm_size<=8"];
  std::vector<std::uint64_t> lengths;
  std::vector<std::string> expected;
  for (const auto& [key, choice] : bcast.items()) {
    const std::string algorithm = choice.begin().key().substr(std::string("algorithm=").size());
    const std::string bound = "avg_msg_size<=";
    const std::uint64_t last = key.starts_with(bound) ? std::stoull(key.substr(bound.size())) : lengths.back() + 1;
    lengths.push_back(last);
    expected.push_back(algorithm);
  }
  ASSERT_GE(lengths.size(), 2);
  const LibraryRun used = run_mpich(directory, "bcast.json", 8, "bcast", lengths);
  ASSERT_EQ(used.exit_code, 0) << used.output;
  ASSERT_EQ(used.functions.size(), lengths.size()) << used.output;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_EQ(used.functions[i].back(), expected[i]) << lengths[i];
  }
  // Other numbers of ranks and other collectives are as before.
  const LibraryRun others = run_mpich(directory, "bcast.json", 4, "bcast", {64, lengths.back()});
  EXPECT_EQ(others.exit_code, 0) << others.output;
  EXPECT_EQ(others.functions.at(1).back(), "MPIR_Bcast_intra_binomial");
  EXPECT_EQ(run_mpich(directory, "bcast.json", 8, "allreduce", {64, 4096}).exit_code, 0);
  rules_for("name = \"pairwise_exchange\"", "alltoall.json");
  const LibraryRun alltoall = run_mpich(directory, "alltoall.json", 8, "alltoall", {1, 1000});
  EXPECT_EQ(alltoall.exit_code, 0) << alltoall.output;
  EXPECT_EQ(alltoall.functions.at(0).back(), "MPIR_Alltoall_intra_pairwise"); // by itself MPICH takes "brucks"
  const LibraryRun in_place = run_mpich(directory, "alltoall.json", 8, "alltoall_in_place", {64});
  EXPECT_EQ(in_place.exit_code, 0) << in_place.output;
  EXPECT_EQ(in_place.functions.at(0).back(), "MPIR_Alltoall_intra_pairwise_sendrecv_replace");
}

std::uint64_t attribute(const std::string& xml, const std::string& name)
{
  const std::size_t found = xml.find(" " + name + "=\"");
  return found == std::string::npos ? 0 : std::stoull(xml.substr(found + name.size() + 3));
}

TEST_F(ChosenRules, AreProvedSchedulesForMsccl)
{
  const ProgramRun run = choose("[4, 4]", broadcast, {"--lengths", "64..1MiB", "--format", "msccl", "--rules", "x"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("schedules for MSCCL"));
  EXPECT_THAT(run.err, HasSubstr("the schedules are for root 0 alone"));
  std::map<std::uint64_t, std::uint64_t> ranges; // maxBytes by minBytes
  for (const auto& entry : std::filesystem::directory_iterator(directory.path() / "x")) {
    const std::string xml = read_file(entry.path());
    ranges[attribute(xml, "minBytes")] = attribute(xml, "maxBytes");
    EXPECT_EQ(run_program({"check", entry.path().string()}).exit_code, 0) << entry.path();
  }
  ASSERT_GE(ranges.size(), 3);
  EXPECT_EQ(ranges.begin()->first, 64);
  EXPECT_EQ(ranges.rbegin()->second, 1U << 20);
  for (auto range = std::next(ranges.begin()); range != ranges.end(); ++range) { // each byte has one schedule
    EXPECT_EQ(range->first, std::prev(range)->second + 1);
  }
}

TEST_F(ChosenRules, CountAllBlocksForMsccl)
{
  ASSERT_EQ(choose("[2, 2]", "name = \"ring\"\noperation = \"all_gather\"",
                   {"--algorithms", "ring", "--lengths", "64..1KiB", "--format", "msccl", "--rules", "x"})
                .exit_code,
            0);
  const std::string xml = read_file(directory.path() / "x/allgather_64_1024.xml");
  EXPECT_EQ(attribute(xml, "minBytes"), 4 * 64);
  EXPECT_EQ(attribute(xml, "maxBytes"), 4 * 1024);
}

} // namespace
} // namespace wormcast::testing
