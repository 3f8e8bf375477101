// programs NAME: small MPI programs of the kinds that people run, each of which checks its own result. Made by smpicxx.

#include "graphs.hpp"
#include "halo_cube.hpp"
#include "matrices.hpp"
#include "sorting.hpp"
#include "world.hpp"

#include <cstdio>
#include <functional>
#include <map>
#include <string>

int main(int count, char** words)
{
  MPI_Init(&count, &words);
  const World world;
  const std::map<std::string, std::function<bool(const World&)>> programs = {
      {"integer_sort", integer_sort}, {"random_pairs", random_pairs},
      {"data_traffic", data_traffic}, {"halo_cube", [](const World& ranks) { return HaloCube(ranks).run(); }},
      {"sample_sort", sample_sort},   {"summa", summa},
      {"plane_wave", plane_wave}};
  int is_right = programs.at(words[1])(world) ? 1 : 0;
  int all = 0;
  MPI_Reduce(&is_right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (world.rank == 0) {
    std::printf("%s among %d ranks: %s\n", words[1], world.size, all == 1 ? "right" : "WRONG");
  }
  MPI_Finalize();
  return 0;
}
