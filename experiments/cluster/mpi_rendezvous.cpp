// All contact with MPI: a program of its own, which every rank runs once, before its first task. Ranks so have no MPI
// in their processes: the death of one cannot hang another in a call, nothing of MPI is there where a process forks,
// and SimGrid's functions of the same names are not in the way.
//
// mpi_rendezvous TEXT: writes "MARK RANKS TEXT" to standard output, with MARK as below and the TEXT of rank 0.

#include <array>
#include <cstdio>
#include <cstring>
#include <mpi.h>

int main(int argc, char** argv)
{
  std::array<char, 2048> text = {};
  if (argc == 2) {
    std::strncpy(text.data(), argv[1], text.size() - 1);
  }
  int ranks = 0;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  std::printf("\nwormcast-rendezvous %d %s\n", ranks, text.data());
  return 0;
}
