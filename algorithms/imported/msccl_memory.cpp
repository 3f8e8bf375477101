#include "wormcast/algorithms/imported/msccl_memory.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::uint64_t most_chunks_of_memory = std::uint64_t{1} << 24;

} // namespace

MscclMemory::MscclMemory(const MscclAlgorithm& algorithm, bool in_place)
    : in_place_(in_place), output_is_whole_(algorithm.operation == Operation::multinode_broadcast)
{
  const auto ranks = static_cast<std::uint32_t>(algorithm.gpus.size());
  const std::uint32_t of_rank = std::max(algorithm.chunks / ranks, 1U);
  inputs_ = output_is_whole_ ? of_rank : algorithm.chunks;
  outputs_ = algorithm.operation == Operation::reduce_scatter ? of_rank : algorithm.chunks;
  std::uint64_t size = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const auto& chunks = algorithm.gpus[rank].chunks;
    const std::uint64_t own = std::uint64_t{rank} * of_rank; // where its part of the whole begins
    std::uint64_t input = std::max(algorithm.operation ? inputs_ : 0, chunks[0]);
    std::uint64_t output = std::max(algorithm.operation ? outputs_ : 0, chunks[1]);
    Gpu gpu{.first = static_cast<std::uint32_t>(size), .base = {}};
    std::uint64_t data = 0;
    if (!in_place) {
      gpu.base[1] = static_cast<std::uint32_t>(input);
      data = input + output;
    } else if (output_is_whole_) {
      gpu.base[0] = static_cast<std::uint32_t>(own);
      data = std::max(output, own + input);
    } else if (algorithm.operation == Operation::reduce_scatter) {
      gpu.base[1] = static_cast<std::uint32_t>(own);
      data = std::max(input, own + output);
    } else {
      data = std::max(input, output);
    }
    gpu.base[2] = static_cast<std::uint32_t>(data);
    size += data + chunks[2];
    if (size > most_chunks_of_memory) {
      throw InputError(
          fmt::format("the gpus have more than {} chunks in all, too many for a proof", most_chunks_of_memory));
    }
    gpus_.push_back(gpu);
  }
  size_ = static_cast<std::uint32_t>(size);
}

std::string MscclMemory::name(std::uint32_t gpu, std::uint32_t chunk) const
{
  const Gpu& here = gpus_[gpu];
  const std::uint32_t offset = chunk - here.first;
  if (offset >= here.base[2]) {
    return fmt::format("s[{}]", offset - here.base[2]);
  }
  if (in_place_) {
    return fmt::format("{}[{}]", output_is_whole_ ? "o" : "i", offset);
  }
  return offset >= here.base[1] ? fmt::format("o[{}]", offset - here.base[1]) : fmt::format("i[{}]", offset);
}

} // namespace wormcast
