#include "tests/experiments/program/commands/page.hpp"
#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

const std::string contended = WORMCAST_CONFIGS "/mesh_self_timed.toml";

/// A page, and the trace and the deliveries of the same run.
class ViewCommand : public ::testing::Test {
protected:
  void make(const std::string& config, int exit_code = 0, const std::vector<std::string>& overrides = {})
  {
    std::vector<std::string> view = {"view", config, "--out", "view.html"};
    std::vector<std::string> run = {"run", config, "--trace", "t.jsonl", "--deliveries", "d.json"};
    view.insert(view.end(), overrides.begin(), overrides.end());
    run.insert(run.end(), overrides.begin(), overrides.end());
    const ProgramRun viewed = run_program(view, folder.path());
    ASSERT_EQ(viewed.exit_code, exit_code) << viewed.err;
    EXPECT_EQ(viewed.out, "");
    ASSERT_EQ(run_program(run, folder.path()).exit_code, exit_code);
    data = page_data(read_file(folder.path() / "view.html"));
    delivered = Json::parse(read_file(folder.path() / "d.json"))["delivered_us"];
    std::istringstream trace(read_file(folder.path() / "t.jsonl"));
    std::string line;
    std::getline(trace, line);
    header = Json::parse(line);
    while (std::getline(trace, line)) {
      Json record = Json::parse(line);
      records[record["type"].get<std::string>()].push_back(std::move(record));
    }
  }

  TemporaryDirectory folder;
  Json data;
  Json delivered;
  Json header;
  std::map<std::string, std::vector<Json>> records; ///< of the trace, by type
};

/// What tells occupancies apart: resource, message, beginning and end.
using Occupancy = std::tuple<std::uint64_t, std::uint64_t, double, double>;

std::uint64_t resource_number(const Json& record, std::uint64_t channels)
{
  const bool external = record["resource"] == "external";
  return external ? record["channel_id"].get<std::uint64_t>()
                  : channels + 2 * record["node"].get<std::uint64_t>() + (record["resource"] == "ejection" ? 1 : 0);
}

TEST_F(ViewCommand, HoldsTheRecordsOfTheRun)
{
  make(contended);
  const auto channels = header["channels"].get<std::uint64_t>();
  std::vector<Occupancy> expected;
  for (const Json& record : records["occupancy"]) {
    expected.emplace_back(resource_number(record, channels), record["message"], record["from_us"], record["to_us"]);
  }
  std::vector<Occupancy> shown;
  const Json& occupancy = data["occupancy"];
  for (std::size_t i = 0; i < occupancy["message"].size(); ++i) {
    shown.emplace_back(occupancy["resource"][i], occupancy["message"][i], occupancy["from_us"][i],
                       occupancy["to_us"][i]);
  }
  EXPECT_TRUE(std::ranges::is_sorted(occupancy["from_us"]));
  std::ranges::sort(expected);
  std::ranges::sort(shown);
  ASSERT_GT(expected.size(), 100U);
  EXPECT_EQ(shown, expected);

  std::vector<std::tuple<std::string, Occupancy, std::uint64_t>> waits;
  for (const Json& record : records["contention"]) {
    waits.emplace_back(
        record["kind"],
        Occupancy(resource_number(record, channels), record["waiting"]["message"], record["from_us"], record["to_us"]),
        record["holding"]["message"]);
  }
  std::vector<std::tuple<std::string, Occupancy, std::uint64_t>> shown_waits;
  const Json& list = data["waits"];
  for (std::size_t i = 0; i < list["kind"].size(); ++i) {
    shown_waits.emplace_back(list["kind"][i],
                             Occupancy(list["resource"][i], list["waiting"][i], list["from_us"][i], list["to_us"][i]),
                             list["holding"][i]);
  }
  std::ranges::sort(waits);
  std::ranges::sort(shown_waits);
  ASSERT_GT(waits.size(), 10U);
  EXPECT_EQ(shown_waits, waits);
}

TEST_F(ViewCommand, HoldsTheNetworkAndTheMessages)
{
  make(contended);
  EXPECT_EQ(data["format"], "wormcast-view/1");
  EXPECT_EQ(data["title"], "mesh 8 x 8, recursion_based");
  EXPECT_EQ(data["notes"], Json::array());
  EXPECT_EQ(data["deadlock"], nullptr);
  EXPECT_EQ(data["config"], header["config"]);
  EXPECT_EQ(data["end_us"], records["end"].front()["latency_us"]);
  EXPECT_EQ(data["nodes"]["x"][10], 2);
  EXPECT_EQ(data["nodes"]["y"][10], 1);
  EXPECT_EQ(data["nodes"]["name"][10], "(2, 1)");
  EXPECT_EQ(data["channels"]["from"].size(), header["channels"]);
  EXPECT_EQ(data["channels"]["bent"], Json::array());
  const std::vector<Json>& messages = records["message"];
  ASSERT_EQ(data["messages"]["id"].size(), messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    for (const char* key : {"id", "step", "src", "dst", "bytes"}) {
      EXPECT_EQ(data["messages"][key][i], messages[i][key]);
    }
  }
  EXPECT_EQ(data["messages"]["delivered_us"], delivered);
}

TEST_F(ViewCommand, NodesFillAsMessagesArrive)
{
  make(contended);
  const Json& nodes = data["nodes"];
  std::vector<std::uint64_t> held = nodes["start"];
  EXPECT_EQ(std::ranges::count(held, 0U), 63) << "only the source begins with blocks";
  EXPECT_EQ(held[2 + 8 * 5], nodes["wanted"][0]);
  const Json& progress = data["progress"];
  EXPECT_TRUE(std::ranges::is_sorted(progress["at_us"]));
  for (std::size_t i = 0; i < progress["node"].size(); ++i) {
    auto& node = held[progress["node"][i].get<std::size_t>()];
    EXPECT_GT(progress["held"][i], node);
    node = progress["held"][i];
  }
  EXPECT_EQ(Json(held), nodes["wanted"]);
  EXPECT_EQ(progress["at_us"].back(), data["end_us"]);
}

TEST_F(ViewCommand, StepsBeginWithAPortAndEndWithADelivery)
{
  make(folder.write("c.toml", small_config).string());
  std::map<std::uint64_t, std::tuple<std::uint64_t, double, double>> expected;
  for (const Json& message : records["message"]) {
    auto& [count, from, to] = expected.try_emplace(message["step"], 0, 1e300, 0).first->second;
    ++count;
    to = std::max(to, delivered[message["id"].get<std::size_t>()].get<double>());
  }
  for (const Json& record : records["occupancy"]) {
    double& from = std::get<1>(expected.at(record["step"]));
    from = std::min(from, record["from_us"].get<double>());
  }
  const Json& steps = data["steps"];
  ASSERT_EQ(steps["step"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::tuple(steps["messages"][i].get<std::uint64_t>(), steps["from_us"][i].get<double>(),
                         steps["to_us"][i].get<double>()),
              expected.at(steps["step"][i]));
  }
}

TEST_F(ViewCommand, ADeadlockIsShownUpToItsEnd)
{
  make(WORMCAST_CONFIGS "/torus_ring_deadlock.toml", 4);
  EXPECT_THAT(data["deadlock"].get<std::string>(), HasSubstr("6 of 6 messages cannot be delivered"));
  EXPECT_EQ(data["unit"], "message");
  EXPECT_EQ(data["steps"]["step"], Json::array());
  ASSERT_EQ(data["waits"]["to_us"].size(), 6U);
  for (const Json& to : data["waits"]["to_us"]) {
    EXPECT_EQ(to, data["end_us"]);
  }
  EXPECT_EQ(data["occupancy"]["message"].size(), records["occupancy"].size());
  EXPECT_GE(records["occupancy"].size(), 12U) << "each message keeps its port and its channels";
}

TEST_F(ViewCommand, LargeRunsAreThinnedWithANote)
{
  const std::string config = folder.write("c.toml", with(small_config, "[4, 4]", "[128, 128]")).string();
  const ProgramRun run = run_program({"view", config, "--out", "view.html"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json page = page_data(read_file(folder.path() / "view.html"));
  ASSERT_EQ(page["notes"].size(), 1U);
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("messages are drawn as worms"));
  EXPECT_THAT(run.err, HasSubstr(page["notes"][0].get<std::string>()));
  EXPECT_LT(page["occupancy"]["message"].size(), 160'000U);
  EXPECT_GT(page["occupancy"]["message"].size(), 100'000U);
  std::vector<std::uint64_t> held = page["nodes"]["start"];
  for (std::size_t i = 0; i < page["progress"]["node"].size(); ++i) {
    held[page["progress"]["node"][i].get<std::size_t>()] = page["progress"]["held"][i];
  }
  EXPECT_EQ(Json(held), page["nodes"]["wanted"]) << "nodes fill with all messages, drawn or not";
}

TEST_F(ViewCommand, ShowsEveryKindOfTopology)
{
  const auto shows = [&](const std::string& config, std::size_t nodes, std::size_t bent) {
    SCOPED_TRACE(config);
    const ProgramRun run = run_program({"view", config, "--out", "view.html"}, folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Json page = page_data(read_file(folder.path() / "view.html"));
    ASSERT_EQ(page["nodes"]["x"].size(), nodes);
    EXPECT_EQ(page["channels"]["bent"].size(), bent);
    for (std::size_t node = 0; node < nodes; ++node) {
      EXPECT_GE(page["nodes"]["x"][node], 0);
      EXPECT_LT(page["nodes"]["x"][node], 100);
    }
  };
  shows(WORMCAST_CONFIGS "/graph_flooding.toml", 10, 0);
  shows(WORMCAST_CONFIGS "/petersen_all_to_all.toml", 10, 0);
  shows(WORMCAST_CONFIGS "/torus_dominating_nodes.toml", 256, 64);
  shows(WORMCAST_CONFIGS "/mesh_recursive_doubling.toml", 180, 240);
  const std::string hypercube =
      "[topology]\nkind = \"hypercube\"\ndimension = 5\n[network]\nstartup = \"1us\"\nper_byte = "
      "\"1ns\"\n[algorithm]\nname = \"bfs_tree\"\n[message]\nbytes = 64\n";
  shows(folder.write("h.toml", hypercube).string(), 32, 0);
}

TEST_F(ViewCommand, RefusesWhatItCannotShow)
{
  const auto refused = [&](const std::string& config, const std::string& message) {
    const ProgramRun run = run_program({"view", config, "--out", "view.html"}, folder.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "view.html"));
  };
  refused(WORMCAST_CONFIGS "/figure4.toml", "found a sweep, but `wormcast view` takes one value of each key");
  refused(folder.write("large.toml", with(small_config, "[4, 4]", "[512, 256]")).string(),
          "mesh 512 x 256 has 131072 nodes, expected at most 65536 in a page");
}

TEST_F(ViewCommand, ThePageNeedsNoOtherFile)
{
  folder.write("<b>.json", read_file(WORMCAST_CONFIGS "/message_list.json"));
  const std::string config = with(read_file(WORMCAST_CONFIGS "/message_list.toml"), "message_list.json", "<b>.json");
  make(folder.write("c.toml", config).string());
  EXPECT_EQ(data["title"], "mesh 4 x 4, <b>.json");
  const std::string page = read_file(folder.path() / "view.html");
  for (const char* reference : {"src=", "href=", "url(", "http:", "https:", "@import", "{{", "<b>"}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

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

TEST_F(ViewCommand, APageIsNamedAfterItsConfiguration)
{
  const std::string config = folder.write("small.toml", small_config).string();
  const ProgramRun run = run_program({"view", config}, folder.path());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("the page is small.html"));
  EXPECT_EQ(page_data(read_file(folder.path() / "small.html"))["title"], "mesh 4 x 4, recursion_based");
}

/// Width and height in the header of a PNG file.
std::pair<unsigned, unsigned> png_size(const std::string& png)
{
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      value = value << 8 | static_cast<unsigned char>(png[i]);
    }
    return value;
  };
  return {number(16), number(20)};
}

TEST_F(ViewCommand, DrawsAMomentAsAPicture)
{
  const ProgramRun run =
      run_program({"view", contended, "--picture", "m.svg", "--picture", "m.png", "--at", "5450us"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string svg = read_file(folder.path() / "m.svg");
  EXPECT_THAT(svg, HasSubstr("mesh 8 x 8, recursion_based"));
  EXPECT_THAT(svg, HasSubstr("5450 µs; steps 6, 7, 8; 5 waiting"));
  EXPECT_THAT(svg, HasSubstr("(7, 7)"));
  EXPECT_THAT(svg, HasSubstr(">2000<")); // a time along the time line
  const auto [width, height] = png_size(read_file(folder.path() / "m.png"));
  EXPECT_EQ(height, 960U);
  EXPECT_LT(width, 1200U); // no wider than a square needs
  ASSERT_EQ(run_program({"view", contended, "--picture", "w.png", "--size", "1280x720"}, folder.path()).exit_code, 0);
  EXPECT_EQ(png_size(read_file(folder.path() / "w.png")), std::pair(1707U, 960U));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "mesh_self_timed.html")) << "only what was asked for";

  ASSERT_EQ(run_program({"view", WORMCAST_CONFIGS "/torus_ring_deadlock.toml", "--picture", "d.svg"}, folder.path())
                .exit_code,
            4);
  EXPECT_THAT(read_file(folder.path() / "d.svg"), HasSubstr("6 waiting; deadlock"));
}

TEST_F(ViewCommand, DrawsARunAsFramesAndAsAnAnimation)
{
  const std::string config = folder.write("small.toml", small_config).string();
  const auto film = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"view", config, "--frame-count", "4", "--size", "400x300"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_program(arguments, folder.path());
  };
  const ProgramRun run = film({"--frames", "frames", "--video", "run.gif"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "frames")) {
    names.insert(entry.path().filename().string());
    EXPECT_EQ(png_size(read_file(entry.path())), std::pair(400U, 300U));
  }
  EXPECT_EQ(names, (std::set<std::string>{"frame-00001.png", "frame-00002.png", "frame-00003.png", "frame-00004.png"}));
  EXPECT_NE(read_file(folder.path() / "frames/frame-00001.png"), read_file(folder.path() / "frames/frame-00002.png"));
  EXPECT_EQ(read_file(folder.path() / "run.gif").substr(0, 6), "GIF89a");
  EXPECT_THAT(read_file(folder.path() / "run.gif"), HasSubstr("NETSCAPE2.0")) << "repeats";

  const ProgramRun again = film({"--frames", "frames"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("frames: holds frames already, expected a new or an empty folder"));
  ASSERT_EQ(film({"--frames", "same"}).exit_code, 0);
  EXPECT_EQ(read_file(folder.path() / "same/frame-00003.png"), read_file(folder.path() / "frames/frame-00003.png"));
}

TEST_F(ViewCommand, GivesTheSameBytesOfAnAnimationEachTime)
{
  const auto animation = [&](const std::string& name) {
    const ProgramRun run =
        run_program({"view", contended, "--video", name, "--frame-count", "10", "--size", "640x480"}, folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return read_file(folder.path() / name);
  };
  const std::string first = animation("first.gif");
  EXPECT_EQ(animation("second.gif"), first);
  EXPECT_EQ(animation("third.gif"), first);
}

/// The program with a folder of its own in front of what PATH holds, or with nothing else.
class WithPath {
public:
  explicit WithPath(const std::string& path) : before_(std::getenv("PATH")) { ::setenv("PATH", path.c_str(), 1); }
  ~WithPath() { ::setenv("PATH", before_.c_str(), 1); }
  WithPath(const WithPath&) = delete;
  WithPath& operator=(const WithPath&) = delete;

private:
  std::string before_;
};

// In the place of ffmpeg a program that writes what it was called with into the file that its last argument names.
TEST_F(ViewCommand, VideosAreMadeByFfmpeg)
{
  const std::string config = folder.write("small.toml", small_config).string();
  const std::vector<std::string> arguments = {"view", config, "--video", "run.webm", "--frame-count", "3"};
  const std::filesystem::path ffmpeg = folder.write("ffmpeg", R"(#!/bin/sh
[ "$1" = -version ] && exit 0
for last; do :; done
ls frame-*.png >"$last"
echo "$@" >>"$last"
)");
  std::filesystem::permissions(ffmpeg, std::filesystem::perms::owner_all);
  {
    const WithPath path(folder.path().string() + ":" + std::getenv("PATH"));
    const ProgramRun run = run_program(arguments, folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  const std::string video = read_file(folder.path() / "run.webm");
  EXPECT_THAT(video, HasSubstr("frame-00001.png\nframe-00002.png\nframe-00003.png\n-nostdin"));
  EXPECT_THAT(video, HasSubstr("-framerate 15 -i frame-%05d.png -c:v libvpx-vp9"));

  folder.write("ffmpeg", "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\necho no such codec\nexit 1\n");
  {
    const WithPath path(folder.path().string() + ":" + std::getenv("PATH"));
    const ProgramRun run = run_program(arguments, folder.path());
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("run.webm: ffmpeg failed: no such codec"));
  }
  std::filesystem::remove(ffmpeg);
  const WithPath path(folder.path().string());
  const ProgramRun without = run_program(arguments, folder.path());
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_THAT(without.err, HasSubstr("run.webm cannot be made: ffmpeg is not installed "
                                     "(package ffmpeg); .gif needs gnuplot alone"));
  const ProgramRun gif = run_program({"view", config, "--video", "run.gif"}, folder.path());
  EXPECT_EQ(gif.exit_code, 1);
  EXPECT_THAT(gif.err, HasSubstr("run.gif cannot be made: gnuplot is not installed (package gnuplot-nox)"));
}

TEST_F(ViewCommand, RefusesPicturesThatItCannotDraw)
{
  const std::string config = folder.write("small.toml", small_config).string();
  folder.write("file", "");
  const auto refused = [&](const std::vector<std::string>& options, const std::string& message) {
    std::vector<std::string> arguments = {"view", config};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments, folder.path());
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "small.html"));
  };
  refused({"--picture", "p.jpg"}, "p.jpg: expected a picture's name that ends in .svg, .png, .pdf or .gnuplot");
  refused({"--picture", "p.svg", "--at", "1s"}, "--at: found 1s, but the run ends at ");
  refused({"--picture", "p.svg", "--at", "9"}, "--at: \"9\" has no unit");
  for (const char* option : {"--picture", "--video"}) {
    const ProgramRun run =
        run_program({"view", config, option, option[2] == 'p' ? "no/r.png" : "no/r.gif"}, folder.path());
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("cannot write no/r."));
  }
  refused({"--at", "9us"}, "--at says something about --picture, and none is asked for");
  refused({"--video", "v.avi"}, "v.avi: expected a video's name that ends in .gif, .webm or .mp4");
  refused({"--frames", "file"}, "file: expected a folder for the frames");
  refused({"--frames", "f", "--frame-count", "1"}, "--frame-count: found 1, expected 2 to 10000");
  refused({"--frames", "f", "--frame-count", "-1"}, "--frame-count: found -1, expected 2 to 10000");
  refused({"--frame-count", "10"}, "--frame-count says something about --frames or --video, and none is asked for");
  refused({"--skip-still"}, "--skip-still says something about --frames or --video, and none is asked for");
  refused({"--frames", "f", "--size", "300x"}, "--size: found \"300x\", expected WIDTHxHEIGHT in pixels");
  refused({"--frames", "f", "--size", "301x300"}, "--size: found 301x300, expected even numbers of pixels");
  refused({"--size", "300x300"}, "--size says something about --picture, --frames or --video, and none is asked for");
}

} // namespace
} // namespace wormcast::testing
