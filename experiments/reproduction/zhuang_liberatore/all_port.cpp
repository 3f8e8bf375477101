#include "wormcast/experiments/reproduction/zhuang_liberatore/all_port.hpp"

#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <numeric>

namespace wormcast::zhuang_liberatore {

namespace {

/// ceil(number * log_base(2)), computed with whole numbers: the least t with base^t >= 2^number.
int ceil_log(int base, int number)
{
  std::int64_t power = 1;
  int t = 0;
  for (; power < (std::int64_t{1} << number); ++t) {
    power *= base;
  }
  return t;
}

/// "mesh 8 x 8", with the d of NP-D.
std::string grid_text(const BroadcastCase& broadcast)
{
  const std::string grid = fmt::format("{} {}", broadcast.kind, fmt::join(broadcast.dims, " x "));
  const auto pieces = broadcast.parameters.find("d");
  return pieces == broadcast.parameters.end() ? grid
                                              : fmt::format("{}, d = {}", grid, std::get<std::int64_t>(pieces->second));
}

} // namespace

BroadcastCase all_port(const std::string& kind, int n, const std::string& algorithm)
{
  return {
      .kind = kind, .dims = square(n), .algorithm = algorithm, .ports = {.count = PortModel::all}, .tie = "positive"};
}

BroadcastCase all_port_partitioning(const std::string& kind, int n, int d, bool split)
{
  BroadcastCase broadcast = all_port(kind, n, "network_partitioning");
  broadcast.parameters = {{"inner", std::string("dominating_nodes")}, {"d", std::int64_t{d}}, {"split", split}};
  return broadcast;
}

int exponent(const BroadcastCase& broadcast)
{
  return std::countr_zero(static_cast<std::uint64_t>(broadcast.dims[0]));
}

Fraction published_scatter_alpha(int n)
{
  return whole(ceil_log(5, n + 1) + 1);
}

Fraction published_scatter_beta(int n)
{
  return Fraction(1, 4) + one_over_power(n);
}

Fraction published_alpha(int n)
{
  return whole(ceil_log(5, n + 1)) + Fraction(3, 2) * whole(n - 1) + whole(2);
}

Fraction published_beta(int n)
{
  return Fraction(17, 12) + Fraction(37, 3) * one_over_power(n + 1);
}

Fraction published_dominating_nodes(int n)
{
  return whole(n + 2);
}

Fraction published_partitioning_alpha(int n, int d)
{
  return whole(n - d + (1 << d) + 3 + ceil_log(3, d + 1) + ceil_log(5, d));
}

Fraction published_partitioning_beta(int n, int d)
{
  return Fraction(5, 4) + whole(n - d + 2 + ceil_log(3, d + 1)) * one_over_power(d);
}

std::vector<BroadcastCase> all_port_sources(const std::string& kind, int n)
{
  const BroadcastCase broadcast = all_port(kind, n, "recursion_based");
  if (n <= 4) {
    return from_every_source(broadcast);
  }
  const bool is_mesh = kind == "mesh";
  std::vector<BroadcastCase> cases =
      from_some_sources(broadcast, is_mesh ? std::uint32_t{1} << (10 - n) : std::uint32_t{4});
  for (const std::array<std::int64_t, 2> place : {std::array<std::int64_t, 2>{1, 0}, {1, 1}, {3, 5}}) {
    const std::vector<std::int64_t> source(place.begin(), place.end());
    if (is_mesh && std::ranges::find(cases, source, &BroadcastCase::source) == cases.end()) {
      cases.push_back(broadcast);
      cases.back().source = source;
    }
  }
  return cases;
}

std::string all_port_sources_text()
{
  return "every source up to n = 4, then on meshes 32, 16 and 8 (corners, border, centre, seeded sample) with (1, 0), "
         "(1, 1) and (3, 5), on tori 4";
}

AllPortCosts all_port_costs(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const std::vector<Fraction> sizes = step_sizes(schedule_of(broadcast, *topology));
  return {.alpha = whole(std::ssize(sizes)), .beta = std::accumulate(sizes.begin(), sizes.end(), Fraction(0))};
}

std::string place_of_source(const BroadcastCase& broadcast)
{
  if (broadcast.kind != "mesh") {
    return "anywhere";
  }
  const std::vector<std::int64_t> source =
      broadcast.source.empty() ? std::vector<std::int64_t>(broadcast.dims.size()) : broadcast.source;
  std::size_t edges = 0;
  for (std::size_t dimension = 0; dimension < source.size(); ++dimension) {
    edges += source[dimension] == 0 || source[dimension] == broadcast.dims[dimension] - 1 ? 1 : 0;
  }
  return edges == source.size() ? "a corner" : edges > 0 ? "a border" : "inside";
}

ExhibitTable table_by_place(const std::string& title, std::span<const PublishedAndFound> values)
{
  struct Row {
    std::vector<std::string> head;
    std::map<Fraction, std::size_t> counts;
  };
  std::vector<Row> rows;
  for (const PublishedAndFound& value : values) {
    const std::vector<std::string> head = {grid_text(value.broadcast), place_of_source(value.broadcast),
                                           format_fraction(value.published)};
    auto row = std::ranges::find(rows, head, &Row::head);
    if (row == rows.end()) {
      row = rows.insert(rows.end(), Row{.head = head, .counts = {}});
    }
    ++row->counts[value.found];
  }
  ExhibitTable table{.title = title, .header = {"grid", "source", "published", "found"}, .rows = {}};
  for (const Row& row : rows) {
    std::string found;
    for (const auto& [number, count] : row.counts) {
      found += fmt::format("{}{} ({} source{})", found.empty() ? "" : ", ", format_fraction(number), count,
                           count == 1 ? "" : "s");
    }
    table.rows.push_back(row.head);
    table.rows.back().push_back(found);
  }
  return table;
}

NodeOfPlace places_of_all_port(const BroadcastCase& broadcast, const Topology& topology)
{
  const std::int64_t side = broadcast.dims[0];
  std::vector<std::int64_t> shift(2, 0);
  if (broadcast.kind == "torus" && side > 2) {
    const std::vector<std::int64_t> source = broadcast.source.empty() ? shift : broadcast.source;
    const std::int64_t middle = side == 4 ? 1 : side / 2;
    shift = {source[0] - middle + side, source[1] - middle + side};
  }
  return [&topology, side, shift](std::span<const std::int64_t> place) {
    const std::vector<std::int64_t> node = {(place[0] + shift[0]) % side, (place[1] + shift[1]) % side};
    return topology.node_at(node);
  };
}

std::optional<std::uint32_t> run_all_port_scatter(Holdings& holdings, const BroadcastCase& broadcast,
                                                  const NodeOfPlace& node_of)
{
  const std::vector<NodeId> nodes =
      nodes_on_diagonals({.origin = {0, 0}, .side = broadcast.dims[0]}, all_diagonals(2), node_of);
  return holdings.run_until([&] { return have_equal_parts(holdings, nodes); });
}

Check all_port_check(const std::string& name, const BroadcastCase& shown, std::function<Evidence()> measure)
{
  return check_of(name, {config_text(shown), "wormcast run CONFIG"}, std::move(measure));
}

std::vector<Check> all_port_checks()
{
  std::vector<Check> all;
  for (const auto& checks : {all_port_round_checks, all_port_cost_checks, all_port_rival_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

} // namespace wormcast::zhuang_liberatore
