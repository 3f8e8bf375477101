#include "wormcast/experiments/compare/latency_figure.hpp"

#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/run/network_title.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/simulator/model/channel_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

std::string usual_title(const Experiment& experiment, Operation operation)
{
  std::vector<std::string> parts = {std::string(operation_names.text(operation))};
  for (std::string& part :
       network_title(*experiment.topology, experiment.network, [](std::string_view) { return false; })) {
    parts.push_back(std::move(part));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

Figure figure_over_lengths(const Experiment& experiment, Operation operation, const std::string& title)
{
  return {.title = title.empty() ? usual_title(experiment, operation) : title,
          .x = {.label = "message length", .log = true, .unit = AxisUnit::bytes},
          .y = {.label = "latency (us)", .log = true},
          .panels = {PlotPanel{}}};
}

std::string given_title(const RawConfig& config)
{
  return config.plots.empty() ? std::string() : config.plots.front().title;
}

bool has_time_bound(const Experiment& experiment, Operation operation)
{
  return operation == Operation::broadcast && experiment.request.duplex == Duplex::full &&
         experiment.run.mode == Mode::lockstep;
}

PlotSeries bound_curve(const Experiment& experiment, std::span<const std::uint64_t> lengths)
{
  PlotSeries bound{.title = "lower bound", .look = PlotSeries::Look::bound};
  for (const std::uint64_t length : lengths) {
    const BroadcastTimeBound at =
        broadcast_time_bound(*experiment.topology, experiment.request.source, experiment.request.ports, length,
                             experiment.network.startup, with_fastest_channels(experiment.network).per_byte);
    bound.points.push_back({fmt::to_string(length), format_microseconds(ExactNumber(at.latency.picoseconds))});
  }
  return bound;
}

std::string fewer_curves_note(std::size_t drawn, std::size_t all)
{
  return fmt::format("{} of {} lines: those nearest to the lowest.", drawn, all);
}

} // namespace wormcast
