#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/schedule/program.hpp"

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A part of a block that one rank sends to another.
struct TecclSend {
  static constexpr std::uint32_t at_start = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t from = 0;         ///< rank
  std::uint32_t to = 0;           ///< rank
  std::uint32_t after = at_start; ///< the send that brings the part to `from`
  std::uint64_t begin = 0;        ///< of the part, in TecclSchedule::parts of a block
  std::uint64_t end = 0;
};

/// A schedule of TE-CCL (teccl/solvers/allgather.py, alltoall.py; docs/formats-of-others.md), an all_gather or an
/// all_to_all, with what was found out about it.
struct TecclSchedule {
  bool all_to_all = false;
  std::vector<std::uint64_t> ids; ///< by rank: the file's id of the GPU
  std::vector<std::uint64_t> switches;
  std::string epoch_duration; ///< seconds, as in the file
  std::uint64_t epochs = 0;
  std::uint64_t flows = 0;
  std::uint64_t parts = 1; ///< of a block: chunks of a source, or 10^9 for the volumes of an all_to_all
  std::vector<TecclSend> sends;
  std::uint32_t longest_chain = 0; ///< of sends one behind the other
  Findings findings;               ///< possession, coverage
};

/// Reads and proves a schedule: in an all_gather what a rank sends in an epoch it has got in an earlier one, and every
/// rank gets every chunk; in an all_to_all each route of a demand joins its ends in rising epochs, and the volumes of
/// its routes are one block. Throws InputError for what is not JSON or not of the format.
TecclSchedule read_te_ccl(std::istream& in, std::string_view name);
TecclSchedule read_te_ccl(const std::filesystem::path& file);

/// The program for blocks of `block_bytes`: of each rank in an all_gather, from each rank to each in an all_to_all. A
/// rank passes on what it has received; epochs are not kept. Throws InputError with `name` where a rank sends what it
/// never gets.
Program te_ccl_program(const TecclSchedule& schedule, std::uint64_t block_bytes, std::string_view name);

} // namespace wormcast
