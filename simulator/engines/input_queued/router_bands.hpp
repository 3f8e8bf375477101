#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wormcast {

/// Routers with successive numbers, which one thread steps.
struct RouterBand {
  std::uint32_t number = 0; ///< of the band
  std::uint32_t first = 0;  ///< its first router
  std::uint32_t count = 0;  ///< of its routers

  bool contains(std::uint32_t router) const { return router - first < count; }
};

/// The routers of engine `cycle`, cut into bands of almost equal size: of whole rows, where there are enough.
class RouterBands {
public:
  /// At most `bands` of them, and at most one for each router. A row is all routers with the same last coordinate.
  RouterBands(const CycleLayout& layout, std::uint32_t row, std::uint32_t bands) : of_(layout.routers)
  {
    const std::uint32_t together = layout.routers / row >= bands ? row : 1;
    const std::uint64_t parts = layout.routers / together;
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(bands, parts));
    for (std::uint32_t band = 0; band < count; ++band) {
      const auto first = static_cast<std::uint32_t>(parts * band / count * together);
      const auto end = static_cast<std::uint32_t>(parts * (band + 1) / count * together);
      bands_.push_back({.number = band, .first = first, .count = end - first});
      std::fill(of_.begin() + first, of_.begin() + end, band);
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
