/* calls COLLECTIVE BYTES...: one call for each number, of an allgather or alltoall with blocks of so many bytes; rank 0
   prints "@ BYTES" before each. What arrives is checked: exit code 1 where it is wrong. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_right(const char* bytes, int count, char value)
{
  for (int i = 0; i < count; ++i) {
    if (bytes[i] != value) {
      return 0;
    }
  }
  return 1;
}

static int call(const char* collective, int bytes, int rank, int ranks)
{
  char* out = calloc((size_t)bytes, (size_t)ranks);
  char* in = calloc((size_t)bytes, (size_t)ranks);
  const int blocks = strcmp(collective, "bcast") == 0 || strcmp(collective, "allreduce") == 0 ? 1 : ranks;
  memset(out, rank + 1, (size_t)bytes * (size_t)blocks);
  int right = 1;
  if (strcmp(collective, "bcast") == 0) {
    MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    right = is_right(out, bytes, 1);
  } else if (strcmp(collective, "allreduce") == 0) {
    MPI_Allreduce(out, in, bytes, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    right = is_right(in, bytes, (char)ranks);
  } else if (strcmp(collective, "allgather") == 0) {
    MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    right = is_right(in + (size_t)(ranks - 1) * (size_t)bytes, bytes, (char)ranks);
  } else if (strcmp(collective, "alltoall") == 0) {
    MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    right = is_right(in + (size_t)(ranks - 1) * (size_t)bytes, bytes, (char)ranks);
  } else {
    MPI_Alltoall(MPI_IN_PLACE, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
    right = is_right(out + (size_t)(ranks - 1) * (size_t)bytes, bytes, (char)ranks);
  }
  free(out);
  free(in);
  return right;
}

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int right = argc > 2;
  for (int i = 2; i < argc; ++i) {
    if (rank == 0) {
      printf("@ %s\n", argv[i]);
      fflush(stdout);
    }
    right = call(argv[1], atoi(argv[i]), rank, ranks) && right;
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
