// Figures of runs: which curves, lines and panels a plot has.

#include "tests/experiments/sweep/filled_results.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using testing::figure_of;
using testing::FilledResults;
using ::testing::HasSubstr;

TEST(RunFigure, HasMeasuredPointsAndPredictedLines)
{
  FilledResults results({"message.bytes", "algorithm.name"});
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
  FilledResults results({"network.buffer_flits"});
  results.add({"1"}, "5", "null");
  results.add({"2"}, "4", "null");
  const Figure figure = figure_of(results);
  ASSERT_EQ(figure.panels.at(0).series.size(), 1U);
  EXPECT_EQ(figure.panels[0].series[0].look, PlotSeries::Look::points_and_line);
  EXPECT_FALSE(figure.y.log);
}

TEST(RunFigure, TakesAnyColumnsAndTheirQuotients)
{
  FilledResults results({"algorithm.name", "message.bytes"});
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
  FilledResults results({"topology.dims", "algorithm.name"});
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
  FilledResults results({"network.buffer_flits", "run.seed"});
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
  FilledResults results({"network.buffer_flits", "algorithm.name"});
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
  FilledResults results({"message.bytes", "network.ports", "algorithm.name"});
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
  FilledResults results({"message.bytes", "algorithm.name"});
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
  FilledResults results({"message.bytes", "algorithm.name"});
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
  FilledResults results({"message.bytes", "algorithm.name"});
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

std::string plot_error(const FilledResults& results, const std::string& plot)
{
  return input_error([&] {
    const PlotRequest request = parse_plot_request(plot);
    check_plot(request, results.plan);
    run_figure(request, results.table(), {}, "");
  });
}

TEST(RunFigure, RefusesWhatItCannotDraw)
{
  FilledResults results({"message.bytes", "algorithm.name"});
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
