// Traces and deliveries of broadcasts that are repeated, together, or among traffic, and what is read of them.

#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/series_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string two_at_once = series_config::machine + series_config::operation + R"(
[broadcast]
repeat = 3
count = 2
pause = "3us"
)";

const std::string among_traffic = two_at_once + series_config::traffic;

const std::vector<std::string> input_queued = {"--set", "network.router=\"input_queued\"", "--set",
                                               "network.virtual_channels=2"};

/// Two nodes between which more comes than the channels carry.
const std::string too_much =
    with(with(with(among_traffic, "[4, 4]", "[2]"), "source = [1, 1]", "source = 0"), "load = 0.1", "load = 3");

/// A torus with one virtual channel under much load: messages wait for each other.
const std::string stopping =
    with(with(with(with(among_traffic, "kind = \"mesh\"", "kind = \"torus\""), "[4, 4]", "[8, 8]"), "bytes = 32",
              "bytes = 400"),
         "load = 0.1", "load = 0.9");
const std::vector<std::string> without_startup = {"--set", "network.startup=0us"};

/// A series with its trace, deliveries and result.
class TracedSeriesRun {
public:
  TracedSeriesRun(const std::string& config, const std::vector<std::string>& options = {}, int exit_code = 0)
  {
    directory.write("c.toml", config);
    std::vector<std::string> words = {"run",          "c.toml", "--trace", "t.jsonl", "--trace", "t.perfetto.json",
                                      "--deliveries", "d.json", "--json",  "r.json"};
    words.insert(words.end(), options.begin(), options.end());
    run = run_program(words, directory.path());
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    std::istringstream trace(text("t.jsonl"));
    for (std::string line; std::getline(trace, line);) {
      lines.push_back(Json::parse(line));
    }
  }

  std::string text(const std::string& file) const { return read_file(directory.path() / file); }
  Json json(const std::string& file) const { return Json::parse(text(file)); }

  std::vector<Json> of_type(const std::string& type) const
  {
    std::vector<Json> found;
    std::ranges::copy_if(lines, std::back_inserter(found),
                         [&](const Json& line) { return line.contains("type") && line.at("type") == type; });
    return found;
  }

  ProgramRun contention(std::vector<std::string> options = {}) const
  {
    options.insert(options.begin(), {"contention", "t.jsonl"});
    return run_program(options, directory.path());
  }

  Json contention_json(std::vector<std::string> options = {}) const
  {
    options.insert(options.end(), {"--json", "-"});
    const ProgramRun shown = contention(std::move(options));
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return Json::parse(shown.out);
  }

  TemporaryDirectory directory;
  ProgramRun run;
  std::vector<Json> lines;
};

/// Totals of `wormcast contention` as the object "contention" of results.
void expect_totals(const Json& shown, const Json& result)
{
  for (const std::string kind : {"step", "depth", "port", "sharing", "other"}) {
    EXPECT_EQ(shown.at("totals").at(kind).at("waits"), result.at(kind)) << kind;
    EXPECT_EQ(shown.at("totals").at(kind).at("wait_us"), result.at(kind + "_wait_us")) << kind;
  }
}

/// What holds of every trace of a series.
void expect_whole(const TracedSeriesRun& series)
{
  const Json& header = series.lines.front();
  const Json result = series.json("r.json");
  const std::uint64_t of_broadcasts = header.at("broadcast_messages");
  EXPECT_EQ(of_broadcasts, result.at("messages"));
  std::uint64_t messages = of_broadcasts;
  if (!result.at("load").is_null()) {
    messages += result.at("load").at("all_messages").get<std::uint64_t>();
  }
  EXPECT_EQ(header.at("messages"), messages);
  std::set<std::uint64_t> told;
  const auto is_told = [&](const Json& named) {
    const std::uint64_t id = named.at("message");
    return told.contains(id) && named.at("broadcast").is_null() == (id >= of_broadcasts);
  };
  std::set<std::uint64_t> named;
  for (const Json& line : series.lines) {
    const std::string type = line.value("type", "header");
    if (type == "message") {
      EXPECT_LT(line.at("id"), messages);
      EXPECT_TRUE(told.insert(line.at("id").get<std::uint64_t>()).second);
      EXPECT_EQ(line.at("broadcast").is_null(), line.at("id") >= of_broadcasts);
    } else if (type == "contention") {
      EXPECT_TRUE(is_told(line.at("waiting")) && is_told(line.at("holding"))) << line;
      named.insert(line.at("waiting").at("message").get<std::uint64_t>());
      named.insert(line.at("holding").at("message").get<std::uint64_t>());
      if (line.at("kind") != "sharing") {
        EXPECT_EQ(line.at("kind") == "other", line.at("waiting").at("broadcast") != line.at("holding").at("broadcast"));
      }
    } else if (type == "occupancy") {
      EXPECT_TRUE(is_told(line)) << line;
      named.insert(line.at("message").get<std::uint64_t>());
    }
  }
  EXPECT_EQ(told, named);
  expect_totals(series.contention_json({"--of", "broadcasts"}), result.at("contention"));
  if (messages > of_broadcasts) {
    expect_totals(series.contention_json({"--of", "load"}), result.at("load").at("contention"));
  }
  const ProgramRun converted = run_program({"convert", "t.jsonl", "c.perfetto.json"}, series.directory.path());
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_EQ(series.text("c.perfetto.json"), series.text("t.perfetto.json"));
}

TEST(SeriesTrace, HasTheWaitsOfTheResult)
{
  const TracedSeriesRun series(among_traffic);
  expect_whole(series);
  EXPECT_EQ(series.lines.front().at("broadcasts"), 6);
  const Json result = series.json("r.json");
  EXPECT_GT(result.at("contention").at("other"), 0);
  EXPECT_GT(result.at("load").at("contention").at("other"), 0);
  const std::vector<Json> broadcasts = series.of_type("broadcast");
  ASSERT_EQ(broadcasts.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(broadcasts[i].at("number"), i);
    for (const char* key : {"round", "source", "start_us", "latency_us"}) {
      EXPECT_EQ(broadcasts[i].at(key), result.at("broadcasts")[i].at(key));
    }
  }
  EXPECT_TRUE(series.of_type("end").at(0).at("latency_us").is_null());
}

TEST(SeriesTrace, IsThatOfBothRouters)
{
  expect_whole(TracedSeriesRun(among_traffic, input_queued));
}

TEST(SeriesTrace, NeedsNoTraffic)
{
  const TracedSeriesRun series(two_at_once);
  expect_whole(series);
  const ProgramRun shown = series.contention();
  EXPECT_THAT(shown.out, HasSubstr("6 broadcasts with messages below 90, 0 messages of the load"));
  const ProgramRun refused = series.contention({"--of", "load"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--of: found load, but no messages but those of broadcasts are in the trace"));
}

TEST(SeriesTrace, IsTheSameEachTime)
{
  const TracedSeriesRun first(among_traffic);
  const TracedSeriesRun second(among_traffic);
  for (const char* file : {"t.jsonl", "t.perfetto.json", "d.json"}) {
    EXPECT_EQ(first.text(file), second.text(file)) << file;
  }
}

// The waits of one broadcast in a network of its own are those of the single run.
TEST(SeriesTrace, HasTheRecordsOfTheSingleRun)
{
  const std::string alone = with(two_at_once, "repeat = 3\ncount = 2\n", "repeat = 1\n");
  const TracedSeriesRun series(alone);
  const ProgramRun single =
      run_program({"run", "c.toml", "--unset", "broadcast", "--trace", "single.jsonl"}, series.directory.path());
  ASSERT_EQ(single.exit_code, 0) << single.err;
  std::istringstream trace(series.text("single.jsonl"));
  std::vector<Json> records;
  for (std::string line; std::getline(trace, line);) {
    const Json json = Json::parse(line);
    if (json.contains("from_us")) {
      records.push_back(json);
    }
  }
  std::vector<Json> found;
  for (Json line : series.lines) {
    if (line.contains("from_us")) {
      for (const char* part : {"waiting", "holding"}) {
        if (line.contains(part)) {
          line.at(part).erase("broadcast");
        }
      }
      line.erase("broadcast");
      found.push_back(line);
    }
  }
  EXPECT_GT(found.size(), 0U);
  EXPECT_EQ(found, records);
}

TEST(SeriesTrace, HasOneRoundWhereThatIsAskedFor)
{
  const TracedSeriesRun all(among_traffic);
  const TracedSeriesRun one(among_traffic, {"--repetition", "1"});
  EXPECT_EQ(one.lines.front().at("round"), 1);
  EXPECT_LT(one.lines.size(), all.lines.size() / 2);
  const Json broadcast = one.of_type("broadcast").at(2);
  const double start = broadcast.at("start_us");
  EXPECT_EQ(broadcast.at("round"), 1);
  std::size_t occupancies = 0;
  for (const Json& line : one.of_type("occupancy")) {
    EXPECT_GE(line.at("to_us"), start);
    if (!line.at("broadcast").is_null()) {
      ++occupancies;
      EXPECT_THAT(line.at("broadcast").get<int>(), ::testing::AnyOf(2, 3));
    }
  }
  const auto of_round = [](const Json& line) { return line.at("broadcast") == 2 || line.at("broadcast") == 3; };
  EXPECT_EQ(occupancies, std::ranges::count_if(all.of_type("occupancy"), of_round));
  EXPECT_THAT(one.contention().out, HasSubstr("; records of round 1 alone"));
}

TEST(SeriesTrace, TellsWhoseMessagesTheyAre)
{
  const TracedSeriesRun series(among_traffic);
  const std::string shown = series.contention().out;
  EXPECT_THAT(shown, HasSubstr("a broadcast for the load"));
  EXPECT_THAT(shown, HasSubstr("the load for a broadcast"));
  EXPECT_THAT(shown, HasSubstr(" of broadcast 3 (step "));
  EXPECT_THAT(series.contention({"--of", "load"}).out, ContainsRegex(" of the load \\([^:]* waited "));
  EXPECT_THAT(series.contention({"--of", "load"}).out, Not(ContainsRegex(" of broadcast 0 \\(step 0, [^:]* waited ")));
  EXPECT_THAT(series.contention({"--broadcast", "4"}).out, HasSubstr("broadcast 4 in round 2 from node 5: from "));

  const Json all = series.contention_json();
  const Json of_load = series.contention_json({"--of", "load"});
  const Json of_broadcasts = series.contention_json({"--of", "broadcasts"});
  const auto waits = [](const Json& listing, const char* parts) -> std::uint64_t {
    return listing.at("whose").at(parts).at("waits");
  };
  EXPECT_EQ(waits(all, "load_for_broadcast"), waits(of_load, "load_for_broadcast"));
  EXPECT_EQ(waits(of_load, "broadcast_for_load"), 0U);
  EXPECT_EQ(waits(of_broadcasts, "load_for_broadcast"), 0U);
  EXPECT_EQ(waits(of_broadcasts, "broadcast_for_another") + waits(of_broadcasts, "broadcast_for_load"),
            of_broadcasts.at("totals").at("other").at("waits"));
  EXPECT_EQ(waits(of_load, "load_for_broadcast"), of_load.at("totals").at("other").at("waits"));
  std::uint64_t for_broadcasts = 0; // the load waits for one broadcast or another
  for (int number = 0; number < 6; ++number) {
    for_broadcasts +=
        waits(series.contention_json({"--of", "load", "--broadcast", std::to_string(number)}), "load_for_broadcast");
  }
  EXPECT_EQ(for_broadcasts, waits(all, "load_for_broadcast"));
  for (const Json& message : all.at("messages")) {
    EXPECT_TRUE(message.contains("broadcast"));
  }
  EXPECT_TRUE(all.at("waits").at(0).at("holding").contains("broadcast"));
}

TEST(SeriesTrace, TellsLoadAndBroadcastsApartInPictures)
{
  const TracedSeriesRun series(among_traffic);
  const Json events = series.json("t.perfetto.json").at("traceEvents");
  std::size_t of_load = 0;
  std::size_t of_broadcasts = 0;
  for (const Json& event : events) {
    if (event.at("ph") == "X") {
      const std::string name = event.at("name");
      const std::string category = event.at("cat");
      const bool load = category.ends_with(",load");
      EXPECT_TRUE(load || category.ends_with(",broadcast"));
      EXPECT_EQ(event.contains("cname"), load);
      const std::string first = name.substr(0, name.find(" waits "));
      EXPECT_EQ(first.ends_with(" of the load"), load) << name;
      ++(load ? of_load : of_broadcasts);
    }
  }
  EXPECT_GT(of_load, 0U);
  EXPECT_GT(of_broadcasts, 0U);
}

TEST(SeriesTrace, SaysWhereTheLoadIsTooMuch)
{
  const TracedSeriesRun series(too_much);
  expect_whole(series);
  EXPECT_TRUE(series.json("r.json").at("load").at("saturated"));
  EXPECT_TRUE(series.of_type("end").at(0).at("saturated"));
  EXPECT_TRUE(series.of_type("broadcast").empty());
  EXPECT_THAT(series.contention().out, HasSubstr("SATURATED: "));
}

TEST(SeriesTrace, SaysWhoWaitsForWhomForEver)
{
  const TracedSeriesRun series(stopping, without_startup, 4);
  expect_whole(series);
  const Json end = series.of_type("end").at(0);
  EXPECT_EQ(end.at("deadlock_us"), series.json("r.json").at("deadlock_us"));
  EXPECT_GT(end.at("undelivered"), 0);
  EXPECT_THAT(series.contention().out, HasSubstr("DEADLOCK at "));
  // The cycle that the run names is in the trace; a record names who held the channel when the header came there.
  static const std::regex link("message ([0-9]+) of (?:broadcast [0-9]+|the load) waits for (.*), held by message");
  std::vector<Json> waits = series.of_type("contention");
  std::erase_if(waits, [&](const Json& wait) { return wait.at("to_us") != end.at("deadlock_us"); });
  std::size_t links = 0;
  for (std::sregex_iterator found(series.run.err.begin(), series.run.err.end(), link); found != std::sregex_iterator();
       ++found) {
    ++links;
    EXPECT_TRUE(std::ranges::any_of(waits, [&](const Json& wait) {
      return wait.at("waiting").at("message") == std::stoull((*found)[1]) && wait.at("channel") == (*found)[2].str();
    })) << (*found)[0];
  }
  EXPECT_GE(links, 2U);
}

TEST(SeriesDeliveries, HaveTheMessagesOfTheRounds)
{
  for (const bool queued : {false, true}) {
    const TracedSeriesRun series(among_traffic, queued ? input_queued : std::vector<std::string>{});
    const Json result = series.json("r.json");
    const Json deliveries = series.json("d.json");
    EXPECT_EQ(deliveries.at("format"), "wormcast-series-deliveries/1");
    EXPECT_EQ(deliveries.at("broadcasts"), 6);
    std::vector<double> ends(6, 0);
    std::uint64_t of_load = 0;
    std::uint64_t of_broadcasts = 0;
    double latency = 0;
    for (const Json& message : deliveries.at("messages")) {
      EXPECT_LE(message.at("ready_us"), message.at("granted_us"));
      EXPECT_LT(message.at("granted_us"), message.at("delivered_us"));
      EXPECT_EQ(message.contains("head_ejected_us"), queued);
      const double delivered = message.at("delivered_us");
      if (message.at("broadcast").is_null()) {
        ++of_load;
        latency += delivered - message.at("ready_us").get<double>();
        EXPECT_EQ(message.at("bytes"), 32);
      } else {
        ++of_broadcasts;
        double& end = ends.at(message.at("broadcast").get<std::size_t>());
        end = std::max(end, delivered);
        EXPECT_EQ(message.at("bytes"), 128);
      }
    }
    EXPECT_EQ(of_broadcasts, result.at("messages"));
    EXPECT_EQ(of_load, result.at("load").at("messages"));
    EXPECT_NEAR(latency / static_cast<double>(of_load), result.at("load").at("latency_us").get<double>(), 1e-5);
    for (std::size_t i = 0; i < 6; ++i) {
      const Json& broadcast = result.at("broadcasts")[i];
      EXPECT_NEAR(ends[i], broadcast.at("start_us").get<double>() + broadcast.at("latency_us").get<double>(), 1e-6);
    }
  }
}

TEST(SeriesDeliveries, SayWhatNeverArrived)
{
  const TracedSeriesRun series(stopping, without_startup, 4);
  const Json messages = series.json("d.json").at("messages");
  ASSERT_FALSE(messages.empty());
  EXPECT_TRUE(messages.back().at("delivered_us").is_null());
  EXPECT_TRUE(messages.back().at("granted_us").is_null());
}

TEST(SeriesTrace, RefusesWhatSaysNothing)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", among_traffic);
  directory.write("single.toml", small_config);
  const auto refusal = [&](const std::vector<std::string>& words) {
    const ProgramRun run = run_program(words, directory.path());
    EXPECT_EQ(run.exit_code, 2) << run.out;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_THAT(refusal({"run", "c.toml", "--repetition", "1"}), HasSubstr("--repetition: found without --trace"));
  EXPECT_THAT(refusal({"run", "c.toml", "--trace", "t.jsonl", "--repetition", "3"}),
              HasSubstr("--repetition: found 3, but there are 3 repetitions, numbered from 0"));
  EXPECT_THAT(refusal({"run", "c.toml", "--trace", "t.jsonl", "--repetition", "-1"}), HasSubstr("found -1"));
  EXPECT_THAT(refusal({"run", "single.toml", "--trace", "t.jsonl", "--repetition", "0"}),
              HasSubstr("--repetition: a configuration without [broadcast] and [traffic]"));
  EXPECT_THAT(refusal({"run", "c.toml", "--trace", "t.jsonl", "--deliveries", "t.jsonl"}),
              HasSubstr("name the same file"));
  EXPECT_THAT(directory.names(), ::testing::UnorderedElementsAre("c.toml", "single.toml"));

  ASSERT_EQ(run_program({"run", "single.toml", "--trace", "t.jsonl"}, directory.path()).exit_code, 0);
  EXPECT_THAT(refusal({"contention", "t.jsonl", "--of", "load"}), HasSubstr("--of: the trace is of a single run"));
  EXPECT_THAT(refusal({"contention", "t.jsonl", "--broadcast", "0"}),
              HasSubstr("--broadcast: the trace is of a single run"));
  ASSERT_EQ(run_program({"run", "c.toml", "--trace", "t.jsonl"}, directory.path()).exit_code, 0);
  EXPECT_THAT(refusal({"contention", "t.jsonl", "--broadcast", "6"}),
              HasSubstr("--broadcast: found 6, but the trace has 6 broadcasts, numbered from 0"));
  EXPECT_THAT(refusal({"contention", "t.jsonl", "--broadcast", "-1"}), HasSubstr("--broadcast: found -1"));
  EXPECT_THAT(refusal({"contention", "t.jsonl", "--of", "traffic"}), HasSubstr("broadcasts"));
  EXPECT_THAT(refusal({"contention", "t.jsonl", "--by", "load", "--of", "load"}), HasSubstr("--by load: "));
}

} // namespace
} // namespace wormcast::testing
