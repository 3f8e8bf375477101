#include "wormcast/experiments/reproduction/latency_curve.hpp"
#include "wormcast/experiments/reproduction/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/claims.hpp"

#include <fmt/format.h>

#include <iterator>

namespace wormcast::zhuang_liberatore {

namespace {

/// One of the algorithms of a figure.
struct Contender {
  std::string title;
  BroadcastCase broadcast;
};

/// The algorithms of section 4.3 and 7.2 on a mesh of side 2^5, from the corner: RD and SC are NP-RD and NP-SC with
/// d = 0, and NP-SC is NP-RD for d = 5.
std::vector<Contender> contenders(std::size_t dimensions)
{
  constexpr int n = 5;
  std::vector<Contender> all;
  all.push_back({"RB", {.dims = square(n, dimensions), .algorithm = "recursion_based"}});
  all.push_back({"RD", {.dims = square(n, dimensions), .algorithm = "recursive_doubling"}});
  all.push_back({"SC", {.dims = square(n, dimensions), .algorithm = "scatter_collect"}});
  for (const std::string inner : {"recursive_doubling", "scatter_collect"}) {
    const bool doubles = inner == "recursive_doubling";
    for (int d = 1; d <= (doubles ? n : n - 1); ++d) {
      all.push_back({fmt::format("{}({})", doubles ? "NP-RD" : "NP-SC", d),
                     {.dims = square(n, dimensions),
                      .algorithm = "network_partitioning",
                      .parameters = {{"inner", inner}, {"d", std::int64_t{d}}}}});
    }
  }
  return all;
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

/// What the lines alone say, without simulating.
std::vector<LatencyCurve> lines_of(std::size_t dimensions)
{
  std::vector<LatencyCurve> curves;
  for (const Contender& contender : contenders(dimensions)) {
    curves.push_back(latency_curve(contender.title, contender.broadcast, {}));
  }
  return curves;
}

Evidence measured_as_predicted(const std::string& title, std::span<const LatencyCurve> curves)
{
  Evidence evidence = all_hold(fmt::format("every algorithm and length; {}", envelope_text(curves)),
                               prediction_observations(curves), 24);
  evidence.figures.push_back(latency_figure(title, curves));
  return evidence;
}

Claim figure_claim(const std::string& name, const std::string& place, std::size_t dimensions,
                   const std::vector<std::uint64_t>& lengths, const std::string& envelope)
{
  const std::string shape = dimensions == 2 ? "32 x 32" : "32 x 32 x 32";
  return {.name = "zhuang_liberatore." + name,
          .place = place,
          .statement = fmt::format("Latencies of all algorithms on a {} mesh are alpha T_s + beta L T_c", shape),
          .claimed = "curves over the message length, T_s = 150 us, T_c = 0.5 us; fastest, with the lengths of the "
                     "crossings in bytes: " +
                     envelope,
          .slow = true,
          .demonstration = {dimensions == 2 ? "configs/figure4.toml"
                                            : config_text(contenders(dimensions).front().broadcast),
                            dimensions == 2 ? "wormcast sweep CONFIG" : "wormcast compare CONFIG"},
          .measurement = {.parts = curve_parts(contenders(dimensions), lengths), .conclude = [=](auto parts) {
                            const std::vector<LatencyCurve> curves = curves_of(parts);
                            Evidence evidence = measured_as_predicted("latency on a " + shape + " mesh", curves);
                            if (envelope_text(curves) != envelope) {
                              evidence.verdict = Verdict::refuted;
                            }
                            return evidence;
                          }}};
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
  const std::vector<LatencyCurve> curves = lines_of(2);
  const std::optional<LengthRange> range = lowest_range(curves, "RB");
  Evidence evidence;
  if (!range || !range->to || range->from > 1024 || *range->to < 10'000) {
    evidence.verdict = Verdict::refuted;
  }
  evidence.measured = range && range->to ? fmt::format("RB is the fastest from {} to {} bytes",
                                                       length_text(range->from), length_text(*range->to))
                                         : "RB is nowhere the fastest";
  return evidence;
}

// The claim holds if RD is the fastest of all up to 1000 bytes.
Evidence best_below_1_kilobyte()
{
  const std::vector<LatencyCurve> curves = lines_of(2);
  const LatencyCurve& doubling = curve_called(curves, "RD");
  const std::optional<ExactNumber> against_rb = crossing_length(doubling.line, curve_called(curves, "RB").line);
  const std::optional<LengthRange> range = lowest_range(curves, "RD");
  if (!range || !range->to || !against_rb) {
    throw std::logic_error("RD is expected to be the fastest for the shortest messages");
  }
  Evidence evidence;
  evidence.measured = fmt::format("RD is faster than RB below {} bytes, and the fastest of all below {} bytes",
                                  length_text(*against_rb), length_text(*range->to));
  if (*range->to < 1000) {
    evidence.verdict = Verdict::refuted;
    evidence.counterexample = faster_from(contender_called(2, "RD"), contender_called(2, "NP-RD(1)"), *range->to);
    evidence.correction = fmt::format("even the family NP-RD with RD in it is the fastest only below {} bytes",
                                      length_text(lowest_range(curves, "RB")->from));
  }
  return evidence;
}

Evidence best_above_25_kilobytes()
{
  const std::vector<LatencyCurve> curves = lines_of(2);
  const std::optional<ExactNumber> against_rb =
      crossing_length(curve_called(curves, "SC").line, curve_called(curves, "RB").line);
  const std::optional<LengthRange> range = lowest_range(curves, "SC");
  if (!range || !against_rb) {
    throw std::logic_error("SC is expected to be the fastest for the longest messages");
  }
  Evidence evidence;
  evidence.measured = fmt::format("SC is faster than RB above {} bytes, and the fastest of all above {} bytes",
                                  length_text(*against_rb), length_text(range->from));
  if (range->from > 25 * 1024) {
    evidence.verdict = Verdict::refuted;
    evidence.counterexample =
        faster_from(contender_called(2, "SC"), contender_called(2, "NP-SC(4)"), ExactNumber(25 * 1024));
  }
  return evidence;
}

/// Length of RB's range as a factor.
ExactNumber width_of(std::span<const LatencyCurve> curves)
{
  const std::optional<LengthRange> range = lowest_range(curves, "RB");
  return range && range->to ? ExactNumber(*range->to / range->from) : ExactNumber(0);
}

Evidence more_advantage_in_three_dimensions()
{
  const std::vector<LatencyCurve> two = lines_of(2);
  const std::vector<LatencyCurve> three = lines_of(3);
  Evidence evidence;
  evidence.measured = fmt::format(
      "RB is the fastest over a factor of {} of lengths in 2-D and of {} in 3-D ({} to {} bytes)",
      format_rounded(width_of(two), 1), format_rounded(width_of(three), 1),
      format_rounded(lowest_range(three, "RB")->from, 1), format_rounded(lowest_range(three, "RB")->to.value_or(0), 1));
  if (width_of(three) <= width_of(two)) {
    evidence.verdict = Verdict::refuted;
  }
  return evidence;
}

} // namespace

std::vector<Claim> figure_claims()
{
  const auto text_claim = [](const std::string& name, const std::string& place, const std::string& statement,
                             const std::string& claimed, Verdict recorded, Evidence (*measure)()) {
    return Claim{.name = "zhuang_liberatore." + name,
                 .place = place,
                 .statement = statement,
                 .claimed = claimed,
                 .recorded = recorded,
                 .demonstration = {"configs/figure4.toml", "wormcast sweep CONFIG"},
                 .measurement = measured_at_once(measure)};
  };
  std::vector<Claim> claims;
  claims.push_back(figure_claim("figure_4", "section 4.3, fig. 4", 2, geometric_lengths(16, 262144, 2),
                                "RD < 200/3 < NP-RD(1) < 300 < NP-RD(2) < 9600/17 < RB < 16000 < NP-RD(4) < 19200 < "
                                "NP-SC(4) < 33600 < NP-RD(5) < 4761600/49 < SC"));
  claims.push_back(text_claim("rb_best_1_to_10_kilobytes", "section 4.3",
                              "For almost all lengths from 1KB to 10KB RB is the best of all algorithms",
                              "RB is the fastest from 1 KB to 10 KB", Verdict::confirmed, best_from_1_to_10_kilobytes));
  claims.push_back(text_claim("rd_best_below_1_kilobyte", "section 4.3", "RD is most effective below 1KB",
                              "RD is the fastest below 1 KB", Verdict::refuted, best_below_1_kilobyte));
  claims.push_back(text_claim("sc_best_above_25_kilobytes", "section 4.3", "SC is the best above 25KB",
                              "SC is the fastest above 25 KB", Verdict::refuted, best_above_25_kilobytes));
  claims.push_back(figure_claim("figure_8", "section 7.2, fig. 8", 3, geometric_lengths(64, 262144, 8),
                                "RD < 300/7 < NP-RD(1) < 2400/13 < NP-RD(2) < 19200/49 < RB < 480000/13 < NP-RD(5) < "
                                "304742400/4097 < SC"));
  claims.push_back(text_claim(
      "more_advantage_in_3d", "section 7.2", "There is a little more advantage for RB in a 3-D mesh than in a 2-D mesh",
      "RB is the fastest over more lengths", Verdict::confirmed, more_advantage_in_three_dimensions));
  return claims;
}

} // namespace wormcast::zhuang_liberatore
