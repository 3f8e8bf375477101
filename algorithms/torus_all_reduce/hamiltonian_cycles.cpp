#include "wormcast/algorithms/torus_all_reduce/hamiltonian_cycles.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace wormcast {

namespace {

/// The nodes of a cycle as numbers of a torus, of which the grid may only be a factor.
using Cycle = std::vector<std::uint32_t>;

/// The links of a torus coloured with as many colours as it has dimensions, so that every node has two links of each
/// colour. At first colour k has the links of dimension k.
class ColouredLinks {
public:
  explicit ColouredLinks(std::span<const std::int64_t> sizes) : sizes_(sizes.begin(), sizes.end())
  {
    std::uint32_t nodes = 1;
    for (const std::int64_t size : sizes_) {
      strides_.push_back(nodes);
      nodes *= static_cast<std::uint32_t>(size);
    }
    for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
      colours_.emplace_back(nodes, static_cast<std::uint8_t>(dimension));
      std::vector<Ends>& neighbours = neighbours_.emplace_back(nodes);
      for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::uint32_t next = up(node, dimension);
        neighbours[node][1] = next;
        neighbours[next][0] = node;
      }
    }
  }

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(colours_[0].size()); }
  std::size_t dimensions() const { return sizes_.size(); }

  std::uint32_t up(std::uint32_t node, std::size_t dimension) const
  {
    const auto size = static_cast<std::uint32_t>(sizes_[dimension]);
    const bool last = node / strides_[dimension] % size == size - 1;
    return last ? node - (size - 1) * strides_[dimension] : node + strides_[dimension];
  }

  /// The colour of the two parallel links in `dimension` of the square that `node` spans with another dimension; none
  /// where they have different ones.
  std::optional<std::size_t> colour_of_pair(std::uint32_t node, std::size_t dimension, std::size_t other) const
  {
    const std::uint8_t colour = colours_[dimension][node];
    return colour == colours_[dimension][up(node, other)] ? std::optional<std::size_t>(colour) : std::nullopt;
  }

  /// By how much the number of cycles of a colour changes if its two links in `dimension` of a square are replaced
  /// by those in `other`: -1 joins two, 1 splits one.
  int change(std::uint32_t node, std::size_t dimension, std::size_t other, std::size_t colour) const
  {
    const std::uint32_t end = up(node, dimension);
    const std::uint32_t beside = up(node, other);
    const std::uint32_t beside_end = up(end, other);
    std::uint32_t before = end;
    std::uint32_t here = node;
    while (true) { // away from the link node - end
      const Ends& ends = neighbours_[colour][here];
      before = std::exchange(here, ends[0] == before ? ends[1] : ends[0]);
      steps_.add();
      if (here == end) {
        return -1;
      }
      if (here == beside) {
        return 1;
      }
      if (here == beside_end) {
        return 0;
      }
    }
  }

  /// Gives the links in `first` of a square the colour of those in `second`, and the other way round.
  void exchange(std::uint32_t node, std::size_t first, std::size_t second)
  {
    const std::uint32_t right = up(node, first);
    const std::uint32_t above = up(node, second);
    const std::uint32_t opposite = up(right, second);
    const std::size_t a = colours_[first][node];
    const std::size_t b = colours_[second][node];
    turn(a, {{{node, right, above}, {right, node, opposite}, {above, opposite, node}, {opposite, above, right}}});
    turn(b, {{{node, above, right}, {right, opposite, node}, {above, node, opposite}, {opposite, right, above}}});
    colours_[first][node] = colours_[first][above] = static_cast<std::uint8_t>(b);
    colours_[second][node] = colours_[second][right] = static_cast<std::uint8_t>(a);
  }

  /// The cycle of a colour that begins at node 0.
  Cycle cycle(std::size_t colour) const
  {
    Cycle nodes = {0};
    std::uint32_t before = 0;
    for (std::uint32_t here = neighbours_[colour][0][1]; here != 0;) {
      nodes.push_back(here);
      const Ends& ends = neighbours_[colour][here];
      before = std::exchange(here, ends[0] == before ? ends[1] : ends[0]);
    }
    return nodes;
  }

private:
  using Ends = std::array<std::uint32_t, 2>;

  /// A node with the neighbour that it loses and the one that it gets.
  struct Turn {
    std::uint32_t node = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };

  void turn(std::size_t colour, const std::array<Turn, 4>& turns)
  {
    for (const Turn& one : turns) {
      Ends& ends = neighbours_[colour][one.node];
      ends[ends[0] == one.from ? 0 : 1] = one.to;
    }
  }

  std::vector<std::int64_t> sizes_;
  std::vector<std::uint32_t> strides_;
  std::vector<std::vector<std::uint8_t>> colours_; ///< by dimension and node, of the link upwards
  std::vector<std::vector<Ends>> neighbours_;      ///< by colour and node
  mutable WorkSteps steps_;
};

/// Two cycles of an X x Y torus by the rule for X >= Y: squares on the diagonal join all rows to one way, and with the
/// squares between further columns all columns; the latter split the way of the rows and join it again.
std::vector<Cycle> cycles_of_pair(std::int64_t x_size, std::int64_t y_size)
{
  if (x_size < y_size) {
    std::vector<Cycle> cycles = cycles_of_pair(y_size, x_size);
    for (Cycle& cycle : cycles) {
      for (std::uint32_t& node : cycle) {
        const auto width = static_cast<std::uint32_t>(y_size);
        node = node / width + node % width * static_cast<std::uint32_t>(x_size);
      }
    }
    std::ranges::reverse(cycles);
    return cycles;
  }
  ColouredLinks links(std::array{x_size, y_size});
  const auto exchange = [&](std::int64_t x, std::int64_t y) {
    links.exchange(static_cast<std::uint32_t>(x + y * x_size), 0, 1);
  };
  for (std::int64_t x = 0; x <= y_size - 2; ++x) {
    exchange(x, x);
  }
  const bool even_difference = (x_size - y_size) % 2 == 0;
  const bool even_height = y_size % 2 == 0;
  for (std::int64_t x = y_size - 1; x <= x_size - 2; ++x) {
    const bool first = (x - (y_size - 1)) % 2 == 0;
    if (even_difference || even_height) {
      exchange(x, first ? 0 : 1);
    } else {
      exchange(x, first ? y_size - 1 : 0);
    }
  }
  if (!even_difference && even_height) {
    exchange(x_size - 1, 1);
  }
  return {links.cycle(0), links.cycle(1)};
}

/// The next number of the generator by which the search draws (multiplier of Knuth's MMIX).
std::uint64_t next_draw(std::uint64_t& state)
{
  state = 6364136223846793005ULL * state + 1442695040888963407ULL;
  return state >> 33;
}

/// As many cycles as dimensions by local search: a square is turned where that does not leave more cycles than
/// before. Nothing where the draws do not suffice.
std::vector<Cycle> cycles_by_search(std::span<const std::int64_t> sizes)
{
  ColouredLinks links(sizes);
  const std::size_t dimensions = links.dimensions();
  std::int64_t closed_ways = 0;
  for (const std::int64_t size : sizes) {
    closed_ways += links.nodes() / size;
  }
  const std::uint64_t most_draws = 1'000'000 + 1'000 * std::uint64_t{links.nodes()};
  std::uint64_t state = 1;
  for (std::uint64_t draw = 0; closed_ways > std::ssize(sizes); ++draw) {
    if (draw == most_draws) {
      return {};
    }
    const auto node = static_cast<std::uint32_t>(next_draw(state) % links.nodes());
    const std::size_t first = next_draw(state) % dimensions;
    const std::size_t second = (first + 1 + next_draw(state) % (dimensions - 1)) % dimensions;
    const auto one = links.colour_of_pair(node, first, second);
    const auto other = links.colour_of_pair(node, second, first);
    if (!one || !other || *one == *other) {
      continue;
    }
    const int change = links.change(node, first, second, *one) + links.change(node, second, first, *other);
    if (change <= 0) {
      links.exchange(node, first, second);
      closed_ways += change;
    }
  }
  std::vector<Cycle> cycles;
  for (std::size_t colour = 0; colour < dimensions; ++colour) {
    cycles.push_back(links.cycle(colour));
  }
  return cycles;
}

/// Cycles of the product of two pairs of dimensions: two in each product of a cycle of the first pair and one of the
/// second, which is a torus of two dimensions itself.
std::vector<Cycle> cycles_of_two_pairs(std::span<const std::int64_t> sizes)
{
  const std::vector<Cycle> low = cycles_of_pair(sizes[0], sizes[1]);
  const std::vector<Cycle> high = cycles_of_pair(sizes[2], sizes[3]);
  const auto low_nodes = static_cast<std::uint32_t>(sizes[0] * sizes[1]);
  std::vector<Cycle> cycles;
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::size_t width = low[i].size();
    for (Cycle& cycle : cycles_of_pair(std::ssize(low[i]), std::ssize(high[i]))) {
      for (std::uint32_t& place : cycle) {
        place = low[i][place % width] + low_nodes * high[i][place / width];
      }
      cycles.push_back(std::move(cycle));
    }
  }
  return cycles;
}

std::vector<Cycle> cycles_of_torus(std::span<const std::int64_t> sizes)
{
  switch (sizes.size()) {
  case 1:
    return {ColouredLinks(sizes).cycle(0)};
  case 2:
    return cycles_of_pair(sizes[0], sizes[1]);
  case 3:
    return cycles_by_search(sizes);
  default:
    return cycles_of_two_pairs(sizes);
  }
}

/// The one of a mesh: along the first row, back through the other rows as a snake, and down the first column. Needs an
/// even number of rows, else rows and columns change their parts.
Cycle cycle_of_mesh(std::int64_t columns, std::int64_t rows, std::int64_t column_stride, std::int64_t row_stride)
{
  if (rows % 2 != 0) {
    return cycle_of_mesh(rows, columns, row_stride, column_stride);
  }
  Cycle cycle;
  const auto add = [&](std::int64_t column, std::int64_t row) {
    cycle.push_back(static_cast<std::uint32_t>(column * column_stride + row * row_stride));
  };
  for (std::int64_t column = 0; column < columns; ++column) {
    add(column, 0);
  }
  for (std::int64_t row = 1; row < rows; ++row) {
    for (std::int64_t place = 1; place < columns; ++place) {
      add(row % 2 == 1 ? columns - place : place, row);
    }
  }
  for (std::int64_t row = rows - 1; row > 0; --row) {
    add(0, row);
  }
  return cycle;
}

void require_cycles(const Grid& grid, std::string_view algorithm)
{
  const std::span<const std::int64_t> sizes = grid.sizes();
  constexpr std::size_t most_dimensions = 4;
  if (grid.wraps() && sizes.size() > most_dimensions) {
    throw InputError(fmt::format("{} needs a torus of at most {} dimensions; the {} has {}", algorithm, most_dimensions,
                                 grid.title(), sizes.size()));
  }
  if (!grid.wraps() && sizes.size() != 2) {
    throw InputError(fmt::format("{} needs a torus or a mesh of 2 dimensions; the {} has {}", algorithm, grid.title(),
                                 sizes.size()));
  }
  const std::int64_t least = grid.wraps() ? 3 : 2;
  for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
    if (sizes[dimension] < least) {
      throw InputError(fmt::format("{} needs sizes of at least {} on a {}; the {} size of the {} is {}{}", algorithm,
                                   least, grid.description().kind, dimension_name(dimension), grid.title(),
                                   sizes[dimension],
                                   grid.wraps() && sizes[dimension] == 2 ? ", whose rings have one link only" : ""));
    }
  }
  if (!grid.wraps() && sizes[0] * sizes[1] % 2 != 0) {
    throw InputError(
        fmt::format("{} needs an even number of rows or columns on a mesh; the {} has no closed path through "
                    "all nodes; the nearest size is {} x {}",
                    algorithm, grid.title(), sizes[0], sizes[1] + 1));
  }
}

} // namespace

std::vector<std::vector<NodeId>> hamiltonian_cycles(const Grid& grid, std::string_view algorithm)
{
  require_cycles(grid, algorithm);
  const std::span<const std::int64_t> sizes = grid.sizes();
  const std::vector<Cycle> cycles =
      grid.wraps() ? cycles_of_torus(sizes) : std::vector<Cycle>{cycle_of_mesh(sizes[0], sizes[1], 1, sizes[0])};
  if (cycles.empty() ||
      std::ranges::any_of(cycles, [&](const Cycle& one) { return one.size() != grid.node_count(); })) {
    throw InputError(fmt::format("{} found no closed paths through all nodes of the {}", algorithm, grid.title()));
  }
  std::vector<std::vector<NodeId>> result;
  for (const Cycle& cycle : cycles) {
    std::vector<NodeId>& nodes = result.emplace_back();
    for (const std::uint32_t node : cycle) {
      nodes.push_back(NodeId{node});
    }
  }
  return result;
}

} // namespace wormcast
