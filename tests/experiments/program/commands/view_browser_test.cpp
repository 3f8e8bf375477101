// The page of `wormcast view` in a browser.

#include "tests/experiments/program/commands/view_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

TEST_F(ViewCommand, ABrowserShowsTheMomentThatTheAddressNames)
{
  make(contended);
  const auto lasts = [](const Json& record, double time) {
    return record["from_us"] <= time && time < record["to_us"];
  };
  // A moment at which headers wait: the middle of the longest wait.
  const Json longest = *std::ranges::max_element(records["contention"], {}, [](const Json& record) {
    return record["to_us"].get<double>() - record["from_us"].get<double>();
  });
  const double time = std::floor((longest["from_us"].get<double>() + longest["to_us"].get<double>()) / 2);

  const std::string page = page_in_browser(folder.path(), "#at=" + std::to_string(static_cast<long>(time)));
  const Json state = page_state(page);
  ASSERT_TRUE(state.is_object());
  EXPECT_EQ(state["errors"], Json::array());
  EXPECT_EQ(state["at_us"], time);
  EXPECT_EQ(state["nodes"], 64);
  EXPECT_EQ(state["channels"], std::ranges::count_if(records["occupancy"], [&](const Json& record) {
              return record["resource"] == "external" && lasts(record, time);
            }));
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> waits;
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> shown;
  for (const Json& record : records["contention"]) {
    if (lasts(record, time)) {
      waits.emplace_back(record["kind"], record["waiting"]["message"], record["holding"]["message"]);
    }
  }
  for (const Json& wait : state["waits"]) {
    shown.emplace_back(wait["kind"], wait["waiting"], wait["holding"]);
  }
  std::ranges::sort(waits);
  std::ranges::sort(shown);
  EXPECT_GT(waits.size(), 0U);
  EXPECT_EQ(shown, waits);
  const Json& wait = state["waits"][0];
  EXPECT_THAT(between(page, "<ol id=\"waits\"", "</ol>"),
              HasSubstr(wait["kind"].get<std::string>() + ": message " + wait["waiting"].dump() + " ("));
}

// One message of 2 KiB from the source, in its start-up of 150 us.
TEST_F(ViewCommand, ABrowserShowsTheStartUpOfTheFirstMessage)
{
  make(folder.write("c.toml", small_config).string());
  const Json state = page_state(page_in_browser(folder.path(), "#at=75"));
  ASSERT_TRUE(state.is_object());
  EXPECT_EQ(state["errors"], Json::array());
  EXPECT_EQ(state["nodes"], 16);
  EXPECT_EQ(state["complete"], 1);
  EXPECT_EQ(state["worms"], 1);
  EXPECT_EQ(state["in_startup"], 1);
  EXPECT_EQ(state["channels"], 0);
  EXPECT_THAT(state["steps"], ElementsAre(0));
  EXPECT_THAT(state["waits"], ::testing::IsEmpty());
}

// 5450 us is a moment at which five headers wait and worms of three steps are on their way.
TEST_F(ViewCommand, FiltersLeaveWhatTheyAskFor)
{
  make(contended);
  const auto state_at = [&](const std::string& fragment) {
    Json state = page_state(page_in_browser(folder.path(), fragment));
    EXPECT_TRUE(state.is_object()) << fragment;
    EXPECT_EQ(state["errors"], Json::array()) << fragment;
    return state;
  };
  const Json all = state_at("#at=5450");
  EXPECT_EQ(all["worms_shown"], all["worms"]);
  ASSERT_GT(all["steps"].size(), 1U);
  ASSERT_GT(all["waits"].size(), 1U);

  std::uint64_t of_steps = 0;
  for (const Json& step : all["steps"]) {
    const Json one = state_at("#at=5450&step=" + step.dump());
    EXPECT_EQ(one["worms"], all["worms"]);
    EXPECT_LT(one["worms_shown"], all["worms"]);
    of_steps += one["worms_shown"].get<std::uint64_t>();
  }
  EXPECT_EQ(of_steps, all["worms"]);

  const std::string message = all["waits"][0]["waiting"].dump();
  const Json one = state_at("#at=5450&message=" + message);
  EXPECT_EQ(one["worms_shown"], 1);
  ASSERT_EQ(one["waits"].size(), 1U);
  EXPECT_EQ(one["waits"][0], all["waits"][0]);

  EXPECT_EQ(state_at("#at=5450&kinds=port")["waits"], Json::array())
      << "all of this moment's headers wait for channels of other steps";
  EXPECT_EQ(state_at("#at=5450&kinds=depth")["waits"], all["waits"]);
  const Json node = state_at("#at=5450&node=(2,1)");
  EXPECT_EQ(node["worms_shown"], state_at("#at=5450&node=10")["worms_shown"]);
  EXPECT_GT(node["worms_shown"], 0);
  EXPECT_LT(node["worms_shown"], all["worms"]);
  EXPECT_EQ(state_at("#at=5450&message=99999")["worms_shown"], all["worms"]) << "no such message: no filter";
}

TEST_F(ViewCommand, APickedChannelListsWhoHeldItWhen)
{
  make(contended);
  std::map<std::uint64_t, std::vector<Json>> by_channel;
  for (const Json& record : records["occupancy"]) {
    if (record["resource"] == "external") {
      by_channel[record["channel_id"]].push_back(record);
    }
  }
  const auto busiest = std::ranges::max_element(by_channel, {}, [](const auto& entry) { return entry.second.size(); });
  ASSERT_GT(busiest->second.size(), 2U);
  const std::string page = page_in_browser(folder.path(), "#channel=" + std::to_string(busiest->first));
  EXPECT_EQ(page_state(page)["errors"], Json::array());
  const std::string box = between(page, R"(<div id="picked")", "</div>");
  EXPECT_THAT(box, HasSubstr("Held by " + std::to_string(busiest->second.size()) + " messages"));
  std::size_t place = 0;
  std::ranges::sort(busiest->second, {}, [](const Json& record) { return record["from_us"].get<double>(); });
  for (const Json& record : busiest->second) {
    const std::size_t next = box.find(": message " + record["message"].dump() + " (", place);
    EXPECT_NE(next, std::string::npos) << record;
    place = next;
  }
}

TEST_F(ViewCommand, ADeadlocksPageOpensAtTheDeadlock)
{
  make(WORMCAST_CONFIGS "/torus_ring_deadlock.toml", 4);
  const std::string page = page_in_browser(folder.path(), "");
  const Json state = page_state(page);
  EXPECT_EQ(state["errors"], Json::array());
  EXPECT_EQ(state["at_us"], data["end_us"]);
  EXPECT_EQ(state["waits"].size(), 6U);
  EXPECT_THAT(between(page, R"(<p id="deadlock">)", "</p>"), HasSubstr("message 5 from 5 to 1 waits for 0 -"));
  EXPECT_EQ(page_state(page_in_browser(folder.path(), "#at=1"))["at_us"], 1);
}

TEST_F(ViewCommand, APlainMessageListHasNoSteps)
{
  make(WORMCAST_CONFIGS "/message_list.toml");
  const std::string page = page_in_browser(folder.path(), "#at=8");
  EXPECT_EQ(page_state(page)["errors"], Json::array());
  EXPECT_THAT(page, HasSubstr(R"(<dt class="of-steps" hidden="">steps</dt>)"));
  EXPECT_THAT(page, HasSubstr(R"(id="now-complete">0 of 5 messages</dd>)"));
  EXPECT_THAT(between(page, "<ol id=\"waits\"", "</ol>"), Not(HasSubstr("step")));
}

// Waits, the text of a deadlock and what is picked have room of their own: nothing that they say moves a control.
TEST_F(ViewCommand, ControlsStayInTheWindowAndWhereTheyAre)
{
  make(contended);
  for (const char* window : {"1280,900", "1280,720", "1366,640", "500,844"}) {
    SCOPED_TRACE(window);
    const Json quiet = page_state(page_in_browser(folder.path(), "#at=0", window));
    const Json busy = page_state(page_in_browser(folder.path(), "#at=5450&channel=12", window));
    ASSERT_TRUE(quiet.is_object() && busy.is_object());
    EXPECT_NE(quiet["waits"], busy["waits"]);
    EXPECT_EQ(quiet["controls_px"], busy["controls_px"]);
    for (const Json& bottom : busy["controls_px"]) {
      EXPECT_LE(bottom, busy["window_px"][1]);
    }
    EXPECT_LE(busy["page_px"], busy["window_px"][0]) << "nothing to scroll sideways";
  }
}

TEST_F(ViewCommand, PlanesOfMoreThanTwoDimensionsAreLabelled)
{
  const std::string cube = with(with(small_config, "[4, 4]", "[2, 2, 2]"), "[0, 0]", "[0, 0, 0]");
  make(folder.write("c.toml", cube).string());
  EXPECT_EQ(data["labels"]["text"], Json({"z = 0", "z = 1"}));
  EXPECT_LT(data["labels"]["y"][0], 0) << "below the nodes";
}

} // namespace
} // namespace wormcast::testing
