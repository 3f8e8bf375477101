#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace wormcast::zhuang_liberatore {

namespace {

/// One of the algorithms of a figure, with the costs that the paper gives for it.
struct Contender {
  std::string title;
  BroadcastCase broadcast;
  Fraction alpha;
  Fraction beta;
};

constexpr int figure_exponent = 5; ///< side 2^5

Fraction power_of_two(int exponent)
{
  return exponent < 0 ? one_over_power(-exponent) : Fraction(std::int64_t{1} << exponent);
}

BroadcastCase simple_case(std::size_t dimensions, int n, const std::string& algorithm)
{
  return {.dims = square(n, dimensions), .algorithm = algorithm};
}

Contender partitioned(std::size_t dimensions, int n, bool doubles, int d, const Fraction& alpha, const Fraction& beta)
{
  const std::string inner = doubles ? "recursive_doubling" : "scatter_collect";
  return {.title = d == n ? fmt::format("NP-RD({0}) = NP-SC({0})", d)
                          : fmt::format("{}({})", doubles ? "NP-RD" : "NP-SC", d),
          .broadcast = {.dims = square(n, dimensions),
                        .algorithm = "network_partitioning",
                        .parameters = {{"inner", inner}, {"d", std::int64_t{d}}}},
          .alpha = alpha,
          .beta = beta};
}

/// Table 1, from the corner of a 2^n x 2^n mesh: RD and SC are NP-RD and NP-SC with d = 0, and both are the same for
/// d = n. SC's beta is not as printed (2 - 1/2^(2n)), but as NP-SC with d = 0 has it.
std::vector<Contender> table_1(int n)
{
  std::vector<Contender> all = {
      {"RB", simple_case(2, n, "recursion_based"), whole(3 * n), Fraction(5, 2) - power_of_two(1 - n)},
      {"RD", simple_case(2, n, "recursive_doubling"), whole(2 * n), whole(2 * n)},
      {"SC", simple_case(2, n, "scatter_collect"), whole(2 * n - 2) + power_of_two(n + 1),
       whole(2) - 2 * power_of_two(-2 * n)}};
  for (int d = 1; d <= n; ++d) {
    all.push_back(partitioned(2, n, true, d, whole(2 * n - 1) + power_of_two(d),
                              whole(2) + whole(2 * n - d - 2) * power_of_two(-d)));
  }
  for (int d = 1; d < n; ++d) {
    all.push_back(partitioned(2, n, false, d, whole(2 * n - 3) + power_of_two(n - d + 1) + power_of_two(d),
                              whole(2) + whole(d) * power_of_two(-d) - 2 * power_of_two(d - 2 * n)));
  }
  return all;
}

/// Section 7.2, the same in three dimensions. SC's alpha is not as printed (3n + 3*2^(n-3)), but as NP-SC with d = 0
/// has it.
std::vector<Contender> section_7(int n)
{
  std::vector<Contender> all = {{"RB", simple_case(3, n, "recursion_based"), whole(4 * n + 1),
                                 Fraction(5, 2) - power_of_two(-n) - power_of_two(-n - 1)},
                                {"RD", simple_case(3, n, "recursive_doubling"), whole(3 * n), whole(3 * n)},
                                {"SC", simple_case(3, n, "scatter_collect"), whole(3 * n - 3) + 3 * power_of_two(n),
                                 whole(2) - 2 * power_of_two(-3 * n)}};
  for (int d = 1; d <= n; ++d) {
    all.push_back(partitioned(3, n, true, d, whole(3 * n - 1) + power_of_two(d),
                              whole(2) + whole(3 * n - d - 2) * power_of_two(-d)));
  }
  for (int d = 1; d < n; ++d) {
    all.push_back(partitioned(3, n, false, d, whole(3 * n - 4) + 3 * power_of_two(n - d) + power_of_two(d),
                              whole(2) + whole(2 * d) * power_of_two(-d) - 2 * power_of_two(2 * d - 3 * n)));
  }
  return all;
}

std::vector<Contender> contenders(std::size_t dimensions, int n = figure_exponent)
{
  return dimensions == 2 ? table_1(n) : section_7(n);
}

CostLine line_of(const Fraction& alpha, const Fraction& beta)
{
  const NetworkParameters network = figure_network({});
  return {.fixed = ExactNumber(alpha.numerator(), alpha.denominator()) * network.startup.picoseconds,
          .per_byte = ExactNumber(beta.numerator(), beta.denominator()) * network.per_byte.picoseconds};
}

/// The paper's lines.
std::vector<LatencyCurve> published_lines(std::size_t dimensions)
{
  std::vector<LatencyCurve> curves;
  for (const Contender& contender : contenders(dimensions)) {
    curves.push_back(
        {.title = contender.title, .line = line_of(contender.alpha, contender.beta), .measured = {}, .predicted = {}});
  }
  return curves;
}

/// The paper's lines, after a look at what stands behind them: schedules that are valid and contention-free and have
/// the published costs; in three dimensions on a smaller mesh. Throws where one is not.
std::vector<LatencyCurve> checked_lines(std::size_t dimensions)
{
  for (const Contender& contender : contenders(dimensions, dimensions == 2 ? figure_exponent : 2)) {
    const CheckReport report = check(contender.broadcast);
    if (!report.valid() || !report.contention_free ||
        Fraction(static_cast<std::int64_t>(report.costs.alpha)) != contender.alpha ||
        report.costs.beta != contender.beta) {
      throw std::logic_error(fmt::format("{} has no schedule with the published costs", title(contender.broadcast)));
    }
  }
  return published_lines(dimensions);
}

/// The same, or under Mutation::data_changed in a network whose start-ups take a tenth of the time.
std::vector<LatencyCurve> checked_lines_with_startups()
{
  std::vector<LatencyCurve> curves = checked_lines(2);
  for (LatencyCurve& curve : curves) {
    curve.line.fixed = as_measured(curve.line.fixed, ExactNumber(curve.line.fixed / 10));
  }
  return curves;
}

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
                     format_exact(line.per_byte / network.per_byte.picoseconds));
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

std::string length_text(const ExactNumber& length)
{
  return denominator(length) == 1 ? format_exact(length)
                                  : fmt::format("{} = {}", format_exact(length), format_rounded(length, 1));
}

/// The two curves at the smallest whole length above `from` at which the second takes less time, simulated.
Counterexample faster_from(const Contender& slower, const Contender& faster, const ExactNumber& from)
{
  constexpr std::uint64_t rounding = 64; // blocks of whole bytes shift the crossing of the lines
  const auto first = static_cast<std::uint64_t>(numerator(from) / denominator(from)) + 1;
  for (std::uint64_t length = first; length < first + rounding; ++length) {
    const std::vector<std::uint64_t> lengths = {length};
    const LatencyCurve slow = latency_curve(slower.title, slower.broadcast, lengths);
    const LatencyCurve fast = latency_curve(faster.title, faster.broadcast, lengths);
    if (fast.measured[0].picoseconds < slow.measured[0].picoseconds) {
      return {fmt::format("{} bytes: {} takes {} us, {} {} us (simulated)", length, fast.title,
                          format_rounded(ExactNumber(fast.measured[0].picoseconds) / 1'000'000, 3), slow.title,
                          format_rounded(ExactNumber(slow.measured[0].picoseconds) / 1'000'000, 3)),
              nullptr};
    }
  }
  throw std::logic_error("the crossing of the predictions is not where the measured curves cross");
}

Contender contender_called(std::size_t dimensions, const std::string& title)
{
  for (Contender& contender : contenders(dimensions)) {
    if (contender.title == title) {
      return std::move(contender);
    }
  }
  throw std::logic_error("there is no contender " + title);
}

Evidence best_from_1_to_10_kilobytes()
{
  const std::vector<LatencyCurve> curves = checked_lines_with_startups();
  const std::optional<LengthRange> range = lowest_range(curves, "RB");
  Evidence evidence;
  if (!range || !range->to || range->from > 1000 || *range->to < 10 * 1024) {
    evidence.verdict = Verdict::refuted;
  }
  evidence.measured = range && range->to ? fmt::format("RB is the fastest from {} to {} bytes",
                                                       length_text(range->from), length_text(*range->to))
                                         : "RB is nowhere the fastest";
  return evidence;
}

bool is_of_family(const std::string& title, const std::string& family)
{
  return title == family || title.find("NP-" + family + "(") != std::string::npos;
}

/// Up to which length the fastest is one of `family` ("RD": NP-RD with d = 0..n).
ExactNumber family_leads_up_to(std::span<const LatencyCurve> curves, const std::string& family)
{
  for (const EnvelopePiece& piece : envelope_of(curves)) {
    if (!is_of_family(curves[piece.line].title, family)) {
      return piece.from;
    }
  }
  throw std::logic_error("the family is expected not to be the fastest for ever");
}

/// From which length on the fastest is one of `family`.
ExactNumber family_leads_from(std::span<const LatencyCurve> curves, const std::string& family)
{
  ExactNumber from = 0;
  bool leads = false;
  for (const EnvelopePiece& piece : envelope_of(curves)) {
    const bool is_family = is_of_family(curves[piece.line].title, family);
    from = is_family && !leads ? piece.from : from;
    leads = is_family;
  }
  if (!leads) {
    throw std::logic_error("the family is expected to be the fastest for the longest messages");
  }
  return from;
}

/// Up to which length the claim has RD as the fastest: 1 KB, and in truth 200/3 bytes.
ExactNumber end_of_short_messages()
{
  return as_stated(1000, 66);
}

// The claim holds if RD is the fastest of all up to 1000 bytes.
Evidence doubling_below_1_kilobyte(std::span<const LatencyCurve> curves)
{
  const std::optional<ExactNumber> against_rb =
      crossing_length(curve_called(curves, "RD").line, curve_called(curves, "RB").line);
  const std::optional<LengthRange> range = lowest_range(curves, "RD");
  if (!range || !range->to || !against_rb) {
    throw std::logic_error("RD is expected to be the fastest for the shortest messages");
  }
  Evidence evidence;
  evidence.measured = fmt::format("RD is faster than RB below {} bytes, and the fastest of all below {} bytes",
                                  length_text(*against_rb), length_text(*range->to));
  if (*range->to < end_of_short_messages()) {
    evidence.verdict = Verdict::refuted;
    evidence.counterexample = faster_from(contender_called(2, "RD"), contender_called(2, "NP-RD(1)"), *range->to);
  }
  return evidence;
}

Evidence doubling_family_below_1_kilobyte(std::span<const LatencyCurve> curves)
{
  const ExactNumber to = family_leads_up_to(curves, "RD");
  return {.measured = fmt::format("the fastest is an NP-RD(d) below {} bytes", length_text(to)),
          .verdict = to < end_of_short_messages() ? Verdict::refuted : Verdict::confirmed};
}

Evidence best_below_1_kilobyte()
{
  const std::vector<LatencyCurve> curves = checked_lines(2);
  return by_reading({{"RD alone", doubling_below_1_kilobyte(curves)},
                     {"the left half of fig. 4, NP-RD(d) with d = 0..n", doubling_family_below_1_kilobyte(curves)}});
}

// SC alone is the fastest above 4761600/49 = 97175.5 bytes.
Evidence collect_above_25_kilobytes(std::span<const LatencyCurve> curves)
{
  const std::optional<ExactNumber> against_rb =
      crossing_length(curve_called(curves, "SC").line, curve_called(curves, "RB").line);
  const std::optional<LengthRange> range = lowest_range(curves, "SC");
  if (!range || !against_rb) {
    throw std::logic_error("SC is expected to be the fastest for the longest messages");
  }
  Evidence evidence;
  evidence.measured = fmt::format("SC is faster than RB above {} bytes, and the fastest of all above {} bytes",
                                  length_text(*against_rb), length_text(range->from));
  if (range->from > as_stated(25 * 1024, 97'176)) {
    evidence.verdict = Verdict::refuted;
    evidence.counterexample =
        faster_from(contender_called(2, "SC"), contender_called(2, "NP-SC(4)"), ExactNumber(25 * 1024));
  }
  return evidence;
}

Evidence collect_family_above_25_kilobytes(std::span<const LatencyCurve> curves)
{
  const ExactNumber from = family_leads_from(curves, "SC");
  return {.measured = fmt::format("the fastest is an NP-SC(d) above {} bytes", length_text(from)),
          .verdict = from > as_stated(25'000, 97'176) ? Verdict::refuted : Verdict::confirmed};
}

Evidence best_above_25_kilobytes()
{
  const std::vector<LatencyCurve> curves = checked_lines(2);
  return by_reading({{"SC alone", collect_above_25_kilobytes(curves)},
                     {"the right half of fig. 4, NP-SC(d) with d = 0..n", collect_family_above_25_kilobytes(curves)}});
}

/// Length of RB's range as a factor.
ExactNumber width_of(std::span<const LatencyCurve> curves)
{
  const std::optional<LengthRange> range = lowest_range(curves, "RB");
  return range && range->to ? ExactNumber(*range->to / range->from) : ExactNumber(0);
}

/// The most that the fastest of the others takes, over what RB takes. It is reached where two of the others cross.
ExactNumber largest_gain_of(std::span<const LatencyCurve> curves)
{
  const CostLine& own = curve_called(curves, "RB").line;
  std::vector<LatencyCurve> others(curves.begin(), curves.end());
  std::erase_if(others, [](const LatencyCurve& curve) { return curve.title == "RB"; });
  ExactNumber gain = 0;
  for (const EnvelopePiece& piece : envelope_of(others)) {
    const ExactNumber ratio = others[piece.line].line.at(piece.from) / own.at(piece.from);
    gain = std::max(gain, ratio);
  }
  return gain;
}

Evidence larger_in_three_dimensions(const std::string& what, const ExactNumber& two, const ExactNumber& three)
{
  return {.measured = fmt::format("{} {} in 2-D, {} in 3-D", what, format_rounded(two, 3), format_rounded(three, 3)),
          .verdict = three > two ? Verdict::confirmed : Verdict::refuted};
}

Evidence more_advantage_in_three_dimensions()
{
  const std::vector<LatencyCurve> two = checked_lines(2);
  std::vector<LatencyCurve> three = checked_lines(3);
  CostLine& in_3d = std::ranges::find(three, "RB", &LatencyCurve::title)->line;
  in_3d.fixed = as_measured(in_3d.fixed, ExactNumber(2 * in_3d.fixed));
  return by_reading({{"RB is the fastest over more lengths",
                      larger_in_three_dimensions("longest length over shortest", width_of(two), width_of(three))},
                     {"RB is ahead of the fastest of the others by more",
                      larger_in_three_dimensions("the others' latency over RB's at most", largest_gain_of(two),
                                                 largest_gain_of(three))}});
}

/// What four nodes hold of a message of two blocks, as bits.
using FourNodes = std::array<int, 4>;

/// What four nodes with one port each may send in a step: of each node the number of the receiver and the blocks, none
/// of them for nothing. Calls with what they hold after it and the largest message.
template <typename Then> void for_each_step_of_four_nodes(const FourNodes& held, Then then)
{
  constexpr int choices = 16; // of a node: 4 receivers, 4 sets of blocks
  for (int all = 0; all < choices * choices * choices * choices; ++all) {
    FourNodes after = held;
    std::array<int, 4> received{};
    int largest = 0;
    bool is_allowed = true;
    for (int node = 0, left = all; node < 4; ++node, left /= choices) {
      const auto receiver = static_cast<std::size_t>(left % 4);
      const int blocks = left / 4 % 4;
      const auto sender = static_cast<std::size_t>(node);
      is_allowed = is_allowed && (blocks & ~held[sender]) == 0 &&
                   (blocks == 0 ? receiver == 0 : receiver != sender && ++received[receiver] == 1);
      after[receiver] |= blocks;
      largest = std::max(largest, std::popcount(static_cast<unsigned>(blocks)));
    }
    if (is_allowed) {
      then(after, largest);
    }
  }
}

/// Number of broadcasts of two blocks to four nodes in two steps, and the least that their two largest messages add up
/// to, in blocks.
std::pair<int, int> broadcasts_to_four_nodes_in_two_steps()
{
  int count = 0;
  int least = 4;
  for_each_step_of_four_nodes({3, 0, 0, 0}, [&](const FourNodes& held, int first) {
    for_each_step_of_four_nodes(held, [&](const FourNodes& end, int second) {
      if (end == FourNodes{3, 3, 3, 3}) {
        ++count;
        least = std::min(least, first + second);
      }
    });
  });
  return {count, least};
}

// With 2n steps in all, the holders double in every step: each node receives one message, hence all of it, and beta is
// 2n. With a step more, beta is at least 1. So nothing is faster than RD up to T_s / ((2n-1) T_c) bytes.
Evidence doubling_for_short_messages()
{
  constexpr int n = figure_exponent;
  const std::vector<LatencyCurve> curves = checked_lines_with_startups();
  const NetworkParameters network = figure_network({});
  const ExactNumber length(network.startup.picoseconds, (2 * n - 1) * network.per_byte.picoseconds);
  const auto [count, least] = broadcasts_to_four_nodes_in_two_steps();
  std::vector<Observation> observations = {{.what = "all broadcasts of two blocks to four nodes in two steps",
                                            .expected = "beta 2",
                                            .found = fmt::format("beta at least {} of {} broadcasts", least / 2, count),
                                            .holds = count > 0 && least == 4}};
  const CostLine& doubling = curve_called(curves, "RD").line;
  for (const LatencyCurve& curve : curves) {
    const ExactNumber ratio = curve.line.at(length) / doubling.at(length);
    observations.push_back({.what = fmt::format("{} at {} bytes", curve.title, length_text(length)),
                            .expected = "not faster than RD",
                            .found = format_rounded(ratio, 3) + " of its latency",
                            .holds = ratio >= 1});
  }
  Evidence evidence = all_hold(
      fmt::format("nothing with one port is faster than RD up to T_s/((2n-1) T_c) = {} bytes for n = 5: of 2n steps "
                  "each carries all of the message, and 2n + 1 steps carry it once at least",
                  length_text(length)),
      observations);
  evidence.correction = "there is no such proof in section 10; proposition 1 in section 9 proves that no broadcast has "
                        "fewer steps, not that none of as many steps, or of more, is faster";
  return evidence;
}

Check check_of_the_figures(const std::string& name, Evidence (*measure)())
{
  return {.name = name,
          .demonstration = {"configs/figure4.toml", "wormcast sweep CONFIG"},
          .measurement = measured_at_once(measure)};
}

std::vector<Check> checks_of_figure_4()
{
  return {check_of_the_figures("rd_optimal_for_short_messages", doubling_for_short_messages),
          figure_check("figure_4", "fig. 4", 2, geometric_lengths(16, 262144, 2)),
          check_of_the_figures("rb_best_1_to_10_kilobytes", best_from_1_to_10_kilobytes),
          check_of_the_figures("rd_best_below_1_kilobyte", best_below_1_kilobyte),
          check_of_the_figures("sc_best_above_25_kilobytes", best_above_25_kilobytes)};
}

} // namespace

std::vector<Check> figure_checks()
{
  std::vector<Check> checks = checks_of_figure_4();
  checks.push_back(figure_check("figure_8", "fig. 8", 3, geometric_lengths(64, 262144, 64)));
  checks.push_back(check_of_the_figures("more_advantage_in_3d", more_advantage_in_three_dimensions));
  return checks;
}

} // namespace wormcast::zhuang_liberatore
