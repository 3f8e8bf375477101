#include "wormcast/algorithms/petersen/torus_plane.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"
#include "wormcast/experiments/reproduction/kim/plane_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace wormcast::kim {

namespace {

struct Plane {
  std::int64_t m = 2;
  std::int64_t n = 2;
};

std::string plane_text(const Plane& plane)
{
  return fmt::format("plane {} x {}", plane.m, plane.n);
}

// By number of modules.
std::vector<Plane> planes(std::int64_t most)
{
  std::vector<Plane> all;
  for (std::int64_t m = 2; m <= most; ++m) {
    for (std::int64_t n = 2; n <= m; ++n) {
      all.push_back({m, n});
    }
  }
  std::ranges::stable_sort(all, {}, [](const Plane& plane) { return plane.m * plane.n; });
  return all;
}

// Nodes of the plane that the sends reach, those of the first module included. Who sends must have the message.
std::int64_t reached_nodes(const Plane& plane, const SendSteps& steps)
{
  std::vector<bool> known(static_cast<std::size_t>(10 * plane.m * plane.n), false);
  std::fill_n(known.begin(), 10, true);
  for (const std::vector<NodeSend>& step : steps) {
    const std::vector<bool> before = known;
    for (const NodeSend send : step) {
      known[index(send.to)] = known[index(send.to)] || before[index(send.from)];
    }
  }
  return std::ranges::count(known, true);
}

// Whether a reading reaches all nodes in as many steps as the program's.
Observation same_time(const Plane& plane, PortModel ports, const PlaneReading& reading, const std::string& what)
{
  const std::size_t expected = petersen_torus_plane_steps(plane.m, plane.n, ports == mla).size();
  const std::int64_t nodes = 10 * plane.m * plane.n;
  const SendSteps steps = as_made(plane_steps(plane.m, plane.n, ports == mla, reading), nodes);
  const std::int64_t reached = reached_nodes(plane, steps);
  return {.what = fmt::format("{}, {}{}", plane_text(plane), model_name(ports), what),
          .expected = fmt::format("{} nodes in {} steps", nodes, expected),
          .found = fmt::format("{} nodes in {} steps", reached, steps.size()),
          .holds = expected == steps.size() && reached == nodes};
}

Evidence step_5_starts_at_once()
{
  std::vector<Observation> observations;
  for (const Plane& plane : planes(16)) {
    for (const PortModel ports : {sla, mla}) {
      PlaneReading eager;
      eager.wait_for_adjacent = false;
      observations.push_back(same_time(plane, ports, eager, ", without waiting"));
    }
  }
  return all_hold("2 <= n <= m <= 16, steps 2 to 5 of algorithm 1", observations);
}

std::vector<std::array<int, 4>> diagonal_orders()
{
  std::array<int, 4> order = {2, 3, 7, 8};
  std::vector<std::array<int, 4>> all;
  do {
    all.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return all;
}

// Steps over all orders of the diagonal entries; a plane that is not reached in full throws.
Evidence all_orders()
{
  std::vector<Observation> observations;
  std::size_t differing = 0;
  const auto apart = static_cast<std::size_t>(as_upper_bound(2));
  for (const Plane& plane : planes(12)) {
    for (const PortModel ports : {sla, mla}) {
      std::size_t least = petersen_torus_plane_steps(plane.m, plane.n, ports == mla).size();
      std::size_t most = least;
      for (const std::array<int, 4>& order : diagonal_orders()) {
        const std::size_t steps = plane_steps(plane.m, plane.n, ports == mla, {.diagonal_order = order}).size();
        least = std::min(least, steps);
        most = std::max(most, steps);
      }
      differing += least != most ? 1 : 0;
      observations.push_back(
          {.what = fmt::format("{}, {}, all 24 orders", plane_text(plane), model_name(ports)),
           .expected = fmt::format("complete, at most {} steps apart", apart),
           .found = least == most ? fmt::format("{} steps", least) : fmt::format("{} to {} steps", least, most),
           .holds = most - least <= apart});
    }
  }
  return all_hold(
      fmt::format("2 <= n <= m <= 12, SLA and MLA, 24 orders: {} of {} planes differ", differing, observations.size()),
      observations);
}

// The first node that receives on more links in a step than it may under SLA, one.
std::optional<std::string> received_twice(const Plane& plane, const SendSteps& steps)
{
  const PetersenTorusSize size{1, plane.m, plane.n};
  const auto name = [&](NodeId id) {
    const PetersenTorusNode node = petersen_torus_node(size, id);
    return fmt::format("({}, {}, {})", node.x, node.y, node.p);
  };
  for (std::size_t step = 0; step < steps.size(); ++step) {
    std::map<std::uint32_t, std::vector<std::string>> senders;
    for (const NodeSend send : steps[step]) {
      std::vector<std::string>& of_node = senders[index(send.to)];
      of_node.push_back(name(send.from));
      if (of_node.size() > 1) {
        return fmt::format("step {} of the plane: (x, y, p) = {} receives from {}", step + 1, name(send.to),
                           fmt::join(of_node, " and "));
      }
    }
  }
  return std::nullopt;
}

Evidence w0_rule(bool always)
{
  std::vector<Observation> observations;
  for (const Plane& plane : planes(12)) {
    const auto twice = received_twice(plane, plane_steps(plane.m, plane.n, false, {.w0_always = always}));
    observations.push_back({.what = plane_text(plane),
                            .expected = "no node receives twice in a step",
                            .found = twice.value_or("none does"),
                            .holds = !twice});
  }
  return all_hold("2 <= n <= m <= 12, SLA", observations);
}

// The library and the replay are written independently of each other.
Evidence never_stuck()
{
  std::vector<Observation> observations;
  for (const Plane& plane : planes(24)) {
    for (const PortModel ports : {sla, mla}) {
      const std::int64_t nodes = 10 * plane.m * plane.n;
      const SendSteps ours = as_made(petersen_torus_plane_steps(plane.m, plane.n, ports == mla), nodes);
      const std::int64_t reached = reached_nodes(plane, ours);
      SendSteps again = plane_steps(plane.m, plane.n, ports == mla);
      bool same = ours.size() == again.size();
      for (std::size_t step = 0; same && step < ours.size(); ++step) {
        same = std::ranges::is_permutation(ours[step], again[step]);
      }
      observations.push_back({.what = fmt::format("{}, {}", plane_text(plane), model_name(ports)),
                              .expected = fmt::format("{} nodes are reached", nodes),
                              .found = fmt::format("{} in {} steps, a second implementation makes {} sends", reached,
                                                   ours.size(), same ? "the same" : "other"),
                              .holds = same && reached == nodes});
    }
  }
  return all_hold("2 <= n <= m <= 24, two implementations with the same sends", observations);
}

// Modules besides those over dimensional edges that a module has edges to.
Observation eight_adjacent(const PetersenTorusSize& size)
{
  std::set<std::uint32_t> adjacent;
  for (const int p : {1, 2, 3, 4, 6, 7, 8, 9}) {
    adjacent.insert(index(petersen_torus_id(size, external_partner({0, 0, 0, p}))) / 10);
  }
  const auto expected = static_cast<std::size_t>(8);
  return same_texts(text(size), fmt::to_string(expected), fmt::to_string(adjacent.size()));
}

// Algorithm 1 where there are fewer than eight.
Observation complete_with_fewer(const PetersenTorusSize& size, PortModel ports)
{
  const auto torus = make_torus(size);
  const CheckReport report =
      check_schedule(*torus, schedule_of(algorithm_1(size, 2, ports), *torus), {.max_violations = 1});
  return {.what = fmt::format("algorithm 1 in {}, {}", text(size), model_name(ports)),
          .expected = "valid",
          .found = report.valid() ? "valid" : "not valid",
          .holds = report.valid()};
}

Evidence eight_adjacent_modules()
{
  std::vector<Observation> printed;
  std::vector<Observation> right;
  for (const PetersenTorusSize& size : all_sizes(8)) {
    if (size.l != 2) {
      continue;
    }
    const bool is_large = std::min(size.m, size.n) > 2;
    if (is_large || as_stated(true, false)) {
      printed.push_back(eight_adjacent(size));
    }
    if (is_large) {
      right.push_back(printed.back());
    } else {
      right.push_back(complete_with_fewer(size, sla));
      right.push_back(complete_with_fewer(size, mla));
    }
  }
  return misprinted(all_hold("m, n = 2..8", printed),
                    "8 where m and n are at least 3; where one of them is 2, algorithm 1 reaches all nodes as well",
                    all_hold("m, n = 2..8", right));
}

using Image = PetersenTorusNode (*)(const PetersenTorusNode&);

PetersenTorusNode image_under_both(const PetersenTorusNode& node)
{
  return image_under_sigma(image_under_tau(node));
}

// What carries the way of a module that is entered over an LU-edge, at 8, into that of another.
struct SimilarWay {
  std::string name;
  Image image = nullptr;
  int entry = 8;
  std::int64_t x = -1; // where its edge to w0 leads
  std::int64_t y = 1;
};

// Edges are mapped to edges.
Observation maps_edges(const PetersenTorusSize& size, const std::string& name, Image image, bool exchanges)
{
  const PetersenTorusSize target = exchanges ? PetersenTorusSize{size.l, size.n, size.m} : size;
  std::set<Edge> images;
  for (const auto& [a, b] : edges_of(*make_torus(size))) {
    images.insert(edge(petersen_torus_id(target, image(petersen_torus_node(size, NodeId{a}))),
                       petersen_torus_id(target, image(petersen_torus_node(size, NodeId{b})))));
  }
  const bool same = images == edges_of(*make_torus(target));
  return {.what = fmt::format("{} on {}", name, text(size)),
          .expected = "maps edges to edges",
          .found = same ? "does" : "does not",
          .holds = same};
}

// The image of the way from 8 to w0 at (x - 1, y + 1, 8) enters and goes on as the edge's name says.
Observation goes_straight_on(const SimilarWay& way)
{
  const PetersenTorusNode entry = way.image({0, 0, 0, 8});
  const PetersenTorusNode next = way.image({0, -1, 1, 8});
  const std::int64_t x = as_claimed(way.x);
  const std::int64_t y = as_claimed(way.y);
  return {.what = way.name,
          .expected = fmt::format("entered at {}, w0 = (x{:+}, y{:+}, {})", way.entry, x, y, way.entry),
          .found = fmt::format("entered at {}, w0 = (x{:+}, y{:+}, {})", entry.p, next.x, next.y, next.p),
          .holds = entry.p == way.entry && next == PetersenTorusNode{0, x, y, way.entry}};
}

Evidence similar_ways()
{
  const std::vector<SimilarWay> ways = {{"sigma, LU to RU", image_under_sigma, 3, 1, 1},
                                        {"tau, LU to LD", image_under_tau, 2, -1, -1},
                                        {"sigma and tau, LU to RD", image_under_both, 7, 1, -1}};
  std::vector<Observation> observations;
  for (const SimilarWay& way : ways) {
    observations.push_back(goes_straight_on(way));
  }
  for (const PetersenTorusSize& size : all_sizes(5)) {
    for (const SimilarWay& way : ways) {
      observations.push_back(maps_edges(size, way.name, way.image, false));
    }
    observations.push_back(maps_edges(size, "rho, m and n exchanged", image_under_rho, true));
  }
  return all_hold("l, m, n = 2..5, and the edges to w0", observations);
}

} // namespace

std::vector<Check> one_to_all_reading_checks()
{
  const Demonstration shown = checked(algorithm_1({2, 6, 4}, 2, sla));
  return {check_of("eight_adjacent_modules", shown, eight_adjacent_modules),
          check_of("condition_3_similar", shown, similar_ways),
          check_of("algorithm_1_never_stuck", shown, never_stuck),
          check_of("condition_3_w0", shown,
                   [] {
                     return corrected(w0_rule(as_stated(true, false)),
                                      "with the rule for w0, too, as under MLA, the model is kept", w0_rule(false));
                   }),
          check_of("step_5_waits", shown, step_5_starts_at_once),
          check_of("entry_ties", shown, all_orders)};
}

} // namespace wormcast::kim
