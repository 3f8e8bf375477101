#include "wormcast/experiments/view/frame.hpp"

#include "wormcast/experiments/view/frame_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace wormcast {

using namespace frame_text;

namespace {

/// In the marks of waiting headers, by ContentionKind.
constexpr std::array<const char*, all_contention_kinds.size()> wait_letters = {"S", "D", "P", "V", "O"};

/// The middle of worms whose number is beyond the colours.
enum class Core : std::uint8_t { none, whole, broken };

Core core_of(std::optional<std::uint32_t> number)
{
  return number ? static_cast<Core>(*number / worm_colours.size() % 3) : Core::none;
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

void FrameArtist::add_nodes(FrameLayers& layers, const Moment& moment) const
{
  layers.add_named("$nodes", "using 1:2:3:4 with boxxyerror linecolor rgb '#ffffff'");
  std::string filled;
  for (std::uint32_t node = 0; node < topology_.host_count(); ++node) {
    const std::uint64_t wanted = wanted_.wanted(NodeId{node});
    if (wanted > 0 && moment.held[node] > 0) {
      const double level = side_ * std::min(1.0, static_cast<double>(moment.held[node]) / static_cast<double>(wanted));
      const DrawingPoint place = to_picture(drawing_.nodes[node]);
      filled += row({place.x, place.y - side_ / 2 + level / 2, side_ / 2, level / 2});
    }
  }
  layers.add(filled, "using 1:2:3:4 with boxxyerror linecolor rgb " + hex(node_colour));
  const std::string outline = fmt::format("fillstyle empty linewidth {:.2f} linecolor rgb {}",
                                          std::clamp(0.1 * side_, 1.0, 1.5), hex(node_colour));
  if (side_ >= 4) {
    layers.add_named("$nodes", "using 1:2:3:4 with boxxyerror " + outline);
  }
  if (topology_.has_switches()) {
    layers.add_named("$switches", "using 1:2:3 with circles fillstyle solid noborder linecolor rgb '#ffffff'");
    layers.add_named("$switches", "using 1:2:3 with circles " + outline);
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
