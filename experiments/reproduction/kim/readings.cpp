#include "wormcast/algorithms/petersen/torus_plane.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/claims.hpp"
#include "wormcast/experiments/reproduction/kim/plane_reading.hpp"

#include <fmt/format.h>

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

// Whether a reading takes as many steps as the program's.
Observation same_time(const Plane& plane, PortModel ports, const PlaneReading& reading, const std::string& what)
{
  const std::size_t expected = petersen_torus_plane_steps(plane.m, plane.n, ports == mla).size();
  const std::size_t found = plane_steps(plane.m, plane.n, ports == mla, reading).size();
  return {.what = fmt::format("{}, {}{}", plane_text(plane), model_name(ports), what),
          .expected = fmt::format("{} steps", expected),
          .found = fmt::format("{} steps", found),
          .holds = expected == found};
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

// All orders of the diagonal entries: the same number of steps, or (only_complete) any number that reaches all nodes.
Evidence all_orders(bool only_complete)
{
  std::vector<Observation> observations;
  std::size_t differing = 0;
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
           .expected = only_complete ? "complete, at most 2 steps apart" : "one number of steps",
           .found = least == most ? fmt::format("{} steps", least) : fmt::format("{} to {} steps", least, most),
           .holds = only_complete ? most - least <= 2 : least == most});
    }
  }
  return all_hold(
      fmt::format("2 <= n <= m <= 12, SLA and MLA, 24 orders: {} of {} planes differ", differing, observations.size()),
      observations);
}

// The first node that receives twice in a step.
std::optional<std::string> received_twice(const Plane& plane, const SendSteps& steps)
{
  const PetersenTorusSize size{1, plane.m, plane.n};
  for (std::size_t step = 0; step < steps.size(); ++step) {
    std::map<std::uint32_t, NodeId> sender;
    for (const NodeSend send : steps[step]) {
      const auto [found, is_new] = sender.try_emplace(index(send.to), send.from);
      if (!is_new) {
        const auto name = [&](NodeId id) {
          const PetersenTorusNode node = petersen_torus_node(size, id);
          return fmt::format("({}, {}, {})", node.x, node.y, node.p);
        };
        return fmt::format("step {} of the plane: (x, y, p) = {} receives from {} and {}", step + 1, name(send.to),
                           name(found->second), name(send.from));
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
      const SendSteps ours = petersen_torus_plane_steps(plane.m, plane.n, ports == mla);
      SendSteps again = plane_steps(plane.m, plane.n, ports == mla);
      bool same = ours.size() == again.size();
      for (std::size_t step = 0; same && step < ours.size(); ++step) {
        same = std::ranges::is_permutation(ours[step], again[step]);
      }
      observations.push_back({.what = fmt::format("{}, {}", plane_text(plane), model_name(ports)),
                              .expected = "all nodes are reached",
                              .found = same ? fmt::format("reached in {} steps", ours.size())
                                            : "a second implementation makes other sends",
                              .holds = same});
    }
  }
  return all_hold("2 <= n <= m <= 24, two implementations with the same sends", observations);
}

Evidence eight_adjacent(std::int64_t least)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(8)) {
    if (size.l != 2 || std::min(size.m, size.n) < least) {
      continue;
    }
    std::set<std::uint32_t> adjacent;
    for (const int p : {1, 2, 3, 4, 6, 7, 8, 9}) {
      adjacent.insert(index(petersen_torus_id(size, external_partner({0, 0, 0, p}))) / 10);
    }
    observations.push_back(
        {.what = text(size), .expected = "8", .found = fmt::to_string(adjacent.size()), .holds = adjacent.size() == 8});
  }
  return all_hold(fmt::format("m, n = {}..8", least), observations);
}

using Image = PetersenTorusNode (*)(const PetersenTorusNode&);

Evidence similar_ways()
{
  struct Map {
    std::string name;
    Image image;
    bool exchanges = false; // m and n
  };
  const std::vector<Map> maps = {
      {"sigma, LU to RU", image_under_sigma},
      {"tau, LU to LD", image_under_tau},
      {"sigma and tau, LU to RD",
       [](const PetersenTorusNode& node) { return image_under_sigma(image_under_tau(node)); }},
      {"rho, m and n exchanged", image_under_rho, true}};
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5)) {
    const auto torus = make_torus(size);
    const std::set<Edge> edges = edges_of(*torus);
    for (const Map& map : maps) {
      const PetersenTorusSize target = map.exchanges ? PetersenTorusSize{size.l, size.n, size.m} : size;
      std::set<Edge> images;
      for (const auto& [a, b] : edges) {
        images.insert(edge(petersen_torus_id(target, map.image(petersen_torus_node(size, NodeId{a}))),
                           petersen_torus_id(target, map.image(petersen_torus_node(size, NodeId{b})))));
      }
      const bool same = images == edges_of(*make_torus(target));
      observations.push_back({.what = fmt::format("{} on {}", map.name, text(size)),
                              .expected = "maps edges to edges",
                              .found = same ? "does" : "does not",
                              .holds = same});
    }
  }
  return all_hold("l, m, n = 2..5", observations);
}

} // namespace

std::vector<Claim> one_to_all_reading_claims()
{
  std::vector<Claim> claims;
  const Demonstration shown = checked(algorithm_1({2, 6, 4}, 2, sla));
  claims.push_back(refuted(
      claim("eight_adjacent_modules", "section 3, algorithm 1",
            "A module has eight adjacent modules besides those over dimensional edges", "8 different modules", shown,
            [] { return corrected(eight_adjacent(2), "8 where m and n are at least 3", eight_adjacent(3)); })));
  claims.push_back(
      claim("condition_3_similar", "section 3, condition 3",
            "Modules entered over RD-, LD- and RU-edges act in a similar way to those entered over LU-edges",
            "symmetries of the network carry one into the other", shown, similar_ways));
  claims.push_back(claim("algorithm_1_never_stuck", "section 3, algorithm 1, step 4",
                         "Repeating step 3, and step 5, brings the message to all modules and nodes",
                         "all nodes are reached", shown, never_stuck));
  claims.push_back(refuted(claim(
      "condition_3_w0", "section 3.1, condition 3",
      "Sends to modules that have the message are omitted in (5), not in (2) to w0, under SLA",
      "a node receives on one link at a time", shown, [] {
        return corrected(w0_rule(true), "with the rule for w0, too, as under MLA, the model is kept", w0_rule(false));
      })));
  claims.push_back(claim("step_5_waits", "section 3, algorithm 1, step 5",
                         "A module waits with its own nodes until its eight adjacent modules have the message",
                         "the wait costs no step", shown, step_5_starts_at_once));
  Claim ties =
      claim("entry_ties", "section 3, algorithm 1, steps 3 and 4",
            "A module that the message reaches over several edges at once performs condition 3 for one of them",
            "not said which; the time does not depend on it", shown, [] {
              Evidence evidence =
                  corrected(all_orders(false), "complete in every order, and at most 2 steps apart", all_orders(true));
              return evidence;
            });
  claims.push_back(refuted(std::move(ties)));
  claims.back().reading = "the program takes the first of 8, 7, 2, 3";
  claims.back().slow = true;
  return claims;
}

} // namespace wormcast::kim
