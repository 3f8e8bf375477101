#pragma once

#include "world.hpp"

#include <complex>
#include <vector>

/// Matrix multiplication on a grid of ranks: columns of A along the rows of the grid, rows of B along its columns.
inline bool summa(const World& world)
{
  constexpr int block = 8;
  int grid = 1;
  while (grid * grid < world.size) {
    ++grid;
  }
  const int row = world.rank / grid;
  const int column = world.rank % grid;
  MPI_Comm along_row = MPI_COMM_NULL;
  MPI_Comm along_column = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &along_row);
  MPI_Comm_split(MPI_COMM_WORLD, column, row, &along_column);
  const auto a = [](int i, int j) { return static_cast<std::int64_t>(i * 3 + j * j % 11 - 7); };
  const auto b = [](int i, int j) { return static_cast<std::int64_t>(i * i % 13 - 2 * j); };
  std::vector<std::int64_t> c(block * block);
  for (int step = 0; step < grid; ++step) {
    std::vector<std::int64_t> part_of_a(block * block);
    std::vector<std::int64_t> part_of_b(block * block);
    for (int i = 0; i < block * block; ++i) {
      part_of_a[i] = column == step ? a(row * block + i / block, step * block + i % block) : 0;
      part_of_b[i] = row == step ? b(step * block + i / block, column * block + i % block) : 0;
    }
    MPI_Bcast(part_of_a.data(), block * block, MPI_INT64_T, step, along_row);
    MPI_Bcast(part_of_b.data(), block * block, MPI_INT64_T, step, along_column);
    for (int i = 0; i < block * block * block; ++i) {
      c[i / block] +=
          part_of_a[i / (block * block) * block + i % block] * part_of_b[i % block * block + i / block % block];
    }
  }
  bool is_right = grid * grid == world.size;
  for (int i = 0; i < block * block; ++i) {
    std::int64_t expected = 0;
    for (int k = 0; k < grid * block; ++k) {
      expected += a(row * block + i / block, k) * b(k, column * block + i % block);
    }
    is_right = is_right && c[i] == expected;
  }
  return is_right;
}

/// The Fourier transform of a plane wave on 16 x 16 points, by rows, a transposition and rows again: one peak.
inline bool plane_wave(const World& world)
{
  constexpr int points = 16;
  using Complex = std::complex<double>;
  const int rows = points / world.size;
  const auto wave = [](int steps) { return std::polar(1.0, 2 * 3.14159265358979323846 * steps / points); };
  std::vector<Complex> field(rows * points);
  for (int i = 0; i < rows * points; ++i) {
    field[i] = wave(3 * (i % points) + 5 * (world.rank * rows + i / points));
  }
  const auto transform_rows = [&] {
    std::vector<Complex> out(field.size());
    for (int i = 0; i < rows * points; ++i) {
      for (int x = 0; x < points; ++x) {
        out[i] += field[i / points * points + x] * wave(-(i % points) * x);
      }
    }
    field = out;
  };
  transform_rows();
  std::vector<Complex> out(field.size());
  std::vector<Complex> in(field.size());
  for (int i = 0; i < rows * points; ++i) { // by the rank that gets it, then by column
    const int column = i % points;
    out[(column / rows * rows + column % rows) * rows + i / points] = field[i];
  }
  MPI_Alltoall(out.data(), 2 * rows * rows, MPI_DOUBLE, in.data(), 2 * rows * rows, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < rows * points; ++i) {
    const int from = i / (rows * rows);
    field[i / rows % rows * points + from * rows + i % rows] = in[i];
  }
  transform_rows();
  bool is_right = rows * world.size == points;
  for (int i = 0; i < rows * points; ++i) { // by column of the field now
    const bool is_peak = world.rank * rows + i / points == 3 && i % points == 5;
    is_right = is_right && std::abs(field[i] - Complex(is_peak ? points * points : 0)) < 1e-9;
  }
  return is_right;
}
