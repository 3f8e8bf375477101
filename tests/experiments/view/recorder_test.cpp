#include "tests/algorithms/grids.hpp"
#include "tests/experiments/view/recorded.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/output/web_page.hpp"
#include "wormcast/experiments/view/node_progress.hpp"
#include "wormcast/experiments/view/view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace wormcast {
namespace {

using testing::contended_experiment;
using testing::Recorded;

TEST(ViewRecorder, KeepsAllOfASmallRun)
{
  const Recorded run(contended_experiment(), {});
  EXPECT_EQ(run.recorder.drawn_messages(), run.schedule.messages.size());
  EXPECT_EQ(run.recorder.occupancies().size(), run.occupancies.size());
  EXPECT_TRUE(std::ranges::is_permutation(run.recorder.occupancies(), run.occupancies));
  ASSERT_GT(run.waits.size(), 20U);
  EXPECT_TRUE(std::ranges::is_permutation(run.recorder.waits(), run.waits));
  EXPECT_EQ(view_notes(run.viewed()), std::vector<std::string>());
}

TEST(ViewRecorder, DrawsAnEvenSampleOfEachStep)
{
  const Recorded run(contended_experiment(), {.messages = 50});
  const std::size_t all = run.schedule.messages.size();
  ASSERT_GT(all, 200U);
  EXPECT_EQ(run.recorder.drawn_messages(), 50U);
  std::map<std::uint32_t, std::pair<double, double>> by_step; // all and drawn
  for (std::uint32_t id = 0; id < all; ++id) {
    auto& [messages, drawn] = by_step[run.schedule.messages[id].step];
    messages += 1;
    drawn += run.recorder.draws(MessageId{id}) ? 1 : 0;
  }
  for (const auto& [step, counts] : by_step) {
    EXPECT_NEAR(counts.second, counts.first * 50 / static_cast<double>(all), 1) << step;
  }
  const auto drawn = [&](const OccupancyRecord& record) { return run.recorder.draws(record.message); };
  EXPECT_EQ(run.recorder.occupancies().size(), std::ranges::count_if(run.occupancies, drawn));
  EXPECT_TRUE(std::ranges::all_of(run.recorder.occupancies(), drawn));
}

TEST(ViewRecorder, KeepsTheLongestWaits)
{
  const Recorded run(contended_experiment(), {.waits = 7});
  std::vector<Time> longest;
  for (const ContentionRecord& wait : run.waits) {
    longest.push_back(wait.to - wait.from);
  }
  std::ranges::sort(longest, std::ranges::greater());
  longest.resize(7);
  std::vector<Time> kept;
  for (const ContentionRecord& wait : run.recorder.waits()) {
    kept.push_back(wait.to - wait.from);
  }
  EXPECT_TRUE(std::ranges::is_sorted(run.recorder.waits(), {}, &ContentionRecord::from));
  std::ranges::sort(kept, std::ranges::greater());
  EXPECT_EQ(kept, longest);
  EXPECT_EQ(run.recorder.all_waits(), run.waits.size());
  EXPECT_THAT(view_notes(run.viewed()), ::testing::ElementsAre(::testing::HasSubstr("the 7 longest are shown")));
}

TEST(ViewRecorder, NodesOfALargeRunFillInCoarserSteps)
{
  const auto points = [](const ViewLimits& limits) {
    const Recorded run(contended_experiment(), limits);
    const nlohmann::json data = nlohmann::json::parse(view_data(run.viewed(), limits));
    std::vector<std::uint64_t> held = data["nodes"]["start"];
    for (std::size_t i = 0; i < data["progress"]["node"].size(); ++i) {
      held[data["progress"]["node"][i].get<std::size_t>()] = data["progress"]["held"][i];
    }
    EXPECT_EQ(nlohmann::json(held), data["nodes"]["wanted"]);
    return data["progress"]["node"].size();
  };
  EXPECT_GT(points({}), 200U);
  EXPECT_LE(points({.progress_points = 128}), 128U);
  EXPECT_GE(points({.progress_points = 128}), 63U) << "every node but the source fills at least once";
}

TEST(NodeProgress, CountsEachBlockOnceAndOnlyThoseForTheNode)
{
  Schedule schedule;
  schedule.operation = Operation::total_exchange;
  const auto send = [&](std::uint32_t source, std::uint32_t destination, BlockRange range) {
    schedule.messages.push_back(
        {.source = NodeId{source}, .destination = NodeId{destination}, .blocks = schedule.block_sets.intern(range)});
  };
  send(0, 1, {0, 3}); // of node 0 for 0, 1, 2
  send(2, 1, {6, 9}); // of node 2 for 0, 1, 2
  send(0, 1, {1, 2});
  NodeProgress progress(schedule, 3);
  EXPECT_EQ(progress.wanted(NodeId{1}), 3U);
  EXPECT_EQ(progress.held(NodeId{1}), 1U) << "its own block for itself";
  const std::vector<std::uint64_t> expected = {2, 3, 3};
  for (std::uint32_t id = 0; id < 3; ++id) {
    progress.deliver(MessageId{id});
    EXPECT_EQ(progress.held(NodeId{1}), expected[id]);
  }
  EXPECT_EQ(progress.held(NodeId{0}), 1U);
}

TEST(NodeProgress, CountsAllBlocksOfANode)
{
  struct Shared {
    std::string operation;
    std::uint64_t at_start = 0; // of a node that is not the source
    std::uint64_t wanted = 0;
  };
  const auto torus = make_topology(testing::grid("torus", {4, 2}));
  for (const Shared& shared :
       {Shared{"scatter", 0, 3}, Shared{"gather", 3, 3}, Shared{"all_gather", 3, 24}, Shared{"total_exchange", 1, 8}}) {
    const bool exchanges = shared.operation == "all_gather" || shared.operation == "total_exchange";
    const Algorithm& algorithm = find_algorithm(exchanges ? "swing" : "torus_bine_scatter");
    ScheduleRequest request;
    request.message_bytes = 3;
    request.parameters =
        read_parameters(algorithm.parameters, {{"operation", shared.operation},
                                               {"shares", std::int64_t{shared.operation == "total_exchange" ? 1 : 3}}});
    const Schedule schedule = make_schedule(algorithm, *torus, request);
    NodeProgress progress(schedule, 8);
    EXPECT_EQ(progress.held(NodeId{5}), shared.at_start) << shared.operation;
    EXPECT_EQ(progress.wanted(NodeId{5}), shared.wanted) << shared.operation;
    for (const MessageId id : order_by_step(schedule).order) {
      progress.deliver(id);
    }
    for (std::uint32_t node = 0; node < 8; ++node) {
      EXPECT_EQ(progress.held(NodeId{node}), progress.wanted(NodeId{node})) << shared.operation << ", node " << node;
    }
  }
}

TEST(NodeProgress, APlainMessageListCountsMessages)
{
  Schedule schedule;
  schedule.operation = Operation::none;
  schedule.messages = {{.source = NodeId{0}, .destination = NodeId{1}},
                       {.source = NodeId{2}, .destination = NodeId{1}}};
  schedule.plain.resize(2);
  NodeProgress progress(schedule, 3);
  EXPECT_EQ(progress.wanted(NodeId{0}), 0U);
  EXPECT_EQ(progress.wanted(NodeId{1}), 2U);
  progress.deliver(MessageId{1});
  EXPECT_EQ(progress.held(NodeId{1}), 1U);
}

TEST(WebPage, FillsPlaceholdersAndRefusesUnknownOnes)
{
  const std::vector<PagePart> parts = {{"a", "{{b}}"}, {"b", "2"}};
  std::ostringstream out;
  write_page(out, "<p>{{b}}{{a}}</p>", parts);
  EXPECT_EQ(out.str(), "<p>2{{b}}</p>");
  EXPECT_THROW(write_page(out, "{{c}}", parts), std::logic_error);
  EXPECT_THROW(write_page(out, "{{a", parts), std::logic_error);
}

TEST(WebPage, JsonCannotEndAScript)
{
  const std::string json = json_for_script(R"({"a":"</script><b>"})");
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(json)["a"], "</script><b>");
}

} // namespace
} // namespace wormcast
