// odd_program WHAT: an MPI program that does what programs should not, or seldom do. Made by smpicxx.

#include <cstdio>
#include <mpi.h>
#include <smpi/smpi.h>
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

// Rank 0 measures a loop of which SMPI runs a part, and prints how long it took.
int sample(int rank)
{
  const double start = MPI_Wtime();
  volatile double sum = 0;
  int i = 0;
  SMPI_SAMPLE_LOCAL(i = 0, i < 100, ++i, 10, 0.01)
  {
    for (int k = 0; k < 20000; ++k) {
      sum = sum + k;
    }
  }
  if (rank == 0) {
    std::printf("sampled for %.1f us\n", (MPI_Wtime() - start) * 1e6);
  }
  return 0;
}

// Rank 0 sends, rank 1 receives by HOW: wait, test or probe, and prints how long that took.
int poll(const std::string& how, int bytes, int rank)
{
  std::vector<char> data(static_cast<std::size_t>(bytes));
  const double start = MPI_Wtime();
  if (rank == 0) {
    MPI_Send(data.data(), bytes, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
  } else if (rank == 1) {
    int found = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (how == "probe") {
      while (found == 0) {
        MPI_Iprobe(0, 7, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
      }
      MPI_Recv(data.data(), bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Irecv(data.data(), bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
      if (how == "wait") {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      while (how == "test" && found == 0) {
        MPI_Test(&request, &found, MPI_STATUS_IGNORE);
      }
    }
    std::printf("received in %.2f us\n", (MPI_Wtime() - start) * 1e6);
  }
  return 0;
}

// One rank aborts while the others wait for it.
int abort_one(int rank)
{
  if (rank == 0) {
    MPI_Abort(MPI_COMM_WORLD, 42);
  }
  return wait_for_nothing();
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
  } else if (what == "sample") {
    code = sample(rank);
  } else if (what == "poll") {
    code = poll(argv[2], std::stoi(argv[3]), rank);
  } else if (what == "abort") {
    code = abort_one(rank);
  } else if (what == "return") {
    poll("wait", 8, rank);
    code = std::stoi(argv[2]);
  }
  MPI_Finalize();
  return code;
}
