#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bertsekas/phases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast::bertsekas {

namespace {

std::uint64_t transmissions(std::uint32_t d)
{
  return std::uint64_t{d} << (2 * d - 1);
}

Evidence recursive_construction()
{
  std::vector<Observation> observations;
  std::mt19937_64 random(1);
  for (std::uint32_t d = 1; d <= 8; ++d) {
    const auto cube = make_cube(d);
    const std::vector<Hop> hops = exchange_in_phases(d);
    observations.push_back(costs(fmt::format("three phases, d = {}", d), *cube,
                                 schedule_of_hops(hops, Operation::total_exchange, *cube), std::uint64_t{1} << (d - 1),
                                 transmissions(d)));
    const bool same = hops == total_exchange_hops(d);
    observations.push_back({.what = fmt::format("against the rules of implementation, d = {}", d),
                            .expected = "the same transmissions",
                            .found = same ? "the same transmissions" : "other transmissions",
                            .holds = same});
    for (int trial = 0; d >= 3 && d <= 6 && trial < 10; ++trial) {
      const std::vector<Hop> broken_ties = exchange_in_phases(d, {.random = &random});
      observations.push_back(costs(fmt::format("ties broken at random, d = {}, trial {}", d, trial + 1), *cube,
                                   schedule_of_hops(broken_ties, Operation::total_exchange, *cube),
                                   std::uint64_t{1} << (d - 1), transmissions(d)));
    }
  }
  return all_hold("d = 1..8, ten times with other ties for d = 3..6", observations);
}

Evidence phase_3_after_phase_2()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 8; ++d) {
    const auto cube = make_cube(d);
    const std::vector<Hop> hops = exchange_in_phases(d, {.overlap = false});
    observations.push_back(costs(fmt::format("d = {}", d), *cube,
                                 schedule_of_hops(hops, Operation::total_exchange, *cube), (1U << d) - 1,
                                 transmissions(d)));
  }
  return all_hold("d = 1..8", observations);
}

/// N_d(i, n) of the program's schedule for all nodes, and whether all nodes have the same.
struct OwnPackets {
  std::vector<std::uint32_t> sent;
  bool same_at_all_nodes = true;
};

OwnPackets own_packets(std::uint32_t d)
{
  const std::vector<Hop> hops = total_exchange_hops(d);
  OwnPackets own{own_packets_sent(hops, d, 0)};
  std::vector<std::vector<Hop>> by_node(std::size_t{1} << d);
  for (const Hop& hop : hops) {
    by_node[hop.from].push_back(hop);
  }
  for (std::uint32_t node = 1; node < by_node.size(); ++node) {
    own.same_at_all_nodes = own.same_at_all_nodes && own_packets_sent(by_node[node], d, node) == own.sent;
  }
  return own;
}

Evidence inductive_hypothesis()
{
  std::vector<Observation> observations;
  ExhibitFigure figure{.title = "Own packets that a node has sent, d = 8",
                       .x_label = "time n",
                       .y_label = "packets",
                       .series = {{.title = "N_8(i, n)", .points = {}},
                                  {.title = "2^7 + n - 1", .kind = ExhibitSeries::Kind::predicted, .points = {}}},
                       .marks = {}};
  for (std::uint32_t d = 1; d <= 8; ++d) {
    const OwnPackets own = own_packets(d);
    std::uint64_t above = 0;
    std::uint64_t other = 0;
    for (std::uint32_t n = 1; n <= own.sent.size(); ++n) {
      above += own.sent[n - 1] > as_upper_bound((1U << (d - 1)) + n - 1);
      std::uint32_t closed_form = 0;
      for (std::uint32_t k = 1; k <= d; ++k) {
        closed_form += std::min(n, 1U << (k - 1));
      }
      other += own.sent[n - 1] != closed_form;
      if (d == 8) {
        figure.series[0].points.push_back({fmt::to_string(n), fmt::to_string(own.sent[n - 1])});
        figure.series[1].points.push_back({fmt::to_string(n), fmt::to_string((1U << 7) + n - 1)});
      }
    }
    observations.push_back(none(fmt::format("n with N_d(i, n) > 2^(d-1) + n - 1, d = {}", d), above));
    observations.push_back(none(fmt::format("n with N_d(i, n) other than sum min(n, 2^(k-1)), d = {}", d), other));
    observations.push_back({.what = fmt::format("N_d of all nodes, d = {}", d),
                            .expected = "the same",
                            .found = own.same_at_all_nodes ? "the same" : "different",
                            .holds = own.same_at_all_nodes});
  }
  Evidence evidence = all_hold("d = 1..8, every node and time", observations);
  evidence.correction = "N_d(i, n) is the sum of min(n, 2^(k-1)) over k = 1..d";
  evidence.figures.push_back(std::move(figure));
  return evidence;
}

Evidence recurrence()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 7; ++d) {
    const std::vector<std::uint32_t> smaller = own_packets(d).sent;
    const std::vector<std::uint32_t> larger = own_packets(d + 1).sent;
    std::uint64_t wrong = 0;
    for (std::uint32_t n = 1; n <= larger.size(); ++n) {
      wrong += larger[n - 1] != as_claimed(n <= smaller.size() ? smaller[n - 1] + n : (1U << d) - 1 + n);
    }
    observations.push_back(none(fmt::format("n that contradict, d + 1 = {}", d + 1), wrong));
  }
  return all_hold("d + 1 = 2..8, every n", observations);
}

Observation ends_of_range(std::uint32_t d, std::uint32_t least, bool are_taken)
{
  const std::vector<std::uint32_t> sent = own_packets(d).sent; // never falls
  const std::uint32_t last = (1U << d) - 1;
  const bool holds =
      are_taken ? sent.front() == least && sent.back() == last : sent.front() >= least && sent.back() <= last;
  return {.what = fmt::format("N_d(i, 1) and N_d(i, 2^(d-1)), d = {}", d),
          .expected = fmt::format("{}{} and {}", are_taken ? "" : "within ", least, last),
          .found = fmt::format("{} and {}", sent.front(), sent.back()),
          .holds = holds};
}

Evidence range_of_own_packets()
{
  std::vector<Observation> taken;
  std::vector<Observation> within;
  std::vector<Observation> right;
  for (std::uint32_t d = 1; d <= 8; ++d) {
    taken.push_back(ends_of_range(d, as_stated(1U, d), true));
    within.push_back(ends_of_range(d, 1, false));
    right.push_back(ends_of_range(d, d, true));
  }
  return by_reading(
      {{"its smallest value is 1 and its largest 2^d - 1",
        corrected(all_hold("d = 1..8", taken),
                  "N_d(i, n) goes from d to 2^d - 1: all d links carry own packets at time 1, as they must in an "
                  "optimal algorithm",
                  all_hold("d = 1..8", right))},
       {"it lies between 1 and 2^d - 1, which is what the paper uses of it", all_hold("d = 1..8", within)}});
}

// Phase 3 starts one unit before the end of phase 2, which sends the packet for the counterpart last.
Evidence phase_3_one_unit_earlier()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= 8; ++d) {
    const auto cube = make_cube(d);
    const std::vector<Hop> hops = exchange_in_phases(d, {.overlap = false, .earlier = 1});
    observations.push_back(costs(fmt::format("d = {}", d), *cube,
                                 schedule_of_hops(hops, Operation::total_exchange, *cube), (1U << d) - d,
                                 transmissions(d)));
  }
  return all_hold("d = 2..8, in all stages of the recursion: 2^d - d steps", observations);
}

Evidence figure_5()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= 5; ++d) {
    const auto cube = make_cube(d);
    observations.push_back(costs(fmt::format("three phases, d = {}", d), *cube,
                                 schedule_of_hops(exchange_in_phases(d), Operation::total_exchange, *cube),
                                 1U << (d - 1), transmissions(d)));
  }
  return not_testable(lost_drawing, all_hold("the three phases that the caption describes, d = 2..5", observations));
}

// What phase 3 of the larger cube waits for: packets over link d, which phase 2 alone uses.
Evidence phase_2_is_in_time()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= 8; ++d) {
    const std::uint32_t half = 1U << (d - 1);
    std::uint64_t before = 0;
    std::uint64_t counterparts_last = 0;
    std::uint64_t foreign = 0;
    for (const Hop& hop : total_exchange_hops(d)) {
      if ((hop.from ^ hop.to) == half) {
        before += hop.step <= half / 2;
        counterparts_last += hop.step == half && (hop.packet & (2 * half - 1)) == hop.to;
        foreign += hop.packet >> d != hop.from;
      }
    }
    observations.push_back(
        equal(fmt::format("packets over link d in phase 1, d = {}", d), std::uint64_t{2} * half * (half / 2), before));
    observations.push_back(equal(fmt::format("nodes whose packet for the counterpart is the last, d = {}", d),
                                 std::uint64_t{2} * half, counterparts_last));
    observations.push_back(none(fmt::format("packets of other nodes over link d, d = {}", d), foreign));
  }
  return all_hold("d = 2..8, every node", observations);
}

} // namespace

std::vector<Check> exchange_checks()
{
  const Demonstration shown = checked(total_exchange_case(4));
  return {check_of("recursive_construction", shown, recursive_construction),
          check_of("figure_5", shown, figure_5),
          check_of("phase_3_after_phase_2", shown, phase_3_after_phase_2),
          check_of("phase_3_one_unit_earlier", shown, phase_3_one_unit_earlier),
          check_of("inductive_hypothesis", shown, inductive_hypothesis),
          check_of("recurrence_of_own_packets", shown, recurrence),
          check_of("range_of_own_packets", checked(total_exchange_case(2)), range_of_own_packets),
          check_of("phase_2_in_time", shown, phase_2_is_in_time)};
}

} // namespace wormcast::bertsekas
