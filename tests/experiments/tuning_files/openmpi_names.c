/* Loaded before Open MPI: rank 0 prints "= NAME" for each function that does a collective, which is then called. All of
   them take integers and pointers, ten at most. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long Collective(long, long, long, long, long, long, long, long, long, long);

static void print_name(const char* name)
{
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank != NULL && strcmp(rank, "0") == 0) {
    printf("= %s\n", name);
    fflush(stdout);
  }
}

#define PRINT(collective, name)                                                                                        \
  long ompi_coll_base_##collective##_intra_##name(long a, long b, long c, long d, long e, long f, long g, long h,      \
                                                  long i, long j)                                                      \
  {                                                                                                                    \
    print_name(#name);                                                                                                 \
    Collective* next = (Collective*)dlsym(RTLD_NEXT, "ompi_coll_base_" #collective "_intra_" #name);                   \
    return next(a, b, c, d, e, f, g, h, i, j);                                                                         \
  }

PRINT(bcast, basic_linear)
PRINT(bcast, chain)
PRINT(bcast, pipeline)
PRINT(bcast, split_bintree)
PRINT(bcast, bintree)
PRINT(bcast, binomial)
PRINT(bcast, knomial)
PRINT(bcast, scatter_allgather)
PRINT(bcast, scatter_allgather_ring)
PRINT(allreduce, basic_linear)
PRINT(allreduce, nonoverlapping)
PRINT(allreduce, recursivedoubling)
PRINT(allreduce, ring)
PRINT(allreduce, ring_segmented)
PRINT(allreduce, redscat_allgather)
PRINT(alltoall, basic_linear)
PRINT(alltoall, bruck)
PRINT(alltoall, linear_sync)
PRINT(alltoall, pairwise)
PRINT(alltoall, two_procs)
PRINT(allgather, basic_linear)
PRINT(allgather, bruck)
PRINT(allgather, neighborexchange)
PRINT(allgather, recursivedoubling)
PRINT(allgather, ring)
PRINT(allgather, two_procs)
