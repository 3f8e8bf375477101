#include "wormcast/experiments/reproduction/bertsekas/phases.hpp"

#include <algorithm>

namespace wormcast::bertsekas {

namespace {

/// A packet on its way, as long as the cube grows.
struct Move {
  std::uint32_t step = 1;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t origin = 0;
  std::uint32_t destination = 0;
};

std::uint32_t last_step(const std::vector<Move>& moves)
{
  return std::ranges::max_element(moves, {}, &Move::step)->step;
}

// By node: the destinations of its packets in the order in which it sends them; ties by link or at random.
std::vector<std::vector<std::uint32_t>> sending_orders(const std::vector<Move>& moves, std::uint32_t nodes,
                                                       std::mt19937_64* random)
{
  std::vector<std::vector<Move>> own(nodes);
  for (const Move& move : moves) {
    if (move.from == move.origin) {
      own[move.from].push_back(move);
    }
  }
  std::vector<std::vector<std::uint32_t>> orders(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    std::ranges::sort(own[node], {}, [](const Move& move) { return move.from ^ move.to; });
    if (random != nullptr) {
      std::ranges::shuffle(own[node], *random);
    }
    std::ranges::stable_sort(own[node], {}, &Move::step);
    for (const Move& move : own[node]) {
      orders[node].push_back(move.destination);
    }
  }
  return orders;
}

std::vector<Move> moves_of(std::uint32_t dimension, const PhaseRules& rules)
{
  if (dimension == 1) {
    return {{1, 0, 1, 0, 1}, {1, 1, 0, 1, 0}};
  }
  const std::uint32_t half = 1U << (dimension - 1);
  const std::vector<Move> smaller = moves_of(dimension - 1, rules);
  std::vector<Move> moves;
  const std::uint32_t phase_3 = rules.overlap ? last_step(smaller) : half - rules.earlier; // steps before it
  for (const std::uint32_t side : {0U, half}) {
    const std::uint32_t other = half - side;
    for (const Move& m : smaller) {
      moves.push_back({m.step, m.from + side, m.to + side, m.origin + side, m.destination + side});
      moves.push_back({m.step + phase_3, m.from + side, m.to + side, m.origin + other, m.destination + side});
    }
    const auto orders = sending_orders(smaller, half, rules.random);
    for (std::uint32_t node = 0; node < half; ++node) {
      std::uint32_t step = 0;
      for (const std::uint32_t destination : orders[node]) {
        moves.push_back({++step, node + side, node + other, node + side, destination + other});
      }
      moves.push_back({++step, node + side, node + other, node + side, node + other});
    }
  }
  return moves;
}

} // namespace

std::vector<Hop> exchange_in_phases(std::uint32_t dimension, const PhaseRules& rules)
{
  std::vector<Hop> hops;
  for (const Move& move : moves_of(dimension, rules)) {
    hops.push_back({move.step, move.from, move.to, (move.origin << dimension) + move.destination});
  }
  std::ranges::sort(hops);
  return hops;
}

std::vector<std::uint32_t> own_packets_sent(const std::vector<Hop>& hops, std::uint32_t dimension, std::uint32_t node)
{
  std::vector<std::uint32_t> sent(1U << (dimension - 1), 0);
  for (const Hop& hop : hops) {
    sent[hop.step - 1] += hop.from == node && hop.packet >> dimension == node;
  }
  for (std::size_t n = 1; n < sent.size(); ++n) {
    sent[n] += sent[n - 1];
  }
  return sent;
}

CubeCase total_exchange_case(std::uint32_t dimension)
{
  return {.dimension = dimension, .algorithm = "total_exchange"};
}

std::vector<Hop> total_exchange_hops(std::uint32_t dimension)
{
  return hops_of(schedule_of(total_exchange_case(dimension), *make_cube(dimension)));
}

} // namespace wormcast::bertsekas
