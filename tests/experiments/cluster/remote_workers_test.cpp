#include "wormcast/experiments/cluster/remote_workers.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <deque>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Ranks that are children of this process, and what hands out to them.
class RemoteWorkersTest : public ::testing::Test {
protected:
  ~RemoteWorkersTest() override
  {
    for (const pid_t rank : ranks_) {
      ::kill(rank, SIGKILL);
      ::waitpid(rank, nullptr, 0);
    }
  }

  Hello hello() const { return {.token = "secret", .rank = 1, .host = "here", .version = "1", .basis = "same"}; }

  /// A process that connects, says `first` and computes.
  void start_rank(const Hello& first, const TaskWork& work = {})
  {
    const pid_t rank = ::fork();
    if (rank == 0) {
      if (const auto socket = connect_to_any({"192.0.2.300", "127.0.0.1"}, port_)) {
        send_all(*socket, framed(first));
        compute_for(*socket, work, first.places);
      }
      ::_exit(0);
    }
    ranks_.push_back(rank);
  }

  RemoteWorkers workers(std::size_t ranks)
  {
    Listener listener = std::move(listener_);
    return {std::move(listener),
            {.token = "secret", .version = "1", .ranks = ranks},
            "same",
            [this](const std::string& text) { warnings_.push_back(text); }};
  }

  /// The texts of all outcomes, by number.
  static std::vector<std::string> all_texts(Workers& workers, std::size_t count)
  {
    std::deque<Task> waiting;
    for (std::size_t i = 0; i < count; ++i) {
      waiting.push_back({i, std::to_string(i)});
    }
    std::vector<std::string> texts(count);
    TaskProgress progress;
    hand_out(waiting, workers, progress, [&](const TaskOutcome& ended) {
      texts[ended.task] += ended.signal == 0 ? ended.report.text : describe_death(ended);
    });
    return texts;
  }

  Listener listener_ = listen_for_ranks();
  std::uint16_t port_ = listener_.port;
  std::vector<pid_t> ranks_;
  std::vector<std::string> warnings_;
};

TEST_F(RemoteWorkersTest, ComputeEachTaskOnce)
{
  const TaskWork work = {"same", [](const std::string& text) { return TaskReport{0, "<" + text + ">"}; }};
  start_rank(hello(), work);
  Hello second = hello();
  second.places = 3;
  start_rank(second, work);
  RemoteWorkers remote = workers(2);
  EXPECT_THAT(all_texts(remote, 8), ElementsAre("<0>", "<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "<7>"));
  EXPECT_THAT(warnings_, ElementsAre());
}

TEST_F(RemoteWorkersTest, ALongReportComesWhole)
{
  const TaskWork work = {"same", [](const std::string&) { return TaskReport{0, std::string(5'000'000, '\x80')}; }};
  start_rank(hello(), work);
  RemoteWorkers remote = workers(1);
  EXPECT_THAT(all_texts(remote, 1), ElementsAre(std::string(5'000'000, '\x80')));
}

TEST_F(RemoteWorkersTest, ATaskThatEndsItsRankThreeTimesIsGivenUpAndTheOthersGoOn)
{
  const TaskWork work = {"same", [](const std::string& text) {
                           if (text == "1") {
                             ::kill(::getppid(), SIGKILL);
                             ::pause();
                           }
                           return TaskReport{0, "<" + text + ">"};
                         }};
  for (int i = 0; i < 4; ++i) {
    start_rank(hello(), work);
  }
  RemoteWorkers remote = workers(4);
  EXPECT_THAT(all_texts(remote, 4),
              ElementsAre("<0>", HasSubstr("3 ranks were lost while they computed it"), "<2>", "<3>"));
  EXPECT_EQ(warnings_.size(), 3U);
  EXPECT_EQ(warnings_.front(), "rank 1 on here is lost; what it computed is given to others");
}

TEST_F(RemoteWorkersTest, WithoutAnyTheWorkIsOver)
{
  const TaskWork work = {"same", [](const std::string&) {
                           ::kill(::getppid(), SIGKILL);
                           return TaskReport{};
                         }};
  start_rank(hello(), work);
  RemoteWorkers remote = workers(1);
  try {
    all_texts(remote, 1);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "all 1 ranks that computed are lost");
  }
}

TEST_F(RemoteWorkersTest, RanksThatWouldComputeSomethingElseAreErrors)
{
  const auto error = [&](const Hello& first) -> std::string {
    listener_ = listen_for_ranks();
    port_ = listener_.port;
    start_rank(first);
    RemoteWorkers remote = workers(1);
    try {
      all_texts(remote, 1);
    } catch (const InputError& found) {
      return found.what();
    }
    return {};
  };
  Hello other = hello();
  other.version = "2";
  EXPECT_EQ(error(other), "rank 1 on here runs another wormcast, expected the same on all nodes. It runs 2. This is 1");
  other = hello();
  other.basis = "else";
  EXPECT_THAT(error(other), HasSubstr("rank 1 on here found other input than rank 0, expected the same configuration"));
  other = hello();
  other.error = "cannot read c.toml";
  EXPECT_EQ(error(other), "rank 1 on here: cannot read c.toml");
}

TEST_F(RemoteWorkersTest, StrangersAreSentAway)
{
  Hello stranger = hello();
  stranger.token = "guessed";
  start_rank(stranger, {"same", [](const std::string&) { return TaskReport{0, "forged"}; }});
  start_rank(hello(), {"same", [](const std::string& text) { return TaskReport{0, text}; }});
  RemoteWorkers remote = workers(1);
  EXPECT_THAT(all_texts(remote, 3), ElementsAre("0", "1", "2"));
  EXPECT_THAT(warnings_, ElementsAre());
}

} // namespace
} // namespace wormcast
