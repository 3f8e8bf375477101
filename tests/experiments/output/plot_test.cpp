#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Figure figure()
{
  Figure result;
  result.title = "it's a \"mesh_32\" {x}";
  result.x_label = "message length";
  result.y_label = "latency (us)";
  result.log_x = true;
  result.log_y = true;
  result.x_tics = {{"64", "64 B"}, {"1024", "1 KiB"}};
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

TEST(Plot, GivesEverySeriesALookOfItsOwn)
{
  Figure many;
  many.panels.resize(1);
  for (unsigned i = 0; i < 70; ++i) {
    many.panels[0].series.push_back({.title = "curve " + std::to_string(i),
                                     .look = PlotSeries::Look::points_and_line,
                                     .style = i,
                                     .points = {{"1", std::to_string(i)}, {"2", "3"}}});
  }
  const std::string script = gnuplot_script(many, "many");
  std::set<std::string> looks;
  for (std::size_t at = script.find("NaN with linespoints "); looks.size() < 70 && at != std::string::npos;
       at = script.find("NaN with linespoints ", at + 1)) {
    looks.insert(script.substr(at, script.find(" title ", at) - at));
  }
  EXPECT_EQ(looks.size(), 70U);
  const TemporaryDirectory folder;
  ASSERT_EQ(write_figure(many, folder.path(), "many"), PlotOutcome::written);
  const std::string svg = read_file(folder.path() / "many.svg");
  EXPECT_THAT(svg, HasSubstr("curve 0<"));
  EXPECT_THAT(svg, HasSubstr("curve 69<"));
  EXPECT_THAT(svg, HasSubstr("height=\"1426\"")); // as high as the legend needs
}

TEST(Plot, DrawsPanelsIntervalsAndBounds)
{
  Figure panels;
  panels.title = "panels";
  panels.log_y = true;
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
  EXPECT_EQ(entries, 2U); // panels have their legend in common: a title and a text for its one entry
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
