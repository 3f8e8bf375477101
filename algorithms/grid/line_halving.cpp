#include "wormcast/algorithms/grid/line_halving.hpp"

#include <algorithm>

namespace wormcast {

namespace {

struct Segment {
  std::int64_t begin = 0;
  std::int64_t size = 0;
  std::int64_t holder = 0;
};

} // namespace

std::vector<std::vector<HalvingSend>> halve_line(std::int64_t size, std::int64_t source)
{
  std::vector<std::vector<HalvingSend>> steps;
  std::vector<Segment> segments = {{0, size, source}};
  while (std::ranges::any_of(segments, [](const Segment& segment) { return segment.size > 1; })) {
    std::vector<Segment> halves;
    std::vector<HalvingSend>& sends = steps.emplace_back();
    for (const Segment& segment : segments) {
      const std::int64_t low = (segment.size + 1) / 2;
      const std::int64_t high = segment.size - low;
      if (high == 0) {
        halves.push_back(segment);
        continue;
      }
      const std::int64_t place = segment.holder - segment.begin;
      const bool in_low = place < low;
      const std::int64_t mirror = in_low ? low + std::min(place, high - 1) : place - low;
      const std::int64_t to = segment.begin + mirror;
      halves.push_back({segment.begin, low, in_low ? segment.holder : to});
      halves.push_back({segment.begin + low, high, in_low ? to : segment.holder});
      sends.push_back({segment.holder, to, in_low ? low : high, in_low ? high : low});
    }
    std::ranges::sort(sends, {}, &HalvingSend::from);
    segments = std::move(halves);
  }
  return steps;
}

std::vector<HalvingStep> halving_steps(const Grid& grid, std::size_t dimension, NodeId source)
{
  std::vector<HalvingStep> steps;
  const std::int64_t size = grid.sizes()[dimension];
  for (const std::vector<HalvingSend>& sends : halve_line(size, grid.coordinate(source, dimension))) {
    std::vector<HalvingSend> by_place(static_cast<std::size_t>(size));
    for (std::int64_t place = 0; place < size; ++place) {
      by_place[static_cast<std::size_t>(place)] = {place, place, 0, 0};
    }
    for (const HalvingSend& send : sends) {
      by_place[static_cast<std::size_t>(send.from)] = send;
    }
    const auto at = [&grid, dimension, by_place = std::move(by_place)](NodeId node) {
      return by_place[static_cast<std::size_t>(grid.coordinate(node, dimension))];
    };
    steps.push_back({[&grid, dimension, at](NodeId node) {
                       const HalvingSend send = at(node);
                       const std::int64_t offset = (send.to - send.from) * grid.stride(dimension);
                       return NodeId{static_cast<std::uint32_t>(index(node) + offset)};
                     },
                     [at](NodeId node) { return static_cast<std::uint64_t>(at(node).kept); }});
  }
  return steps;
}

} // namespace wormcast
