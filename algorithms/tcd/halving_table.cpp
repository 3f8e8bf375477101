#include "wormcast/algorithms/tcd/halving_table.hpp"

#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace wormcast {

HalvingTable::HalvingTable(const Grid& grid, std::string_view algorithm) : wraps_(grid.wraps())
{
  constexpr double most_entries = 1 << 28;
  double entries = 1;
  std::size_t shape_count = 1;
  for (std::size_t axis = 0; axis < grid.sizes().size(); ++axis) {
    levels_.push_back(require_power_of_two(grid, axis, algorithm));
    shape_count *= levels_.back() + 1;
    double of_axis = 0;
    for (unsigned cuts = 0; cuts <= levels_.back(); ++cuts) {
      of_axis += static_cast<double>(positions(axis, cuts));
    }
    entries *= of_axis;
  }
  if (entries > most_entries) {
    throw InputError(fmt::format("{} needs a table of {:.0f} numbers on the {}; it takes at most {:.0f}", algorithm,
                                 entries, grid.title(), most_entries));
  }
  shapes_.resize(shape_count);
  // Shapes with more cuts have higher numbers in every axis: each shape comes after its halves.
  for (std::size_t number = shape_count; number-- > 0;) {
    Cuts cuts{};
    std::size_t rest = number;
    for (std::size_t axis = dimensions(); axis-- > 0;) {
      cuts[axis] = static_cast<std::uint8_t>(rest % (levels_[axis] + 1));
      rest /= levels_[axis] + 1;
    }
    fill(cuts);
  }
}

std::uint64_t HalvingTable::tcd(const Cuts& cuts, const AxisValues& position) const
{
  return static_cast<std::uint64_t>(shapes_[shape_number(cuts)].tcd[place(cuts, position)]);
}

HalvingCut HalvingTable::best_cut(const Cuts& cuts, const AxisValues& position) const
{
  const std::int64_t least = shapes_[shape_number(cuts)].tcd[place(cuts, position)];
  for (std::size_t axis = 0; axis < dimensions(); ++axis) {
    if (cuts[axis] == levels_[axis]) {
      continue;
    }
    Cuts half = cuts;
    ++half[axis];
    const Shape& shape = shapes_[shape_number(half)];
    const std::int64_t side = length(axis, half[axis]);
    const bool ring = is_ring(axis, cuts[axis]);
    const std::int64_t first = ring ? 0 : position[axis] % side;
    const std::int64_t last = ring ? side - 1 : first;
    for (std::int64_t in_half = first; in_half <= last; ++in_half) {
      HalvingCut cut;
      cut.axis = axis;
      cut.source_in_lower_half = ring || position[axis] < side;
      cut.source = position;
      cut.source[axis] = in_half;
      AxisValues facing = position; // the node of the other half that is closest to the source
      facing[axis] = cut.source_in_lower_half ? 0 : side - 1;
      const std::int64_t to_facing = cut.source_in_lower_half ? side - in_half : in_half + 1;
      const std::int64_t beyond = shape.reached[place(half, facing)];
      if (shape.tcd[place(half, cut.source)] + to_facing + beyond == least) {
        cut.target = first_target(half, facing, beyond);
        return cut;
      }
    }
  }
  throw std::logic_error("no cut of a box attains its minimum");
}

std::size_t HalvingTable::shape_number(const Cuts& cuts) const
{
  std::size_t number = 0;
  for (std::size_t axis = 0; axis < dimensions(); ++axis) {
    number = number * (levels_[axis] + 1) + cuts[axis];
  }
  return number;
}

std::size_t HalvingTable::place(const Cuts& cuts, const AxisValues& position) const
{
  std::int64_t place = 0;
  for (std::size_t axis = 0; axis < dimensions(); ++axis) {
    place = place * positions(axis, cuts[axis]) + (is_ring(axis, cuts[axis]) ? 0 : position[axis]);
  }
  return static_cast<std::size_t>(place);
}

void HalvingTable::fill(const Cuts& cuts)
{
  std::int64_t count = 1;
  bool single = true;
  for (std::size_t axis = 0; axis < dimensions(); ++axis) {
    count *= positions(axis, cuts[axis]);
    single = single && cuts[axis] == levels_[axis];
  }
  std::vector<std::int64_t> tcd(static_cast<std::size_t>(count), single ? 0 : std::numeric_limits<std::int64_t>::max());
  for (std::size_t axis = 0; axis < dimensions(); ++axis) {
    if (cuts[axis] < levels_[axis]) {
      cut_along(axis, cuts, tcd);
    }
  }
  Shape& shape = shapes_[shape_number(cuts)];
  shape.reached = distance_transform(cuts, tcd);
  shape.tcd = std::move(tcd);
}

/// Lowers `tcd` to the result of cutting the box across `axis`.
void HalvingTable::cut_along(std::size_t axis, const Cuts& cuts, std::vector<std::int64_t>& tcd) const
{
  Cuts half = cuts;
  ++half[axis];
  const Shape& shape = shapes_[shape_number(half)];
  const auto side = static_cast<std::size_t>(length(axis, half[axis]));
  const bool ring = is_ring(axis, cuts[axis]);
  std::size_t outer = 1;
  std::size_t inner = 1;
  for (std::size_t other = 0; other < dimensions(); ++other) {
    (other < axis ? outer : inner) *= other == axis ? 1 : static_cast<std::size_t>(positions(other, cuts[other]));
  }
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t s = 0; s < side; ++s) {
      for (std::size_t i = 0; i < inner; ++i) {
        const std::int64_t stays = shape.tcd[(o * side + s) * inner + i];
        // The path to the other half crosses the node there that faces the source.
        const std::int64_t upwards = stays + static_cast<std::int64_t>(side - s) + shape.reached[o * side * inner + i];
        if (ring) {
          // Downwards gives the same values, with the positions of the cut in reverse.
          std::int64_t& value = tcd[o * inner + i];
          value = std::min(value, upwards);
          continue;
        }
        const std::int64_t downwards =
            stays + static_cast<std::int64_t>(s + 1) + shape.reached[(o * side + side - 1) * inner + i];
        std::int64_t& low = tcd[(o * 2 * side + s) * inner + i];
        std::int64_t& high = tcd[(o * 2 * side + side + s) * inner + i];
        low = std::min(low, upwards);
        high = std::min(high, downwards);
      }
    }
  }
}

std::vector<std::int64_t> HalvingTable::distance_transform(const Cuts& cuts, std::vector<std::int64_t> values) const
{
  std::size_t inner = 1;
  for (std::size_t axis = dimensions(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(positions(axis, cuts[axis]));
    const std::size_t span = size * inner;
    for (std::size_t begin = 0; begin < values.size(); begin += span) {
      for (std::size_t i = begin + inner; i < begin + span; ++i) {
        values[i] = std::min(values[i], values[i - inner] + 1);
      }
      for (std::size_t i = begin + span - inner; i-- > begin;) {
        values[i] = std::min(values[i], values[i + inner] + 1);
      }
    }
    inner = span;
  }
  return values;
}

/// The first position q with |facing - q| + tcd(q) = least.
AxisValues HalvingTable::first_target(const Cuts& half, const AxisValues& facing, std::int64_t least) const
{
  const std::vector<std::int64_t>& tcd = shapes_[shape_number(half)].tcd;
  AxisValues lengths{};
  AxisValues from{};
  AxisValues target{};
  for (std::size_t axis = 0; axis < dimensions(); ++axis) {
    lengths[axis] = positions(axis, half[axis]);
    from[axis] = is_ring(axis, half[axis]) ? 0 : facing[axis];
  }
  for (const std::int64_t value : tcd) {
    std::int64_t distance = 0;
    for (std::size_t axis = 0; axis < dimensions(); ++axis) {
      distance += std::abs(target[axis] - from[axis]);
    }
    if (distance + value == least) {
      return target;
    }
    for (std::size_t axis = dimensions(); axis > 0; --axis) {
      ++target[axis - 1];
      if (target[axis - 1] < lengths[axis - 1]) {
        break;
      }
      target[axis - 1] = 0;
    }
  }
  throw std::logic_error("no target attains the minimum of its half");
}

} // namespace wormcast
