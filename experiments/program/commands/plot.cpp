#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/plots.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <system_error>

namespace wormcast {

namespace {

struct PlotArguments {
  std::string folder;
  std::vector<std::string> plots;
  std::string out;
};

/// What is in the folder, without running anything.
int plot(const PlotArguments& arguments)
{
  std::vector<PlotRequest> asked_for;
  for (const std::string& text : arguments.plots) {
    asked_for.push_back(parse_plot_request(text));
  }
  const ResultStore store(arguments.folder, ResultStore::Opening::read);
  SweepPicture picture = kept_picture(store, asked_for.empty());
  const std::vector<StoredPoint> points = kept_points(store, picture.plan);
  for (std::size_t i = 0; i < points.size(); ++i) {
    picture.plan.points[i].config = points[i].config;
  }
  if (!asked_for.empty()) {
    picture.plots = std::move(asked_for);
  }
  for (const PlotRequest& request : picture.plots) {
    check_plot(request, picture.plan);
  }
  const RunTable table = run_table(picture.plan, points);
  check_plot_names(picture.plots, table);
  const auto not_done =
      std::ranges::count_if(points, [](const StoredPoint& point) { return point.state != PointState::done; });
  if (not_done > 0) {
    spdlog::warn("{} of {} points are not done and are not drawn", not_done, points.size());
  }
  const std::filesystem::path out = arguments.out.empty() ? arguments.folder : arguments.out;
  make_folder(out);
  const DrawnPlots drawn = draw_plots(picture, table, out);
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
          .summary = "figures of a sweep again, or others, without running it",
          .options = {{.name = "DIR",
                       .target = &arguments->folder,
                       .text = "folder of a sweep, with its results.sqlite",
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
