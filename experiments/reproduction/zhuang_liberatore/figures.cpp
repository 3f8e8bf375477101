#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/contenders.hpp"

#include <fmt/format.h>

namespace wormcast::zhuang_liberatore {

namespace {

/// Every contender's curve in a part of its own.
std::vector<std::function<nlohmann::ordered_json()>> curve_parts(const std::vector<Contender>& all,
                                                                 const std::vector<std::uint64_t>& lengths)
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const Contender& contender : all) {
    parts.emplace_back([=] { return curve_json(latency_curve(contender.title, contender.broadcast, lengths)); });
  }
  return parts;
}

std::vector<LatencyCurve> curves_of(std::span<const nlohmann::ordered_json> parts)
{
  std::vector<LatencyCurve> curves;
  for (const nlohmann::ordered_json& part : parts) {
    curves.push_back(curve_from_json(part));
  }
  return curves;
}

std::string costs_of_line(const CostLine& line)
{
  const NetworkParameters network = figure_network({});
  return fmt::format("alpha {}, beta {}", format_exact(line.fixed / network.startup.picoseconds),
                     format_exact(line.per_byte / network.per_byte.picoseconds()));
}

/// The schedules have the published costs, and the simulator the latencies that follow from them.
Evidence latencies_as_published(std::span<const LatencyCurve> curves, std::size_t dimensions)
{
  std::vector<Observation> observations;
  for (const Contender& contender : contenders(dimensions)) {
    const std::string claimed = costs_of_line(line_of(contender.alpha, contender.beta));
    const std::string found = costs_of_line(curve_called(curves, contender.title).line);
    observations.push_back(same_texts(contender.title + " by its formula", claimed, found));
  }
  std::ranges::move(prediction_observations(curves), std::back_inserter(observations));
  return all_hold("costs of the schedules against the formulas, simulated latencies against alpha T_s + beta L T_c",
                  observations, 24);
}

/// The envelope where SC has the costs that are printed for it.
std::string envelope_with_printed_sc(std::size_t dimensions)
{
  constexpr int n = figure_exponent;
  std::vector<LatencyCurve> curves = published_lines(dimensions);
  for (LatencyCurve& curve : curves) {
    if (curve.title == "SC") {
      curve.line = dimensions == 2
                       ? line_of(whole(2 * n - 2) + power_of_two(n + 1), whole(2) - power_of_two(-2 * n))
                       : line_of(whole(3 * n) + 3 * power_of_two(n - 3), whole(2) - 2 * power_of_two(-3 * n));
    }
  }
  return envelope_text(curves);
}

Evidence lost_figure(const std::string& figure, std::span<const nlohmann::ordered_json> parts, std::size_t dimensions)
{
  const std::vector<LatencyCurve> curves = curves_of(parts);
  Evidence evidence = not_testable(fmt::format("the curves of {} are not legible in the copies that exist", figure),
                                   latencies_as_published(curves, dimensions));
  evidence.measured += fmt::format(
      "; the fastest by the formulas, with the lengths of the crossings in bytes: {}; with SC's {} as printed: {}",
      envelope_text(curves), dimensions == 2 ? "beta" : "alpha", envelope_with_printed_sc(dimensions));
  evidence.figures.push_back(
      latency_figure(dimensions == 2 ? "latency on a 32 x 32 mesh" : "latency on a 32 x 32 x 32 mesh", curves));
  return evidence;
}

Check figure_check(const std::string& name, const std::string& figure, std::size_t dimensions,
                   const std::vector<std::uint64_t>& lengths)
{
  return {.name = name,
          .demonstration = {dimensions == 2 ? "configs/figure4.toml"
                                            : config_text(contenders(dimensions).front().broadcast),
                            dimensions == 2 ? "wormcast sweep CONFIG" : "wormcast compare CONFIG"},
          .measurement = {.parts = curve_parts(contenders(dimensions), lengths),
                          .conclude = [=](auto parts) { return lost_figure(figure, parts, dimensions); }}};
}

} // namespace

std::vector<Check> figure_checks()
{
  return {figure_check("figure_4", "fig. 4", 2, geometric_lengths(16, 262144, 2)),
          figure_check("figure_8", "fig. 8", 3, geometric_lengths(64, 262144, 64))};
}

} // namespace wormcast::zhuang_liberatore
