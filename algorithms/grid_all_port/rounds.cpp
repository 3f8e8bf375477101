#include "wormcast/algorithms/grid_all_port/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <sstream>
#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::uint32_t unowned = ~std::uint32_t{0};

std::int64_t floor_half(std::int64_t value)
{
  return value >= 0 ? value / 2 : (value - 1) / 2;
}

Position reflected(Position position, std::int64_t side, bool in_x, bool in_y)
{
  return {in_x ? side - 1 - position.x : position.x, in_y ? side - 1 - position.y : position.y};
}

class TableReader {
public:
  TableReader(std::string_view name, std::int64_t side, bool periodic)
  {
    table_.name = name;
    table_.side = side;
    table_.periodic = periodic;
  }

  StepTable read(std::string_view text)
  {
    for (const auto section : std::views::split(text, '-')) {
      table_.steps.emplace_back();
      for (const auto line : std::views::split(section, ';')) {
        std::istringstream tokens(std::string(line.begin(), line.end()));
        read_line(tokens);
      }
    }
    std::erase_if(table_.steps, [](const auto& step) { return step.empty(); }); // the section of the owners
    if (std::ranges::count(table_.owned, unowned) != 0) {
      fail("a node without segments at the end");
    }
    return std::move(table_);
  }

private:
  [[noreturn]] void fail(std::string_view what) const
  {
    throw std::logic_error(fmt::format("step table {}: {}", table_.name, what));
  }

  void read_line(std::istringstream& tokens)
  {
    std::string head;
    tokens >> head;
    const bool sends = head.size() == 5 && head[2] == '>';
    const bool owns = head.size() == 5 && head[2] == '=';
    if (!sends && !owns) {
      fail(head);
    }
    const Position from = position(head.substr(0, 2));
    std::vector<Position> segments;
    if (owns) {
      segments.push_back(position(head.substr(3)));
    }
    for (std::string segment; tokens >> segment;) {
      segments.push_back(position(segment));
    }
    add_orbit(from, sends ? position(head.substr(3)) : from, segments, sends);
  }

  Position position(const std::string& digits) const
  {
    const Position result{digits.at(0) - '0', digits.at(1) - '0'};
    if (digits.size() != 2 || result.x < 0 || result.x >= table_.side || result.y < 0 || result.y >= table_.side) {
      fail(digits);
    }
    return result;
  }

  void add_orbit(Position from, Position to, const std::vector<Position>& segments, bool sends)
  {
    if (table_.periodic) {
      to = {unrolled(from.x, to.x), unrolled(from.y, to.y)};
    }
    for (const bool in_x : {false, true}) {
      for (const bool in_y : {false, true}) {
        std::vector<Position> set;
        for (const Position segment : segments) {
          set.push_back(reflected(segment, table_.side, in_x, in_y));
        }
        const std::uint32_t id = set_id(std::move(set));
        const Position at = reflected(from, table_.side, in_x, in_y);
        if (sends) {
          table_.steps.back().push_back({at, reflected(to, table_.side, in_x, in_y), id});
        } else {
          table_.owned.resize(static_cast<std::size_t>(table_.side * table_.side), unowned);
          table_.owned[static_cast<std::size_t>(at.x + table_.side * at.y)] = id;
        }
      }
    }
  }

  // Returns the coordinate in the shorter direction round the lattice's ring from `from`, perhaps outside of the
  // lattice.
  std::int64_t unrolled(std::int64_t from, std::int64_t to) const
  {
    const std::int64_t d = to - from;
    return from + (2 * d > table_.side ? d - table_.side : 2 * d < -table_.side ? d + table_.side : d);
  }

  std::uint32_t set_id(std::vector<Position> set)
  {
    std::ranges::sort(set, {}, [](Position segment) { return std::pair(segment.x, segment.y); });
    const auto found = std::ranges::find(table_.segment_sets, set);
    const auto id = static_cast<std::uint32_t>(found - table_.segment_sets.begin());
    if (found == table_.segment_sets.end()) {
      table_.segment_sets.push_back(std::move(set));
    }
    return id;
  }

  StepTable table_;
};

std::size_t position_index(const SquareFrame& frame, std::int64_t x, std::int64_t y)
{
  return static_cast<std::size_t>(x + frame.side * y);
}

// One lattice of one block: number `u` of the block at (x, y).
struct Lattice {
  const StepTable& table;
  std::int64_t block_side = 0;
  Position block;
  std::int64_t u = 0;

  Position at(Position node) const
  {
    return {block.x + lattice_coordinate(node.x, table.side, block_side, u),
            block.y + lattice_coordinate(node.y, table.side, block_side, u)};
  }
};

template <typename Visit>
void for_each_lattice(const SquareFrame& frame, const StepTable& table, std::int64_t block_side, Visit visit)
{
  for (std::int64_t y = 0; y < frame.side; y += block_side) {
    for (std::int64_t x = 0; x < frame.side; x += block_side) {
      for (std::int64_t u = 0; u < block_side / table.side; ++u) {
        visit(Lattice{table, block_side, {x, y}, u});
      }
    }
  }
}

} // namespace

StepTable read_step_table(std::string_view name, std::int64_t side, bool periodic, std::string_view text)
{
  return TableReader(name, side, periodic).read(text);
}

std::int64_t lattice_coordinate(std::int64_t X, std::int64_t lattice_side, std::int64_t block_side, std::int64_t u)
{
  const std::int64_t cell = 2 * block_side / lattice_side;
  const std::int64_t half = floor_half(X);
  return half * cell + (X == 2 * half ? u : cell - 1 - u);
}

void append_round(Schedule& schedule, const Grid& grid, const SquareFrame& frame, const StepTable& table,
                  std::int64_t block_side, std::uint32_t first_step, HeldSegments& held)
{
  HeldSegments next(table.owned.empty() ? 0 : held.size());
  std::vector<BlockSetId> sets(table.segment_sets.size());
  std::vector<BlockSetId> parts;
  for_each_lattice(frame, table, block_side, [&](const Lattice& lattice) {
    for (std::size_t id = 0; id < sets.size(); ++id) {
      parts.clear();
      for (const Position segment : table.segment_sets[id]) {
        const Position holder = lattice.at(segment);
        parts.push_back(held[position_index(frame, holder.x, holder.y)]);
      }
      sets[id] = schedule.block_sets.unite(parts);
    }
    for (std::size_t step = 0; step < table.steps.size(); ++step) {
      for (const TableMessage& message : table.steps[step]) {
        schedule.messages.push_back({.step = first_step + static_cast<std::uint32_t>(step),
                                     .source = frame.node(grid, lattice.at(message.from)),
                                     .destination = frame.node(grid, lattice.at(message.to)),
                                     .blocks = sets[message.segments]});
      }
    }
    for (std::size_t node = 0; node < table.owned.size(); ++node) {
      const auto k = static_cast<std::int64_t>(node);
      const Position position = lattice.at({k % table.side, k / table.side});
      next[position_index(frame, position.x, position.y)] = sets[table.owned[node]];
    }
  });
  held = std::move(next);
}

} // namespace wormcast
