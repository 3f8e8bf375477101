#include "wormcast/algorithms/grid/lattice_round.hpp"

#include "wormcast/algorithms/grid/lattice_tables.hpp"

#include <algorithm>
#include <array>

namespace wormcast {

namespace {

/// The exclusive or of the source's x with its coordinate in another dimension.
std::int64_t diagonal_of(const Grid& grid, NodeId source, std::size_t dimension)
{
  return grid.coordinate(source, 0) ^ grid.coordinate(source, dimension);
}

/// Whether ranks that differ by `diagonal` are on the lattice's diagonals (0) or beside them (1).
std::uint32_t class_of_diagonal(std::int64_t diagonal, unsigned k)
{
  const std::uint32_t delta = lattice_rank(diagonal, k);
  return delta == 1 || delta == 2 ? 1 : 0;
}

/// Calls apply(nodes of the lattice by rank x + 4*y + 16*z) for every lattice of every block of 2^k.
template <typename Apply> void for_each_lattice(const Grid& grid, NodeId source, unsigned k, Apply&& apply)
{
  const std::size_t dimensions = grid.sizes().size();
  const std::int64_t side = std::int64_t{1} << k;
  const std::int64_t classes = side / 4;
  std::vector<NodeId> nodes(std::size_t{1} << (2 * dimensions));
  std::array<std::int64_t, 3> corner = {0, 0, 0};
  for (std::uint32_t first = 0; first < grid.node_count(); ++first) {
    bool is_corner = true;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
      corner[dimension] = grid.coordinate(NodeId{first}, dimension);
      is_corner = is_corner && corner[dimension] % side == 0;
    }
    for (std::int64_t u = 0; is_corner && u < classes; ++u) {
      std::array<std::int64_t, 3> group = {u, 0, 0};
      for (std::size_t dimension = 1; dimension < dimensions; ++dimension) {
        group[dimension] = lattice_class(u ^ diagonal_of(grid, source, dimension), k);
      }
      for (std::size_t position_in_half = 0; position_in_half < nodes.size(); ++position_in_half) {
        std::int64_t node = first;
        for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
          const auto rank = static_cast<std::uint32_t>(position_in_half >> (2 * dimension)) % 4;
          node += lattice_position(rank, group[dimension], k) * grid.stride(dimension);
        }
        nodes[position_in_half] = NodeId{static_cast<std::uint32_t>(node)};
      }
      apply(nodes);
    }
  }
}

void execute(const Grid& grid, NodeId source, unsigned k, const LatticeTable& table, Ownership& ownership)
{
  std::vector<std::vector<Ownership::Relay>> steps(table.steps.size());
  for_each_lattice(grid, source, k, [&](const std::vector<NodeId>& nodes) {
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (const LatticeSend& send : table.steps[step]) {
        steps[step].push_back({nodes[send.from], nodes[send.to], nodes[send.owner]});
      }
    }
  });
  ownership.relay(std::move(steps));
}

} // namespace

std::uint32_t lattice_rank(std::int64_t position, unsigned k)
{
  return static_cast<std::uint32_t>(position >> (k - 2)) % 4;
}

std::int64_t lattice_class(std::int64_t position, unsigned k)
{
  const std::int64_t half = std::int64_t{1} << (k - 1);
  const std::int64_t position_in_half = position % half;
  return std::min(position_in_half, half - 1 - position_in_half);
}

std::int64_t lattice_position(std::uint32_t rank, std::int64_t class_in_block, unsigned k)
{
  const std::int64_t half = std::int64_t{1} << (k - 1);
  return (rank / 2) * half + (rank % 2 == 0 ? class_in_block : half - 1 - class_in_block);
}

void lattice_round(const Grid& grid, NodeId source, unsigned k, Ownership& ownership)
{
  const std::uint32_t y_class = class_of_diagonal(diagonal_of(grid, source, 1), k);
  const LatticeTable& table = grid.sizes().size() == 3
                                  ? lattice_table(y_class, class_of_diagonal(diagonal_of(grid, source, 2), k))
                                  : lattice_table(y_class);
  execute(grid, source, k, table, ownership);
}

void first_torus_round(const Grid& grid, NodeId source, unsigned k, Ownership& ownership)
{
  execute(grid, source, k, first_torus_table(lattice_rank(diagonal_of(grid, source, 1), k)), ownership);
}

} // namespace wormcast
