#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/output/folder_lock.hpp"
#include "wormcast/experiments/process/shard.hpp"
#include "wormcast/experiments/shards/kept_workers.hpp"
#include "wormcast/experiments/shards/shard_stores.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <map>
#include <numeric>
#include <thread>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Shard, IsCountedFromOne)
{
  EXPECT_EQ(parse_shard("3/64"), (Shard{.index = 2, .count = 64}));
  EXPECT_EQ(parse_shard("1/1"), Shard{});
  EXPECT_EQ(shard_text({.index = 2, .count = 64}), "3/64");
  for (const char* text : {"", "0/1", "2/1", "1", "1/", "/1", "1/1/1", "+1/2", " 1/2", "1/2 ", "1/100001"}) {
    EXPECT_THROW(parse_shard(text), InputError) << text;
  }
}

RC_GTEST_PROP(Shard, EveryUnitIsOwnedOnce, ())
{
  const auto shards = *rc::gen::inRange<std::size_t>(1, 40);
  const auto costs = *rc::gen::container<std::vector<double>>(rc::gen::inRange(0, 5));
  std::vector<int> owners(costs.size(), 0);
  std::vector<std::size_t> sizes;
  for (std::size_t index = 0; index < shards; ++index) {
    const std::vector<bool> owned = owned_units({.index = index, .count = shards}, costs);
    sizes.push_back(static_cast<std::size_t>(std::ranges::count(owned, true)));
    for (std::size_t unit = 0; unit < costs.size(); ++unit) {
      owners[unit] += owned[unit] ? 1 : 0;
    }
  }
  RC_ASSERT(std::ranges::count(owners, 1) == static_cast<std::ptrdiff_t>(costs.size()));
  RC_ASSERT(std::ranges::max(sizes) - std::ranges::min(sizes) <= 1);
}

RC_GTEST_PROP(Shard, NeighboursAreApart, ())
{
  const auto shards = *rc::gen::inRange<std::size_t>(3, 40);
  const Shard shard{.index = *rc::gen::inRange<std::size_t>(0, shards), .count = shards};
  const auto unit = *rc::gen::inRange<std::size_t>(0, 10000);
  RC_ASSERT(!(shard.owns(unit) && shard.owns(unit + 1)));
  RC_ASSERT(!(shard.owns(unit) && shard.owns(unit + shards)));
}

TEST(Shard, DealsExpensiveUnitsFirst)
{
  const std::vector<double> costs = {1, 100, 1, 100, 1, 100, 1, 100};
  double least = 1000;
  double most = 0;
  for (std::size_t index = 0; index < 4; ++index) {
    const std::vector<bool> owned = owned_units({.index = index, .count = 4}, costs);
    double sum = 0;
    for (std::size_t unit = 0; unit < costs.size(); ++unit) {
      sum += owned[unit] ? costs[unit] : 0;
    }
    least = std::min(least, sum);
    most = std::max(most, sum);
  }
  EXPECT_EQ(least, 101);
  EXPECT_EQ(most, 101);
}

/// Tasks 0 to 5, of which 4 fails; each outcome says how often tasks were computed.
class KeptTasks : public ::testing::Test {
protected:
  std::map<std::string, std::string> run(ResultStore& store, const SharedPart& part)
  {
    counts_ = {};
    LocalWorkers children(work_, 2);
    KeptWorkers workers(work_, children, store, part, counts_);
    std::deque<Task> waiting;
    for (std::size_t number = 0; number < 6; ++number) {
      waiting.push_back({number, {{"piece", number}}});
    }
    WatchedProgress progress;
    std::map<std::string, std::string> outcomes;
    dispatch(waiting, workers, progress, [&](const TaskOutcome& ended) {
      outcomes[fmt::to_string(ended.task)] =
          fmt::format("{} {}{}", ended.report.state, ended.report.error, ended.report.result.dump());
    });
    return outcomes;
  }

  testing::TemporaryDirectory folder_;
  static std::size_t piece_of(const nlohmann::ordered_json& parameters) { return parameters.at("piece"); }

  TaskWork work_ = {"basis",
                    [](const nlohmann::ordered_json& parameters) -> TaskReport {
                      if (piece_of(parameters) == 4) {
                        return {.state = TaskReport::died, .error = "broke down"};
                      }
                      return {.state = TaskReport::done, .result = 10 * piece_of(parameters)};
                    },
                    piece_of};
  KeptCounts counts_;
};

TEST_F(KeptTasks, AreComputedOnceByTheirShard)
{
  ResultStore first(folder_.path() / "first", ResultStore::Opening::alone);
  const auto outcomes = run(first, {.shard = {.index = 0, .count = 3}});
  EXPECT_EQ(outcomes, (std::map<std::string, std::string>{{"0", "done 0"}, {"5", "done 50"}}));
  EXPECT_EQ(counts_.computed, 2U);
  EXPECT_THAT(counts_.left_out, ElementsAre(R"({"piece":1})", R"({"piece":2})", R"({"piece":3})", R"({"piece":4})"));
  run(first, {.shard = {.index = 0, .count = 3}});
  EXPECT_EQ(counts_.computed, 0U);
  EXPECT_EQ(counts_.kept, 2U);

  ResultStore rest(folder_.path() / "rest", ResultStore::Opening::alone);
  const SharedPart merge = {.found = [&](const std::string& key) { return first.find(key); }};
  EXPECT_EQ(run(rest, merge).size(), 6U);
  EXPECT_EQ(counts_.computed, 4U);
  EXPECT_THAT(counts_.left_out, IsEmpty());
  EXPECT_EQ(rest.count(), 6U);
}

TEST_F(KeptTasks, ThatFailedAreTriedAgainUnlessFailureIsTheResult)
{
  ResultStore store(folder_.path(), ResultStore::Opening::alone);
  EXPECT_EQ(run(store, {})["4"], "died broke downnull");
  run(store, {});
  EXPECT_EQ(counts_.computed, 1U);
  EXPECT_EQ(run(store, {.retry = false})["4"], "died broke downnull");
  EXPECT_EQ(counts_.computed, 0U);
}

TEST_F(KeptTasks, AreNotComputedWhereNothingIsToBe)
{
  ResultStore store(folder_.path(), ResultStore::Opening::alone);
  EXPECT_TRUE(run(store, {.compute = false}).empty());
  EXPECT_EQ(counts_.left_out.size(), 6U);
  EXPECT_EQ(store.count(), 0U);
}

TEST_F(KeptTasks, InAnotherFormAreComputedAgain)
{
  ResultStore store(folder_.path(), ResultStore::Opening::alone);
  const auto outcomes = run(store, {});
  for (const std::string text :
       {R"({"format":"wormcast-task/1","code":0,"signal":0,"text":"0","captured_output":""})",
        R"({"format":"wormcast-task/2","report":{"state":"done","error":""},"captured_output":""})", "no JSON", ""}) {
    store.put({.key = task_key(work_, {{"piece", 0}}), .config = {}, .result = text, .error = {}});
    EXPECT_EQ(run(store, {.retry = false}), outcomes) << text;
    EXPECT_EQ(counts_.computed, 1U) << text;
  }
}

TEST_F(KeptTasks, OfOtherWorkAreOthers)
{
  ResultStore store(folder_.path(), ResultStore::Opening::alone);
  run(store, {});
  work_.fingerprint = "another";
  run(store, {});
  EXPECT_EQ(counts_.computed, 6U);
}

TEST(FoundResults, OfCompleteShardsAreWaitedFor)
{
  const testing::TemporaryDirectory out;
  const Shard shard = {.index = 0, .count = 2};
  const std::filesystem::path folder = shard_folder(out.path(), shard);
  ResultStore(folder, ResultStore::Opening::alone).put({.key = "key", .config = "{}", .result = "{}", .error = {}});
  const auto found_while_locked = [&](bool complete) {
    write_shard_state(folder, {.complete = complete});
    std::promise<void> locked;
    auto owner = std::async(std::launch::async, [&] {
      FolderLock lock;
      const bool has_lock = lock.acquire(folder, std::chrono::seconds(0));
      locked.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(300)); // as a process that ends
      return has_lock;
    });
    locked.get_future().wait();
    FoundResults found;
    found.read_shards(out.path(), Shard{.index = 1, .count = 2});
    EXPECT_TRUE(owner.get());
    return found.count();
  };
  EXPECT_EQ(found_while_locked(true), 1U);
  EXPECT_EQ(found_while_locked(false), 0U);
}

} // namespace
} // namespace wormcast
