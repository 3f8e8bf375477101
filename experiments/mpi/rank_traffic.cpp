#include "wormcast/experiments/mpi/rank_traffic.hpp"

#include "wormcast/formats/csv.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace wormcast {

RankRows rank_rows(const Topology& topology, const std::vector<NodeId>& nodes)
{
  std::vector<NodeId> sorted = nodes;
  std::ranges::sort(sorted);
  RankRows rows;
  rows.by_node = std::ranges::adjacent_find(sorted) != sorted.end();
  rows.row.resize(topology.host_count());
  if (rows.by_node) {
    rows.count = topology.host_count();
    std::iota(rows.row.begin(), rows.row.end(), 0U);
  } else {
    rows.count = static_cast<std::uint32_t>(nodes.size());
    for (std::uint32_t rank = 0; rank < rows.count; ++rank) {
      rows.row[index(nodes[rank])] = rank;
    }
  }
  return rows;
}

void check_drawable(const RankRows& rows, std::string_view option)
{
  constexpr std::uint32_t most_drawn_rows = 256;
  if (rows.count > most_drawn_rows) {
    throw InputError(fmt::format("{}: found {} {}s, but a picture shows at most {}{}", option, rows.count, rows.name(),
                                 most_drawn_rows, option == "--matrix" ? "; a .csv file has no limit" : ""));
  }
}

RankTraffic rank_traffic(const Schedule& messages, const RankRows& rows)
{
  RankTraffic traffic{.rows = rows, .cells = {}};
  for (std::size_t i = 0; i < messages.messages.size(); ++i) {
    const Message& message = messages.messages[i];
    RankTraffic::Cell& cell = traffic.cells[{rows.row[index(message.source)], rows.row[index(message.destination)]}];
    ++cell.messages;
    cell.bytes += messages.plain[i].bytes;
  }
  return traffic;
}

std::string traffic_csv(const RankTraffic& traffic)
{
  const std::string name = traffic.rows.name();
  std::string csv = csv_line(std::array<std::string, 4>{"from_" + name, "to_" + name, "messages", "bytes"});
  for (const auto& [pair, cell] : traffic.cells) {
    csv += csv_line(std::array<std::string, 4>{fmt::to_string(pair.first), fmt::to_string(pair.second),
                                               fmt::to_string(cell.messages), fmt::to_string(cell.bytes)});
  }
  return csv;
}

MatrixFigure traffic_figure(const RankTraffic& traffic, const std::string& title)
{
  const std::uint32_t count = traffic.rows.count;
  check_drawable(traffic.rows, "--matrix");
  MatrixFigure figure;
  figure.title = title;
  figure.x_label = "to " + traffic.rows.name();
  figure.y_label = "from " + traffic.rows.name();
  for (const bool is_bytes : {true, false}) {
    MatrixPanel panel{.title = is_bytes ? "bytes" : "messages",
                      .columns = count,
                      .values = std::vector<std::int64_t>(std::size_t{count} * count),
                      .framed = std::vector<bool>(std::size_t{count} * count)};
    for (const auto& [pair, cell] : traffic.cells) {
      panel.values[std::size_t{count} * pair.first + pair.second] =
          static_cast<std::int64_t>(is_bytes ? cell.bytes : cell.messages);
    }
    MatrixRow row;
    row.colours = MatrixColours::white_to_dark;
    row.greatest = panel.values.empty() ? 0 : std::ranges::max(panel.values);
    row.panels.push_back(std::move(panel));
    figure.rows.push_back(std::move(row));
  }
  return figure;
}

} // namespace wormcast
