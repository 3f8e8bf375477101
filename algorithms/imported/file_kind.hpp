#pragma once

#include <cstdint>
#include <filesystem>

namespace wormcast {

/// The formats of files that algorithm.file and `wormcast check` accept.
enum class ScheduleFileKind : std::uint8_t {
  schedule,         ///< format wormcast-schedule/1, and whatever is of no other kind
  goal,             ///< a program in GOAL
  msccl,            ///< MSCCL XML: its root element is `algo`
  te_ccl,           ///< a schedule of TE-CCL: a JSON object whose first key begins with a number ("1-Epoch_Duration")
  forestcoll,       ///< trees of ForestColl: the root element is `Algo` or `tree`
  time_independent, ///< a trace of SimGrid: lines "0 init", or the names of files or a folder with such lines
  netrace,          ///< a trace of netrace: its magic number, or compressed by bzip2
  chakra            ///< traces of Chakra: a folder or pattern (trace.%d.et) of files NAME.RANK.et of each rank
};

/// Returns what a file holds by its first bytes; a file called .goal is in GOAL. A file that cannot be read counts as a
/// schedule, whose reader says why. A folder holds traces.
ScheduleFileKind schedule_file_kind(const std::filesystem::path& file);

} // namespace wormcast
