#pragma once

#include "wormcast/experiments/mpi/collective_run.hpp"
#include "wormcast/experiments/process/workers.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// One algorithm at all message lengths.
struct CollectiveRow {
  std::string algorithm;           ///< SMPI's name, or "wormcast:NAME"
  bool own = false;                ///< wormcast's
  std::vector<CollectiveRun> runs; ///< by length
};

/// The algorithms for one collective operation of MPI side by side.
struct CollectiveTable {
  std::string collective;
  std::vector<std::uint64_t> lengths; ///< bytes, ascending
  std::vector<CollectiveRow> rows;    ///< SMPI's as it names them, then wormcast's in the order of its list
  int interrupted_by = 0;             ///< SIGINT, SIGTERM, SIGHUP, or 0; then the rest is not complete

  /// The row with the least time at a length among SMPI's or among wormcast's own, of equal ones the first; none where
  /// none has a time.
  std::optional<std::size_t> fastest(std::size_t length, bool own) const;
};

/// What is timed, and with how many processes.
struct CollectiveOptions {
  std::string collective = "bcast";         ///< of timed_collectives
  std::vector<std::string> algorithms = {}; ///< only these; empty: SMPI's, and for bcast wormcast's
  std::vector<std::uint64_t> lengths;       ///< bytes, ascending
  std::size_t jobs = 1;                     ///< processes at the same time
  Workers* workers = nullptr;               ///< that do the timing (collectives_work); none: children of this process
  std::function<void(const SweepProgress&)> progress = {};
};

/// How the timing of compare_collectives is done, with files in `folder`. `config` and `nodes` must outlive it.
TaskWork collectives_work(const ConfigSource& config, const std::vector<NodeId>& nodes,
                          const std::filesystem::path& folder, const CollectiveOptions& options);

/// Times each algorithm in a process of its own, as time_collective does; what goes wrong with one is in
/// its run and ends nothing else. The outcome does not depend on the number of jobs. Files are written to `folder`.
/// Throws InputError on a collective that cannot be timed, on a name that is no algorithm for it, and where no MPI
/// program can run here.
CollectiveTable compare_collectives(const ConfigSource& config, const std::vector<NodeId>& nodes,
                                    const std::filesystem::path& folder, const CollectiveOptions& options);

} // namespace wormcast
