#pragma once

#include "wormcast/experiments/mpi/collective_run.hpp"
#include "wormcast/experiments/process/workers.hpp"

#include <nlohmann/json.hpp>

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
  std::string algorithm;                                            ///< SMPI's name, or "wormcast:NAME"
  bool own = false;                                                 ///< wormcast's
  nlohmann::ordered_json values = nlohmann::ordered_json::object(); ///< parameters of wormcast's algorithms by name;
                                                                    ///< "best" ones are chosen for each length
  std::string parameters = {};          ///< the same as text: "depth=5 block=0 rounds=lattice"
  std::vector<CollectiveRun> runs = {}; ///< by length
  bool is_timed = false;                ///< the runs are there: false of rows that an interrupt or a gap left out

  /// As mpi.bcast names it: "wormcast:truncated_recursion depth=5 block=0 rounds=lattice".
  std::string title() const { return parameters.empty() ? algorithm : algorithm + " " + parameters; }
};

/// The algorithms for one collective operation of MPI side by side.
struct CollectiveTable {
  std::string collective;
  std::vector<std::uint64_t> lengths; ///< bytes, ascending
  std::vector<CollectiveRow> rows;    ///< SMPI's as it names them, then wormcast's as candidates() has them
  int interrupted_by = 0;             ///< SIGINT, SIGTERM, SIGHUP, or 0; then the rest is not complete
  bool has_gaps = false;              ///< rows were left out (Workers::left_out); the rest is not complete

  /// Without the rows that are not timed.
  CollectiveTable timed_rows() const;

  /// The row with the least time at a length among SMPI's or among wormcast's own, of equal ones the first; none where
  /// none has a time.
  std::optional<std::size_t> fastest(std::size_t length, bool own) const;
};

/// The algorithms that are timed, and the number of processes.
struct CollectiveOptions {
  std::string collective = "bcast"; ///< of timed_collectives
  /// Only these: SMPI's names, "wormcast:NAME" with all its candidates, or with parameters as mpi.bcast has them.
  /// Empty: SMPI's, and for bcast wormcast's.
  std::vector<std::string> algorithms = {};
  std::vector<std::string> further = {};               ///< also these, of wormcast's, named with parameters
  std::vector<std::uint64_t> lengths;                  ///< bytes, ascending
  std::optional<std::uint64_t> processor_seconds = {}; ///< CollectiveCase::processor_seconds
  TaskOptions tasks = {};                              ///< how the algorithms are timed
  /// Called of each row when it and all rows before it are timed, so in the order of the table.
  std::function<void(const CollectiveTable& table, std::size_t row)> timed = {};
};

/// Times each algorithm in a process of its own, as time_collective does; what goes wrong with one is in
/// its run and ends nothing else. The outcome does not depend on the number of jobs. Files are written to `folder`.
/// Throws InputError on a collective that cannot be timed, on a name that is no algorithm for it, and where no MPI
/// program can run here.
CollectiveTable compare_collectives(const ConfigSource& config, const std::vector<NodeId>& nodes,
                                    const std::filesystem::path& folder, const CollectiveOptions& options);

} // namespace wormcast
