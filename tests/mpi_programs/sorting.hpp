#pragma once

#include "world.hpp"

#include <algorithm>
#include <vector>

/// Sends each rank its part of `keys`, which are sorted by rank, and returns what this rank gets.
inline std::vector<int> exchange(const World& world, const std::vector<int>& keys, const std::vector<int>& counts)
{
  std::vector<int> wanted(world.size);
  MPI_Alltoall(counts.data(), 1, MPI_INT, wanted.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> from(world.size);
  std::vector<int> to(world.size);
  for (int rank = 1; rank < world.size; ++rank) {
    from[rank] = from[rank - 1] + counts[rank - 1];
    to[rank] = to[rank - 1] + wanted[rank - 1];
  }
  std::vector<int> got(to.back() + wanted.back());
  MPI_Alltoallv(keys.data(), counts.data(), from.data(), MPI_INT, got.data(), wanted.data(), to.data(), MPI_INT,
                MPI_COMM_WORLD);
  std::sort(got.begin(), got.end());
  return got;
}

/// Whether the keys of all ranks are in order, and as many and of the same sum as before.
inline bool are_sorted(const World& world, const std::vector<int>& before, const std::vector<int>& after)
{
  std::int64_t sums[2] = {static_cast<std::int64_t>(before.size()) - static_cast<std::int64_t>(after.size()), 0};
  for (const int key : before) {
    sums[1] += key;
  }
  for (const int key : after) {
    sums[1] -= key;
  }
  std::int64_t all[2];
  MPI_Allreduce(sums, all, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  int last = after.empty() ? -1 : after.back();
  int before_mine = -1;
  const int next = world.rank + 1 < world.size ? world.rank + 1 : MPI_PROC_NULL;
  const int previous = world.rank > 0 ? world.rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&last, 1, MPI_INT, next, 0, &before_mine, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return all[0] == 0 && all[1] == 0 && std::is_sorted(after.begin(), after.end()) &&
         (after.empty() || before_mine <= after.front());
}

/// As IS of the NAS benchmarks: keys from 0 to 2^11 - 1 by buckets of equal width, whose sizes are added up first.
inline bool integer_sort(const World& world)
{
  constexpr int keys_of_rank = 4096;
  constexpr int largest = 2048;
  Numbers numbers(world.rank + 1);
  std::vector<int> keys(keys_of_rank);
  for (int& key : keys) { // the mean of four numbers, so that buckets are unequal
    key = static_cast<int>(
        (numbers.next() % largest + numbers.next() % largest + numbers.next() % largest + numbers.next() % largest) /
        4);
  }
  std::vector<int> sizes(largest);
  for (const int key : keys) {
    ++sizes[key];
  }
  std::vector<int> all(largest);
  MPI_Allreduce(sizes.data(), all.data(), largest, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::vector<int> counts(world.size); // each rank takes whole values, about the same number of keys
  std::int64_t below = 0;
  for (int value = 0; value < largest; ++value) {
    counts[std::min<std::int64_t>(world.size - 1, below / keys_of_rank)] += sizes[value];
    below += all[value];
  }
  std::vector<int> by_rank = keys;
  std::sort(by_rank.begin(), by_rank.end());
  return below == std::int64_t{keys_of_rank} * world.size && are_sorted(world, keys, exchange(world, by_rank, counts));
}

/// By regular samples: each rank sorts, and the samples of all ranks give the boundaries.
inline bool sample_sort(const World& world)
{
  Numbers numbers(world.rank + 100);
  std::vector<int> keys(1000);
  for (int& key : keys) {
    key = static_cast<int>(numbers.next() & 0x7fffffffU);
  }
  std::vector<int> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> samples(world.size);
  for (int i = 0; i < world.size; ++i) {
    samples[i] = sorted[i * sorted.size() / world.size];
  }
  std::vector<int> all(world.size * world.size);
  MPI_Allgather(samples.data(), world.size, MPI_INT, all.data(), world.size, MPI_INT, MPI_COMM_WORLD);
  std::sort(all.begin(), all.end());
  std::vector<int> counts(world.size);
  int rank = 0;
  for (const int key : sorted) {
    while (rank + 1 < world.size && key >= all[(rank + 1) * world.size]) {
      ++rank;
    }
    ++counts[rank];
  }
  return are_sorted(world, keys, exchange(world, sorted, counts));
}
