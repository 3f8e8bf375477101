#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace wormcast {

/// Routers with successive numbers, which one thread steps.
struct RouterBand {
  std::uint32_t number = 0; ///< of the band
  std::uint32_t first = 0;  ///< its first router
  std::uint32_t count = 0;  ///< of its routers

  bool contains(std::uint32_t router) const { return router - first < count; }
};

/// The routers of engine `cycle`, cut into bands with almost equal work: of whole rows, where there are enough.
class RouterBands {
public:
  /// At most `bands` of them, and at most one for each router. A row is all routers with the same last coordinate.
  /// `work` as EngineInput::router_work.
  RouterBands(std::uint32_t routers, std::uint32_t row, std::uint32_t bands, std::span<const std::uint32_t> work)
      : of_(routers)
  {
    const std::uint32_t together = routers / row >= bands ? row : 1;
    const std::uint32_t parts = routers / together;
    const std::uint32_t count = std::min(bands, parts);
    const auto work_of = [&](std::uint32_t part) {
      if (work.empty()) {
        return std::uint64_t{1};
      }
      const auto first = work.begin() + std::ptrdiff_t{part} * together;
      return std::accumulate(first, first + together, std::uint64_t{0});
    };
    std::uint64_t all = 0;
    for (std::uint32_t part = 0; part < parts; ++part) {
      all += work_of(part);
    }
    std::uint32_t end = 0;
    std::uint64_t before = 0; // work of the parts before `end`
    for (std::uint32_t band = 0; band < count; ++band) {
      const std::uint32_t first = end;
      const std::uint32_t last_end = parts - (count - 1 - band); // each later band has one part at least
      const std::uint64_t goal = 2 * all * (band + 1);           // of twice the work, times the bands
      do {
        before += work_of(end++);
      } while (end < last_end && (band + 1 == count || (2 * before + work_of(end)) * count < goal));
      bands_.push_back({.number = band, .first = first * together, .count = (end - first) * together});
      std::fill_n(of_.begin() + std::ptrdiff_t{first} * together, bands_.back().count, band);
    }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(bands_.size()); }
  const RouterBand& operator[](std::uint32_t band) const { return bands_[band]; }
  auto begin() const { return bands_.begin(); }
  auto end() const { return bands_.end(); }

  /// Returns the number of a router's band.
  std::uint32_t of(std::uint32_t router) const { return of_[router]; }

private:
  std::vector<RouterBand> bands_;
  std::vector<std::uint32_t> of_; // by router
};

} // namespace wormcast
