#include "wormcast/experiments/mpi/rank_timeline.hpp"

#include "wormcast/experiments/output/gnuplot.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace wormcast {

namespace {

constexpr std::int64_t plot_width = 1100;
constexpr double margins_width = 110;
constexpr double margins_height = 150;

} // namespace

void RankTimeline::occupancy(const OccupancyRecord& record)
{
  const std::uint32_t row = rows_.row[index(record.resource.node)];
  if (record.resource.kind == Resource::Kind::external) {
    return;
  }
  // The port of a half-duplex node is an injection port in both directions.
  if (messages_.messages[index(record.message)].source == record.resource.node) {
    const Time begin = std::min(record.from + startup_, record.to);
    startups_.push_back({.row = row, .from = record.from, .to = begin});
    sends_.push_back({.row = row, .from = begin, .to = record.to});
  } else {
    receives_.push_back({.row = row, .from = record.from, .to = record.to});
  }
}

void RankTimeline::critical_path(const CriticalPath& path)
{
  for (const PathMessage& part : path.messages) {
    const Message& message = messages_.messages[index(part.message)];
    Time departure = part.ready;
    for (const PathSegment& segment : part.segments) {
      if (segment.cause == PathCause::startup || is_of_own_port(segment.cause)) {
        departure = segment.to;
      }
    }
    path_.push_back({.at = part.ready, .row = rows_.row[index(message.source)]});
    path_.push_back({.at = departure, .row = rows_.row[index(message.source)]});
    path_.push_back({.at = part.until, .row = rows_.row[index(message.destination)]});
  }
}

// Lines "from low to high" in us and rows; intervals of a row less than a pixel apart are one.
std::string RankTimeline::boxes(std::vector<Interval> intervals, Time pixel, double low, double high)
{
  std::ranges::sort(intervals, {},
                    [](const Interval& interval) { return std::tuple(interval.row, interval.from, interval.to); });
  std::vector<Interval> joined;
  for (const Interval& interval : intervals) {
    if (interval.from == interval.to) {
      continue;
    }
    if (!joined.empty() && joined.back().row == interval.row && interval.from - joined.back().to < pixel &&
        interval.to - joined.back().from < 2 * pixel) {
      joined.back().to = std::max(joined.back().to, interval.to);
    } else {
      joined.push_back(interval);
    }
  }
  std::string text;
  for (const Interval& interval : joined) {
    text += fmt::format("{} {} {:.2f} {:.2f}\n", format_microseconds(interval.from), format_microseconds(interval.to),
                        interval.row + low, interval.row + high);
  }
  return text;
}

std::string RankTimeline::gnuplot_script(const std::string& name, const std::string& title, Time end) const
{
  check_drawable(rows_, "--timeline");
  const Time pixel{std::max<std::int64_t>(end.picoseconds / plot_width, 1)};
  struct Kind {
    const char* data;
    const char* title;
    const char* colour;
    std::string boxes;
  };
  const std::vector<Kind> kinds = {{"startups", "start-up", "#e69f00", boxes(startups_, pixel, -0.4, 0)},
                                   {"sends", "sends", "#0072b2", boxes(sends_, pixel, -0.4, 0)},
                                   {"receives", "receives", "#009e73", boxes(receives_, pixel, 0, 0.4)}};
  std::string script = gnuplot_heading(name) + "set encoding utf8\n";
  std::string plots;
  const auto plot = [&](const std::string& text) { plots += (plots.empty() ? "plot " : ", \\\n     ") + text; };
  for (const Kind& kind : kinds) {
    if (!kind.boxes.empty()) {
      script += fmt::format("${} << END\n{}END\n", kind.data, kind.boxes);
      plot(fmt::format("${} using 1:3:1:2:3:4 with boxxyerror fillstyle solid noborder linecolor rgb '{}' title '{}'",
                       kind.data, kind.colour, kind.title));
    }
  }
  if (!path_.empty()) {
    script += "$path << END\n";
    for (const Corner& corner : path_) {
      script += fmt::format("{} {}\n", format_microseconds(corner.at), corner.row);
    }
    script += "END\n";
    plot("$path using 1:2 with lines linecolor rgb '#d40000' linewidth 1.5 title 'critical path'");
  }
  if (plots.empty()) {
    plot("1/0 notitle"); // nothing was sent
  }
  const double row_height = std::clamp(500.0 / std::max<double>(rows_.count, 1), 6.0, 26.0);
  const double height = margins_height + row_height * rows_.count;
  const int tic_step = row_height >= 14 ? 1 : row_height >= 8 ? 2 : 4;
  script += fmt::format("set title {} noenhanced\nset xlabel 'time (us)'\nset ylabel '{}'\n", gnuplot_text(title),
                        rows_.name());
  script +=
      fmt::format("set xrange [0:{}]\nset yrange [{}.6:-0.6]\nset ytics out nomirror 0,{}\nset xtics out nomirror\n",
                  format_microseconds(std::max(end, Time{1})), rows_.count - 1, tic_step);
  script += "set key below horizontal\n";
  return script + gnuplot_pictures(name, plots + "\n", plot_width + margins_width, height);
}

} // namespace wormcast
