#pragma once

#include "wormcast/algorithms/imported/msccl.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// The chunks of all gpus, with buffers that share their memory counted once: in place, o is i for all_reduce,
/// all_to_all, broadcast, reduce and collectives that are not known; i[j] of rank r is o[r P/n + j] for all_gather,
/// o[j] is i[r P/n + j] for reduce_scatter (msccl-executor-nccl, src/misc/msccl/msccl_lifecycle.cc).
class MscclMemory {
public:
  /// Throws InputError where there are more than 2^24 chunks in all.
  MscclMemory(const MscclAlgorithm& algorithm, bool in_place);

  /// The index of a chunk among those of all gpus.
  std::uint32_t at(std::uint32_t gpu, MscclBuffer buffer, std::uint32_t offset) const
  {
    const Gpu& here = gpus_[gpu];
    return here.first + here.base[static_cast<std::size_t>(buffer)] + offset;
  }

  /// "o[5]".
  std::string name(std::uint32_t gpu, std::uint32_t chunk) const;

  std::uint32_t size() const { return size_; }

  /// How many chunks of i an operation reads, and how many of o it fills.
  std::uint32_t inputs() const { return inputs_; }
  std::uint32_t outputs() const { return outputs_; }

private:
  struct Gpu {
    std::uint32_t first = 0;
    std::uint32_t base[3] = {}; ///< by MscclBuffer, from `first`
  };

  bool in_place_;
  bool output_is_whole_; ///< in place, i is a part of o
  std::uint32_t inputs_ = 0;
  std::uint32_t outputs_ = 0;
  std::uint32_t size_ = 0;
  std::vector<Gpu> gpus_;
};

} // namespace wormcast
