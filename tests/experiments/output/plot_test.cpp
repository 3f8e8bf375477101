#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Figure figure()
{
  Figure result;
  result.title = "it's a \"mesh_32\" {x}";
  result.x = {.label = "message length", .log = true, .tics = {{"64", "64 B"}, {"1024", "1 KiB"}}};
  result.y = {.label = "latency (us)", .log = true};
  result.panels = {
      {.series = {{"recursive_doubling, measured", PlotSeries::Look::points, 0, {{"64", "1820"}, {"1024", "6620"}}},
                  {"recursive_doubling, predicted", PlotSeries::Look::line, 0, {{"64", "1820"}, {"1024", "6620"}}}}}};
  return result;
}

TEST(Plot, WritesTheSameFilesEachTime)
{
  const TemporaryDirectory first;
  const TemporaryDirectory second;
  ASSERT_EQ(write_figure(figure(), first.path(), "latency"), PlotOutcome::written);
  ASSERT_EQ(write_figure(figure(), second.path(), "latency"), PlotOutcome::written);
  EXPECT_THAT(first.names(), ElementsAre("latency.gnuplot", "latency.pdf", "latency.png", "latency.svg"));
  for (const std::string& name : first.names()) {
    EXPECT_EQ(read_file(first.path() / name), read_file(second.path() / name)) << name;
  }
}

TEST(Plot, DrawsTitlesAndNoVersions)
{
  const TemporaryDirectory folder;
  ASSERT_EQ(write_figure(figure(), folder.path(), "latency"), PlotOutcome::written);
  const std::string svg = read_file(folder.path() / "latency.svg");
  EXPECT_THAT(svg, HasSubstr("it's a \"mesh_32\" {x}"));
  EXPECT_THAT(svg, HasSubstr("recursive_doubling, measured"));
  EXPECT_THAT(svg, HasSubstr("1 KiB"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_THAT(svg, Not(HasSubstr("Produced by")));
  const std::string png = read_file(folder.path() / "latency.png");
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
  EXPECT_THAT(png, Not(HasSubstr("gnuplot")));
}

/// What stands behind each `begin` in a text, to the end of the line or to ` notitle`.
std::vector<std::string> all_behind(const std::string& text, const std::string& begin)
{
  std::vector<std::string> found;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    found.push_back(text.substr(from, std::min(text.find(" notitle", from), text.find('\n', from)) - from));
  }
  return found;
}

/// The part of a script that draws the first picture.
std::string first_drawing(const std::string& script)
{
  return script.substr(0, script.find("set terminal pngcairo"));
}

/// A panel of curves y over x = 1, 2, 3, 4.
Figure curves_figure(const std::vector<std::vector<std::string>>& curves)
{
  Figure figure;
  figure.panels.resize(1);
  for (unsigned i = 0; i < curves.size(); ++i) {
    PlotSeries series{
        .title = "curve " + std::to_string(i), .look = PlotSeries::Look::points_and_line, .style = i, .points = {}};
    for (std::size_t x = 0; x < curves[i].size(); ++x) {
      series.points.push_back({std::to_string(x + 1), curves[i][x]});
    }
    figure.panels[0].series.push_back(std::move(series));
  }
  return figure;
}

TEST(Plot, GivesEverySeriesALookOfItsOwn)
{
  std::vector<std::vector<std::string>> curves;
  for (unsigned i = 0; i < 70; ++i) {
    curves.push_back({std::to_string(i), "3"});
  }
  const Figure many = curves_figure(curves);
  const std::string script = gnuplot_script(many, "many");
  std::set<std::string> looks;
  for (unsigned i = 0; i < 70; ++i) {
    const std::string data = "$panel0_" + std::to_string(i) + " using 1:2 with ";
    looks.insert(all_behind(script, data + "lines ").at(0) + all_behind(script, data + "points ").at(0));
  }
  EXPECT_EQ(looks.size(), 70U);
  // Nothing of the legend lies outside of the picture.
  const std::string drawing = first_drawing(script);
  for (const std::string& place : all_behind(drawing, "at screen ")) {
    const double x = std::stod(place);
    const double y = std::stod(place.substr(place.find("screen ") + 7));
    EXPECT_TRUE(x >= 0 && x < 1 && y > 0 && y < 1) << place;
  }
  EXPECT_EQ(all_behind(drawing, "set label 'curve ").size(), 70U);
  const TemporaryDirectory folder;
  ASSERT_EQ(write_figure(many, folder.path(), "many"), PlotOutcome::written);
  const std::string svg = read_file(folder.path() / "many.svg");
  EXPECT_THAT(svg, HasSubstr("curve 0<"));
  EXPECT_THAT(svg, HasSubstr("curve 69<"));
}

TEST(Plot, OfCurvesThatCoincideAllAreSeen)
{
  const std::string script = first_drawing(gnuplot_script(
      curves_figure({{"10", "20", "30", "90"}, {"10", "20", "30", "40"}, {"5", "8", "60", "70"}}), "three"));
  const auto line = [&](int curve) {
    return all_behind(script, "$panel0_" + std::to_string(curve) + " using 1:2 with lines ").at(0);
  };
  EXPECT_THAT(line(0), HasSubstr("linewidth 3.4 dashtype 1 "));
  EXPECT_THAT(line(1), HasSubstr("linewidth 2.0 dashtype 2 "));
  EXPECT_THAT(line(2), HasSubstr("linewidth 2.0 dashtype 1 ")); // it crosses both and hides none
  EXPECT_LT(script.find("$panel0_0 using 1:2 with lines"), script.find("$panel0_1 using 1:2 with lines"));
  // Also where they are measured at different places.
  Figure shifted = curves_figure({{"10", "20", "30", "40"}, {"10", "25", "35", "40"}});
  shifted.panels[0].series[1].points[1].x = "2.5";
  shifted.panels[0].series[1].points[2].x = "3.5";
  EXPECT_THAT(gnuplot_script(shifted, "shifted"), HasSubstr("linewidth 3.4 "));
}

TEST(Plot, ACurveAndItsPredictionAreOneEntry)
{
  Figure both;
  both.panels = {{.series = {{"curve", PlotSeries::Look::points, 0, {{"1", "2"}, {"2", "4.1"}}},
                             {.look = PlotSeries::Look::line, .style = 0, .points = {{"1", "2"}, {"2", "4"}}}}},
                 {.series = {{"other", PlotSeries::Look::points, 1, {{"1", "3"}, {"2", "5"}}}}}};
  both.keys = {{.title = "lines: predicted", .look = PlotSeries::Look::line}};
  both.notes = {"A note."};
  const std::string drawing = first_drawing(gnuplot_script(both, "both"));
  EXPECT_EQ(all_behind(drawing, "set label 'curve'").size(), 1U);
  EXPECT_THAT(drawing,
              HasSubstr("nohead linewidth 1.2 dashtype 1 linecolor rgb '#0072B2'")); // its line, and its symbol:
  EXPECT_THAT(drawing, HasSubstr("point pointtype 7 pointsize 0.9 linecolor rgb '#0072B2'"));
  EXPECT_LT(drawing.find("'other'"), drawing.find("'lines: predicted'"));
  EXPECT_LT(drawing.find("'lines: predicted'"), drawing.find("'A note.'"));
}

TEST(Plot, LongLegendsAreBelowAndLongTitlesHaveLines)
{
  Figure figure = curves_figure({{"1", "2"}, {"2", "3"}});
  const auto width = [&] {
    const std::string size = all_behind(gnuplot_script(figure, "f"), "set terminal svg size ").at(0);
    return std::stod(size);
  };
  const double beside = width();
  figure.title = "mesh 32 x 32, one port, T_s = 150 us, T_f = 0 us, T_c = 0.5 us per byte, router input_queued, V = 4, "
                 "buffers of 8 flits, uniform traffic, messages of 40 B";
  EXPECT_EQ(width(), beside);
  EXPECT_EQ(all_behind(first_drawing(gnuplot_script(figure, "f")), " center noenhanced").size(), 2U);
  figure.panels[0].series[0].title = "truncated_recursion depth=5 block=3 rounds=lattice";
  EXPECT_LT(width(), beside);
}

TEST(Plot, NoTicIsWrittenWithAnExponent)
{
  Figure figure = curves_figure({{"1500", "5e6"}});
  figure.panels[0].series[0].points[1].x = "4194304";
  figure.x = {.label = "message length", .log = true, .unit = AxisUnit::bytes};
  for (const bool log : {true, false}) {
    figure.y = {.label = "latency (us)", .log = log};
    const TemporaryDirectory folder;
    ASSERT_EQ(write_figure(figure, folder.path(), "f"), PlotOutcome::written);
    const std::string svg = read_file(folder.path() / "f.svg");
    EXPECT_THAT(svg, Not(HasSubstr("e+0")));
    EXPECT_THAT(svg, HasSubstr("1 MiB"));
    EXPECT_THAT(svg, HasSubstr(log ? "10⁶" : "5000000"));
  }
}

TEST(Plot, DrawsPanelsIntervalsAndBounds)
{
  Figure panels;
  panels.title = "panels";
  panels.y.log = true;
  for (const char* name : {"one", "two", "three"}) {
    panels.panels.push_back(
        {.title = name,
         .series = {{.title = "mean",
                     .look = PlotSeries::Look::band,
                     .points = {{"1", "10", "8", "12"}, {"2", "20", "19", "21"}}},
                    {.title = "bars",
                     .look = PlotSeries::Look::points,
                     .style = 1,
                     .points = {{"1", "15", "14", "16"}, {"2", "25"}}},
                    {.title = "lower bound", .look = PlotSeries::Look::bound, .points = {{"1", "5"}, {"2", "6"}}}}});
  }
  const TemporaryDirectory folder;
  ASSERT_EQ(write_figure(panels, folder.path(), "panels"), PlotOutcome::written);
  const std::string svg = read_file(folder.path() / "panels.svg");
  for (const char* text : {"one", "two", "three", "lower bound"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  std::size_t entries = 0;
  for (std::size_t at = svg.find(">lower bound<"); at != std::string::npos; at = svg.find(">lower bound<", at + 1)) {
    ++entries;
  }
  EXPECT_EQ(entries, 1U); // panels have their legend in common
}

TEST(Plot, WritesAPdfWithoutADate)
{
  const TemporaryDirectory folder;
  ASSERT_EQ(write_figure(figure(), folder.path(), "latency"), PlotOutcome::written);
  const std::string pdf = read_file(folder.path() / "latency.pdf");
  EXPECT_THAT(pdf, ::testing::StartsWith("%PDF-"));
  EXPECT_THAT(pdf, HasSubstr("/CreationDate (D:00000000000000"));
}

TEST(Plot, ScriptDrawsTheSameFigureByHand)
{
  const TemporaryDirectory folder;
  ASSERT_EQ(write_figure(figure(), folder.path(), "latency"), PlotOutcome::written);
  const std::string png = read_file(folder.path() / "latency.png");
  std::filesystem::remove(folder.path() / "latency.png");
  const std::string command = "cd '" + folder.path().string() + "' && gnuplot latency.gnuplot";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(folder.path() / "latency.png"), png);
}

TEST(Plot, ReportsWhatGnuplotSays)
{
  Figure broken = figure();
  broken.panels[0].series[0].points[0].y = "not-a-number";
  broken.panels[0].series[0].points[1].y = "neither";
  broken.panels[0].series.resize(1);
  const TemporaryDirectory folder;
  try {
    write_figure(broken, folder.path(), "latency");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gnuplot failed: "));
  }
  EXPECT_THAT(folder.names(), ElementsAre("latency.gnuplot"));
}

TEST(Plot, TellsThatGnuplotIsMissing)
{
  const TemporaryDirectory folder;
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const PlotOutcome outcome = write_figure(figure(), folder.path(), "latency");
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(outcome, PlotOutcome::gnuplot_missing);
  EXPECT_THAT(folder.names(), ElementsAre("latency.gnuplot"));
}

TEST(Plot, ReportsAFolderThatCannotBeWritten)
{
  EXPECT_THROW(write_figure(figure(), "/proc", "latency"), OutputError);
}

} // namespace
} // namespace wormcast::testing
