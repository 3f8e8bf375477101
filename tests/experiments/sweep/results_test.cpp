#include "tests/experiments/sweep/filled_results.hpp"
#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/experiments/sweep/crossing_table.hpp"
#include "wormcast/experiments/sweep/curves.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using testing::figure_of;
using testing::FilledResults;
using ::testing::HasSubstr;

TEST(ResultFields, KeepTheTextOfNumbers)
{
  const ResultFields fields = result_fields(R"({"latency_us": 9007199254740993.000001, "alpha": null, "beta": "39/16",
    "config": {"x": 1}, "contention": {"step": 18446744073709551615}, "deadlock": {"cycle": [{"waiting": 1}]}})");
  const ResultFields expected = {{"latency_us", {Cell::Type::number, "9007199254740993.000001"}},
                                 {"alpha", {}},
                                 {"beta", {Cell::Type::text, "39/16"}},
                                 {"contention.step", {Cell::Type::number, "18446744073709551615"}}};
  EXPECT_EQ(fields, expected);
  EXPECT_THROW(result_fields("{\"latency_us\": "), InputError);
  EXPECT_THROW(result_fields("[1]"), InputError);
}

TEST(Csv, QuotesAsRfc4180Says)
{
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell("[32,32]"), "\"[32,32]\"");
  EXPECT_EQ(csv_cell("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_line(std::vector<std::string>{"a", "", "b,c"}), "a,,\"b,c\"\n");
}

TEST(Csv, HasAxesThenResultsThenStates)
{
  FilledResults results({"topology.dims", "message.bytes"});
  results.add({"[4,4]", "64"}, "150.000001");
  StoredPoint& failed = results.add({"[4,4]", "128"}, "0");
  failed.state = PointState::bad_input;
  failed.result.clear();
  failed.error = "a.toml:3:1: too \"large\"";
  StoredPoint& stuck = results.add({"[4,4]", "256"}, "99");
  stuck.state = PointState::deadlock;
  stuck.error = "deadlock: these wait for each other:\n  message 0 waits\n  message 1 waits";
  EXPECT_EQ(sweep_csv(results.table(), false),
            "topology.dims,message.bytes,engine,latency_us,latency_from_source_us,beta,beta_decimal,predicted_us,"
            "contention.step,contention.step_wait_us,"
            "state,error\n"
            "\"[4,4]\",64,worm,150.000001,150.000001,39/16,2.4375,1,1,0.5,done,\n"
            "\"[4,4]\",128,,,,,,,,,bad_input,\"a.toml:3:1: too \"\"large\"\"\"\n"
            "\"[4,4]\",256,worm,99,99,39/16,2.4375,1,1,0.5,deadlock,"
            "deadlock: these wait for each other: message 0 waits; message 1 waits\n");
}

TEST(Csv, HasUnitsAndOnDemandAllKeys)
{
  FilledResults results({"run.start_jitter"});
  results.add({"20us"}, "7").config = R"({"algorithm": {"name": "recursion_based", "depth": 3}, "run": {"seed": 1}})";
  results.plan.points.front().facts = {{"nodes", "16"}};
  EXPECT_EQ(sweep_csv(results.table(), true),
            "run.start_jitter,run.start_jitter_us,nodes,engine,latency_us,latency_from_source_us,beta,beta_decimal,"
            "predicted_us,contention.step,contention.step_wait_us,algorithm.name,algorithm.depth,run.seed,state,error\n"
            "20us,20,16,worm,7,7,39/16,2.4375,1,1,0.5,recursion_based,3,1,done,\n");
}

TEST(SweepJson, HasTheTypesOfResultsAndConfigurations)
{
  FilledResults results({"case", "algorithm.depth", "run.start_jitter"});
  results.add({"2", "3", "20us"}, "7.5").config = R"({"algorithm": {"label": "12", "depth": 3, "segments": "best"},
 "run": {"start_jitter": "20us", "unchecked": true}})";
  results.plan.points.front().facts = {{"nodes", "16"}};
  const auto point = nlohmann::json::parse(sweep_json_text(results.table(), true))["points"][0];
  EXPECT_EQ(point["case"], "2") << "a name, not a number";
  EXPECT_EQ(point["algorithm.label"], "12");
  EXPECT_EQ(point["algorithm.depth"], 3);
  EXPECT_EQ(point["algorithm.segments"], "best");
  EXPECT_EQ(point["run.start_jitter"], "20us");
  EXPECT_EQ(point["run.start_jitter_us"], 20);
  EXPECT_EQ(point["run.unchecked"], true);
  EXPECT_EQ(point["nodes"], 16);
  EXPECT_EQ(point["latency_us"], 7.5);
  EXPECT_EQ(point["beta"], "39/16");
  EXPECT_EQ(point["beta_decimal"], 2.4375);
}

TEST(Curves, CountFromTheSourcesStart)
{
  FilledResults results({"message.bytes", "run.seed"});
  results.add({"64", "1"}, "150").result = R"({"latency_us": 150, "latency_from_source_us": 120, "predicted_us": 100})";
  EXPECT_EQ(results.curves().curves.at(0).points.at(0).latency_us.text(), "120");
}

/// Means of series have seven digits, which is less than a picosecond below a microsecond.
TEST(Curves, CrossAtLatenciesThatAreNoWholeNumberOfPicoseconds)
{
  FilledResults results({"message.bytes", "algorithm.name"});
  results.add({"8", "a"}, "0.09406857");
  results.add({"8", "b"}, "0.19406857");
  results.add({"16", "a"}, "0.3");
  results.add({"16", "b"}, "0.2000001");
  const SweepCurves curves = results.curves();
  EXPECT_EQ(curves.curves.at(0).points.at(0).picoseconds(), ExactNumber(9406857, 100));
  const CrossingTable table = crossing_table(results.plan, curves, std::vector<LatencyFormula>(curves.curves.size()));
  ASSERT_EQ(table.groups.size(), 1U);
  ASSERT_EQ(table.groups[0].crossings.size(), 1U);
  EXPECT_EQ(table.groups[0].crossings[0].measured->from, 8U);
  EXPECT_EQ(table.groups[0].crossings[0].measured->to, 16U);
  EXPECT_EQ(format_rounded(table.groups[0].crossings[0].measured->at, 3), "12");
  EXPECT_THAT(sweep_listing(results.plan, results.stored, curves), HasSubstr("0.09406857"));
}

TEST(Decimals, AreExactAndKeepTheirDigits)
{
  EXPECT_EQ(Decimal("150.000001").exact(), ExactNumber(150000001, 1000000));
  EXPECT_EQ(Decimal("-2.5e3").exact(), -2500);
  EXPECT_EQ(Decimal("25E-1").exact(), ExactNumber(5, 2));
  EXPECT_EQ(Decimal("9007199254740993").exact(), ExactNumber(9007199254740993));
  EXPECT_EQ(Decimal("9007199254740993").nearest(), 9007199254740992.0);
  EXPECT_EQ(Decimal("0.50").text(), "0.50");
  EXPECT_EQ(Decimal("0.50"), Decimal("5e-1"));
  EXPECT_LT(Decimal("9"), Decimal("10"));
  EXPECT_EQ(Decimal("4096.5").whole(), 4096U);
  EXPECT_EQ(Decimal().exact(), 0);
  EXPECT_THROW(Decimal("64us"), InputError);
  EXPECT_THROW(Decimal("inf"), InputError);
  EXPECT_THROW(Decimal(""), InputError);
}

TEST(Cells, StandForNumbersWithUnits)
{
  const auto unit_of = [](const char* cell) { return read_cell(cell).value().unit; };
  EXPECT_EQ(unit_of("64"), CellUnit::none);
  EXPECT_EQ(unit_of("39/16"), CellUnit::none);
  EXPECT_EQ(unit_of("4KiB"), CellUnit::bytes);
  EXPECT_EQ(unit_of("64B"), CellUnit::bytes);
  EXPECT_EQ(unit_of("150us"), CellUnit::microseconds);
  EXPECT_EQ(unit_of("2s"), CellUnit::microseconds);
  EXPECT_FALSE(read_cell("ports"));
}

TEST(Curves, AreTakenOverTheMessageLength)
{
  FilledResults results({"network.ports", "message.bytes", "algorithm.name"});
  for (const char* ports : {"1", "2"}) {
    for (const char* bytes : {"256", "64"}) {
      for (const char* name : {"scatter_collect", "recursion_based"}) {
        results.add({ports, bytes, name}, bytes);
      }
    }
  }
  const SweepCurves curves = results.curves();
  EXPECT_EQ(curves.x_axis, 1U);
  ASSERT_EQ(curves.curves.size(), 4U);
  EXPECT_EQ(curves.curves[0].title, "network.ports=1, scatter_collect");
  EXPECT_EQ(curves.curves[3].title, "network.ports=2, recursion_based");
  ASSERT_EQ(curves.curves[1].points.size(), 2U);
  EXPECT_EQ(curves.curves[1].points[0].x.text(), "64");
  EXPECT_EQ(curves.curves[1].points[0].point, 3U);
  EXPECT_EQ(curves.curves[1].points[1].latency_us.text(), "256");
}

TEST(Curves, TakeTheFirstAxisWithNumbersElse)
{
  FilledResults results({"algorithm.name", "network.startup", "network.buffer_flits"});
  results.add({"a", "150us", "2"}, "1");
  results.add({"a", "1.5ms", "2"}, "2");
  const SweepCurves curves = results.curves();
  EXPECT_EQ(curves.x_axis, 1U);
  EXPECT_THAT(curves.categories, ElementsAre());
  EXPECT_EQ(curves.curves.at(0).points.at(1).x.text(), "1500");
  const Figure figure = figure_of(results);
  EXPECT_EQ(figure.x.label, "network.startup (us)");
}

TEST(Curves, NumberTheValuesOfAnAxisOfNames)
{
  FilledResults results({"algorithm.name"});
  results.add({"scatter_collect"}, "1");
  results.add({"recursion_based"}, "2");
  const SweepCurves curves = results.curves();
  EXPECT_THAT(curves.categories, ElementsAre("scatter_collect", "recursion_based"));
  EXPECT_EQ(curves.curves.at(0).title, "latency_from_source_us"); // and not the name of the first of them
  EXPECT_EQ(curves.curves.at(0).points.at(1).x.text(), "1");
  const Figure figure = figure_of(results);
  ASSERT_EQ(figure.x.tics.size(), 2U);
  EXPECT_EQ(figure.x.tics[1].label, "recursion_based");
  EXPECT_FALSE(figure.x.log);
}

TEST(Curves, TakeSeedsAsRepetitions)
{
  FilledResults results({"run.seed", "network.startup", "algorithm.name"});
  for (const char* seed : {"1", "2", "3"}) {
    results.add({seed, "150us", "recursion_based"}, std::string("10") + seed);
  }
  const SweepCurves curves = results.curves();
  EXPECT_EQ(curves.x_axis, 1U);
  ASSERT_EQ(curves.curves.size(), 1U);
  EXPECT_EQ(curves.curves[0].title, "recursion_based");
  EXPECT_EQ(curves.curves[0].points.size(), 3U);
  EXPECT_THAT(sweep_listing(results.plan, results.stored, curves),
              HasSubstr("latency from the source's start (us), mean of 3 runs +- 95 % interval"));
  EXPECT_THAT(sweep_listing(results.plan, results.stored, curves), HasSubstr("102.000 +- 2.484"));
}

TEST(Curves, LeaveOutFailedPoints)
{
  FilledResults results({"message.bytes"});
  results.add({"64"}, "1");
  results.add({"4KiB?"}, "2").state = PointState::bad_input;
  const SweepCurves curves = results.curves();
  ASSERT_EQ(curves.curves.size(), 1U);
  EXPECT_EQ(curves.curves[0].title, "recursion_based");
  EXPECT_EQ(curves.curves[0].points.size(), 1U);
}

TEST(Listing, PutsCurvesSideBySide)
{
  FilledResults results({"message.bytes", "algorithm.name"});
  results.add({"64", "a"}, "1.5");
  results.add({"64", "b"}, "2");
  results.add({"1024", "a"}, "30");
  StoredPoint& failed = results.add({"1024", "b"}, "0");
  failed.state = PointState::died;
  failed.error = "its process was ended";
  EXPECT_EQ(sweep_listing(results.plan, results.stored, results.curves()), "latency from the source's start (us)\n"
                                                                           "message.bytes    a  b\n"
                                                                           "64             1.5  2\n"
                                                                           "1024            30  -\n"
                                                                           "\n"
                                                                           "points that failed\n"
                                                                           "  message.bytes=1024, algorithm.name=b\n");
}

const char* const saturated_result =
    R"({"format": "wormcast-series/1", "latency_us": null, "latency_from_source_us": null, "load": {"saturated": true}})";

TEST(Listing, HasARowForALoadThatSaturates)
{
  FilledResults results({"traffic.load", "algorithm.name"});
  const auto saturate = [](StoredPoint& point) {
    point.state = PointState::saturated;
    point.result = saturated_result;
  };
  results.add({"0.1", "a"}, "1.5");
  results.add({"0.1", "b"}, "2");
  results.add({"0.5", "a"}, "30");
  saturate(results.add({"0.5", "b"}, "0"));
  saturate(results.add({"0.9", "a"}, "0"));
  saturate(results.add({"0.9", "b"}, "0"));
  EXPECT_EQ(sweep_listing(results.plan, results.stored, results.curves()), "latency from the source's start (us)\n"
                                                                           "traffic.load          a          b\n"
                                                                           "0.1                 1.5          2\n"
                                                                           "0.5                  30  saturated\n"
                                                                           "0.9           saturated  saturated\n");
  EXPECT_THAT(sweep_csv(results.table(), false), HasSubstr("\n0.9,b,,,,,,,,,true,saturated,\n"));
}

TEST(Listing, HasNoMeanOfTheSeedsThatALoadLetsThrough)
{
  FilledResults results({"traffic.load", "run.seed"});
  for (const char* seed : {"1", "2", "3"}) {
    results.add({"0.1", seed}, seed);
    results.add({"0.5", seed}, seed);
  }
  results.stored[3].state = PointState::saturated;
  results.stored[3].result = saturated_result;
  EXPECT_THAT(sweep_listing(results.plan, results.stored, results.curves()),
              HasSubstr(", mean of 3 runs +- 95 % interval\n"
                        "traffic.load   recursion_based\n"
                        "0.1             2.000 +- 2.484\n"
                        "0.5           1 of 3 saturated\n"));
}

TEST(Listing, HasSaturatedPointsOneByOne)
{
  FilledResults results({"traffic.load", "algorithm.name"});
  for (int i = 0; i < 7; ++i) {
    results.add({"0.1", fmt::format("a{}", i)}, "1");
  }
  results.stored.back().state = PointState::saturated;
  results.stored.back().result = saturated_result;
  EXPECT_THAT(sweep_listing(results.plan, results.stored, results.curves()),
              HasSubstr("\n0.1                       a5                       1\n"
                        "0.1                       a6               saturated\n"));
}

TEST(CellNumber, ReadsNumbersSizesAndTimes)
{
  EXPECT_EQ(cell_number("64"), "64");
  EXPECT_EQ(cell_number("-2.5e3"), "-2.5e3");
  EXPECT_EQ(cell_number("4KiB"), "4096");
  EXPECT_EQ(cell_number("0.15ms"), "150");
  EXPECT_EQ(cell_number("[1,2]"), std::nullopt);
  EXPECT_EQ(cell_number("recursion_based"), std::nullopt);
  EXPECT_EQ(cell_number("nan"), std::nullopt);
  EXPECT_EQ(cell_number(""), std::nullopt);
}

} // namespace
} // namespace wormcast
