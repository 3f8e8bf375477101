// odd_program WHAT: an MPI program that does what programs should not, or seldom do. Made by smpicxx.

#include <cstdio>
#include <mpi.h>
#include <string>
#include <vector>

namespace {

// All wait for messages that nobody sends.
int wait_for_nothing()
{
  char byte = 0;
  MPI_Recv(&byte, 1, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}

int broadcast_from_nowhere(int ranks)
{
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  char byte = 0;
  return MPI_Bcast(&byte, 1, MPI_CHAR, ranks, MPI_COMM_WORLD) == MPI_SUCCESS ? 1 : 0;
}

// Broadcasts of many lengths from many roots, twice.
int many_broadcasts(int rank, int ranks)
{
  for (int i = 0; i < 200; ++i) {
    const int length = 1 + i % 100;
    std::vector<char> data(static_cast<std::size_t>(length), static_cast<char>(rank == i % ranks ? i % 128 : -1));
    MPI_Bcast(data.data(), length, MPI_CHAR, i % ranks, MPI_COMM_WORLD);
    for (const char byte : data) {
      if (byte != static_cast<char>(i % 128)) {
        return 1;
      }
    }
  }
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  const std::string what = argc > 1 ? argv[1] : "";
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int code = 2;
  if (what == "wait_for_nothing") {
    code = wait_for_nothing();
  } else if (what == "broadcast_from_nowhere") {
    code = broadcast_from_nowhere(ranks);
  } else if (what == "many_broadcasts") {
    code = many_broadcasts(rank, ranks);
  }
  MPI_Finalize();
  return code;
}
