#include "wormcast/experiments/view/frame.hpp"

#include "wormcast/experiments/output/axis_tics.hpp"
#include "wormcast/experiments/output/gnuplot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace wormcast {

namespace {

// Sizes in pixels.
constexpr double head = 40; ///< above the network
constexpr double foot = 74; ///< below it: time line and times
constexpr double times_height = 20;
constexpr double margin = 14;
constexpr double largest_unit = 120;

constexpr std::uint32_t text_colour = 0x1d1d1f;
constexpr std::uint32_t faint_colour = 0x66666b;
constexpr std::uint32_t line_colour = 0xd3d3d8;
constexpr std::uint32_t node_colour = 0x54545a;

/// In the marks of waiting headers, by ContentionKind.
constexpr std::array<const char*, all_contention_kinds.size()> wait_letters = {"S", "D", "P", "V", "O"};

/// The middle of worms whose number is beyond the colours.
enum class Core : std::uint8_t { none, whole, broken };

Core core_of(std::optional<std::uint32_t> number)
{
  return number ? static_cast<Core>(*number / worm_colours.size() % 3) : Core::none;
}

/// Black or white, whichever is read more easily on a colour.
std::uint32_t readable_on(std::uint32_t colour)
{
  const auto part = [&](unsigned shift, double weight) {
    return weight * std::pow(static_cast<double>(colour >> shift & 0xff) / 255, 2.2);
  };
  return part(16, 0.2126) + part(8, 0.7152) + part(0, 0.0722) > 0.2 ? 0x000000 : 0xffffff;
}

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

/// To the nanosecond.
std::string shown_time(Time time)
{
  constexpr std::int64_t nanosecond = 1000;
  return format_microseconds(Time{(time.picoseconds + nanosecond / 2) / nanosecond * nanosecond}) + " µs";
}

/// "set label" at a position in the picture. `box`: "boxed" puts the text on white, so that it can be read on lines.
std::string word(std::string_view text, DrawingPoint place, std::string_view alignment, double pixels,
                 std::uint32_t colour, std::string_view box = "")
{
  return fmt::format("set label {} at {:.2f},{:.2f} {} {} textcolor rgb {} noenhanced front {}\n", gnuplot_text(text),
                     place.x, place.y, alignment, font(pixels), hex(colour), box);
}

} // namespace

/// Parts of one plot command, from back to front, with their data.
class FrameLayers {
public:
  /// Nothing where there are no rows.
  void add(const std::string& rows, const std::string& style)
  {
    if (!rows.empty()) {
      const std::string name = fmt::format("$layer_{}", count_++);
      data_ += name + " << END\n" + rows + "END\n";
      add_named(name, style);
    }
  }

  /// Data that is defined elsewhere.
  void add_named(const std::string& name, const std::string& style)
  {
    plot_ += (plot_.empty() ? "plot " : ", \\\n     ") + name + " " + style + " notitle";
  }

  std::string text() const { return data_ + plot_ + "\n"; }

private:
  std::size_t count_ = 0;
  std::string data_;
  std::string plot_;
};

namespace {

/// The corners of what a drawing takes.
struct DrawnExtent {
  DrawingPoint low{1e300, 1e300};
  DrawingPoint high{-1e300, -1e300};

  /// With room for squares, names and stubs around them, in units of the drawing.
  double width() const { return high.x - low.x + 1.7; }
  double height() const { return high.y - low.y + 1.5; }
};

DrawnExtent extent_of(const Topology& topology, const Drawing& drawing)
{
  DrawnExtent extent;
  const auto include = [&](DrawingPoint place) {
    extent.low = {std::min(extent.low.x, place.x), std::min(extent.low.y, place.y)};
    extent.high = {std::max(extent.high.x, place.x), std::max(extent.high.y, place.y)};
  };
  std::ranges::for_each(drawing.nodes, include);
  for (const DrawingLabel& label : drawing.labels) {
    include(label.place);
  }
  for (std::uint32_t id = 0; id < drawing.channels.size(); ++id) {
    if (drawing.channels[id].shape == ChannelShape::arc) {
      const DrawingPoint a = drawing.nodes[index(topology.channel_source(ChannelId{id}))];
      const DrawingPoint b = drawing.nodes[index(topology.channel_target(ChannelId{id}))];
      const DrawingPoint bend = drawing.channels[id].bend;
      include({(a.x + b.x) / 2 + bend.x, (a.y + b.y) / 2 + bend.y});
    }
  }
  return extent;
}

double drawing_scale(const DrawnExtent& extent, FrameSize size)
{
  return std::min({size.width / extent.width(), (size.height - head - foot) / extent.height(), largest_unit});
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

FrameSize fitted_size(const ViewedRun& run, FrameSize size)
{
  const Topology& topology = *run.experiment.topology;
  const DrawnExtent extent = extent_of(topology, draw_topology(topology));
  constexpr double least_width = 480;
  constexpr double room_for_state = 330; // the words at the right of the title
  const double title = 9.6 * static_cast<double>(run.title.size());
  const double wanted = std::max(
      {least_width, drawing_scale(extent, size) * extent.width() + 2 * margin, title + room_for_state + 2 * margin});
  const auto even = 2 * static_cast<std::uint32_t>(std::ceil(wanted / 2));
  return {std::min(size.width, even), size.height};
}

FrameArtist::FrameArtist(const ViewedRun& run, FrameSize size)
    : run_(run), topology_(*run.experiment.topology), size_(size), drawing_(draw_topology(topology_)),
      wanted_(run.messages, topology_.node_count())
{
  place_network(drawing_);
  place_steps();
}

void FrameArtist::place_network(const Drawing& drawing)
{
  const DrawnExtent extent = extent_of(topology_, drawing);
  const DrawingPoint low = extent.low;
  const DrawingPoint high = extent.high;
  const double room = size_.height - head - foot;
  scale_ = drawing_scale(extent, size_);
  side_ = std::min(0.46 * scale_, 26.0);
  lane_ = std::min(0.07 * scale_, 4.0);
  const auto straight = std::ranges::count(drawing.channels, ChannelShape::line, &ChannelDrawing::shape);
  const double degree = static_cast<double>(straight) / topology_.node_count();
  crowded_ = degree > 4;
  worm_width_ = std::max(1.4, std::min(0.11 * scale_, 5.0) * std::min(1.0, std::sqrt(4 / std::max(1.0, degree))));
  origin_ = {size_.width / 2.0 - (low.x + high.x) / 2 * scale_, foot + room / 2 - (low.y + high.y) / 2 * scale_};
  std::size_t longest = 1;
  for (std::uint32_t node = 0; node < topology_.node_count(); ++node) {
    longest = std::max(longest, topology_.node_name(NodeId{node}).size());
  }
  const double fits =
      std::min({12.0, 0.95 * scale_ / (0.56 * static_cast<double>(longest)), 0.8 * (scale_ - 1.35 * side_)});
  name_size_ = fits >= 6.5 ? fits : 0;
}

/// Steps that overlap get lanes of their own: each the first that is free.
void FrameArtist::place_steps()
{
  const std::vector<StepSpan>& spans = run_.recorder.steps();
  std::vector<std::size_t> order(spans.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return spans[i].from; });
  std::vector<Time> free;
  lanes_.resize(spans.size());
  for (const std::size_t i : order) {
    const auto found = std::ranges::find_if(free, [&](Time time) { return time <= spans[i].from; });
    lanes_[i] = static_cast<std::size_t>(found - free.begin());
    if (found == free.end()) {
      free.push_back(spans[i].to);
    } else {
      *found = spans[i].to;
    }
  }
  lane_count_ = std::max<std::size_t>(1, free.size());
}

DrawingPoint FrameArtist::to_picture(DrawingPoint place) const
{
  return {origin_.x + place.x * scale_, origin_.y + place.y * scale_};
}

/// A line, or a curve towards `bow` off its middle, to the right of the straight line in the direction of travel.
FrameArtist::Line FrameArtist::line_beside(DrawingPoint from, DrawingPoint to, DrawingPoint bow) const
{
  const double apart = std::max(1e-9, length(from, to));
  const DrawingPoint aside = {(to.y - from.y) / apart * lane_, -(to.x - from.x) / apart * lane_};
  const DrawingPoint control = {(from.x + to.x) / 2 + 2 * bow.x, (from.y + to.y) / 2 + 2 * bow.y};
  const int parts = bow == DrawingPoint{} ? 1 : 14;
  Line line;
  for (int i = 0; i <= parts; ++i) {
    const double share = static_cast<double>(i) / parts;
    const double rest = 1 - share;
    line.push_back({rest * rest * from.x + 2 * rest * share * control.x + share * share * to.x + aside.x,
                    rest * rest * from.y + 2 * rest * share * control.y + share * share * to.y + aside.y});
  }
  return line;
}

/// One line; of a stub two: away from one node, and to the other.
std::vector<FrameArtist::Line> FrameArtist::lines_of(ChannelId channel) const
{
  const DrawingPoint a = to_picture(drawing_.nodes[index(topology_.channel_source(channel))]);
  const DrawingPoint b = to_picture(drawing_.nodes[index(topology_.channel_target(channel))]);
  const ChannelDrawing& drawn = drawing_.channels[index(channel)];
  const DrawingPoint bend = drawn.bend;
  if (drawn.shape == ChannelShape::stub) {
    const double near = side_ / 2;
    const double far = std::max(near + 2, 0.55 * scale_);
    return {line_beside({a.x + near * bend.x, a.y + near * bend.y}, {a.x + far * bend.x, a.y + far * bend.y}, {}),
            line_beside({b.x - far * bend.x, b.y - far * bend.y}, {b.x - near * bend.x, b.y - near * bend.y}, {})};
  }
  const double apart = std::max(1e-9, length(a, b));
  const double cut = std::min(side_ / 2, apart / 3);
  const DrawingPoint step = {(b.x - a.x) / apart * cut, (b.y - a.y) / apart * cut};
  const DrawingPoint bow =
      drawn.shape == ChannelShape::arc ? DrawingPoint{bend.x * scale_, bend.y * scale_} : DrawingPoint{};
  return {line_beside({a.x + step.x, a.y + step.y}, {b.x - step.x, b.y - step.y}, bow)};
}

/// Of the channels that a worm holds the one that leads on to none of the others.
ChannelId FrameArtist::foremost(const std::vector<ChannelId>& held) const
{
  std::set<NodeId> begins;
  for (const ChannelId channel : held) {
    begins.insert(topology_.channel_source(channel));
  }
  const auto found = std::find_if(held.rbegin(), held.rend(), [&](ChannelId channel) {
    return !begins.contains(topology_.channel_target(channel));
  });
  return found == held.rend() ? held.back() : *found;
}

/// The number that determines the look of its worm: the step, or in a plain message list the message. None: it is none
/// of the operations'.
std::optional<std::uint32_t> FrameArtist::number_of(MessageId message) const
{
  const std::optional<std::uint32_t> step = run_.messages.step(message);
  return step && !run_.messages.has_steps() ? std::optional(run_.messages.name(message)) : step;
}

std::uint32_t FrameArtist::colour_of(MessageId message) const
{
  const std::optional<std::uint32_t> number = number_of(message);
  return number ? worm_colours[*number % worm_colours.size()] : other_worm_colour;
}

double FrameArtist::time_to_x(Time time) const
{
  const auto whole = static_cast<double>((run_.end - run_.begin).picoseconds);
  const double share = whole > 0 ? static_cast<double>((time - run_.begin).picoseconds) / whole : 0;
  return margin + share * (size_.width - 2 * margin);
}

/// A worm that has no channel yet and is not waiting for one spends its start-up time.
bool FrameArtist::starts_up(const WormAt& worm, const Moment& moment) const
{
  return worm.channels.empty() && !worm.receives && !moment.waiting.contains(worm.message);
}

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
  std::string names;
  for (std::uint32_t id = 0; id < topology_.node_count(); ++id) {
    const DrawingPoint place = to_picture(drawing_.nodes[id]);
    text += row({place.x, place.y, side_ / 2, side_ / 2});
    if (name_size_ > 0) {
      names += word(topology_.node_name(NodeId{id}), {place.x, place.y - 0.84 * side_ - 0.6 * name_size_}, "center",
                    name_size_, text_colour, crowded_ ? "boxed" : "");
    }
  }
  text += "END\n" + (name_size_ > 0 ? names : coordinate_names());
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

std::string FrameArtist::frame(const Moment& moment) const
{
  FrameLayers layers;
  if (scale_ >= 3) {
    layers.add_named("$channels", "using 1:2 with lines linewidth 1 linecolor rgb " + hex(line_colour));
  }
  add_worms(layers, moment);
  add_ports(layers, moment);
  add_headers(layers, moment);
  add_nodes(layers, moment);
  add_waits(layers, moment);
  add_words(layers, moment);
  return layers.text();
}

void FrameArtist::add_worms(FrameLayers& layers, const Moment& moment) const
{
  std::map<double, std::string> rows; // by share of the width
  std::map<std::pair<Core, double>, std::string> cores;
  for (const WormAt& worm : moment.worms) {
    const auto colour = static_cast<double>(colour_of(worm.message));
    for (const ChannelId channel : worm.channels) {
      const double share = share_of_width(channel);
      std::string& core = cores[{core_of(number_of(worm.message)), share}];
      for (const Line& line : lines_of(channel)) {
        for (const DrawingPoint point : line) {
          rows[share] += row({point.x, point.y, colour});
          core += row({point.x, point.y});
        }
        rows[share] += "\n";
        core += "\n";
      }
    }
  }
  for (const auto& [share, lines] : rows) {
    layers.add(lines,
               fmt::format("using 1:2:3 with lines linewidth {:.2f} linecolor rgb variable", share * worm_width_));
  }
  for (const auto& [look, lines] : cores) {
    const auto& [core, share] = look;
    if (core != Core::none) {
      layers.add(lines, fmt::format("using 1:2 with lines linewidth {:.2f}{} linecolor rgb '#ffffff'",
                                    share * worm_width_ / 3, core == Core::broken ? " dashtype (5,3)" : ""));
    }
  }
}

/// Where more than four straight channels meet, long ones are thinner: they cross most of the others.
double FrameArtist::share_of_width(ChannelId channel) const
{
  if (!crowded_ || drawing_.channels[index(channel)].shape != ChannelShape::line) {
    return 1;
  }
  const double apart = length(drawing_.nodes[index(topology_.channel_source(channel))],
                              drawing_.nodes[index(topology_.channel_target(channel))]);
  return apart > 4 ? 0.35 : apart > 1.5 ? 0.6 : 1;
}

void FrameArtist::add_nodes(FrameLayers& layers, const Moment& moment) const
{
  layers.add_named("$nodes", "using 1:2:3:4 with boxxyerror linecolor rgb '#ffffff'");
  std::string filled;
  for (std::uint32_t node = 0; node < topology_.node_count(); ++node) {
    const std::uint64_t wanted = wanted_.wanted(NodeId{node});
    if (wanted > 0 && moment.held[node] > 0) {
      const double level = side_ * std::min(1.0, static_cast<double>(moment.held[node]) / static_cast<double>(wanted));
      const DrawingPoint place = to_picture(drawing_.nodes[node]);
      filled += row({place.x, place.y - side_ / 2 + level / 2, side_ / 2, level / 2});
    }
  }
  layers.add(filled, "using 1:2:3:4 with boxxyerror linecolor rgb " + hex(node_colour));
  if (side_ >= 4) {
    layers.add_named("$nodes",
                     fmt::format("using 1:2:3:4 with boxxyerror fillstyle empty linewidth {:.2f} linecolor rgb {}",
                                 std::clamp(0.1 * side_, 1.0, 1.5), hex(node_colour)));
  }
}

/// A broken ring: start-up. A whole one: it sends or receives.
void FrameArtist::add_ports(FrameLayers& layers, const Moment& moment) const
{
  std::string rows;
  const auto add = [&](NodeId node, MessageId message, bool broken) {
    const DrawingPoint place = to_picture(drawing_.nodes[index(node)]);
    constexpr int parts = 24;
    for (int part = 0; part <= parts; ++part) {
      const double angle = 2 * std::numbers::pi * part / parts;
      const bool gap = broken && part % 6 > 3;
      rows += gap ? "\n"
                  : row({place.x + 0.8 * side_ * std::cos(angle), place.y + 0.8 * side_ * std::sin(angle),
                         static_cast<double>(colour_of(message))});
    }
    rows += "\n";
  };
  for (const WormAt& worm : moment.worms) {
    if (worm.sends) {
      add(run_.messages.source(worm.message), worm.message, starts_up(worm, moment));
    }
    if (worm.receives) {
      add(run_.messages.destination(worm.message), worm.message, false);
    }
  }
  layers.add(side_ >= 3 ? rows : "", fmt::format("using 1:2:3 with lines linewidth {:.2f} linecolor rgb variable",
                                                 std::clamp(0.06 * scale_, 1.2, 2.5)));
}

/// Of worms that do not wait, at the end of their newest channel.
void FrameArtist::add_headers(FrameLayers& layers, const Moment& moment) const
{
  const double radius = std::max(crowded_ ? 2.4 : 3.0, std::min((crowded_ ? 0.07 : 0.12) * scale_, 5.5));
  std::string rims;
  std::string dots;
  for (const WormAt& worm : moment.worms) {
    if (worm.channels.empty() || moment.waiting.contains(worm.message)) {
      continue;
    }
    const Line line = lines_of(foremost(worm.channels)).back();
    const DrawingPoint last = line.back();
    const DrawingPoint before = line[line.size() - 2];
    const double share = std::min(0.5, radius / std::max(1e-9, length(before, last)));
    const DrawingPoint place = {last.x + (before.x - last.x) * share, last.y + (before.y - last.y) * share};
    rims += row({place.x, place.y, 1.3 * radius, static_cast<double>(colour_of(worm.message))});
    dots += row({place.x, place.y, 0.9 * radius});
  }
  layers.add(rims, "using 1:2:3:4 with circles fillstyle solid noborder linecolor rgb variable");
  layers.add(dots, "using 1:2:3 with circles fillstyle solid noborder linecolor rgb " + hex(text_colour));
}

/// A disc with the kind's letter at the beginning of the channel that is waited for, or above the node whose port it
/// is; with the number of headers where several wait.
void FrameArtist::add_waits(FrameLayers& layers, const Moment& moment) const
{
  const double radius = std::max(4.0, std::min(0.19 * scale_, 9.0));
  std::map<std::pair<double, double>, std::pair<ContentionKind, std::size_t>> places;
  for (const ContentionRecord& wait : moment.waits) {
    DrawingPoint place;
    if (wait.resource.kind == Resource::Kind::external) {
      const Line line = lines_of(wait.resource.channel).front();
      place = {line[0].x + 0.12 * (line[1].x - line[0].x), line[0].y + 0.12 * (line[1].y - line[0].y)};
    } else {
      const DrawingPoint node = to_picture(drawing_.nodes[index(wait.resource.node)]);
      const double shift = wait.resource.kind == Resource::Kind::injection ? -0.5 : 0.5;
      place = {node.x + shift * side_, node.y + 0.75 * side_};
    }
    ++places.try_emplace({place.x, place.y}, wait.kind, 0).first->second.second;
  }
  std::string discs;
  std::string letters;
  for (const auto& [place, waits] : places) {
    const auto& [kind, count] = waits;
    const auto number = static_cast<std::size_t>(kind);
    const bool plain = !run_.messages.has_steps() && kind == ContentionKind::step;
    discs += row({place.first, place.second, radius, static_cast<double>(wait_colours[number])});
    letters += fmt::format("{:.2f} {:.2f} {}\n", place.first, place.second,
                           count > 1 ? fmt::to_string(count)
                           : plain   ? "C"
                                     : wait_letters[number]);
  }
  layers.add(discs, "using 1:2:3:4 with circles fillstyle solid noborder linecolor rgb variable");
  layers.add(letters, "using 1:2:3 with labels textcolor rgb '#ffffff' " + font(1.2 * radius));
}

/// The time line's bars, the moment on it, and in words.
void FrameArtist::add_words(FrameLayers& layers, const Moment& moment) const
{
  if (!run_.recorder.steps().empty()) {
    layers.add_named("$steps", "using 1:2:3:4:5 with boxxyerror linecolor rgb variable");
  }
  const double x = time_to_x(moment.at);
  layers.add(row({x, times_height}) + row({x, foot - 4}),
             "using 1:2 with lines linewidth 2 linecolor rgb " + hex(text_colour));
  std::string words = shown_time(moment.at);
  if (!moment.steps.empty() && moment.steps.size() < 9) {
    words += fmt::format("; step{} {}", moment.steps.size() == 1 ? "" : "s", fmt::join(moment.steps, ", "));
  }
  if (!moment.waits.empty()) {
    words += fmt::format("; {} waiting", moment.waits.size());
  }
  const auto others =
      std::ranges::count_if(moment.worms, [this](const WormAt& worm) { return !run_.messages.is_own(worm.message); });
  if (others > 0) {
    words += fmt::format("; {} {} (grey)", others, run_.round && run_.round->traffic ? "of the load" : "others");
  }
  if (run_.deadlock && moment.at >= run_.end) {
    words += "; deadlock";
  }
  layers.add(fmt::format("{:.2f} {:.2f} \"{}\"\n", size_.width - margin, size_.height - head / 2, words),
             "using 1:2:3 with labels right textcolor rgb " + hex(text_colour) + " " + font(14));
}

} // namespace wormcast
