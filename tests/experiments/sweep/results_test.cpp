#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/experiments/sweep/crossing_table.hpp"
#include "wormcast/experiments/sweep/curves.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
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
using ::testing::HasSubstr;

/// A plan and its results, filled point by point.
struct Results {
  SweepPlan plan;
  std::vector<StoredPoint> stored;

  explicit Results(std::vector<std::string> axes) { plan.axes = std::move(axes); }

  StoredPoint& add(std::vector<std::string> cells, const std::string& latency, const std::string& predicted = "1")
  {
    SweepPoint point;
    point.cells = std::move(cells);
    point.config = R"({"algorithm": {"name": "recursion_based"}})";
    point.key = fmt::format("{}", stored.size());
    plan.points.push_back(point);
    StoredPoint result;
    result.key = point.key;
    result.config = point.config;
    result.result = fmt::format(R"({{"format": "f", "config": {{"a": {{"b": [1, 2]}}}}, "engine": "worm",
 "latency_us": {0}, "latency_from_source_us": {0}, "beta": "39/16", "predicted_us": {1}, "contention": {{"step": 1, "step_wait_us": 0.5}},
 "version": "0.1.0"}})",
                                latency, predicted);
    stored.push_back(result);
    return stored.back();
  }
  SweepCurves curves() const { return sweep_curves(plan, stored); }
  RunTable table() const { return run_table(plan, stored); }
};

/// The figure of a plot as --plot asks for it.
Figure figure_of(const Results& results, const std::string& plot = "",
                 const std::vector<std::optional<CostLine>>& formulas = {})
{
  return run_figure(parse_plot_request(plot), results.table(), {.formulas = formulas}, "mesh 4 x 4");
}

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
  Results results({"topology.dims", "message.bytes"});
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
  Results results({"run.start_jitter"});
  results.add({"20us"}, "7").config = R"({"algorithm": {"name": "recursion_based", "depth": 3}, "run": {"seed": 1}})";
  results.plan.points.front().facts = {{"nodes", "16"}};
  EXPECT_EQ(sweep_csv(results.table(), true),
            "run.start_jitter,run.start_jitter_us,nodes,engine,latency_us,latency_from_source_us,beta,beta_decimal,"
            "predicted_us,contention.step,contention.step_wait_us,algorithm.name,algorithm.depth,run.seed,state,error\n"
            "20us,20,16,worm,7,7,39/16,2.4375,1,1,0.5,recursion_based,3,1,done,\n");
}

TEST(SweepJson, HasTheTypesOfResultsAndConfigurations)
{
  Results results({"case", "algorithm.depth", "run.start_jitter"});
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
  Results results({"message.bytes", "run.seed"});
  results.add({"64", "1"}, "150").result = R"({"latency_us": 150, "latency_from_source_us": 120, "predicted_us": 100})";
  EXPECT_EQ(results.curves().curves.at(0).points.at(0).latency_us.text(), "120");
}

/// Means of series have seven digits, which is less than a picosecond below a microsecond.
TEST(Curves, CrossAtLatenciesThatAreNoWholeNumberOfPicoseconds)
{
  Results results({"message.bytes", "algorithm.name"});
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
  Results results({"network.ports", "message.bytes", "algorithm.name"});
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
  Results results({"algorithm.name", "network.startup", "network.buffer_flits"});
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
  Results results({"algorithm.name"});
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
  Results results({"run.seed", "network.startup", "algorithm.name"});
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
  Results results({"message.bytes"});
  results.add({"64"}, "1");
  results.add({"4KiB?"}, "2").state = PointState::bad_input;
  const SweepCurves curves = results.curves();
  ASSERT_EQ(curves.curves.size(), 1U);
  EXPECT_EQ(curves.curves[0].title, "recursion_based");
  EXPECT_EQ(curves.curves[0].points.size(), 1U);
}

TEST(Listing, PutsCurvesSideBySide)
{
  Results results({"message.bytes", "algorithm.name"});
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
  Results results({"traffic.load", "algorithm.name"});
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
  Results results({"traffic.load", "run.seed"});
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
  Results results({"traffic.load", "algorithm.name"});
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

TEST(RunFigure, HasMeasuredPointsAndPredictedLines)
{
  Results results({"message.bytes", "algorithm.name"});
  for (const char* bytes : {"64", "1024", "16384"}) {
    results.add({bytes, "a"}, bytes, "17.25");
  }
  const CostLine formula{ExactNumber(5'000'000), ExactNumber(250'000)}; // 5 us and 0.25 us a byte
  const Figure figure = figure_of(results, "", {formula, formula, formula});
  EXPECT_EQ(figure.title, "mesh 4 x 4");
  EXPECT_EQ(figure.y.label, "latency from the source's start (us)");
  EXPECT_TRUE(figure.x.log);
  EXPECT_TRUE(figure.y.log);
  ASSERT_EQ(figure.panels.size(), 1U);
  const std::vector<PlotSeries>& series = figure.panels[0].series;
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].title, "a");
  EXPECT_EQ(series[0].look, PlotSeries::Look::points);
  EXPECT_EQ(series[1].title, ""); // like the points
  EXPECT_EQ(series[1].style, series[0].style);
  EXPECT_EQ(series[1].look, PlotSeries::Look::line);
  ASSERT_EQ(series[1].points.size(), 100U);
  EXPECT_EQ(series[1].points.front().x, "64");
  EXPECT_EQ(series[1].points.front().y, "21");
  EXPECT_EQ(series[1].points.back().x, "16384");
  EXPECT_EQ(series[1].points.back().y, "4101");
  for (const PlotPoint& point : series[1].points) {
    EXPECT_NEAR(std::stod(point.y), 5 + 0.25 * std::stod(point.x), 1e-4); // between swept points, too
  }
  ASSERT_EQ(figure.keys.size(), 1U);
  EXPECT_EQ(figure.keys[0].title, "lines: predicted"); // behind all curves
  EXPECT_EQ(figure.x.tics.at(1).label, "1 KiB");
  EXPECT_EQ(figure_of(results, "predicted=false", {formula, formula, formula}).panels[0].series.size(), 1U);
  EXPECT_EQ(figure_of(results, "", {formula, formula, std::nullopt}).panels[0].series.size(), 1U);
}

TEST(RunFigure, WithoutPredictionJoinsTheMeasuredPoints)
{
  Results results({"network.buffer_flits"});
  results.add({"1"}, "5", "null");
  results.add({"2"}, "4", "null");
  const Figure figure = figure_of(results);
  ASSERT_EQ(figure.panels.at(0).series.size(), 1U);
  EXPECT_EQ(figure.panels[0].series[0].look, PlotSeries::Look::points_and_line);
  EXPECT_FALSE(figure.y.log);
}

TEST(RunFigure, TakesAnyColumnsAndTheirQuotients)
{
  Results results({"algorithm.name", "message.bytes"});
  for (const char* bytes : {"100", "200"}) {
    for (const char* name : {"a", "b"}) {
      results.add({name, bytes}, bytes, "50");
    }
  }
  const Figure quotient = figure_of(results, "x=message.bytes, y=latency_us / predicted_us, scale=linear");
  EXPECT_EQ(quotient.panels.at(0).series.at(1).points.at(1).y, "4");
  EXPECT_FALSE(quotient.x.log);
  const Figure fraction = figure_of(results, "y=beta, group=algorithm.name, scale=log_y");
  EXPECT_EQ(fraction.panels.at(0).series.at(0).points.at(0).y, "2.4375");
  EXPECT_TRUE(fraction.y.log);
  EXPECT_FALSE(fraction.x.log);
  const Figure facets = figure_of(results, "facet=algorithm.name");
  ASSERT_EQ(facets.panels.size(), 2U);
  EXPECT_EQ(facets.panels[1].title, "b");
}

TEST(RunFigure, HasTheNumberOfNodesAsANumber)
{
  Results results({"topology.dims", "algorithm.name"});
  for (const auto& [dims, nodes] : {std::pair("[4,4]", "16"), std::pair("[8,8]", "64"), std::pair("[32,32]", "1024")}) {
    results.add({dims, "a"}, "7");
    results.plan.points.back().facts = {{"nodes", nodes}};
  }
  const Figure figure = figure_of(results);
  EXPECT_EQ(figure.x.label, "nodes");
  EXPECT_TRUE(figure.x.log);
  ASSERT_EQ(figure.panels.at(0).series.size(), 1U); // and not one for each size
  EXPECT_EQ(figure.panels[0].series[0].points.at(1).x, "64");
}

TEST(RunFigure, DrawsTheMeanOfSeedsWithItsInterval)
{
  Results results({"network.buffer_flits", "run.seed"});
  for (const char* flits : {"1", "2"}) {
    for (const char* seed : {"1", "2", "3"}) {
      results.add({flits, seed}, std::string("10") + seed);
    }
  }
  const PlotPoint bars = figure_of(results).panels.at(0).series.at(0).points.at(0);
  EXPECT_EQ(bars.y, "102");
  EXPECT_EQ(bars.low, "99.51586229"); // 102 - 4.3027 / sqrt(3)
  EXPECT_EQ(bars.high, "104.4841377");
  EXPECT_EQ(figure_of(results).y.label, "latency from the source's start (us), mean and 95 % interval");
  EXPECT_EQ(figure_of(results, "spread=band").panels.at(0).series.at(0).look, PlotSeries::Look::band);
  EXPECT_EQ(figure_of(results, "spread=none").panels.at(0).series.at(0).points.at(0).low, "");
}

TEST(RunFigure, DoesNotAverageWhatIsNoRepetition)
{
  Results results({"network.buffer_flits", "algorithm.name"});
  for (const char* name : {"a", "b"}) {
    results.add({"1", name}, name == std::string("a") ? "10" : "20");
  }
  const Figure figure = figure_of(results, "x=network.buffer_flits, group=network.buffer_flits");
  const PlotSeries& series = figure.panels.at(0).series.at(0);
  ASSERT_EQ(series.points.size(), 2U);
  EXPECT_EQ(series.points[0].y, "10");
  EXPECT_EQ(series.points[1].y, "20");
  EXPECT_EQ(series.look, PlotSeries::Look::points);
}

TEST(RunFigure, HasPanelsWhereOneWouldHaveMoreThan12Curves)
{
  Results results({"message.bytes", "network.ports", "algorithm.name"});
  for (const char* ports : {"1", "2", "3", "4"}) {
    for (int i = 0; i < 4; ++i) {
      results.add({"64", ports, fmt::format("algorithm {}", i)}, "1");
    }
  }
  const Figure figure = figure_of(results);
  ASSERT_EQ(figure.panels.size(), 4U);
  EXPECT_EQ(figure.panels[3].title, "ports = 4");
  EXPECT_EQ(figure.panels[3].series.at(0).style, figure.panels[0].series.at(0).style);
}

TEST(RunFigure, DrawsTheNearestOfMoreThan12Curves)
{
  Results results({"message.bytes", "algorithm.name"});
  for (int i = 0; i < 15; ++i) {
    for (const char* bytes : {"64", "128"}) {
      results.add({bytes, fmt::format("algorithm {}", i)}, fmt::format("{}", 100 - i));
    }
  }
  const Figure figure = figure_of(results);
  ASSERT_EQ(figure.panels.size(), 1U);
  ASSERT_EQ(figure.panels[0].series.size(), 12U);
  EXPECT_EQ(figure.panels[0].series[0].title, "algorithm 3"); // in the order of the sweep
  EXPECT_EQ(figure.panels[0].series[11].title, "algorithm 14");
  EXPECT_EQ(figure.panels[0].series[11].style, 11U);
  EXPECT_THAT(figure.notes,
              ElementsAre("Not drawn, farther from the lowest curves: algorithm 0; algorithm 1; algorithm 2."));
}

TEST(RunFigure, LengthsAreBytes)
{
  Results results({"message.bytes", "algorithm.name"});
  for (const char* bytes : {"64", "1024"}) {
    results.add({bytes, "a"}, "1");
  }
  const Figure figure = figure_of(results, "x=algorithm.name, y=latency_us, group=message.bytes");
  EXPECT_EQ(figure.panels.at(0).series.at(1).title, "1 KiB");
  EXPECT_TRUE(figure.x.names);
  EXPECT_EQ(figure_of(results).x.unit, AxisUnit::bytes);
  EXPECT_EQ(figure_of(results).y.unit, AxisUnit::number);
  EXPECT_EQ(figure_of(results, "x=algorithm.name, y=message.bytes").y.unit, AxisUnit::bytes);
}

TEST(RunFigure, DrawsEachLowerBoundOnce)
{
  Results results({"message.bytes", "algorithm.name"});
  for (const char* bytes : {"64", "128"}) {
    for (const char* name : {"a", "b"}) {
      results.add({bytes, name}, "9").result = fmt::format(
          R"({{"latency_us": 9, "latency_from_source_us": 9, "bounds": {{"alpha": 4, "latency_us": {}}}}})", bytes);
    }
  }
  const Figure figure = figure_of(results, "bounds=true");
  ASSERT_EQ(figure.panels.at(0).series.size(), 3U);
  EXPECT_EQ(figure.panels[0].series[2].title, "lower bound");
  EXPECT_EQ(figure.panels[0].series[2].look, PlotSeries::Look::bound);
  EXPECT_EQ(figure.panels[0].series[2].points.at(1).y, "128");
  const Figure column = figure_of(results, "y=bounds.alpha");
  EXPECT_EQ(column.panels.at(0).series.at(0).points.at(0).y, "4");
}

std::string plot_error(const Results& results, const std::string& plot)
{
  try {
    const PlotRequest request = parse_plot_request(plot);
    check_plot(request, results.plan);
    run_figure(request, results.table(), {}, "");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunFigure, RefusesWhatItCannotDraw)
{
  Results results({"message.bytes", "algorithm.name"});
  results.add({"64", "a"}, "0");
  EXPECT_THAT(plot_error(results, "y=latancy_us"),
              HasSubstr("--plot: plot.y: found \"latancy_us\", expected a column of results.csv or a key of the "
                        "configuration; did you mean \"latency_us\"?"));
  EXPECT_THAT(plot_error(results, "group=algorithm.nam"), HasSubstr("did you mean \"algorithm.name\"?"));
  EXPECT_THAT(plot_error(results, "facet=nodez"), HasSubstr("plot.facet: found \"nodez\""));
  EXPECT_THAT(plot_error(results, "x=nodes/chanels"), HasSubstr("did you mean \"channels\"?"));
  EXPECT_THAT(plot_error(results, "scale=logg"), HasSubstr("did you mean \"log\"?"));
  EXPECT_THAT(plot_error(results, "scale=log"),
              HasSubstr("a logarithmic y axis needs numbers above 0, which latency_from_source_us is not always"));
  EXPECT_THAT(plot_error(results, "y=tcd"), HasSubstr("no run that is done has a number for tcd over message.bytes"));
  EXPECT_THAT(plot_error(results, "y=tcd, bounds=true"), HasSubstr("no lower bound of tcd is known"));
  EXPECT_THAT(plot_error(results, "y"), HasSubstr("found \"y\", expected KEY=VALUE"));
  EXPECT_THAT(plot_error(results, "y=tcd, y=alpha"), HasSubstr("found \"y\" a second time"));
  EXPECT_THAT(plot_error(results, "colour=red"), HasSubstr("colour"));
  EXPECT_THAT(plot_error(results, "name=../x"), HasSubstr("plot.name: found \"../x\""));
}

} // namespace
} // namespace wormcast
