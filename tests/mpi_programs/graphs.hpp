#pragma once

#include "world.hpp"

#include <array>
#include <cmath>
#include <vector>

/// As EP of the NAS benchmarks: random pairs in the unit circle, counted by distance; ranks only add up at the end.
inline bool random_pairs(const World& world)
{
  constexpr int pairs_of_rank = 2000;
  constexpr int rings = 10;
  using Counts = std::array<std::int64_t, rings>;
  const auto count = [](int rank, Counts& counts) {
    Numbers numbers(rank + 7);
    for (int i = 0; i < pairs_of_rank; ++i) {
      const double x = 2 * numbers.fraction() - 1;
      const double y = 2 * numbers.fraction() - 1;
      const double distance = std::sqrt(x * x + y * y);
      if (distance < 1) {
        ++counts[static_cast<std::size_t>(rings * distance)];
      }
    }
  };
  Counts mine{};
  count(world.rank, mine);
  Counts all{};
  MPI_Allreduce(mine.data(), all.data(), rings, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  Counts expected{};
  for (int rank = 0; rank < world.size; ++rank) {
    count(rank, expected);
  }
  return all == expected;
}

/// As DT of the NAS benchmarks, its black hole: a tree with four children each in which all data goes to the root.
inline bool data_traffic(const World& world)
{
  constexpr int words = 3000;
  const auto value = [](int rank, int i) { return static_cast<std::uint64_t>(rank) * 1000003U + i * 17U; };
  std::vector<std::uint64_t> data(words);
  for (int i = 0; i < words; ++i) {
    data[i] = value(world.rank, i);
  }
  std::vector<std::uint64_t> part(words);
  for (int child = 4 * world.rank + 1; child <= 4 * world.rank + 4 && child < world.size; ++child) {
    MPI_Recv(part.data(), words, MPI_UINT64_T, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < words; ++i) {
      data[i] += part[i];
    }
  }
  if (world.rank > 0) {
    MPI_Send(data.data(), words, MPI_UINT64_T, (world.rank - 1) / 4, 5, MPI_COMM_WORLD);
    return true;
  }
  for (int i = 0; i < words; ++i) {
    std::uint64_t expected = 0;
    for (int rank = 0; rank < world.size; ++rank) {
      expected += value(rank, i);
    }
    if (data[i] != expected) {
      return false;
    }
  }
  return true;
}
