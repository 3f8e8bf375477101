#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/holdings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace wormcast::zhuang_liberatore {

namespace {

/// A row of 2^k squares of side 2^m, along x or along y. The reductions are pairwise (the paper's) or go by a ring.
struct RowOfSquares {
  int m = 1;
  int k = 1;
  bool along_y = false;
  std::string kind = "mesh";
  std::string reduction = "pairwise";
};

BroadcastCase row_broadcast(const RowOfSquares& row)
{
  BroadcastCase broadcast{.kind = row.kind,
                          .dims = {std::int64_t{1} << (row.m + row.k), std::int64_t{1} << row.m},
                          .algorithm = "recursion_based",
                          .parameters = {{"reduction", row.reduction}}};
  if (row.along_y) {
    std::swap(broadcast.dims[0], broadcast.dims[1]);
  }
  return broadcast;
}

/// Rows with m in first .. last, k = 1..3, on mesh and torus, along x and along y.
std::vector<RowOfSquares> rows_of_squares(int first, int last, const std::string& reduction)
{
  std::vector<RowOfSquares> rows;
  for (int m = first; m <= last; ++m) {
    for (int k = 1; k <= 3; ++k) {
      for (const std::string kind : {"mesh", "torus"}) {
        for (const bool along_y : {false, true}) {
          rows.push_back({.m = m, .k = k, .along_y = along_y, .kind = kind, .reduction = reduction});
        }
      }
    }
  }
  return rows;
}

constexpr std::uint32_t sources_of_a_row = 32;

/// "1..3", "2".
std::string numbers_text(int first, int last)
{
  return first == last ? fmt::to_string(first) : fmt::format("{}..{}", first, last);
}

std::string rows_text(int first, int last)
{
  return fmt::format("m = {}, k = 1..3, mesh and torus, longer side along x and along y, {} each",
                     numbers_text(first, last), of_some_sources(sources_of_a_row));
}

// T(k) of section 6; `offset` is added to beta.
Evidence row_costs(int first, int last, const std::string& reduction, const Fraction& offset)
{
  std::vector<CostCase> cases;
  for (const RowOfSquares& row : rows_of_squares(first, last, reduction)) {
    const int n = row.m + row.k;
    const Fraction alpha = whole(3 * row.m + row.k + (1 << row.k) - 1);
    const Fraction pairwise = Fraction(5, 2) + whole(row.k - 2) * one_over_power(row.m + 1) - one_over_power(n);
    const Fraction beta = reduction == "ring" ? Fraction(5, 2) - 2 * one_over_power(n) : pairwise + offset;
    for (BroadcastCase& one : from_some_sources(row_broadcast(row), sources_of_a_row)) {
      cases.push_back({std::move(one), alpha, beta});
    }
  }
  return costs_equal(rows_text(first, last), cases);
}

/// T(k) with rows of squares and with rows of nodes, which have no rounds of 3/2 - 1/2^m, m = 0, but none at all.
Evidence rows_of_nodes()
{
  const Fraction of_nodes(-1, 2);
  return by_reading(
      {{"squares have several nodes, m >= 1", row_costs(1, 2, "pairwise", Fraction(0))},
       {"and of one node, m = 0, too",
        corrected(row_costs(0, 0, "pairwise", as_stated(Fraction(0), of_nodes)),
                  "for m = 0 alpha is as claimed and beta 1/2 smaller, as squares of one node need no rounds",
                  row_costs(0, 0, "pairwise", of_nodes))}});
}

Evidence row_contention()
{
  std::vector<BroadcastCase> cases;
  for (const RowOfSquares& row : rows_of_squares(1, 3, "pairwise")) {
    std::ranges::move(from_some_sources(row_broadcast(row), sources_of_a_row), std::back_inserter(cases));
  }
  return contention_free(rows_text(1, 3) + ", half a ring without the wrap-around link", cases);
}

/// A broadcast on a row phase by phase. Squares are counted from the source's on, in the frame of section 5.
class RowReplay {
public:
  RowReplay(const RowOfSquares& row, const BroadcastCase& broadcast)
      : row_(row), broadcast_(broadcast), topology_(topology_of(broadcast)),
        schedule_(schedule_of(broadcast, *topology_)), sizes_(step_sizes(schedule_)),
        holdings_(schedule_, topology_->node_count())
  {}

  struct Phase {
    bool ends = false;
    std::uint32_t steps = 0;
    Fraction bytes;
  };

  /// Until the diagonals of every `squares` squares from a multiple of that number on have the message in equal parts.
  Phase run_until_equal_parts(std::int64_t squares)
  {
    return run_until([&] {
      for (std::int64_t first = 0; first < std::int64_t{1} << row_.k; first += squares) {
        if (!have_equal_parts(holdings_, diagonals_of(first, squares))) {
          return false;
        }
      }
      return true;
    });
  }

  /// Until every node has the whole message.
  Phase run_to_the_end()
  {
    return run_until([&] {
      for (std::uint32_t node = 0; node < topology_->node_count(); ++node) {
        if (!have_everything(holdings_, std::vector{NodeId{node}})) {
          return false;
        }
      }
      return true;
    });
  }

  /// Whether all messages of a step go along the row.
  bool goes_along_the_row(std::uint32_t step) const
  {
    const std::size_t across = row_.along_y ? 0 : 1;
    return std::ranges::all_of(schedule_.messages, [&](const Message& message) {
      return message.step != step ||
             topology_->coordinates(message.source)[across] == topology_->coordinates(message.destination)[across];
    });
  }

  std::uint32_t steps_run() const { return holdings_.steps(); }

private:
  template <typename Reached> Phase run_until(Reached reached)
  {
    const std::uint32_t before = holdings_.steps();
    Phase phase;
    phase.ends = holdings_.run_until(reached).has_value();
    phase.steps = holdings_.steps() - before;
    for (std::uint32_t step = before; step < holdings_.steps(); ++step) {
      phase.bytes += sizes_[step];
    }
    return phase;
  }

  std::vector<NodeId> diagonals_of(std::int64_t first, std::int64_t squares) const
  {
    std::vector<NodeId> nodes;
    const std::int64_t side = std::int64_t{1} << row_.m;
    for (std::int64_t place = first * side; place < (first + squares) * side; ++place) {
      std::vector<std::int64_t> node = broadcast_.source;
      node[row_.along_y ? 1 : 0] ^= place;
      node[row_.along_y ? 0 : 1] ^= place % side;
      nodes.push_back(topology_->node_at(node));
    }
    return nodes;
  }

  RowOfSquares row_;
  BroadcastCase broadcast_;
  std::shared_ptr<const Topology> topology_;
  Schedule schedule_;
  std::vector<Fraction> sizes_;
  Holdings holdings_;
};

std::string phase_text(const RowReplay::Phase& phase)
{
  return phase.ends ? fmt::format("{} steps of {}", phase.steps, format_fraction(phase.bytes)) : "no end";
}

std::string expected_phase(std::int64_t steps, const Fraction& bytes)
{
  return fmt::format("{} steps of {}", steps, format_fraction(bytes));
}

/// T_scatter, T_reduce and T_0.
Observation parts_of_the_latency(const RowOfSquares& row, const BroadcastCase& broadcast)
{
  const int n = row.m + row.k;
  RowReplay replay(row, broadcast);
  const RowReplay::Phase scatter = replay.run_until_equal_parts(std::int64_t{1} << row.k);
  const RowReplay::Phase reduce = replay.run_until_equal_parts(1);
  const RowReplay::Phase rest = replay.run_to_the_end();
  Observation observation{
      .what = title(broadcast),
      .expected =
          fmt::format("{}; {}; {}", expected_phase(n, as_claimed(whole(1) - one_over_power(n))),
                      expected_phase((1 << row.k) - 1, as_claimed(whole(row.k) * one_over_power(row.m + 1))),
                      expected_phase(std::int64_t{2} * row.m, as_claimed(Fraction(3, 2) - one_over_power(row.m)))),
      .found = fmt::format("{}; {}; {}", phase_text(scatter), phase_text(reduce), phase_text(rest))};
  observation.holds = observation.found == observation.expected;
  return observation;
}

Evidence parts_of_latencies()
{
  std::vector<Observation> observations;
  for (const RowOfSquares& row : rows_of_squares(1, 3, "pairwise")) {
    for (const BroadcastCase& one : from_some_sources(row_broadcast(row), 8)) {
      observations.push_back(parts_of_the_latency(row, one));
    }
  }
  return all_hold("m = 1..3, k = 1..3, mesh and torus, longer side along x and along y, " + of_some_sources(8) +
                      " each",
                  observations, 12);
}

/// Fig. 5: a diagonal in each of two squares, one shift along the row.
Evidence shift_between_two_squares()
{
  std::vector<Observation> observations;
  for (const RowOfSquares& row : rows_of_squares(1, 3, "pairwise")) {
    if (row.k != 1) {
      continue;
    }
    for (const BroadcastCase& one : from_some_sources(row_broadcast(row), 8)) {
      RowReplay replay(row, one);
      const RowReplay::Phase spread = replay.run_until_equal_parts(2);
      const std::uint32_t shift_step = replay.steps_run();
      const RowReplay::Phase shift = replay.run_until_equal_parts(1);
      const auto steps = static_cast<std::uint32_t>(as_claimed(std::int64_t{1}));
      observations.push_back(
          {.what = title(one),
           .expected = fmt::format("{} step along the row", steps),
           .found =
               fmt::format("{} step{}", shift.steps, replay.goes_along_the_row(shift_step) ? " along the row" : ""),
           .holds = spread.ends && shift.ends && shift.steps == steps && replay.goes_along_the_row(shift_step)});
    }
  }
  return all_hold("from the diagonals of both squares together to each of them alone, "
                  "m = 1..3, mesh and torus, along x and along y, " +
                      of_some_sources(8) + " each",
                  observations, 12);
}

/// Fig. 6 and the reductions in general: the steps from the diagonals of all 2^k squares to those of two halves.
Observation steps_of_a_reduction(const RowOfSquares& row, const BroadcastCase& broadcast)
{
  RowReplay replay(row, broadcast);
  replay.run_until_equal_parts(std::int64_t{1} << row.k);
  const RowReplay::Phase reduction = replay.run_until_equal_parts(std::int64_t{1} << (row.k - 1));
  const std::int64_t sharings = as_claimed(std::int64_t{1} << (row.k - 1));
  return {.what = title(broadcast),
          .expected = fmt::format("{} sharings", sharings),
          .found = fmt::format("{} sharings", reduction.steps),
          .holds = reduction.ends && reduction.steps == sharings};
}

Evidence sharings_for_four_squares()
{
  std::vector<Observation> observations;
  for (const RowOfSquares& row : rows_of_squares(1, 3, "pairwise")) {
    if (row.k == 2) {
      for (const BroadcastCase& one : from_some_sources(row_broadcast(row), 8)) {
        observations.push_back(steps_of_a_reduction(row, one));
      }
    }
  }
  return all_hold("from the diagonals of four squares together to those of each half, "
                  "m = 1..3, mesh and torus, along x and along y, " +
                      of_some_sources(8) + " each",
                  observations, 12);
}

/// How often the most used channel is used in steps first .. last - 1.
std::uint32_t most_uses_of_a_channel(const Topology& topology, const Schedule& schedule, std::uint32_t first,
                                     std::uint32_t last)
{
  std::map<ChannelId, std::uint32_t> uses;
  std::vector<ChannelId> route;
  for (const Message& message : schedule.messages) {
    if (message.step >= first && message.step < last) {
      route.clear();
      topology.append_route(message.source, message.destination, route);
      for (const ChannelId channel : route) {
        ++uses[channel];
      }
    }
  }
  return uses.empty() ? 0 : std::ranges::max_element(uses, {}, [](const auto& use) { return use.second; })->second;
}

/// No fewer steps can do the sharings of a reduction without contention than messages of it cross one channel.
Evidence sharings_needed()
{
  std::vector<Observation> observations;
  for (const RowOfSquares& row : rows_of_squares(1, 3, "pairwise")) {
    if (row.kind != "mesh") {
      continue;
    }
    for (const BroadcastCase& one : from_some_sources(row_broadcast(row), 16)) {
      observations.push_back(steps_of_a_reduction(row, one));
      const auto topology = topology_of(one);
      const Schedule schedule = schedule_of(one, *topology);
      auto step = static_cast<std::uint32_t>(row.m + row.k);
      for (int reduction = row.k; reduction >= 1; --reduction) {
        const std::uint32_t sharings = std::uint32_t{1} << (reduction - 1);
        const std::int64_t claimed = as_claimed(std::int64_t{sharings});
        const std::uint32_t most = most_uses_of_a_channel(*topology, schedule, step, step + sharings);
        step += sharings;
        observations.push_back(same_texts(fmt::format("{}, reduction of 2^{} squares", title(one), reduction),
                                          fmt::format("{} messages on the most used channel", claimed),
                                          fmt::format("{} messages on the most used channel", most)));
      }
    }
  }
  return all_hold("sharings of the reductions, and messages of them on one channel, "
                  "m = 1..3, k = 1..3, along x and along y, " +
                      of_some_sources(16) + " each",
                  observations, 12);
}

Check row_check(const std::string& name, const RowOfSquares& shown, std::function<Evidence()> measure)
{
  return check_of(name, {config_text(row_broadcast(shown)), "wormcast check CONFIG --contention-free"},
                  std::move(measure));
}

std::vector<Check> row_cost_checks()
{
  return {row_check("rb_non_square_costs", {.m = 2, .k = 2}, [] { return row_costs(1, 3, "pairwise", Fraction(0)); }),
          row_check("rb_row_costs", {.m = 0, .k = 1}, rows_of_nodes),
          row_check("parts_of_non_square_costs", {.m = 2, .k = 2}, parts_of_latencies)};
}

} // namespace

std::vector<Check> non_square_checks()
{
  std::vector<Check> checks;
  checks.push_back(row_check("shift_between_two_squares", {.m = 2, .k = 1}, shift_between_two_squares));
  checks.push_back(row_check("two_sharings_for_four_squares", {.m = 2, .k = 2}, sharings_for_four_squares));
  checks.push_back(row_check("sharings_of_a_reduction", {.m = 2, .k = 3}, [] {
    Evidence evidence = sharings_needed();
    if (evidence.verdict != Verdict::confirmed) {
      return evidence;
    }
    return corrected(std::move(evidence),
                     "pairwise reductions are not best: a ring all-gather between the squares takes the "
                     "same alpha and beta = 2.5 - 1/2^(n-1), less for k >= 2",
                     row_costs(1, 3, "ring", Fraction(0)));
  }));
  std::ranges::move(row_cost_checks(), std::back_inserter(checks));
  checks.push_back(row_check("rb_non_square_contention", {.m = 2, .k = 2}, row_contention));
  return checks;
}

} // namespace wormcast::zhuang_liberatore
