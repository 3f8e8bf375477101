#include "wormcast/experiments/view/frame.hpp"
#include "wormcast/experiments/view/frame_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace wormcast {

using namespace frame_text;

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
      wanted_(run.messages, topology_.host_count())
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

} // namespace wormcast
