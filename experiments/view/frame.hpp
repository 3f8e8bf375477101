#pragma once

#include "wormcast/experiments/view/moment.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Width and height of a picture in pixels, both even.
struct FrameSize {
  std::uint32_t width = 1280;
  std::uint32_t height = 720;
};

/// The colours of worms by step, as on the page: the next ten steps are the same with a light core, ten more with a
/// broken one.
inline constexpr std::array<std::uint32_t, 10> worm_colours = {0x0b63ce, 0x2a9d2f, 0x7a3fc4, 0x08a0a5, 0x8a8a00,
                                                               0x14306e, 0x5aa9f0, 0x17572f, 0xae92e6, 0x6b4a2b};

/// Of worms that belong to no operation that is shown.
inline constexpr std::uint32_t other_worm_colour = 0x8c8c94;

/// Of waiting headers by ContentionKind.
inline constexpr std::array<std::uint32_t, all_contention_kinds.size()> wait_colours = {0xcf222e, 0xb35900, 0xa01ca8,
                                                                                        0x5b6770, 0x1a7f37};

/// A size of the same height, and no wider than `size`, in which the network is as large and the texts have room.
FrameSize fitted_size(const ViewedRun& run, FrameSize size);

class FrameLayers;

/// Draws moments of a run by gnuplot: the network with its worms and waiting headers as on the page, and below it the
/// steps along time. The texts that it gives draw the same for the same run.
class FrameArtist {
public:
  /// `run` must outlive this object.
  FrameArtist(const ViewedRun& run, FrameSize size);

  /// Returns the lines of a gnuplot program before all frames.
  std::string ground() const;

  /// Lines that draw one moment into what the terminal has open. `points`, a variable of the program, is the size of a
  /// letter of 1 pixel in the terminal's points.
  std::string frame(const Moment& moment) const;

private:
  using Line = std::vector<DrawingPoint>;

  void place_network(const Drawing& drawing);
  void place_steps();
  DrawingPoint to_picture(DrawingPoint place) const;
  std::vector<Line> lines_of(ChannelId channel) const;
  Line line_beside(DrawingPoint from, DrawingPoint to, DrawingPoint bow) const;
  ChannelId foremost(const std::vector<ChannelId>& held) const;
  std::optional<std::uint32_t> number_of(MessageId message) const;
  std::uint32_t colour_of(MessageId message) const;
  double share_of_width(ChannelId channel) const;
  double time_to_x(Time time) const;
  bool starts_up(const WormAt& worm, const Moment& moment) const;

  std::string network_data() const;
  std::string coordinate_names() const;
  std::string time_marks() const;
  std::string time_line_data() const;
  void add_worms(FrameLayers& layers, const Moment& moment) const;
  void add_nodes(FrameLayers& layers, const Moment& moment) const;
  void add_ports(FrameLayers& layers, const Moment& moment) const;
  void add_headers(FrameLayers& layers, const Moment& moment) const;
  void add_waits(FrameLayers& layers, const Moment& moment) const;
  void add_words(FrameLayers& layers, const Moment& moment) const;

  const ViewedRun& run_;
  const Topology& topology_;
  FrameSize size_;
  Drawing drawing_;
  ViewedProgress wanted_;
  double scale_ = 1;     ///< pixels a unit of the drawing
  double side_ = 1;      ///< of a node's square
  double lane_ = 0;      ///< distance of a channel from its link's middle, to the right
  bool crowded_ = false; ///< more than four straight channels meet at a node
  double worm_width_ = 1;
  double name_size_ = 0;           ///< of nodes; 0: they do not fit
  DrawingPoint origin_;            ///< of the drawing, in the picture
  std::vector<std::size_t> lanes_; ///< of the time line, by step span
  std::size_t lane_count_ = 1;
};

} // namespace wormcast
