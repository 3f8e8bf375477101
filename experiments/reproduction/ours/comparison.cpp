#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/ours/cases.hpp"
#include "wormcast/experiments/reproduction/ours/checks.hpp"
#include "wormcast/experiments/reproduction/ours/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace wormcast::ours {

namespace {

BroadcastCase recursion_based(const std::string& kind, std::vector<std::int64_t> dims)
{
  return {.kind = kind, .dims = std::move(dims), .algorithm = "recursion_based"};
}

Place mesh_of_the_paper()
{
  return {.title = "32 x 32 mesh, corner", .at = recursion_based("mesh", square(5))};
}

/// A piece of an envelope as it is claimed: from how many bytes on, and what.
struct ClaimedPiece {
  Fraction from;
  std::string name;
};

const std::vector<ClaimedPiece> published_pieces = {{Fraction(16), "RD"},          {Fraction(200, 3), "NP-RD(1)"},
                                                    {Fraction(300), "NP-RD(2)"},   {Fraction(9600, 17), "RB"},
                                                    {Fraction(16000), "NP-RD(4)"}, {Fraction(19200), "NP-SC(4)"},
                                                    {Fraction(33600), "NP-RD(5)"}, {Fraction(4761600, 49), "SC"}};

/// Up to (5, 4); behind it the combs begin.
const std::vector<ClaimedPiece> recursion_pieces = {{Fraction(16), "RD"},         {Fraction(200, 3), "NP-RD(1)"},
                                                    {Fraction(150), "(2, 0)"},    {Fraction(2400, 7), "L(3, 0)"},
                                                    {Fraction(960), "L(4, 0)"},   {Fraction(3200), "L(5, 0)"},
                                                    {Fraction(19200), "L(5, 3)"}, {Fraction(33600), "(5, 4)"}};

/// `what` names the envelope's pieces, "piece".
std::vector<Observation> observed_pieces(const std::string& what, const Choice& choice,
                                         const std::vector<ClaimedPiece>& claimed)
{
  std::vector<Observation> observations;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    const ClaimedPiece& piece = claimed[i];
    const std::string expected =
        fmt::format("{} from {} bytes", piece.name, format_fraction(i == 0 ? piece.from : as_claimed(piece.from)));
    const std::string found = i < choice.pieces.size() ? fmt::format("{} from {} bytes", short_name(choice.pieces[i]),
                                                                     format_exact(choice.pieces[i].from))
                                                       : "nothing";
    observations.push_back(same_texts(fmt::format("{} {}", what, i + 1), expected, found));
  }
  return observations;
}

Evidence pieces_are(const Choice& choice, const std::vector<ClaimedPiece>& claimed, const std::string& summary)
{
  Evidence evidence = all_hold(summary, observed_pieces("piece", choice, claimed));
  evidence.measured += "; " + envelope_text(choice);
  return evidence;
}

/// Latency over the lower bound, for lines and for pipelines with the best number of segments.
class RatioFigure {
public:
  explicit RatioFigure(const Place& place)
      : place_(place), topology_(topology_of(place.at)), lengths_(geometric_lengths(16, 1U << 20, 2))
  {
    figure_ = {.title = fmt::format("latency over the lower bound, {}", place.title),
               .x_label = "message length (bytes)",
               .y_label = "latency / lower bound",
               .log_x = true,
               .log_y = true,
               .series = {},
               .marks = {}};
  }

  /// Throws std::logic_error where the schedule is not valid and free of contention.
  void add_line(const std::string& title, const std::string& algorithm,
                std::map<std::string, RawValue, std::less<>> parameters = {})
  {
    BroadcastCase one = place_.at;
    one.algorithm = algorithm;
    one.parameters = std::move(parameters);
    const CheckReport report = check(one);
    if (!report.valid() || !report.contention_free) {
      throw std::logic_error(fmt::format("{} is not free of contention", wormcast::title(one)));
    }
    add(title, [&](std::uint64_t length) {
      return static_cast<double>(report.costs.alpha) * startup() +
             boost::rational_cast<double>(report.costs.beta) * static_cast<double>(length) * per_byte();
    });
  }

  /// A pipeline that takes k + depth steps for k segments.
  void add_pipeline(const std::string& title, std::int64_t depth)
  {
    add(title, [&](std::uint64_t length) {
      const auto bytes = static_cast<double>(length) * per_byte();
      std::int64_t k = 1;
      while (static_cast<double>(k * (k + 1)) * startup() < static_cast<double>(depth) * bytes) {
        ++k;
      }
      return static_cast<double>(k + depth) * (startup() + bytes / static_cast<double>(k));
    });
  }

  ExhibitFigure figure() const { return figure_; }

private:
  double startup() const { return static_cast<double>(place_.startup.picoseconds); }
  double per_byte() const { return static_cast<double>(place_.per_byte.picoseconds); }

  template <typename Latency> void add(const std::string& title, Latency latency)
  {
    ExhibitSeries series{.title = title, .kind = ExhibitSeries::Kind::predicted, .points = {}};
    for (const std::uint64_t length : lengths_) {
      const BroadcastTimeBound bound =
          broadcast_time_bound(*topology_, NodeId{0}, place_.at.ports, length, place_.startup, place_.per_byte);
      series.points.push_back({.x = fmt::to_string(length),
                               .y = decimal(latency(length) / static_cast<double>(bound.latency.picoseconds))});
    }
    figure_.series.push_back(std::move(series));
  }

  Place place_;
  std::shared_ptr<const Topology> topology_;
  std::vector<std::uint64_t> lengths_;
  ExhibitFigure figure_;
};

Evidence published_envelope()
{
  return pieces_are(choice_at(mesh_of_the_paper(), published_names()), published_pieces,
                    "RD, SC, NP-RD(d), NP-SC(d) and RB, every d, by formulas of schedules that are verified");
}

Evidence envelope_with_recursion()
{
  std::vector<std::string> names = published_names();
  names.emplace_back("truncated_recursion");
  Evidence evidence = pieces_are(choice_at(mesh_of_the_paper(), names), recursion_pieces,
                                 "the same and truncated recursion of every depth and block with both kinds of rounds");
  RatioFigure figure(mesh_of_the_paper());
  const auto member = [](std::int64_t depth, std::int64_t block, const std::string& rounds) {
    return std::map<std::string, RawValue, std::less<>>{{"depth", depth}, {"block", block}, {"rounds", rounds}};
  };
  figure.add_line("RD", "recursive_doubling");
  figure.add_line("RB", "recursion_based");
  figure.add_line("SC", "scatter_collect");
  figure.add_line("L(5, 0)", "truncated_recursion", member(5, 0, "lattice"));
  figure.add_line("(5, 4)", "truncated_recursion", member(5, 4, "pairwise"));
  figure.add_pipeline("two combs", 93);
  figure.add_pipeline("two trees, from the middle", 17);
  evidence.figures.push_back(figure.figure());
  return evidence;
}

Evidence envelope_of_all()
{
  Place middle = mesh_of_the_paper();
  middle.title = "32 x 32 mesh, node (15, 15)";
  middle.at.source = {15, 15};
  std::vector<Observation> observations;
  ExhibitTable table{
      .title = "the fastest of all algorithms", .header = {"network", "from (bytes)", "algorithm"}, .rows = {}};
  for (const Place& place : {mesh_of_the_paper(), middle}) {
    const Choice choice = choice_at(place, {});
    observations.push_back({.what = place.title,
                            .expected = fmt::format("RB in {} ranges", as_claimed(0)),
                            .found = fmt::format("RB in {} ranges", ranges_of(choice, "recursion_based")),
                            .holds = ranges_of(choice, "recursion_based") == static_cast<std::size_t>(as_claimed(0))});
    for (const ChosenAlgorithm& piece : choice.pieces) {
      table.rows.push_back(
          {place.title, format_rounded(piece.from, 1),
           short_name(piece) + (piece.segments.empty()
                                    ? ""
                                    : fmt::format(", {} to {} segments", piece.fewest_segments, piece.most_segments))});
    }
  }
  Evidence evidence =
      all_hold("all algorithms of the program, those whose schedules contend by simulation", observations);
  evidence.tables.insert(evidence.tables.begin(), std::move(table));
  return evidence;
}

const std::vector<ClaimedPiece> reduce_pieces = {
    {Fraction(16), "RD"},          {Fraction(600, 11), "(1, 0)"},  {Fraction(120), "(2, 0)"},
    {Fraction(800, 3), "L(3, 0)"}, {Fraction(4800, 7), "L(4, 0)"}, {Fraction(1920), "L(5, 0)"},
    {Fraction(6400), "L(6, 0)"},   {Fraction(19200), "L(6, 3)"},   {Fraction(3936000, 191), "two_trees"}};

const std::vector<ClaimedPiece> all_reduce_pieces = {{Fraction(16), "L(6, 0)"},
                                                     {Fraction(19200), "L(6, 3)"},
                                                     {Fraction(33600), "L(6, 4)"},
                                                     {Fraction(96000), "(6, 5)"},
                                                     {Fraction(36044800, 107), "SC"}};

/// The fastest of the algorithms that are free of contention as reduce and all_reduce.
Choice reduction_choice(int n, const std::string& operation)
{
  const Place place{
      .title = {},
      .at = {.kind = "mesh", .dims = square(n), .algorithm = "two_trees", .parameters = {{"operation", operation}}}};
  return choice_at(place, {"recursive_doubling", "scatter_collect", "recursion_based", "truncated_recursion",
                           "two_combs", "two_trees"});
}

Evidence envelopes_of_reductions()
{
  constexpr int claimed_size = 6;
  std::vector<Observation> observations;
  ExhibitTable table{.title = "the fastest reductions without contention, root (0, 0)",
                     .header = {"mesh", "operation", "the fastest, from how many bytes on"},
                     .rows = {}};
  for (const std::string operation : {"reduce", "all_reduce"}) {
    for (const int n : {4, 5, claimed_size}) {
      const Choice choice = reduction_choice(n, operation);
      table.rows.push_back({fmt::format("{0} x {0}", 1 << n), operation, envelope_text(choice)});
      if (n == claimed_size) {
        std::ranges::move(
            observed_pieces(operation + ", piece", choice, operation == "reduce" ? reduce_pieces : all_reduce_pieces),
            std::back_inserter(observations));
      }
    }
  }
  Evidence evidence = all_hold("by formulas of schedules that are verified", observations);
  evidence.tables.insert(evidence.tables.begin(), std::move(table));
  return evidence;
}

/// One rival of RB, with its parameters.
struct Rival {
  std::string title;
  BroadcastCase broadcast;
};

std::vector<Rival> rivals_of(int n)
{
  std::vector<Rival> all = {{"RD", {.dims = square(n), .algorithm = "recursive_doubling"}},
                            {"SC", {.dims = square(n), .algorithm = "scatter_collect"}}};
  for (std::int64_t d = 1; d <= n; ++d) {
    for (const auto& [title, inner] :
         {std::pair("NP-RD", "recursive_doubling"), std::pair("NP-SC", "scatter_collect")}) {
      all.push_back({fmt::format("{}({})", title, d),
                     {.dims = square(n),
                      .algorithm = "network_partitioning",
                      .parameters = {{"d", d}, {"inner", std::string(inner)}}}});
    }
  }
  for (std::int64_t depth = 1; depth <= n; ++depth) {
    for (const auto& [title, rounds] : {std::pair("", "pairwise"), std::pair("L", "lattice")}) {
      if ((title[0] == 'L') == (depth >= 3)) {
        all.push_back({fmt::format("{}({}, 0)", title, depth),
                       {.dims = square(n),
                        .algorithm = "truncated_recursion",
                        .parameters = {{"depth", depth}, {"rounds", std::string(rounds)}}}});
      }
    }
  }
  all.push_back({fmt::format("({}, {})", n, n - 1),
                 {.dims = square(n),
                  .algorithm = "truncated_recursion",
                  .parameters = {{"depth", std::int64_t{n}}, {"block", std::int64_t{n} - 1}}}});
  return all;
}

/// Where RB is faster than one rival, by the lines of verified schedules.
std::string window_against(const CostLine& own, const CostLine& rival)
{
  const std::optional<ExactNumber> crossing = crossing_length(own, rival);
  const bool wins_short = own.fixed < rival.fixed;
  const bool wins_long = own.per_byte < rival.per_byte;
  if (!crossing) {
    return wins_short || wins_long                                      ? "all lengths"
           : own.fixed == rival.fixed && own.per_byte == rival.per_byte ? "the same"
                                                                        : "nowhere";
  }
  return fmt::format("{} {} = {} bytes", wins_short ? "below" : "above", format_exact(*crossing),
                     format_rounded(*crossing, 1));
}

std::uint64_t whole_bytes(const ExactNumber& length)
{
  return static_cast<std::uint64_t>(numerator(length) / denominator(length));
}

Evidence windows_by_rival()
{
  constexpr int n = 5;
  const LatencyCurve own = latency_curve("RB", recursion_based("mesh", square(n)), {});
  std::vector<Observation> observations;
  ExhibitTable table{.title = "RB against each rival alone, 32 x 32 mesh",
                     .header = {"rival", "alpha, beta", "RB is faster"},
                     .rows = {}};
  for (const Rival& rival : rivals_of(n)) {
    const CheckReport report = check(rival.broadcast);
    if (!report.valid() || !report.contention_free) {
      observations.push_back({.what = title(rival.broadcast),
                              .expected = "valid and free of contention",
                              .found = report.violations.front().text,
                              .holds = false});
      continue;
    }
    const LatencyCurve theirs = latency_curve(rival.title, rival.broadcast, {});
    table.rows.push_back({rival.title, fmt::format("{}, {}", report.costs.alpha, format_fraction(report.costs.beta)),
                          window_against(own.line, theirs.line)});
    const std::optional<ExactNumber> crossing = crossing_length(own.line, theirs.line);
    if (!crossing) {
      continue;
    }
    // Blocks of whole bytes shift the crossing a little: the order is looked at some way before and behind it.
    const std::vector<std::uint64_t> around = {whole_bytes(*crossing * 3 / 4), whole_bytes(*crossing * 5 / 4)};
    const LatencyCurve measured = latency_curve("RB", recursion_based("mesh", square(n)), around);
    const LatencyCurve measured_rival = latency_curve(rival.title, rival.broadcast, around);
    const auto leads = [&](std::size_t i) {
      return measured.measured[i].picoseconds < measured_rival.measured[i].picoseconds ? std::string("RB")
                                                                                       : rival.title;
    };
    const std::string first = own.line.fixed < theirs.line.fixed ? "RB" : rival.title;
    const std::string second = first == "RB" ? rival.title : "RB";
    observations.push_back({.what = fmt::format("{} and {} bytes", around[0], around[1]),
                            .expected = fmt::format("{}, then {}", first, second),
                            .found = fmt::format("{}, then {} (simulated)", leads(0), leads(1)),
                            .holds = leads(0) == first && leads(1) == second});
  }
  Evidence evidence = all_hold("simulated three and five quarters of the way to each crossing", observations, 20);
  evidence.tables.insert(evidence.tables.begin(), std::move(table));
  return evidence;
}

/// How many of the places have RB among the fastest of the published and of all algorithms.
struct ClaimedCounts {
  std::int64_t published = 0;
  std::int64_t all = 0;
};

nlohmann::ordered_json part_of(const Place& place)
{
  const Choice published = choice_at(place, published_names());
  const Choice all = choice_at(place, {});
  return {{"title", place.title},
          {"published", range_of(published, "recursion_based")},
          {"all", range_of(all, "recursion_based")},
          {"envelope", envelope_text(all, place.at.ports)}};
}

Evidence counts_are(std::span<const nlohmann::ordered_json> parts, const ClaimedCounts& claimed,
                    const std::string& what)
{
  ClaimedCounts found;
  ExhibitTable table{.title = what,
                     .header = {"network", "RB is the fastest of the published (bytes)", "of all (bytes)",
                                "the fastest of all, from how many bytes on"},
                     .rows = {}};
  for (const nlohmann::ordered_json& part : parts) {
    table.rows.push_back({part["title"], part["published"], part["all"], part["envelope"]});
    found.published += part["published"] == "nowhere" ? 0 : 1;
    found.all += part["all"] == "nowhere" ? 0 : 1;
  }
  const auto text = [](std::int64_t published, std::int64_t all) {
    return fmt::format("RB somewhere the fastest of the published in {}, of all in {}", published, all);
  };
  const std::string expected = text(as_claimed(claimed.published), as_claimed(claimed.all));
  Evidence evidence = all_hold(fmt::format("{}: {}", what, text(found.published, found.all)),
                               {{.what = what,
                                 .expected = expected,
                                 .found = text(found.published, found.all),
                                 .holds = expected == text(found.published, found.all)}});
  evidence.tables = {std::move(table)};
  return evidence;
}

Check windows_check(const std::string& name, const std::string& place, const std::vector<Place>& places,
                    const ClaimedCounts& claimed)
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const Place& one : places) {
    parts.emplace_back([one] { return part_of(one); });
  }
  return {.name = name,
          .demonstration = {config_text(places.front().at), "wormcast choose CONFIG"},
          .measurement = {.parts = parts, .conclude = [=](auto found) { return counts_are(found, claimed, place); }}};
}

std::vector<Place> sizes()
{
  std::vector<Place> all;
  for (int n = 2; n <= 7; ++n) {
    all.push_back({.title = fmt::format("{0} x {0} mesh", 1 << n), .at = recursion_based("mesh", square(n))});
  }
  all.push_back({.title = "64 x 16 mesh", .at = recursion_based("mesh", {64, 16})});
  all.push_back({.title = "8 x 8 x 8 mesh", .at = recursion_based("mesh", square(3, 3))});
  all.push_back({.title = "32 x 32 torus", .at = recursion_based("torus", square(5))});
  return all;
}

std::vector<Place> ratios()
{
  std::vector<Place> all;
  for (const std::int64_t nanoseconds : {1'000, 10'000, 150'000, 1'000'000}) {
    Place place = mesh_of_the_paper();
    place.startup = Time{nanoseconds * 1'000};
    place.title = fmt::format("32 x 32 mesh, T_s/T_c = {} bytes", nanoseconds / 500);
    all.push_back(std::move(place));
  }
  return all;
}

std::vector<Place> hops()
{
  std::vector<Place> all;
  for (const std::int64_t nanoseconds : {0, 100, 1'000, 10'000}) {
    Place place = mesh_of_the_paper();
    place.per_hop = Time{nanoseconds * 1'000};
    place.title = fmt::format("32 x 32 mesh, T_f = {} us", decimal(static_cast<double>(nanoseconds) / 1000));
    all.push_back(std::move(place));
  }
  return all;
}

std::vector<Place> all_ports()
{
  std::vector<Place> all;
  for (const std::string kind : {"mesh", "torus"}) {
    for (const int n : {3, 4, 5}) {
      Place place{.title = fmt::format("{0} x {0} {1}, all ports", 1 << n, kind),
                  .at = recursion_based(kind, square(n))};
      place.at.ports = PortModel{PortModel::all};
      all.push_back(std::move(place));
    }
  }
  return all;
}

} // namespace

std::vector<Check> comparison_checks()
{
  const auto check = [](const std::string& name, std::function<Evidence()> measure) {
    return check_of(name, {config_text(recursion_based("mesh", square(5))), "wormcast choose CONFIG"},
                    std::move(measure));
  };
  return {check("envelope_published", published_envelope),
          check("envelope_with_recursion", envelope_with_recursion),
          check("envelope_of_all", envelope_of_all),
          check("windows_by_rival", windows_by_rival),
          windows_check("windows_by_size", "sizes and shapes", sizes(), {9, 1}),
          windows_check("windows_by_startup", "T_s/T_c", ratios(), {4, 0}),
          windows_check("windows_by_hop_time", "T_f", hops(), {4, 0}),
          windows_check("windows_all_ports", "all ports", all_ports(), {6, 6}),
          check_of("envelopes_of_reductions",
                   {config_text({.kind = "mesh",
                                 .dims = square(6),
                                 .algorithm = "two_trees",
                                 .parameters = {{"operation", std::string("reduce")}}}),
                    "wormcast choose CONFIG"},
                   envelopes_of_reductions)};
}

} // namespace wormcast::ours
