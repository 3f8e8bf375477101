// ping_pong BYTES ROUNDS: rank 0 and the last rank send a message to and fro.

#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<char> data(static_cast<std::size_t>(bytes));
  const double start = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    if (rank == 0) {
      MPI_Send(data.data(), bytes, MPI_CHAR, ranks - 1, 0, MPI_COMM_WORLD);
      MPI_Recv(data.data(), bytes, MPI_CHAR, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == ranks - 1) {
      MPI_Recv(data.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
  }
  if (rank == 0) {
    std::printf("%d bytes one way: %.3f us\n", bytes, (MPI_Wtime() - start) * 1e6 / (2 * rounds));
  }
  MPI_Finalize();
  return 0;
}
