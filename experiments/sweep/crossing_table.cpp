#include "wormcast/experiments/sweep/crossing_table.hpp"

#include "wormcast/experiments/config/random_draws.hpp"
#include "wormcast/experiments/sweep/repetitions.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace wormcast {

namespace {

constexpr unsigned shown_decimals = 3;

/// Whether a point of the curve at `x` is not done: means without it would be of other runs than those of other curves.
bool is_unfinished(const SweepCurve& curve, const Decimal& x)
{
  return std::ranges::any_of(curve.unfinished, [&](const UnfinishedPoint& point) { return point.x == x; });
}

/// One latency for each length at which all points are done: of runs with several seeds the mean, rounded down to a
/// picosecond.
std::vector<MeasuredLatency> measured(const SweepCurve& curve)
{
  std::vector<MeasuredLatency> latencies;
  for (std::size_t i = 0; i < curve.points.size();) {
    const Decimal& x = curve.points[i].x;
    ExactNumber sum = 0;
    std::int64_t count = 0;
    for (; i < curve.points.size() && curve.points[i].x == x; ++i, ++count) {
      sum += curve.points[i].picoseconds();
    }
    if (!is_unfinished(curve, x)) {
      const ExactNumber mean = sum / count;
      const boost::multiprecision::cpp_int picoseconds = numerator(mean) / denominator(mean);
      latencies.push_back({x.whole(), picoseconds.convert_to<std::int64_t>()});
    }
  }
  return latencies;
}

/// The crossings of two curves; a predicted one is in the same row as the measured one that it explains.
std::vector<Crossing> curve_crossings(std::size_t a, std::size_t b, const SweepCurves& curves,
                                      const std::vector<LatencyFormula>& formulas)
{
  std::vector<Crossing> crossings;
  for (const MeasuredCrossing& crossing : measured_crossings(measured(curves.curves[a]), measured(curves.curves[b]))) {
    const bool a_leads = crossing.first_leads;
    crossings.push_back({a_leads ? a : b, a_leads ? b : a, std::nullopt, crossing});
  }
  const std::optional<CostLine>& line_a = formulas[a].line;
  const std::optional<CostLine>& line_b = formulas[b].line;
  if (!line_a || !line_b) {
    return crossings;
  }
  const std::optional<ExactNumber> length = crossing_length(*line_a, *line_b);
  if (!length) {
    return crossings;
  }
  const bool a_leads = line_a->per_byte > line_b->per_byte;
  const std::size_t first = a_leads ? a : b;
  const auto explained = std::find_if(crossings.begin(), crossings.end(), [&](const Crossing& crossing) {
    return crossing.first == first &&
           (crossings.size() == 1 || (crossing.measured->from <= *length && *length <= crossing.measured->to));
  });
  if (explained != crossings.end()) {
    explained->predicted = length;
  } else {
    crossings.push_back({first, a_leads ? b : a, length, std::nullopt});
  }
  return crossings;
}

ExactNumber length_of(const Crossing& crossing)
{
  return crossing.predicted ? *crossing.predicted : crossing.measured->at;
}

/// The lower envelope of the curves that have a formula.
void find_fastest(CrossingGroup& group, const SweepCurves& curves, const std::vector<LatencyFormula>& formulas)
{
  std::vector<CostLine> lines;
  std::vector<std::size_t> curve_of_line;
  for (const std::size_t curve : group.curves) {
    if (curves.curves[curve].deadlocks) {
      group.without_formula.push_back({curve, "ended in a deadlock"});
    } else if (formulas[curve].line) {
      lines.push_back(*formulas[curve].line);
      curve_of_line.push_back(curve);
    } else {
      group.without_formula.push_back({curve, formulas[curve].why_not});
    }
  }
  group.fastest = lower_envelope(lines);
  for (EnvelopePiece& piece : group.fastest) {
    piece.line = curve_of_line[piece.line];
  }
}

/// Of which no latency is compared with those of others.
bool is_out_of_competition(const SweepCurve& curve, const LatencyFormula& formula)
{
  return curve.deadlocks || formula.incomplete;
}

/// A curve at one length.
struct Competitor {
  std::size_t curve = 0;
  std::int64_t picoseconds = 0; ///< mean
  BySeed by_seed;
};

/// The latencies of a curve at the length `bytes` by seed; by an empty text where the sweep has no seeds.
BySeed latencies_by_seed(const SweepPlan& plan, const SweepCurve& curve, std::uint64_t bytes)
{
  const auto seed = std::ranges::find(plan.axes, seed_axis) - plan.axes.begin();
  BySeed latencies;
  for (const CurvePoint& point : curve.points) {
    if (point.x.whole() == bytes) {
      const std::vector<std::string>& cells = plan.points[point.point].cells;
      latencies[std::cmp_less(seed, cells.size()) ? cells[static_cast<std::size_t>(seed)] : ""] =
          point.latency_us.nearest();
    }
  }
  return latencies;
}

/// The fastest of them and those that may be as fast: without repetitions those with the same latency, else those whose
/// difference is not decided.
FastestMeasured fastest_of(const std::vector<Competitor>& competitors, std::uint64_t bytes)
{
  const Competitor& best = *std::ranges::min_element(competitors, {}, &Competitor::picoseconds);
  FastestMeasured fastest{.from = bytes, .to = bytes, .curves = {}, .equal = true};
  for (const Competitor& other : competitors) {
    const bool repeated = best.by_seed.size() > 1 || other.by_seed.size() > 1;
    if (&other == &best || (!repeated && other.picoseconds == best.picoseconds)) {
      fastest.curves.push_back(other.curve);
    } else if (repeated) {
      const PairedDifference paired = paired_difference(best.by_seed, other.by_seed);
      if (faster_of(paired) != Faster::first) {
        fastest.curves.push_back(other.curve);
        fastest.equal = fastest.equal && paired.difference && paired.unpaired == 0 &&
                        paired.difference->smallest == 0 && paired.difference->largest == 0;
      }
    }
  }
  return fastest;
}

/// The fastest curves at each length at which all of them are done or saturated.
void find_fastest_measured(CrossingGroup& group, const SweepPlan& plan, const SweepCurves& curves,
                           const std::vector<LatencyFormula>& formulas)
{
  std::map<std::uint64_t, std::vector<Competitor>> at_length;
  std::map<std::uint64_t, std::set<std::size_t>> saturated;
  std::size_t compared = 0;
  for (const std::size_t number : group.curves) {
    const SweepCurve& curve = curves.curves[number];
    if (is_out_of_competition(curve, formulas[number])) {
      continue;
    }
    ++compared;
    for (const MeasuredLatency& latency : measured(curve)) {
      at_length[latency.bytes].push_back({number, latency.picoseconds, latencies_by_seed(plan, curve, latency.bytes)});
    }
    for (const UnfinishedPoint& point : curve.unfinished) {
      if (point.state == PointState::saturated) {
        saturated[point.x.whole()].insert(number);
      }
    }
  }
  for (const auto& [bytes, competitors] : at_length) {
    if (compared < 2 || competitors.size() + saturated[bytes].size() < compared) {
      continue;
    }
    FastestMeasured fastest = fastest_of(competitors, bytes);
    std::vector<FastestMeasured>& pieces = group.fastest_measured;
    if (!pieces.empty() && pieces.back().curves == fastest.curves && pieces.back().equal == fastest.equal) {
      pieces.back().to = bytes;
    } else {
      pieces.push_back(std::move(fastest));
    }
  }
}

/// Whether anything in a run is drawn by chance, so that its latency is one sample of many.
bool is_by_chance(const std::string& config)
{
  const nlohmann::ordered_json effective = nlohmann::ordered_json::parse(config, nullptr, false);
  return effective.is_object() && !random_keys(effective).empty();
}

void find_crossings(CrossingGroup& group, const SweepPlan& plan, const SweepCurves& curves,
                    const std::vector<LatencyFormula>& formulas)
{
  bool by_chance = false;
  for (std::size_t i = 0; i < group.curves.size(); ++i) {
    const SweepCurve& first = curves.curves[group.curves[i]];
    group.averaged =
        group.averaged || std::ranges::adjacent_find(first.points, {}, &CurvePoint::x) != first.points.end();
    by_chance = by_chance || (!first.points.empty() && is_by_chance(plan.points[first.points.front().point].config));
    for (std::size_t j = i + 1; j < group.curves.size(); ++j) {
      if (!is_out_of_competition(first, formulas[group.curves[i]]) &&
          !is_out_of_competition(curves.curves[group.curves[j]], formulas[group.curves[j]])) {
        std::ranges::move(curve_crossings(group.curves[i], group.curves[j], curves, formulas),
                          std::back_inserter(group.crossings));
      }
    }
  }
  std::stable_sort(group.crossings.begin(), group.crossings.end(),
                   [](const Crossing& a, const Crossing& b) { return length_of(a) < length_of(b); });
  find_fastest(group, curves, formulas);
  find_fastest_measured(group, plan, curves, formulas);
  group.one_sample = by_chance && !group.averaged;
}

std::string rounded(const std::optional<ExactNumber>& length)
{
  return length ? format_rounded(*length, shown_decimals) : std::string();
}

} // namespace

CrossingTable crossing_table(const SweepPlan& plan, const SweepCurves& curves,
                             const std::vector<LatencyFormula>& formulas)
{
  CrossingTable table;
  if (plan.axes[curves.x_axis] != "message.bytes" || std::none_of(plan.axes.begin(), plan.axes.end(), tells_rival)) {
    return table;
  }
  std::vector<std::size_t> common;
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    if (axis != curves.x_axis && plan.axes[axis] != "run.seed" && !tells_rival(plan.axes[axis])) {
      common.push_back(axis);
      table.axes.push_back(plan.axes[axis]);
    }
  }
  std::map<std::vector<std::string>, std::size_t> group_of_setting;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const SweepCurve& curve = curves.curves[i];
    std::vector<std::string> setting;
    setting.reserve(common.size());
    for (const std::size_t axis : common) {
      setting.push_back(curve.setting[axis]);
    }
    const auto [entry, is_new] = group_of_setting.emplace(setting, table.groups.size());
    if (is_new) {
      table.groups.push_back({.setting = std::move(setting)});
    }
    table.groups[entry->second].curves.push_back(i);
  }
  for (CrossingGroup& group : table.groups) {
    find_crossings(group, plan, curves, formulas);
  }
  return table;
}

std::string crossings_csv(const CrossingTable& table, const SweepCurves& curves)
{
  std::vector<std::string> header = table.axes;
  header.insert(header.end(),
                {"quantity", "faster_before", "faster_behind", "predicted_bytes", "predicted_bytes_decimal",
                 "measured_from_bytes", "measured_to_bytes", "measured_bytes"});
  std::string csv = csv_line(header);
  for (const CrossingGroup& group : table.groups) {
    for (const Crossing& crossing : group.crossings) {
      std::vector<std::string> cells = group.setting;
      cells.emplace_back(shown_latency);
      cells.push_back(curves.curves[crossing.first].title);
      cells.push_back(curves.curves[crossing.second].title);
      cells.push_back(crossing.predicted ? format_exact(*crossing.predicted) : "");
      cells.push_back(rounded(crossing.predicted));
      cells.push_back(crossing.measured ? fmt::format("{}", crossing.measured->from) : "");
      cells.push_back(crossing.measured ? fmt::format("{}", crossing.measured->to) : "");
      cells.push_back(crossing.measured ? format_rounded(crossing.measured->at, shown_decimals) : "");
      csv += csv_line(cells);
    }
  }
  return csv;
}

namespace {

/// "A", "A and B", "A, B and C".
std::string titles_of(const std::vector<std::size_t>& numbers, const SweepCurves& curves)
{
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ";
    text += curves.curves[numbers[i]].title;
  }
  return text;
}

/// Nothing where fewer than two curves have a formula: of one alone nothing is said by that it is the fastest.
std::string fastest_predicted_text(const CrossingGroup& group, const SweepCurves& curves)
{
  const std::size_t candidates = group.curves.size() - group.without_formula.size();
  if (candidates < 2) {
    return {};
  }
  std::string text = "fastest by prediction";
  text += group.without_formula.empty() ? ": " : fmt::format(", of the {} with a formula: ", candidates);
  for (std::size_t i = 0; i < group.fastest.size(); ++i) {
    const std::string& title = curves.curves[group.fastest[i].line].title;
    const bool last = i + 1 == group.fastest.size();
    text += i == 0 ? "" : ", ";
    text += last ? title + (i == 0 ? " for all lengths\n" : " beyond\n")
                 : fmt::format("{} up to {}", title, format_rounded(group.fastest[i + 1].from, shown_decimals));
  }
  return text;
}

std::string fastest_measured_text(const CrossingGroup& group, const SweepCurves& curves)
{
  std::string text;
  for (const FastestMeasured& piece : group.fastest_measured) {
    text += !text.empty()      ? ", "
            : group.one_sample ? "fastest with this seed alone (--repeat N shows whether that is decided): "
                               : "fastest as measured: ";
    const std::string titles = titles_of(piece.curves, curves);
    text += piece.curves.size() == 1 ? titles : piece.equal ? titles + " alike" : "not decided between " + titles;
    text += fmt::format(" at {}", piece.from);
    text += piece.from == piece.to ? "" : fmt::format(" .. {}", piece.to);
  }
  return text.empty() ? text : text + "\n";
}

std::string fastest_text(const CrossingGroup& group, const SweepCurves& curves)
{
  std::string text = fastest_predicted_text(group, curves);
  for (const WithoutFormula& without : group.without_formula) {
    text += fmt::format("not predicted: {} {}\n", curves.curves[without.curve].title, without.reason);
  }
  return text + fastest_measured_text(group, curves);
}

} // namespace

std::string crossings_listing(const CrossingTable& table, const SweepCurves& curves)
{
  std::string text;
  for (const CrossingGroup& group : table.groups) {
    text += text.empty() ? "" : "\n";
    text += fmt::format("{}: crossing points (bytes)", shown_latency_title);
    for (std::size_t i = 0; i < table.axes.size(); ++i) {
      text += fmt::format(", {}={}", table.axes[i], group.setting[i]);
    }
    text += '\n';
    if (group.crossings.empty()) {
      text += "none\n";
    } else {
      std::vector<std::vector<std::string>> lines = {{"faster before -> behind", "predicted", "",
                                                      group.averaged ? "measured (mean over seeds)" : "measured",
                                                      "between"}};
      for (const Crossing& crossing : group.crossings) {
        const auto& measured = crossing.measured;
        lines.push_back({curves.curves[crossing.first].title + " -> " + curves.curves[crossing.second].title,
                         crossing.predicted ? format_exact(*crossing.predicted) : "-", rounded(crossing.predicted),
                         measured ? format_rounded(measured->at, shown_decimals) : "-",
                         measured ? fmt::format("{} .. {}", measured->from, measured->to) : "-"});
      }
      text += aligned(lines);
    }
    text += fastest_text(group, curves);
  }
  return text;
}

} // namespace wormcast
