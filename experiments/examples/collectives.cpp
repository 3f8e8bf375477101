// collectives OPERATION BYTES: one MPI_Bcast, MPI_Allreduce (maximum of bytes) or MPI_Alltoall (BYTES for each pair)
// that all ranks start at the same time; prints how long it takes until the last rank is through, and checks what
// arrived.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr double common_start = 1; // seconds, later than all that comes before

double run(const std::string& operation, int bytes, int rank, int ranks, bool& right)
{
  std::vector<char> out(static_cast<std::size_t>(bytes) *
                            (operation == "alltoall" ? static_cast<std::size_t>(ranks) : 1),
                        static_cast<char>(rank == 0 ? 7 : 1));
  std::vector<char> in(out.size(), 0);
  // usleep takes simulated time: barriers would let ranks go at different times.
  usleep(static_cast<useconds_t>((common_start - MPI_Wtime()) * 1e6));
  const double start = MPI_Wtime();
  if (operation == "bcast") {
    MPI_Bcast(out.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    right = std::count(out.begin(), out.end(), 7) == bytes;
  } else if (operation == "allreduce") {
    MPI_Allreduce(out.data(), in.data(), bytes, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    right = std::count(in.begin(), in.end(), 7) == bytes;
  } else {
    MPI_Alltoall(out.data(), bytes, MPI_CHAR, in.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
    right = std::count(in.begin(), in.begin() + bytes, 7) == bytes;
  }
  return MPI_Wtime() - start;
}

} // namespace

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  const std::string operation = argc == 3 ? argv[1] : "";
  const int bytes = argc == 3 ? std::atoi(argv[2]) : 0;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (bytes < 1 || (operation != "bcast" && operation != "allreduce" && operation != "alltoall")) {
    if (rank == 0) {
      std::fprintf(stderr, "usage: collectives bcast|allreduce|alltoall BYTES\n");
    }
    MPI_Finalize();
    return 2;
  }
  bool right = false;
  const double mine = run(operation, bytes, rank, ranks, right);
  double last = 0;
  MPI_Reduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("%s of %d bytes among %d ranks: %.3f us\n", operation.c_str(), bytes, ranks, last * 1e6);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
