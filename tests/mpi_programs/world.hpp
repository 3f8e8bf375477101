#pragma once

#include <cstdint>
#include <mpi.h>

/// The ranks of a program.
struct World {
  int rank = 0;
  int size = 0;

  World()
  {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
};

/// Numbers that are the same on every machine: the linear congruential generator of Knuth's MMIX.
class Numbers {
public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2862933555777941757U + 3037000493U) {}

  std::uint32_t next()
  {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state_ >> 33U);
  }
  /// From 0 to below 1.
  double fraction() { return next() / 2147483648.0; }

private:
  std::uint64_t state_;
};
