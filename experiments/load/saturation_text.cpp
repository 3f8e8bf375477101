#include "wormcast/experiments/load/saturation_text.hpp"

#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json load_or_null(const std::optional<double>& load)
{
  return load ? measured_number(*load) : Json(nullptr);
}

/// What an undecided point needs, by UndecidedBy.
std::string undecided_lines(const LoadCurve& curve)
{
  std::string text;
  const std::pair<UndecidedBy, std::string> reasons[] = {
      {UndecidedBy::messages, fmt::format("fewer than {} messages were generated while it was measured: give a longer "
                                          "traffic.measure",
                                          fewest_messages)},
      {UndecidedBy::growth, "what is in flight grew, but not by more than chance explains: give a longer "
                            "traffic.measure"},
      {UndecidedBy::drain, "not all measured messages arrived: give a longer traffic.drain"},
      {UndecidedBy::correlation,
       "too short for an interval, as latencies of neighbouring batches depend on each other: "
       "give a longer traffic.measure"},
  };
  for (const auto& [reason, needed] : reasons) {
    const bool found = std::ranges::any_of(curve.points, [&](const LoadPoint& point) {
      return point.cell(load_quantity::undecided_by) == undecided_names.text(reason);
    });
    if (found) {
      text += fmt::format("undecided ({}): {}\n", undecided_names.text(reason), needed);
    }
  }
  return text;
}

std::string load_list(const std::vector<double>& loads)
{
  std::vector<std::string> texts;
  for (const double load : loads) {
    texts.push_back(fmt::format("{:.4g}", load));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace

std::string saturation_text(const LoadCurve& curve)
{
  const SaturationBracket& found = curve.saturation;
  const auto load_at = [&](auto&& end) {
    return curve.points.empty() ? std::string("-") : fmt::format("{:.4g}", end(curve.points).offered);
  };
  const std::string smallest = load_at([](const auto& points) { return points.front(); });
  const std::string largest = load_at([](const auto& points) { return points.back(); });
  std::string text;
  if (found.closed()) {
    const bool stopped = std::ranges::any_of(curve.points, [&](const LoadPoint& point) {
      return point.state == PointState::deadlock && point.offered == *found.saturated;
    });
    text = fmt::format("saturation between the loads {:.4g} (stable) and {:.4g} ({}), one seed", *found.stable,
                       *found.saturated, stopped ? "deadlock" : "saturated");
  } else if (!found.stable_above.empty()) {
    text = fmt::format("verdicts are not monotone in the load: saturated at {:.4g}, "
                       "but stable at {}; the saturation is not found",
                       *found.saturated, load_list(found.stable_above));
  } else if (found.stable) {
    text = fmt::format("saturation not bracketed: no load is saturated; it lies above {:.4g}, the largest stable load",
                       *found.stable);
  } else if (found.saturated) {
    text = fmt::format("saturation not bracketed: no load is stable; it lies below {:.4g}, the smallest saturated load",
                       *found.saturated);
  } else {
    const bool measured =
        std::ranges::any_of(curve.points, [](const LoadPoint& point) { return point.state == PointState::done; });
    text = measured ? fmt::format("saturation not bracketed: nothing is decided from {} to {}", smallest, largest)
                    : "not measured";
  }
  if (!found.undecided.empty() && (found.stable || found.saturated)) {
    text += fmt::format("; undecided at {}", load_list(found.undecided));
  }
  if (curve.largest_accepted) {
    text += fmt::format("; most accepted {:.4g}", *curve.largest_accepted);
  }
  return text + "\n" + undecided_lines(curve);
}

Json saturation_json(const LoadCurve& curve)
{
  const SaturationBracket& found = curve.saturation;
  Json json;
  for (const SaturationEnd& end : saturation_ends) {
    json[std::string(end.key)] = load_or_null(found.*end.load);
  }
  json[std::string(saturation_key::bracketed)] = found.closed();
  json["undecided"] = found.undecided;
  json["monotone"] = found.stable_above.empty();
  json["stable_above"] = found.stable_above;
  json[std::string(load_quantity::accepted)] = load_or_null(curve.largest_accepted);
  return json;
}

} // namespace wormcast
