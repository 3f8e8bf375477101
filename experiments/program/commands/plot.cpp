#include "wormcast/experiments/load/load_figure.hpp"
#include "wormcast/experiments/load/load_folder.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/figure_folder.hpp"
#include "wormcast/experiments/sweep/measure.hpp"
#include "wormcast/experiments/sweep/plots.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

struct PlotArguments {
  std::string folder;
  std::vector<std::string> plots;
  std::string out;
};

/// What is to be drawn, and how many points are not done.
struct PlottedFolder {
  std::vector<NamedFigure> figures;
  std::ptrdiff_t not_done = 0;
  std::size_t points = 0;
};

PlottedFolder plotted_sweep(const ResultStore& store, std::vector<PlotRequest> asked_for)
{
  auto picture = std::make_shared<SweepPicture>(kept_picture(store, asked_for.empty()));
  const std::vector<StoredPoint> points = kept_points(store, picture->plan);
  for (std::size_t i = 0; i < points.size(); ++i) {
    picture->plan.points[i].config = points[i].config;
  }
  if (!asked_for.empty()) {
    picture->plots = std::move(asked_for);
  }
  for (const PlotRequest& request : picture->plots) {
    check_plot(request, picture->plan);
  }
  auto table = std::make_shared<RunTable>(run_table(picture->plan, points));
  check_plot_names(picture->plots, *table);
  PlottedFolder plotted;
  plotted.points = points.size();
  plotted.not_done =
      std::ranges::count_if(points, [](const StoredPoint& point) { return point.state != PointState::done; });
  for (const PlotRequest& request : picture->plots) {
    plotted.figures.push_back({plot_name(request, *table), [picture, table, &request] {
                                 return run_figure(request, *table, {.formulas = picture->formulas}, picture->title);
                               }});
  }
  return plotted;
}

PlottedFolder plotted_loads(const ResultStore& store, const std::vector<PlotRequest>& asked_for)
{
  LoadPicture picture = kept_load_picture(store, asked_for.empty());
  if (!asked_for.empty()) {
    picture.plots.clear();
    std::ranges::transform(asked_for, std::back_inserter(picture.plots), load_plot);
  }
  check_load_plots(picture.plots, picture.curves);
  PlottedFolder plotted;
  for (const PlotRequest& request : picture.plots) {
    std::optional<Figure> figure = load_figure(picture.curves, request, picture.title);
    if (!figure) {
      fail_plot(request, "y", fmt::format("no point has a number for {} over {}", request.y, request.x));
    }
    plotted.figures.push_back({request.name, [drawn = *std::move(figure)] { return drawn; }});
  }
  return plotted;
}

PlottedFolder plotted_figure(const ResultStore& store, const std::vector<PlotRequest>& asked_for)
{
  KeptFigure kept = kept_figure(store);
  if (!asked_for.empty()) {
    throw InputError(fmt::format("--plot: found one, but the results of {} have a single figure, which is drawn as it "
                                 "was; expected no --plot",
                                 kept.command));
  }
  PlottedFolder plotted;
  plotted.figures.push_back({kept.command, [figure = std::move(kept.figure)] { return figure; }});
  return plotted;
}

PlottedFolder plotted_results(const ResultStore& store, std::vector<PlotRequest> asked_for)
{
  const std::string document = store.sweep_document().value_or("");
  if (is_figure_document(document)) {
    return plotted_figure(store, asked_for);
  }
  return is_load_document(document) ? plotted_loads(store, asked_for) : plotted_sweep(store, std::move(asked_for));
}

/// What is in the folder, without running anything.
int plot(const PlotArguments& arguments)
{
  std::vector<PlotRequest> asked_for;
  for (const std::string& text : arguments.plots) {
    asked_for.push_back(parse_plot_request(text));
  }
  const ResultStore store(arguments.folder, ResultStore::Opening::read);
  const PlottedFolder plotted = plotted_results(store, std::move(asked_for));
  if (plotted.not_done > 0) {
    spdlog::warn("{} of {} points are not done and are not drawn", plotted.not_done, plotted.points);
  }
  const std::filesystem::path out = arguments.out.empty() ? arguments.folder : arguments.out;
  make_folder(out);
  const DrawnPlots drawn = draw_figures(plotted.figures, out);
  std::string text;
  for (const std::filesystem::path& file : drawn.files) {
    text += file.string() + "\n";
  }
  write_standard_output(text);
  for (const std::string& message : drawn.errors) {
    spdlog::error("{}", printable(message));
  }
  return drawn.errors.empty() ? exit_code::done : drawn.bad_input ? exit_code::bad_input : exit_code::other;
}

} // namespace

Command plot_command()
{
  auto arguments = std::make_shared<PlotArguments>();
  return {.name = "plot",
          .summary = "figures of stored results again, without running anything",
          .options = {{.name = "DIR",
                       .target = &arguments->folder,
                       .text = "folder with the results.sqlite of sweep, load, compare, choose or collectives",
                       .required = true},
                      {.name = "--plot",
                       .target = &arguments->plots,
                       .text = "what to draw: 'x=..., y=..., group=..., scale=...' (any number of times; default: the "
                               "plots of the sweep; wormcast list plot)",
                       .value = "PLOT"},
                      {.name = "--out",
                       .target = &arguments->out,
                       .text = "folder for the plots (default: DIR)",
                       .value = "FOLDER"}},
          .action = [arguments](Verbosity) { return plot(*arguments); }};
}

} // namespace wormcast
