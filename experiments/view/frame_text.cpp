#include "wormcast/experiments/view/frame_text.hpp"

#include "wormcast/experiments/output/gnuplot.hpp"

#include <fmt/format.h>

#include <cmath>

namespace wormcast::frame_text {

double length(DrawingPoint a, DrawingPoint b)
{
  return std::hypot(b.x - a.x, b.y - a.y);
}

std::string row(std::initializer_list<double> numbers)
{
  std::string text;
  for (const double number : numbers) {
    text += fmt::format("{}{:.2f}", text.empty() ? "" : " ", number);
  }
  return text + "\n";
}

std::string hex(std::uint32_t colour)
{
  return fmt::format("'#{:06x}'", colour);
}

std::string font(double pixels)
{
  return fmt::format("font sprintf(',%.2f', {:.2f} * points)", pixels);
}

std::string shown_time(Time time)
{
  constexpr std::int64_t nanosecond = 1000;
  return format_microseconds(Time{(time.picoseconds + nanosecond / 2) / nanosecond * nanosecond}) + " µs";
}

std::string word(std::string_view text, DrawingPoint place, std::string_view alignment, double pixels,
                 std::uint32_t colour, std::string_view box)
{
  return fmt::format("set label {} at {:.2f},{:.2f} {} {} textcolor rgb {} noenhanced front {}\n", gnuplot_text(text),
                     place.x, place.y, alignment, font(pixels), hex(colour), box);
}

} // namespace wormcast::frame_text
