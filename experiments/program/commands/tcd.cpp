#include "wormcast/experiments/program/commands/tcd.hpp"

#include "wormcast/experiments/compare/tcd_report.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

namespace wormcast {

namespace {

/// Matrices of larger networks are written only when values are asked for.
constexpr std::uint32_t most_shown_nodes = 1024;

std::vector<TcdValue> asked_values(const TcdArguments& arguments)
{
  std::vector<TcdValue> values;
  for (const std::string& name : arguments.values) {
    try {
      values.push_back(tcd_value(name));
    } catch (const InputError& error) {
      throw InputError(fmt::format("--values: {}", error.what()));
    }
  }
  return values;
}

TcdTable make_table(const Experiment& experiment, std::span<const TcdValue> values, Verbosity verbosity)
{
  ProgressLine line(verbosity != Verbosity::quiet);
  const auto started = std::chrono::steady_clock::now();
  return tcd_table(experiment, values, [&](std::size_t done, std::size_t sources) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    line.show({.total = sources,
               .computed = done,
               .running = 1,
               .elapsed_seconds = elapsed.count(),
               .computed_wall_seconds = elapsed.count()});
  });
}

} // namespace

std::vector<CommandOption> tcd_options(TcdArguments& arguments)
{
  return {{.name = "--values",
           .target = CommaSeparated{&arguments.values},
           .text = "TCD matrices of algorithm, paper, halving, bound, difference, gap (default: all that exist)",
           .value = "NAME,...",
           .names = [] { return tcd_value_names.texts(); }},
          {.name = "--picture",
           .target = &arguments.pictures,
           .text =
               "also draw TCD heat maps into a file that ends in .svg, .png, .pdf or .gnuplot; may be given several "
               "times",
           .value = "FILE"}};
}

int show_tcd(const TcdArguments& arguments, Verbosity verbosity)
{
  for (const std::string& picture : arguments.pictures) {
    check_picture_name(picture);
  }
  const std::vector<TcdValue> values = asked_values(arguments);
  const RawConfig config = read_single_config(arguments.config, "tcd");
  const Experiment experiment = make_experiment(config);
  const TcdTable table = make_table(experiment, values, verbosity);
  if (arguments.format == "csv") {
    write_output(arguments.out, tcd_csv(table));
  } else {
    const bool small = table.grid->node_count() <= most_shown_nodes;
    write_output(arguments.out, tcd_text(table, small || !values.empty()));
  }
  say_written(arguments.out);
  if (!arguments.pictures.empty()) {
    write_pictures([&](const std::string& name) { return gnuplot_script(tcd_figure(table), name); },
                   arguments.pictures);
  }
  return exit_code::done;
}

Command tcd_command()
{
  auto arguments = std::make_shared<TcdArguments>();
  std::vector<CommandOption> options = tcd_options(*arguments);
  options.push_back({.name = "--format",
                     .target = &arguments->format,
                     .text = "what to write (default: text)",
                     .choices = {"text", "csv"}});
  options.push_back({.name = "--out",
                     .target = &arguments->out,
                     .text = "write to a file instead of standard output",
                     .value = "FILE|-"});
  return {.name = "tcd",
          .summary = "total communication distance of a broadcast from every source: matrices, minimum, lower bound",
          .options = config_options(arguments->config, std::move(options)),
          .action = [arguments](Verbosity verbosity) { return show_tcd(*arguments, verbosity); },
          .replaced_by = "wormcast topology CONFIG --tcd"};
}

} // namespace wormcast
