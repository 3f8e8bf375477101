// halo_exchange WIDTH BYTES STEPS FLOPS: ranks in a grid of WIDTH columns exchange BYTES with their neighbours, then
// each does FLOPS floating-point operations (mpi.flops says how many it does in a second), STEPS times.

#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <smpi/smpi.h>
#include <vector>

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  if (argc != 5) {
    MPI_Finalize();
    return 2;
  }
  const int width = std::atoi(argv[1]);
  const int bytes = std::atoi(argv[2]);
  const int steps = std::atoi(argv[3]);
  const double flops = std::atof(argv[4]);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<int> neighbours;
  if (rank % width > 0) {
    neighbours.push_back(rank - 1);
  }
  if (rank % width < width - 1) {
    neighbours.push_back(rank + 1);
  }
  if (rank >= width) {
    neighbours.push_back(rank - width);
  }
  if (rank + width < ranks) {
    neighbours.push_back(rank + width);
  }
  std::vector<char> out(static_cast<std::size_t>(bytes));
  std::vector<std::vector<char>> in(neighbours.size(), out);
  const double start = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    std::vector<MPI_Request> requests(2 * neighbours.size());
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      MPI_Irecv(in[i].data(), bytes, MPI_CHAR, neighbours[i], step, MPI_COMM_WORLD, &requests[2 * i]);
      MPI_Isend(out.data(), bytes, MPI_CHAR, neighbours[i], step, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    smpi_execute_flops(flops);
  }
  const double mine = MPI_Wtime() - start;
  double last = 0;
  MPI_Reduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("%d steps: %.3f us\n", steps, last * 1e6);
  }
  MPI_Finalize();
  return 0;
}
