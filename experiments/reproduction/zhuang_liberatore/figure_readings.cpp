#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/contenders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace wormcast::zhuang_liberatore {

namespace {

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
  const ExactNumber length(network.startup.picoseconds, (2 * n - 1) * network.per_byte.picoseconds());
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

} // namespace

std::vector<Check> figure_reading_checks()
{
  return {check_of_the_figures("rd_optimal_for_short_messages", doubling_for_short_messages),
          check_of_the_figures("rb_best_1_to_10_kilobytes", best_from_1_to_10_kilobytes),
          check_of_the_figures("rd_best_below_1_kilobyte", best_below_1_kilobyte),
          check_of_the_figures("sc_best_above_25_kilobytes", best_above_25_kilobytes),
          check_of_the_figures("more_advantage_in_3d", more_advantage_in_three_dimensions)};
}

} // namespace wormcast::zhuang_liberatore
