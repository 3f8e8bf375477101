#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wormcast {

/// A mark on an axis with its text.
struct PlotTic {
  std::string at;    ///< decimal
  std::string label; ///< empty: a shorter mark without text
};

/// What the numbers of an axis are.
enum class AxisUnit {
  number,
  bytes ///< marks are at powers of two, "4 KiB"
};

/// The ends of an axis.
struct AxisRange {
  double low = 0;
  double high = 0;
};

/// Marks of a logarithmic axis, at most `most` of them with a text, and at least three where that is possible: numbers
/// at the decades, where fewer than three decades are in the range at 1, 2 and 5 times these, and in less than half a
/// decade at equal distances; bytes at every 2nd, 4th, ... power of two. From a million on, or below a ten-thousandth,
/// all are written as powers of ten: "2·10⁶". Ascending. `range` is above 0.
std::vector<PlotTic> log_tics(AxisRange range, AxisUnit unit, std::size_t most);

/// Marks of a linear axis at equal distances: numbers of 1, 2 or 5 times a power of ten, bytes of a power of two.
std::vector<PlotTic> linear_tics(AxisRange range, AxisUnit unit, std::size_t most);

/// The tics with texts for every second, third, ... of them alone, so that at most `most` have one.
std::vector<PlotTic> thinned_tics(std::vector<PlotTic> tics, std::size_t most);

} // namespace wormcast
