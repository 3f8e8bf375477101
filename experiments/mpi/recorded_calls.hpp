#pragma once

// X(NAME, PARAMETERS, KIND) for each function MPI_NAME whose calls are recorded. KIND is `collective` where all ranks
// of a communicator call it in the same order, else `other`.
// clang-format off
#define WORMCAST_MPI_CALLS(X) \
  X(Barrier, 1, collective) X(Bcast, 5, collective) X(Gather, 8, collective) X(Gatherv, 9, collective) \
  X(Scatter, 8, collective) X(Scatterv, 9, collective) X(Allgather, 7, collective) \
  X(Allgatherv, 8, collective) X(Alltoall, 7, collective) X(Alltoallv, 9, collective) \
  X(Alltoallw, 9, collective) X(Reduce, 7, collective) X(Allreduce, 6, collective) \
  X(Reduce_scatter, 6, collective) X(Reduce_scatter_block, 6, collective) X(Scan, 6, collective) \
  X(Exscan, 6, collective) X(Ibarrier, 2, collective) X(Ibcast, 6, collective) X(Igather, 9, collective) \
  X(Igatherv, 10, collective) X(Iscatter, 9, collective) X(Iscatterv, 10, collective) \
  X(Iallgather, 8, collective) X(Iallgatherv, 9, collective) X(Ialltoall, 8, collective) \
  X(Ialltoallv, 10, collective) X(Ialltoallw, 10, collective) X(Ireduce, 8, collective) \
  X(Iallreduce, 7, collective) X(Ireduce_scatter, 7, collective) X(Ireduce_scatter_block, 7, collective) \
  X(Iscan, 7, collective) X(Iexscan, 7, collective) X(Comm_dup, 2, collective) \
  X(Comm_dup_with_info, 3, collective) X(Comm_create, 3, collective) X(Comm_create_group, 4, collective) \
  X(Comm_split, 4, collective) X(Comm_split_type, 5, collective) X(Cart_create, 6, collective) \
  X(Cart_sub, 3, collective) X(Win_create, 6, collective) X(Win_allocate, 6, collective) \
  X(Win_allocate_shared, 6, collective) X(Win_create_dynamic, 3, collective) X(Send, 6, other) \
  X(Recv, 7, other) X(Bsend, 6, other) X(Ssend, 6, other) X(Rsend, 6, other) X(Isend, 7, other) \
  X(Irecv, 7, other) X(Ibsend, 7, other) X(Issend, 7, other) X(Irsend, 7, other) X(Sendrecv, 12, other) \
  X(Sendrecv_replace, 9, other) X(Send_init, 7, other) X(Recv_init, 7, other) X(Bsend_init, 7, other) \
  X(Ssend_init, 7, other) X(Rsend_init, 7, other) X(Start, 1, other) X(Startall, 2, other) X(Wait, 2, other) \
  X(Waitall, 3, other) X(Waitany, 4, other) X(Waitsome, 5, other) X(Test, 3, other) X(Testall, 4, other) \
  X(Testany, 5, other) X(Testsome, 5, other) X(Probe, 4, other) X(Iprobe, 5, other) X(Init, 2, other) \
  X(Init_thread, 4, other) X(Finalize, 0, other) X(Comm_free, 1, other) X(Put, 8, other) X(Get, 8, other) \
  X(Rput, 9, other) X(Rget, 9, other) X(Accumulate, 9, other) X(Raccumulate, 10, other) \
  X(Get_accumulate, 12, other) X(Rget_accumulate, 13, other) X(Fetch_and_op, 7, other) \
  X(Compare_and_swap, 7, other) X(Win_fence, 2, other) X(Win_free, 1, other) X(Win_post, 3, other) \
  X(Win_start, 3, other) X(Win_complete, 1, other) X(Win_wait, 1, other) X(Win_lock, 4, other) \
  X(Win_lock_all, 2, other) X(Win_unlock, 2, other) X(Win_unlock_all, 1, other) X(Win_flush, 2, other) \
  X(Win_flush_local, 2, other) X(Win_flush_all, 1, other) X(Win_flush_local_all, 1, other) \
  X(Win_sync, 1, other) X(File_open, 5, other) X(File_close, 1, other) X(File_read, 5, other) \
  X(File_write, 5, other) X(File_read_at, 6, other) X(File_write_at, 6, other) X(File_read_all, 5, other) \
  X(File_write_all, 5, other) X(File_read_at_all, 6, other) X(File_write_at_all, 6, other) \
  X(File_sync, 1, other)
// clang-format on
