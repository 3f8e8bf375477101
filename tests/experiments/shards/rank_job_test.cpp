#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/shards/rank_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <sys/wait.h>
#include <unistd.h>

namespace wormcast {
namespace {

using ::testing::ElementsAre;

constexpr RankTimeouts no_patience = {.absent = std::chrono::milliseconds(0), .ended = std::chrono::milliseconds(0)};

/// Three ranks, each in its own process of the test's imagination: with a lock of its own.
class ThreeRanks : public ::testing::Test {
protected:
  struct Rank {
    FolderLock lock;
    std::optional<RankJob> job;
  };

  void begin(std::size_t index, const std::string& launch = "a")
  {
    const Shard shard{.index = index, .count = 3};
    ASSERT_TRUE(ranks_[index].lock.acquire(shard_folder(folder_.path(), shard), std::chrono::milliseconds(0)));
    ranks_[index].job.emplace(folder_.path(), shard, launch, no_patience);
    ranks_[index].job->begin();
  }

  RankJob::Ending end(std::size_t index, const std::string& work = "work")
  {
    const RankJob::Ending ending = ranks_[index].job->end(work);
    if (ending != RankJob::Ending::merge) {
      kill(index);
    }
    return ending;
  }

  void kill(std::size_t index)
  {
    ranks_[index].job.reset();
    ranks_[index].lock.release();
  }

  testing::TemporaryDirectory folder_;
  std::array<Rank, 3> ranks_;
};

TEST_F(ThreeRanks, TheLastOneMerges)
{
  for (std::size_t index = 0; index < 3; ++index) {
    begin(index);
  }
  EXPECT_EQ(end(1), RankJob::Ending::others_run);
  EXPECT_EQ(end(2), RankJob::Ending::others_run);
  EXPECT_EQ(end(0), RankJob::Ending::merge);
}

TEST_F(ThreeRanks, ADeadOneIsMissedByTheLastOne)
{
  for (std::size_t index = 0; index < 3; ++index) {
    begin(index);
  }
  EXPECT_EQ(end(0), RankJob::Ending::others_run);
  kill(1);
  EXPECT_EQ(ranks_[2].job->end("work"), RankJob::Ending::shards_missing);
  EXPECT_THAT(ranks_[2].job->missing(), ElementsAre("2/3"));
  kill(2);
  // Started again alone, and the others with it:
  for (std::size_t index = 0; index < 3; ++index) {
    begin(index, "b");
  }
  EXPECT_EQ(end(2), RankJob::Ending::others_run);
  EXPECT_EQ(end(0), RankJob::Ending::others_run);
  EXPECT_EQ(end(1), RankJob::Ending::merge);
}

TEST_F(ThreeRanks, OfAnEarlierLaunchAreAbsent)
{
  for (std::size_t index = 0; index < 3; ++index) {
    begin(index);
  }
  end(0);
  end(1);
  EXPECT_EQ(end(2), RankJob::Ending::merge);
  kill(2);
  begin(0, "b");
  EXPECT_EQ(ranks_[0].job->end("work"), RankJob::Ending::shards_missing);
  EXPECT_THAT(ranks_[0].job->missing(), ElementsAre("2/3", "3/3"));
}

TEST_F(ThreeRanks, OneWithOtherWorkIsNamed)
{
  for (std::size_t index = 0; index < 3; ++index) {
    begin(index);
  }
  EXPECT_EQ(end(0), RankJob::Ending::others_run);
  EXPECT_EQ(end(1, "other work"), RankJob::Ending::others_run);
  EXPECT_EQ(ranks_[2].job->end("work"), RankJob::Ending::shards_missing);
  EXPECT_THAT(ranks_[2].job->missing(),
              ElementsAre("2/3 (it has read another configuration, or files with other contents)"));
}

TEST(RankJob, ExactlyOneOfManyThatEndAtTheSameTimeMerges)
{
  for (int round = 0; round < 20; ++round) {
    const testing::TemporaryDirectory folder;
    std::vector<pid_t> ranks;
    for (std::size_t index = 0; index < 8; ++index) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        const Shard shard{.index = index, .count = 8};
        FolderLock lock;
        RankJob job(folder.path(), shard, "a", {});
        const bool locked = lock.acquire(shard_folder(folder.path(), shard), std::chrono::seconds(5));
        job.begin();
        ::_exit(!locked ? 2 : job.end("work") == RankJob::Ending::merge ? 1 : 0);
      }
      ranks.push_back(pid);
    }
    int merges = 0;
    for (const pid_t pid : ranks) {
      int status = 0;
      ::waitpid(pid, &status, 0);
      ASSERT_TRUE(WIFEXITED(status));
      ASSERT_NE(WEXITSTATUS(status), 2);
      merges += WEXITSTATUS(status);
    }
    EXPECT_EQ(merges, 1);
  }
}

TEST(ShardState, IsReadAsItWasWritten)
{
  const testing::TemporaryDirectory folder;
  EXPECT_EQ(read_shard_state(folder.path()), std::nullopt);
  const ShardState state = {.complete = true, .launch = "1f", .work = "2e"};
  write_shard_state(folder.path(), state);
  EXPECT_EQ(read_shard_state(folder.path()), state);
  write_shard_state(folder.path(), {});
  EXPECT_EQ(read_shard_state(folder.path()), ShardState{});
  folder.write("state", "something else\n");
  EXPECT_EQ(read_shard_state(folder.path()), std::nullopt);
}

} // namespace
} // namespace wormcast
