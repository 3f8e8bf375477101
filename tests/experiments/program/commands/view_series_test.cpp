// Pages and pictures of one round of a series, as a user makes them.

#include "tests/experiments/program/commands/page.hpp"
#include "tests/experiments/program/commands/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

const std::string viewed_machine = R"([topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "1us"
per_byte = "10ns"
per_hop = "20ns"
buffer_flits = 4

[algorithm]
name = "recursive_doubling"
source = [1, 1]

[message]
bytes = 128
)";

const std::string rounds = "[broadcast]\nrepeat = 4\npause = \"3us\"\n";
const std::string viewed_traffic = "[traffic]\nbytes = 32\nload = 0.15\nwarm_up = \"300us\"\n";
const std::string pipelined =
    with(viewed_machine, "per_hop = \"20ns\"\n", "router = \"input_queued\"\nvirtual_channels = 2\n");

class ViewSeries : public ::testing::Test {
protected:
  ProgramRun view(const std::string& config, std::vector<std::string> options = {"--out", "view.html"})
  {
    folder.write("c.toml", config);
    options.insert(options.begin(), {"view", "c.toml"});
    return run_program(options, folder.path());
  }

  Json page_of(const std::string& config, std::vector<std::string> options = {}, int exit_code = 0)
  {
    options.insert(options.end(), {"--out", "view.html"});
    const ProgramRun run = view(config, options);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    return page_data(read_file(folder.path() / "view.html"));
  }

  Json result_of(const std::string& config)
  {
    folder.write("c.toml", config);
    const ProgramRun run = run_program({"run", "c.toml", "--json", "-"}, folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out);
  }

  TemporaryDirectory folder;
};

/// By message id: whether it is one of a broadcast of the round.
std::map<std::uint64_t, bool> own_messages(const Json& page)
{
  std::map<std::uint64_t, bool> own;
  for (std::size_t i = 0; i < page["messages"]["id"].size(); ++i) {
    own[page["messages"]["id"][i]] = !page["messages"]["step"][i].is_null();
  }
  return own;
}

/// Number of the waits of messages of the broadcasts, and of others, by kind.
struct WaitCounts {
  std::map<std::string, std::uint64_t> own;
  std::map<std::string, std::uint64_t> others;

  void add(const Json& page)
  {
    const std::map<std::uint64_t, bool> is_own = own_messages(page);
    const Json& waits = page["waits"];
    for (std::size_t i = 0; i < waits["kind"].size(); ++i) {
      auto& counts = is_own.at(waits["waiting"][i]) ? own : others;
      ++counts[waits["kind"][i]];
    }
  }
};

TEST_F(ViewSeries, ShowsTheRoundWithTheSlowestBroadcast)
{
  const std::string config = viewed_machine + rounds + viewed_traffic;
  const Json result = result_of(config);
  const Json slowest = *std::ranges::max_element(
      result["broadcasts"], {}, [](const Json& broadcast) { return broadcast["latency_us"].get<double>(); });
  const ProgramRun run = view(config);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  const Json page = page_data(read_file(folder.path() / "view.html"));
  EXPECT_EQ(page["format"], "wormcast-view/1");
  EXPECT_EQ(page["round"]["round"], slowest["round"]);
  EXPECT_EQ(page["round"]["start_us"], slowest["start_us"]);
  EXPECT_EQ(page["round"]["broadcasts"], Json::array({slowest["round"]})) << "one broadcast a round";
  EXPECT_EQ(page["end_us"], slowest["latency_us"]);
  EXPECT_LT(page["begin_us"], 0);
  EXPECT_GE(page["begin_us"], -3) << "the pause";
  EXPECT_EQ(page["title"],
            fmt::format("mesh 4 x 4, recursive_doubling among traffic, round {}", slowest["round"].dump()));
  EXPECT_THAT(page["notes"][0].get<std::string>(),
              HasSubstr(fmt::format("Round {} of 0 to 3, the slowest; "
                                    "times are from its beginning, {} us into the series.",
                                    slowest["round"].dump(), slowest["start_us"].dump())));
  EXPECT_THAT(run.err, HasSubstr(page["notes"][0].get<std::string>()));
  const std::string rows = page["rows"].dump();
  EXPECT_THAT(rows, HasSubstr("slowdown"));
  EXPECT_THAT(
      rows, HasSubstr(fmt::format("[\"broadcast {} from (1, 1)\",\"{} us, {} us on the empty network\"]",
                                  slowest["round"].dump(), slowest["latency_us"].dump(), slowest["alone_us"].dump())));
  std::vector<std::uint64_t> held = page["nodes"]["start"];
  for (std::size_t i = 0; i < page["progress"]["node"].size(); ++i) {
    held[page["progress"]["node"][i].get<std::size_t>()] = page["progress"]["held"][i];
  }
  EXPECT_EQ(Json(held), page["nodes"]["wanted"]);
  EXPECT_EQ(page["progress"]["at_us"].back(), page["end_us"]);
}

// Waits of broadcasts lie within their rounds, and waits of the load count in a result where they end there.
TEST_F(ViewSeries, ItsRoundsHaveTheWaitsOfTheResult)
{
  for (const std::string& config :
       {viewed_machine + rounds + viewed_traffic, pipelined + rounds + viewed_traffic,
        viewed_machine + rounds + "count = 3\n", viewed_machine + rounds + "count = 2\n" + viewed_traffic}) {
    SCOPED_TRACE(config);
    const Json result = result_of(config);
    WaitCounts waits;
    for (const char* round : {"0", "1", "2", "3"}) {
      waits.add(page_of(config, {"--repetition", round}));
    }
    std::uint64_t other = 0;
    for (const char* kind : {"step", "depth", "port", "sharing", "other"}) {
      EXPECT_EQ(waits.own[kind], result["contention"][kind]) << kind;
      other += waits.others[kind];
    }
    EXPECT_GT(waits.own["other"], 0U);
    if (result["load"].is_null()) {
      EXPECT_EQ(other, 0U);
      continue;
    }
    EXPECT_GT(result["load"]["contention"]["other"], 0);
    EXPECT_GE(waits.others["other"], result["load"]["contention"]["other"]) << "those that end later, too";
  }
}

TEST_F(ViewSeries, MessagesOfTheLoadAreNoStep)
{
  const Json page = page_of(viewed_machine + rounds + "count = 2\n" + viewed_traffic, {"--repetition", "1"});
  EXPECT_EQ(page["round"]["broadcasts"], Json({2, 3}));
  const Json& messages = page["messages"];
  std::map<std::uint64_t, std::size_t> by_step;
  std::map<std::string, std::size_t> by_broadcast;
  for (std::size_t i = 0; i < messages["id"].size(); ++i) {
    const std::string broadcast = messages["broadcast"][i].dump();
    ++by_broadcast[broadcast];
    EXPECT_EQ(messages["bytes"][i], broadcast == "null" ? 32 : 128);
    // One of the load can have waited since before the round, for a message of a broadcast that is over.
    EXPECT_EQ(!messages["step"][i].is_null(), broadcast == "2" || broadcast == "3");
    if (!messages["step"][i].is_null()) {
      ++by_step[messages["step"][i]];
    }
  }
  EXPECT_EQ(by_broadcast["2"], 15U);
  EXPECT_EQ(by_broadcast["3"], 15U);
  EXPECT_GT(by_broadcast["null"], 10U);
  ASSERT_EQ(page["steps"]["step"].size(), by_step.size());
  for (std::size_t i = 0; i < by_step.size(); ++i) {
    EXPECT_EQ(page["steps"]["messages"][i], by_step.at(page["steps"]["step"][i]));
  }
  for (const Json& wanted : page["nodes"]["wanted"]) {
    EXPECT_EQ(wanted, page["nodes"]["wanted"][0]);
  }
  // Worms of the load that were in flight before the round began are there from the first moment on.
  const Json& from = page["occupancy"]["from_us"];
  EXPECT_LE(from.front(), page["begin_us"]);
  EXPECT_TRUE(std::ranges::is_sorted(from));
}

TEST_F(ViewSeries, WithoutTrafficARoundIsTheRun)
{
  const Json round = page_of(viewed_machine + rounds);
  EXPECT_EQ(round["round"]["round"], 0) << "all are as slow";
  EXPECT_EQ(round["begin_us"], 0);
  EXPECT_EQ(round["title"], "mesh 4 x 4, recursive_doubling, round 0");
  const Json run = page_of(viewed_machine);
  EXPECT_EQ(run["round"], nullptr);
  EXPECT_EQ(run["begin_us"], 0);
  EXPECT_FALSE(run["messages"].contains("broadcast"));
  EXPECT_EQ(round["end_us"], run["end_us"]);
  for (const char* key : {"occupancy", "waits", "steps", "progress", "nodes"}) {
    EXPECT_EQ(round[key], run[key]) << key;
  }
  const Json later = page_of(viewed_machine + rounds, {"--repetition", "2"});
  EXPECT_LT(later["begin_us"], 0);
  EXPECT_EQ(later["steps"], run["steps"]) << "times are from the round's start";
}

TEST_F(ViewSeries, RefusesWhatItCannotShow)
{
  const auto refused = [&](const std::string& config, const std::vector<std::string>& options,
                           const std::string& message) {
    const ProgramRun run = view(config, options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "c.html"));
  };
  refused(viewed_machine + rounds + viewed_traffic, {"--repetition", "4"},
          "--repetition: found 4, expected 0 to 3: broadcast.repeat is 4");
  refused(viewed_machine + rounds, {"--repetition", "-1"}, "--repetition: found -1, expected 0 to 3");
  refused(viewed_machine, {"--repetition", "0"},
          "--repetition: the configuration runs its operation once, expected [broadcast] or "
          "[traffic] beside [algorithm]");
  refused(viewed_machine + rounds + with(viewed_traffic, "0.15", "3"), {},
          "traffic.load: 3 is more than the network carries: nothing is stationary");
  refused(viewed_machine + rounds + viewed_traffic, {"--picture", "p.svg", "--at", "1s"},
          "--at: found 1s, but the round ends at ");
}

// A torus of one virtual channel, and so many messages that some wait for each other in a cycle.
const std::string stuck =
    with(with(viewed_machine, "kind = \"mesh\"\ndims = [4, 4]", "kind = \"torus\"\ndims = [8, 8]"), "startup = \"1us\"",
         "startup = \"0us\"") +
    rounds + "[traffic]\nbytes = 400\nload = ";

TEST_F(ViewSeries, ADeadlockIsShownInTheRoundThatItStopped)
{
  const Json page = page_of(stuck + "0.3\nwarm_up = \"0us\"\n", {}, 4);
  EXPECT_THAT(page["deadlock"].get<std::string>(), HasSubstr("these wait for each other:"));
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("in which the network came to a stop"));
  std::uint64_t last = 0;
  const std::map<std::uint64_t, bool> own = own_messages(page);
  for (std::size_t i = 0; i < page["waits"]["to_us"].size(); ++i) {
    last += page["waits"]["to_us"][i] == page["end_us"] ? 1 : 0;
    EXPECT_TRUE(own.contains(page["waits"]["holding"][i]));
  }
  EXPECT_GT(last, 1U) << "headers that wait for ever";
  EXPECT_THAT(page["messages"]["delivered_us"].dump(), HasSubstr("null"));

  const Json before = page_of(stuck + "0.9\nwarm_up = \"10ms\"\n", {}, 4);
  EXPECT_THAT(before["title"].get<std::string>(), HasSubstr("before round 0"));
  EXPECT_EQ(before["begin_us"], 0);
  EXPECT_EQ(before["steps"]["step"], Json::array());
  const std::string cycle = before["deadlock"];
  const std::uint64_t waiting = std::stoull(between(cycle, "\n  message ", " waits for"));
  EXPECT_THAT(before["notes"][1].get<std::string>(), HasSubstr("messages of the load are drawn as worms"));
  EXPECT_TRUE(std::ranges::count(before["occupancy"]["message"], Json(waiting)) > 0) << "a sample has the cycle";
  const ProgramRun beyond = view(stuck + "0.9\nwarm_up = \"10ms\"\n", {"--repetition", "2"});
  EXPECT_EQ(beyond.exit_code, 2);
  EXPECT_THAT(beyond.err, HasSubstr("--repetition: found 2, but the network came to a stop before round 0"));
}

TEST_F(ViewSeries, ABrowserShowsTheBroadcastAndTheLoad)
{
  const Json page = page_of(viewed_machine + rounds + viewed_traffic);
  const std::map<std::uint64_t, bool> own = own_messages(page);
  // A moment at which a message of the broadcast waits for one of the load.
  const Json& waits = page["waits"];
  std::size_t chosen = waits["kind"].size();
  for (std::size_t i = 0; i < waits["kind"].size(); ++i) {
    if (waits["kind"][i] == "other" && own.at(waits["waiting"][i])) {
      chosen = i;
    }
  }
  ASSERT_LT(chosen, waits["kind"].size());
  const double time = (waits["from_us"][chosen].get<double>() + waits["to_us"][chosen].get<double>()) / 2;
  const auto state_at = [&](const std::string& more) {
    Json state = page_state(page_in_browser(folder.path(), fmt::format("#at={}{}", time, more)));
    EXPECT_EQ(state["errors"], Json::array());
    return state;
  };
  const std::string html = page_in_browser(folder.path(), fmt::format("#at={}", time));
  const Json all = page_state(html);
  ASSERT_TRUE(all.is_object());
  EXPECT_EQ(all["errors"], Json::array());
  EXPECT_EQ(all["at_us"], time);
  std::set<std::uint64_t> worms;
  std::set<std::uint64_t> others;
  for (std::size_t i = 0; i < page["occupancy"]["message"].size(); ++i) {
    if (page["occupancy"]["from_us"][i] <= time && time < page["occupancy"]["to_us"][i]) {
      const std::uint64_t message = page["occupancy"]["message"][i];
      worms.insert(message);
      if (!own.at(message)) {
        others.insert(message);
      }
    }
  }
  EXPECT_EQ(all["worms"], worms.size());
  EXPECT_EQ(all["others"], others.size());
  EXPECT_GT(others.size(), 1U);
  EXPECT_LT(others.size(), worms.size());
  EXPECT_THAT(between(html, "<ol id=\"waits\"", "</ol>"),
              HasSubstr(fmt::format("held by message {} of the load (", waits["holding"][chosen].dump())));
  EXPECT_THAT(html, HasSubstr(">the load</option>"));

  EXPECT_EQ(state_at("&whose=load")["worms_shown"], others.size());
  const std::string broadcast = page["round"]["broadcasts"][0].dump();
  EXPECT_EQ(state_at("&whose=" + broadcast)["worms_shown"], worms.size() - others.size());
  const Json state = state_at("&kinds=other");
  for (const Json& wait : state["waits"]) {
    EXPECT_EQ(wait["kind"], "other");
  }
  EXPECT_EQ(page_state(page_in_browser(folder.path(), ""))["at_us"], page["begin_us"]);
  const Json last = page_state(page_in_browser(folder.path(), "#at=1e9"));
  EXPECT_EQ(last["at_us"], page["end_us"]);
  EXPECT_EQ(last["complete"], 16);
}

TEST_F(ViewSeries, ARunsPageSaysNothingOfALoad)
{
  page_of(viewed_machine);
  const std::string html = page_in_browser(folder.path(), "#at=3");
  EXPECT_EQ(page_state(html)["errors"], Json::array());
  EXPECT_THAT(html, HasSubstr(R"(<dt class="of-rounds" hidden="">of the load</dt>)"));
  EXPECT_THAT(html, HasSubstr(R"(<li class="of-rounds" hidden="">)"));
}

TEST_F(ViewSeries, DrawsARound)
{
  const ProgramRun run =
      view(viewed_machine + rounds + viewed_traffic, {"--repetition", "2", "--picture", "r.svg", "--at", "4us",
                                                      "--frames", "frames", "--frame-count", "3", "--size", "400x300"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string svg = read_file(folder.path() / "r.svg");
  EXPECT_THAT(svg, HasSubstr("mesh 4 x 4, recursive_doubling among traffic, round 2"));
  EXPECT_THAT(svg, HasSubstr(" of the load (grey)"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "frames/frame-00003.png"));
  const ProgramRun alone = view(viewed_machine + rounds, {"--picture", "a.svg", "--at", "4us"});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(read_file(folder.path() / "a.svg"), Not(HasSubstr("of the load")));
}

TEST_F(ViewSeries, ThePictureOfTheDocumentationIsWhatTheProgramDraws)
{
  const ProgramRun run = run_program({"view", WORMCAST_CONFIGS "/broadcast_under_load.toml", "--unset", "sweep",
                                      "--picture", "broadcast_round.svg", "--at", "30us"},
                                     folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::filesystem::path kept = std::filesystem::path(WORMCAST_CONFIGS).parent_path() / "docs/broadcast_round.svg";
  EXPECT_TRUE(read_file(folder.path() / "broadcast_round.svg") == read_file(kept))
      << "docs/broadcast_round.svg is made by the command beside "
         "it in docs/load.md: make it again when pictures change";
}

} // namespace
} // namespace wormcast::testing
