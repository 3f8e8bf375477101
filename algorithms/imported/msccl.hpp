#pragma once

#include "wormcast/algorithms/schedule/operation.hpp"
#include "wormcast/values/names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What a step of MSCCL does: `s` sends, `r` receives, `c` copies what it received, `r...` reduces.
enum class MscclType : std::uint8_t {
  send,                     ///< s
  receive,                  ///< r
  receive_copy_send,        ///< rcs
  receive_reduce_send,      ///< rrs: stores nothing
  receive_reduce_copy,      ///< rrc
  receive_reduce_copy_send, ///< rrcs
  reduce,                   ///< re
  copy,                     ///< cpy
  nop                       ///< nop: only waits
};

/// The types as in files: "s", "rcs".
inline constexpr auto msccl_type_names = names<MscclType>({{MscclType::send, "s"},
                                                           {MscclType::receive, "r"},
                                                           {MscclType::receive_copy_send, "rcs"},
                                                           {MscclType::receive_reduce_send, "rrs"},
                                                           {MscclType::receive_reduce_copy, "rrc"},
                                                           {MscclType::receive_reduce_copy_send, "rrcs"},
                                                           {MscclType::reduce, "re"},
                                                           {MscclType::copy, "cpy"},
                                                           {MscclType::nop, "nop"}});

/// Whether a step of this type receives from its thread block's peer.
bool msccl_receives(MscclType type);
/// Whether it sends to the peer.
bool msccl_sends(MscclType type);
/// Whether it reads `src`.
bool msccl_reads_source(MscclType type);
/// Whether it writes `dst`.
bool msccl_writes(MscclType type);

/// The buffers of a rank that steps read and write.
enum class MscclBuffer : std::uint8_t { input, output, scratch };
/// The buffers as in files: "i", "o", "s".
inline constexpr auto msccl_buffer_names =
    names<MscclBuffer>({{MscclBuffer::input, "i"}, {MscclBuffer::output, "o"}, {MscclBuffer::scratch, "s"}});

/// One step of a thread block.
struct MscclStep {
  MscclType type = MscclType::nop;
  MscclBuffer source = MscclBuffer::input;
  MscclBuffer destination = MscclBuffer::input;
  bool has_dependents = false;                  ///< hasdep: others may wait for it
  std::uint32_t source_offset = 0;              ///< in chunks
  std::uint32_t destination_offset = 0;         ///< in chunks
  std::uint32_t count = 0;                      ///< chunks
  std::optional<std::uint32_t> wait_block = {}; ///< depid: the thread block of the same gpu with the step it waits for
  std::uint32_t wait_step = 0;                  ///< deps
  std::uint32_t line = 0;
};

/// A thread block, which does its steps one after the other.
struct MscclBlock {
  std::uint32_t gpu = 0;
  std::uint32_t id = 0;                 ///< of the file
  std::optional<std::uint32_t> send;    ///< peer
  std::optional<std::uint32_t> receive; ///< peer
  std::uint32_t channel = 0;
  std::uint32_t first = 0; ///< its first step in MscclAlgorithm::steps
  std::uint32_t count = 0; ///< of its steps
  std::uint32_t line = 0;
};

/// A rank: the sizes of its buffers, in chunks, and its thread blocks.
struct MscclGpu {
  std::array<std::uint32_t, 3> chunks = {}; ///< by MscclBuffer
  std::uint32_t first = 0;                  ///< its first block in MscclAlgorithm::blocks
  std::uint32_t count = 0;                  ///< of its blocks
};

/// An algorithm in MSCCL XML (msccl-executor-nccl, src/misc/msccl/msccl_parser.cc; docs/formats-of-others.md).
struct MscclAlgorithm {
  std::string name;
  std::string protocol;
  std::string collective;
  std::optional<Operation> operation; ///< none: the collective says nothing of what ranks hold at the end
  std::uint32_t channels = 0;
  std::uint32_t chunks = 0; ///< nchunksperloop: chunks of the whole buffer
  bool in_place = false;
  bool out_of_place = false;
  std::uint64_t min_bytes = 0;
  std::uint64_t max_bytes = 0;    ///< 0: no limit
  std::vector<MscclGpu> gpus;     ///< by rank
  std::vector<MscclBlock> blocks; ///< by gpu, then id
  std::vector<MscclStep> steps;   ///< by block
};

/// "gpu 2, tb 0, step 26".
std::string msccl_place(const MscclAlgorithm& algorithm, std::uint32_t step);
/// The block of a step.
const MscclBlock& msccl_block_of(const MscclAlgorithm& algorithm, std::uint32_t step);

/// Reads MSCCL XML from a stream. Throws InputError with file, line and column for what is no XML, misses an attribute,
/// or has one with a value that is not allowed; what can be read and is wrong is found by check_msccl().
MscclAlgorithm read_msccl(std::istream& in, std::string_view name);

/// The same of a file. Throws FileError where it cannot be read.
MscclAlgorithm read_msccl(const std::filesystem::path& file);

} // namespace wormcast
