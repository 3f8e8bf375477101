#pragma once

#include "world.hpp"

#include <array>
#include <vector>

/// As LULESH: a cube of 2 x 2 x 2 ranks exchanges faces, edges and corners with 26 neighbours (here around the cube's
/// sides, too), and agrees on the time step. The field is of whole numbers, so that one rank alone gets the same.
class HaloCube {
public:
  explicit HaloCube(const World& world) : world_(world), cells_(wide * wide * wide) {}

  bool run()
  {
    std::vector<std::uint64_t> all(whole * whole * whole); // what a single rank computes
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
      all[i] = static_cast<std::uint64_t>(i) * i + 1;
    }
    each_cell([&](int x, int y, int z) { cell(x, y, z) = all[place_in_whole(x, y, z)]; });
    bool is_same_step = true;
    for (int step = 0; step < 3; ++step) {
      exchange();
      average();
      all = averaged(all);
      int least = 100 + world_.rank;
      int agreed = 0;
      MPI_Allreduce(&least, &agreed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      is_same_step = is_same_step && agreed == 100;
    }
    each_cell(
        [&](int x, int y, int z) { is_same_step = is_same_step && cell(x, y, z) == all[place_in_whole(x, y, z)]; });
    return is_same_step && world_.size == 8;
  }

private:
  static constexpr int side = 4;         // cells of a rank
  static constexpr int wide = side + 2;  // with those of neighbours
  static constexpr int whole = 2 * side; // cells of all ranks

  std::uint64_t& cell(int x, int y, int z) { return cells_[(z * wide + y) * wide + x]; }

  template <typename Action> static void each_cell(const Action& action)
  {
    for (int z = 1; z <= side; ++z) {
      for (int y = 1; y <= side; ++y) {
        for (int x = 1; x <= side; ++x) {
          action(x, y, z);
        }
      }
    }
  }
  int place_in_whole(int x, int y, int z) const
  {
    const int own[3] = {world_.rank % 2, world_.rank / 2 % 2, world_.rank / 4};
    return ((z - 1 + own[2] * side) * whole + y - 1 + own[1] * side) * whole + x - 1 + own[0] * side;
  }

  // The cells towards a neighbour: the rank's own outermost ones, or those behind its border. Into `data`, or from it.
  void copy(const std::array<int, 3>& way, bool own, bool pack, std::vector<std::uint64_t>& data)
  {
    int from[3];
    int to[3];
    for (int i = 0; i < 3; ++i) {
      from[i] = way[i] == 0 ? 1 : way[i] < 0 ? (own ? 1 : 0) : (own ? side : side + 1);
      to[i] = way[i] == 0 ? side : from[i];
    }
    std::size_t at = 0;
    for (int z = from[2]; z <= to[2]; ++z) {
      for (int y = from[1]; y <= to[1]; ++y) {
        for (int x = from[0]; x <= to[0]; ++x) {
          if (pack) {
            data.push_back(cell(x, y, z));
          } else {
            cell(x, y, z) = data[at++];
          }
        }
      }
    }
  }

  void exchange()
  {
    std::array<std::vector<std::uint64_t>, 27> out;
    std::array<std::vector<std::uint64_t>, 27> in;
    std::vector<MPI_Request> requests;
    for (int i = 0; i < 27; ++i) {
      const std::array<int, 3> way = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
      if (i == 13) { // the rank itself
        continue;
      }
      const int neighbour = (world_.rank % 2 ^ (way[0] & 1)) + 2 * (world_.rank / 2 % 2 ^ (way[1] & 1)) +
                            4 * (world_.rank / 4 ^ (way[2] & 1));
      copy(way, true, true, out[i]);
      in[i].resize(out[i].size());
      requests.resize(requests.size() + 2);
      MPI_Irecv(in[i].data(), static_cast<int>(in[i].size()), MPI_UINT64_T, neighbour, 26 - i, MPI_COMM_WORLD,
                &requests[requests.size() - 2]);
      MPI_Isend(out[i].data(), static_cast<int>(out[i].size()), MPI_UINT64_T, neighbour, i, MPI_COMM_WORLD,
                &requests.back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < 27; ++i) {
      if (i != 13) {
        copy({i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}, false, false, in[i]);
      }
    }
  }

  void average()
  {
    std::vector<std::uint64_t> next = cells_;
    each_cell([&](int x, int y, int z) {
      std::uint64_t sum = 0;
      for (int i = 0; i < 27; ++i) {
        sum += cell(x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1);
      }
      next[(z * wide + y) * wide + x] = sum / 27;
    });
    cells_ = next;
  }
  static std::vector<std::uint64_t> averaged(const std::vector<std::uint64_t>& all)
  {
    std::vector<std::uint64_t> next(all.size());
    for (int place = 0; place < static_cast<int>(all.size()); ++place) {
      std::uint64_t sum = 0;
      for (int i = 0; i < 27; ++i) {
        const int x = (place + i % 3 - 1 + whole) % whole;
        const int y = (place / whole + i / 3 % 3 - 1 + whole) % whole;
        const int z = (place / (whole * whole) + i / 9 - 1 + whole) % whole;
        sum += all[(z * whole + y) * whole + x];
      }
      next[place] = sum / 27;
    }
    return next;
  }

  const World& world_;
  std::vector<std::uint64_t> cells_;
};
