#include "wormcast/experiments/reproduction/zhuang_liberatore/pausing_source.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

using MeshPlace = std::array<std::int64_t, 2>;
using Chain = std::vector<MeshPlace>;

/// Appends messages to a schedule, phase by phase.
class PhaseWriter {
public:
  PhaseWriter(const Topology& mesh, Schedule& schedule) : mesh_(mesh), schedule_(schedule) {}

  void send(std::uint32_t step, MeshPlace from, MeshPlace to, BlockRange blocks)
  {
    schedule_.messages.push_back({.step = first_step_ + step,
                                  .source = mesh_.node_at(from),
                                  .destination = mesh_.node_at(to),
                                  .blocks = schedule_.block_sets.intern(blocks)});
    last_step_ = std::max(last_step_, first_step_ + step);
  }

  /// Blocks begin .. begin + pieces * size - 1 run along the chain piece by piece, a hop a step.
  void run_along(const Chain& chain, std::uint32_t begin, std::uint32_t pieces, std::uint32_t size)
  {
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      for (std::uint32_t hop = 0; hop + 1 < chain.size(); ++hop) {
        send(piece + hop, chain[hop], chain[hop + 1], {begin + piece * size, begin + (piece + 1) * size});
      }
    }
  }

  void end_phase() { first_step_ = last_step_ + 1; }

private:
  const Topology& mesh_;
  Schedule& schedule_;
  std::uint32_t first_step_ = 0;
  std::uint32_t last_step_ = 0;
};

} // namespace

// Blocks: A = [0, 2q), B = [2q, 4q), C = [4q, 5q). Columns 0 and 2 get A first, columns 1 and 3 B; neighbours then
// exchange halves, the first while the source sends C.
Schedule broadcast_with_pausing_source(const Topology& mesh, std::uint32_t pieces)
{
  const std::uint32_t q = pieces;
  Schedule schedule;
  schedule.topology = mesh.description();
  schedule.routing = mesh.routing();
  schedule.blocks = 5 * std::uint64_t{q};
  schedule.message_bytes = schedule.blocks;
  schedule.source = mesh.node_at(MeshPlace{0, 0});
  PhaseWriter phases(mesh, schedule);

  phases.send(0, {0, 0}, {1, 0}, {2 * q, 4 * q});
  phases.end_phase();
  phases.send(0, {0, 0}, {0, 1}, {0, 2 * q});
  phases.send(0, {1, 0}, {3, 0}, {2 * q, 4 * q});
  phases.end_phase();

  phases.run_along({{0, 1}, {0, 2}, {0, 3}, {2, 3}, {2, 2}, {2, 1}, {2, 0}, {1, 0}}, 0, q, 2);
  phases.run_along({{1, 0}, {1, 1}, {1, 2}, {1, 3}}, 2 * q, q, 2);
  phases.run_along({{3, 0}, {3, 1}, {3, 2}, {3, 3}}, 2 * q, q, 2);
  phases.end_phase();

  for (const std::uint32_t half : {0U, 1U}) {
    if (half == 0) {
      phases.send(0, {0, 0}, {1, 0}, {4 * q, 5 * q});
    }
    for (std::int64_t y = 0; y < 4; ++y) {
      for (std::int64_t x = 0; x < 4; x += 2) {
        if (x != 0 || y != 0) {
          phases.send(0, {x, y}, {x + 1, y}, {half * q, (half + 1) * q});
          phases.send(0, {x + 1, y}, {x, y}, {(2 + half) * q, (3 + half) * q});
        }
      }
    }
    phases.end_phase();
  }

  phases.run_along({{1, 0},
                    {2, 0},
                    {3, 0},
                    {3, 1},
                    {2, 1},
                    {1, 1},
                    {0, 1},
                    {0, 2},
                    {1, 2},
                    {2, 2},
                    {3, 2},
                    {3, 3},
                    {2, 3},
                    {1, 3},
                    {0, 3}},
                   4 * q, q, 1);
  return schedule;
}

} // namespace wormcast
