#pragma once

#include "wormcast/algorithms/imported/finding.hpp"

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What is known of a time-independent trace of SimGrid (src/smpi/internals/smpi_replay.cpp;
/// docs/formats-of-others.md): the actions of the ranks of an MPI program, one a line.
struct TimeIndependentTrace {
  std::vector<std::filesystem::path> files; ///< by rank, or the one that has the lines of all ranks
  std::uint32_t ranks = 0;
  std::uint64_t lines = 0; ///< with an action
  std::map<std::string, std::uint64_t> actions;
  std::uint64_t messages = 0;                 ///< point to point
  std::vector<std::uint64_t> bytes_by_rank;   ///< sent point to point
  std::vector<double> flops_by_rank;          ///< of `compute`; collectives that reduce have their own
  std::vector<std::string> first_collectives; ///< of rank 0, at most most_first_collectives
  std::uint64_t collectives = 0;              ///< of rank 0
  Findings findings;                          ///< matching

  static constexpr std::size_t most_first_collectives = 1000;
};

/// Reads and checks the lines of all ranks: every line has an action that SMPI knows with the values that it needs,
/// ranks are 0, 1, ..., each message sent between two ranks with one tag is received, and all ranks take part in the
/// same collectives, with the same roots. Throws InputError "NAME:LINE: ..." for what is not of the format. Memory
/// does not grow with the number of lines, but with those of ranks, of collectives, and of pairs of ranks and tags.
TimeIndependentTrace read_time_independent(std::istream& in, std::string_view name);

/// The same of a trace: a file with the lines of all ranks, a folder with a file of each rank, or a list of the names
/// of these files in the order of ranks (`smpirun -trace-ti`), which are relative to the working folder, else to that
/// of the list. Throws FileError where one cannot be read.
TimeIndependentTrace read_time_independent(const std::filesystem::path& trace);

/// Whether a text begins with a line "0 init" of a trace, behind comments and empty lines.
bool begins_time_independent(std::string_view text);

/// Whether a text begins with the name of a file with lines of a trace, as the list `list` of such names does.
bool lists_time_independent(std::string_view text, const std::filesystem::path& list);

/// Writes a list of files by rank to `folder`, as smpirun -replay accepts it, with the lines of each rank in a file of
/// their own where `trace` has them in one. Returns the list. Throws FileError where a file cannot be read or written.
std::filesystem::path write_replay_list(const TimeIndependentTrace& trace, const std::filesystem::path& folder);

} // namespace wormcast
