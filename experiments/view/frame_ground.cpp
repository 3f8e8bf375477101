#include "wormcast/experiments/output/axis_tics.hpp"
#include "wormcast/experiments/view/frame.hpp"
#include "wormcast/experiments/view/frame_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wormcast {

using namespace frame_text;

namespace {

/// Black or white, whichever is read more easily on a colour.
std::uint32_t readable_on(std::uint32_t colour)
{
  const auto part = [&](unsigned shift, double weight) {
    return weight * std::pow(static_cast<double>(colour >> shift & 0xff) / 255, 2.2);
  };
  return part(16, 0.2126) + part(8, 0.7152) + part(0, 0.0722) > 0.2 ? 0x000000 : 0xffffff;
}

/// Whether each node is drawn at its coordinates (x, y).
bool is_plane_of_coordinates(const Topology& topology, const Drawing& drawing)
{
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    const std::vector<std::int64_t> place = topology.coordinates(NodeId{node});
    if (place.size() != 2 ||
        drawing.nodes[node] != DrawingPoint{static_cast<double>(place[0]), static_cast<double>(place[1])}) {
      return false;
    }
  }
  return true;
}

} // namespace

std::string FrameArtist::ground() const
{
  return "set encoding utf8\nunset border\nunset tics\nunset key\nset margins 0,0,0,0\nset style fill solid\n"
         "set style textbox opaque margins 0.3,0.3 fillcolor rgb 'white' noborder\n" +
         fmt::format("set xrange [0:{}]\nset yrange [0:{}]\n", size_.width, size_.height) + network_data() +
         time_line_data();
}

std::string FrameArtist::network_data() const
{
  std::string channels;
  for (std::uint32_t id = 0; id < topology_.channel_count() && scale_ >= 3; ++id) {
    for (const Line& line : lines_of(ChannelId{id})) {
      for (const DrawingPoint point : line) {
        channels += row({point.x, point.y});
      }
      channels += "\n";
    }
  }
  std::string text = "$channels << END\n" + channels + "END\n$nodes << END\n";
  std::string switches;
  std::string names;
  for (std::uint32_t id = 0; id < topology_.node_count(); ++id) {
    const DrawingPoint place = to_picture(drawing_.nodes[id]);
    (topology_.is_host(NodeId{id}) ? text : switches) += row({place.x, place.y, side_ / 2, side_ / 2});
    if (name_size_ > 0) {
      names += word(topology_.node_name(NodeId{id}), {place.x, place.y - 0.84 * side_ - 0.6 * name_size_}, "center",
                    name_size_, text_colour, crowded_ ? "boxed" : "");
    }
  }
  text += "END\n" + (switches.empty() ? "" : "$switches << END\n" + switches + "END\n");
  text += (name_size_ > 0 ? names : coordinate_names());
  for (const DrawingLabel& label : drawing_.labels) {
    text += word(label.text, to_picture(label.place), "center", std::clamp(0.4 * scale_, 9.0, 14.0), faint_colour);
  }
  return text + word(run_.title, {margin, size_.height - head / 2}, "left", 16, text_colour);
}

/// Where names of nodes do not fit, the coordinates of columns and rows, as many as there is room for.
std::string FrameArtist::coordinate_names() const
{
  if (!is_plane_of_coordinates(topology_, drawing_)) {
    return {};
  }
  const double letters = std::clamp(0.6 * scale_, 8.0, 12.0);
  const auto every = [&](double room) { return std::max(1.0, std::ceil(room / scale_)); };
  std::string names;
  constexpr double beside = 0.72;
  for (double x = 0; x <= drawing_.width; x += every(2.4 * letters)) {
    const DrawingPoint place = to_picture({x, 0});
    names += word(fmt::format("{:.0f}", x), {place.x, place.y - beside * scale_}, "center", letters, faint_colour);
  }
  for (double y = 0; y <= drawing_.height; y += every(1.3 * letters)) {
    const DrawingPoint place = to_picture({0, y});
    names += word(fmt::format("{:.0f}", y), {place.x - beside * scale_, place.y}, "right", letters, faint_colour);
  }
  return names;
}

/// Round times below the time line, where they do not meet those at its ends.
std::string FrameArtist::time_marks() const
{
  constexpr double letter = 7.2;
  const auto microseconds = [](Time time) { return static_cast<double>(time.picoseconds) / 1e6; };
  const double left_end =
      margin + letter * static_cast<double>(run_.begin == Time{} ? 1 : shown_time(run_.begin).size());
  const double right_end = size_.width - margin - letter * static_cast<double>(shown_time(run_.end).size());
  std::string text;
  for (const PlotTic& tic : linear_tics({microseconds(run_.begin), microseconds(run_.end)}, AxisUnit::number,
                                        static_cast<std::size_t>(size_.width / 100))) {
    const double share = (std::strtod(tic.at.c_str(), nullptr) - microseconds(run_.begin)) /
                         (microseconds(run_.end) - microseconds(run_.begin));
    const double x = margin + share * (size_.width - 2 * margin);
    const double half = letter * static_cast<double>(tic.label.size()) / 2 + letter;
    text += fmt::format("set arrow from {0:.2f},{1:.2f} to {0:.2f},{2:.2f} nohead linewidth 1 linecolor rgb {3}\n", x,
                        times_height, times_height - 4, hex(line_colour));
    if (x - half > left_end && x + half < right_end) {
      text += word(tic.label, {x, times_height / 2 - 1}, "center", 12, faint_colour);
    }
  }
  return text;
}

std::string FrameArtist::time_line_data() const
{
  const double height = (foot - times_height - 8) / static_cast<double>(lane_count_);
  std::string text = "$steps << END\n";
  std::string words;
  for (std::size_t i = 0; i < run_.recorder.steps().size(); ++i) {
    const StepSpan& span = run_.recorder.steps()[i];
    const std::uint32_t colour = worm_colours[span.step % worm_colours.size()];
    const double left = time_to_x(span.from);
    const double right = std::max(left + 1, time_to_x(span.to) - 1);
    const double top = foot - 8 - height * static_cast<double>(lanes_[i]);
    const double bottom = top - std::max(0.8 * height, height - 1.5);
    text += row(
        {(left + right) / 2, (top + bottom) / 2, (right - left) / 2, (top - bottom) / 2, static_cast<double>(colour)});
    const std::string shown = right - left > 50 ? fmt::format("step {}", span.step) : fmt::to_string(span.step);
    const double letters = std::min(11.0, 0.9 * (top - bottom));
    if (letters >= 6.5 && right - left > 0.6 * letters * static_cast<double>(shown.size()) + 2) {
      words += word(shown, {(left + right) / 2, (top + bottom) / 2}, "center", letters, readable_on(colour));
    }
  }
  text += "END\n" + words;
  text += fmt::format("set arrow from {0:.2f},{2:.2f} to {1:.2f},{2:.2f} nohead linewidth 1 linecolor rgb {3}\n",
                      margin, size_.width - margin, times_height, hex(line_colour));
  text += time_marks();
  text +=
      word(run_.begin == Time{} ? "0" : shown_time(run_.begin), {margin, times_height / 2}, "left", 12, faint_colour);
  return text + word(shown_time(run_.end), {size_.width - margin, times_height / 2}, "right", 12, faint_colour);
}

} // namespace wormcast
