#pragma once

#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

/// The texts of gnuplot that the files of FrameArtist share.
namespace wormcast::frame_text {

// Sizes in pixels.
inline constexpr double head = 40; ///< above the network
inline constexpr double foot = 74; ///< below it: time line and times
inline constexpr double times_height = 20;
inline constexpr double margin = 14;
inline constexpr double largest_unit = 120;

inline constexpr std::uint32_t text_colour = 0x1d1d1f;
inline constexpr std::uint32_t faint_colour = 0x66666b;
inline constexpr std::uint32_t line_colour = 0xd3d3d8;
inline constexpr std::uint32_t node_colour = 0x54545a;

/// The distance of two points.
double length(DrawingPoint a, DrawingPoint b);

/// A line of data.
std::string row(std::initializer_list<double> numbers);

/// "'#rrggbb'".
std::string hex(std::uint32_t colour);

/// "font ..." of letters of so many pixels.
std::string font(double pixels);

/// To the nanosecond.
std::string shown_time(Time time);

/// "set label" at a position in the picture. `box`: "boxed" puts the text on white, so that it can be read on lines.
std::string word(std::string_view text, DrawingPoint place, std::string_view alignment, double pixels,
                 std::uint32_t colour, std::string_view box = "");

} // namespace wormcast::frame_text
