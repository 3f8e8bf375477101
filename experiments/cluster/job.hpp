#pragma once

#include "wormcast/experiments/process/workers.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace wormcast {

/// Finds out whether mpirun or srun has started this process as one of several ranks. Then all of them meet (by MPI,
/// the only use of it), rank 0 is the one that hands out tasks, reads and writes, and the others only compute: they say
/// nothing, and leave interrupts to rank 0. To be called once, before there are threads. Throws InputError where there
/// are ranks and this build has no MPI, or another one than that which started them.
void join_job();

/// Ranks of this job; 1 where this process was started alone.
std::size_t job_ranks();

/// Whether this process is not rank 0 of its job.
bool is_computing_rank();

/// In a computing rank: tells rank 0 why it cannot compute, where rank 0 still hands out tasks.
void report_to_first_rank(const std::string& error);

/// Those who compute the tasks of `work`, which must outlive them: the other ranks, or, without any, at most `jobs`
/// children of this process. None in a computing rank: it has computed, at most `jobs` tasks at a time, until rank 0
/// had no more. Of each process at most once.
std::unique_ptr<Workers> workers_for(const TaskWork& work, std::size_t jobs);

} // namespace wormcast
