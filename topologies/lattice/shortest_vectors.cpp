#include "wormcast/topologies/lattice/shortest_vectors.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

constexpr std::size_t most_vectors = std::size_t{1} << 23;
constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

struct ReachedPoint {
  std::uint32_t point = 0;
  LatticeSteps steps{};
};

/// Appends each vector with one step more than `from` in the last dimension in which it has steps, in its direction, or
/// in one after that: so that every vector comes from one other, which is a shortest one where it is one itself.
template <typename Append> void append_longer(const LatticeBox& box, const ReachedPoint& from, Append&& append)
{
  std::size_t last = box.dimensions();
  while (last > 0 && from.steps[last - 1] == 0) {
    --last;
  }
  for (std::size_t dimension = last == 0 ? 0 : last - 1; dimension < box.dimensions(); ++dimension) {
    for (const std::int32_t step : {1, -1}) {
      if (from.steps[dimension] * step < 0) {
        continue;
      }
      ReachedPoint next = from;
      next.steps[dimension] += step;
      LatticeVector point = box.point(from.point);
      point[dimension] += step;
      next.point = box.number_of(point);
      append(next);
    }
  }
}

} // namespace

ShortestVectors::ShortestVectors(const LatticeBox& box) : distances_(box.points(), unreached)
{
  std::vector<ReachedPoint> all = {ReachedPoint{}};
  distances_[0] = 0;
  for (std::size_t begin = 0; begin < all.size(); ++longest_) {
    const std::size_t end = all.size();
    for (std::size_t from = begin; from < end; ++from) {
      append_longer(box, ReachedPoint(all[from]), [&](const ReachedPoint& next) {
        if (distances_[next.point] == unreached) {
          distances_[next.point] = longest_ + 1;
        }
        if (distances_[next.point] == longest_ + 1) {
          all.push_back(next);
        }
      });
      if (all.size() > most_vectors) {
        throw InputError(fmt::format("matrix: more than {} shortest vectors lead to the nodes of the lattice; expected "
                                     "fewer nodes or dimensions",
                                     most_vectors));
      }
    }
    begin = end;
  }
  --longest_;
  std::ranges::sort(all, [](const ReachedPoint& a, const ReachedPoint& b) {
    return a.point != b.point ? a.point < b.point : a.steps > b.steps;
  });
  first_.assign(box.points() + std::size_t{1}, 0);
  vectors_.reserve(all.size());
  for (const ReachedPoint& reached : all) {
    vectors_.push_back(reached.steps);
    ++first_[reached.point + std::size_t{1}];
  }
  for (std::size_t point = 0; point < box.points(); ++point) {
    first_[point + 1] += first_[point];
  }
}

} // namespace wormcast
