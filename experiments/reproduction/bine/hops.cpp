#include "wormcast/experiments/reproduction/bine/checks.hpp"
#include "wormcast/experiments/reproduction/bine/peer_rule.hpp"
#include "wormcast/experiments/reproduction/frame/counted_all_reduce.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace wormcast::bine {

namespace {

/// Of the messages of a node.
struct Hops {
  Fraction recursive_doubling;
  Fraction bine;
};

Hops hops_on(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& box = {})
{
  return {.recursive_doubling = hops_of_a_node({shape, box, "torus_doubling"}),
          .bine = hops_of_a_node({shape, box, "swing"})};
}

/// What is saved of all.
Fraction saved(const Hops& hops)
{
  return 1 - hops.bine / hops.recursive_doubling;
}

Observation hops_are(const std::string& what, std::int64_t doubling, std::int64_t bine, const Hops& found)
{
  return same_texts(what, fmt::format("{} to {}", doubling, as_claimed(bine)),
                    fmt::format("{} to {}", format_fraction(found.recursive_doubling), format_fraction(found.bine)));
}

Evidence ring_distances()
{
  constexpr std::array<std::pair<std::int64_t, std::int64_t>, 5> claimed = {
      {{3, 3}, {9, 6}, {21, 15}, {126, 84}, {286, 191}}};
  std::vector<Observation> observations;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    const std::vector<std::int64_t>& shape = measured_shapes().at(i);
    observations.push_back(hops_are(shape_text(shape), claimed.at(i).first, claimed.at(i).second, hops_on(shape)));
  }
  return all_hold("hops of the messages of a node, recursive doubling to Bine, counted along the program's routes",
                  observations);
}

Evidence a_third()
{
  std::vector<Observation> observations;
  const std::array<std::pair<std::vector<std::int64_t>, Fraction>, 3> claimed = {
      {{{4, 4, 4}, {1, 3}}, {{8, 8, 8}, {2, 7}}, {{64, 64}, {1, 3}}}};
  for (const auto& [shape, share] : claimed) {
    observations.push_back(
        same_texts(shape_text(shape), format_fraction(as_claimed(share)), format_fraction(saved(hops_on(shape)))));
  }
  return all_hold("share of bytes times hops that Bine saves on the torus of the shape", observations);
}

Evidence on_the_wire()
{
  const std::vector<std::int64_t> box_8 = {4, 3, 4, 2, 3, 2};
  const std::vector<std::int64_t> box_4 = {2, 2, 2, 2, 3, 2};
  return all_hold(
      "hops of the messages of a node in the folded box, recursive doubling to Bine",
      {hops_are("8x8x8", 17, 12, hops_on({8, 8, 8}, box_8)), hops_are("4x4x4", 9, 6, hops_on({4, 4, 4}, box_4))});
}

Check open(const std::string& name, const std::string& why)
{
  return check_of(name, {}, [why]() -> Evidence { return {.measured = why, .verdict = Verdict::not_testable}; });
}

} // namespace

std::vector<Check> hop_checks()
{
  const Demonstration shown = {configuration_text({{64, 64}, {}, "swing"}), "wormcast check CONFIG"};
  const Demonstration folded = {configuration_text({{8, 8, 8}, {4, 3, 4, 2, 3, 2}, "swing"}), "wormcast run CONFIG"};
  return {check_of("ring_distances", shown, ring_distances), check_of("a_third", shown, a_third),
          check_of("on_the_wire", folded, on_the_wire)};
}

std::vector<Check> open_checks()
{
  return {
      open("places_of_jobs",
           "not testable: the coordinates of the jobs' nodes in the machine were not recorded, so that no hop of them "
           "can be counted; the shapes that were asked for, and for three dimensions a box that the scheduler can have "
           "used, take their place"),
      open("speed_follows_distance",
           "not testable: the ratio of the hops is known (126 to 84 are 1.5), but whether it is what the time follows "
           "would need an embedding of 64 x 64 nodes in the machine's six axes that was fixed without its rows")};
}

} // namespace wormcast::bine
