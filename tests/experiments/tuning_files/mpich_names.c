/* Linked with MPICH, whose functions the linker's --wrap replaces: rank 0 prints "= NAME" for each one that does a
   collective, every rank "s FROM TO BYTES" for each message of bytes. All take integers and pointers. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* rank(void)
{
  const char* of_process = getenv("PMI_RANK");
  return of_process == NULL ? "" : of_process;
}

static void print_name(const char* name)
{
  if (strcmp(rank(), "0") == 0) {
    printf("= %s\n", name);
    fflush(stdout);
  }
}

#define PRINT(name)                                                                                                    \
  long __real_##name(long, long, long, long, long, long, long, long, long, long);                                      \
  long __wrap_##name(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)                   \
  {                                                                                                                    \
    print_name(#name);                                                                                                 \
    return __real_##name(a, b, c, d, e, f, g, h, i, j);                                                                \
  }

#define PRINT_SEND(name)                                                                                               \
  long __real_##name(long, long, long, long, long, long, long, long, long, long, long, long, long);                    \
  long __wrap_##name(long a, long count, long c, long to, long e, long f, long g, long h, long i, long j, long k,      \
                     long l, long m)                                                                                   \
  {                                                                                                                    \
    printf("s %s %d %ld\n", rank(), (int)to, count);                                                                   \
    fflush(stdout);                                                                                                    \
    return __real_##name(a, count, c, to, e, f, g, h, i, j, k, l, m);                                                  \
  }

PRINT(MPIR_Bcast_intra_binomial)
PRINT(MPIR_Bcast_intra_scatter_recursive_doubling_allgather)
PRINT(MPIR_Bcast_intra_scatter_ring_allgather)
PRINT(MPIR_Bcast_intra_smp)
PRINT(MPIR_Allreduce_intra_recursive_doubling)
PRINT(MPIR_Allreduce_intra_reduce_scatter_allgather)
PRINT(MPIR_Alltoall_intra_brucks)
PRINT(MPIR_Alltoall_intra_pairwise)
PRINT(MPIR_Alltoall_intra_pairwise_sendrecv_replace)
PRINT(MPIR_Alltoall_intra_scattered)
PRINT(MPIR_Allgather_intra_brucks)
PRINT(MPIR_Allgather_intra_recursive_doubling)
PRINT(MPIR_Allgather_intra_ring)
PRINT_SEND(MPIC_Send)
PRINT_SEND(MPIC_Isend)
PRINT_SEND(MPIC_Sendrecv)
PRINT_SEND(MPIC_Sendrecv_replace)
