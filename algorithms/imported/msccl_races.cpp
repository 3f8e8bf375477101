#include "wormcast/algorithms/imported/msccl_races.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace wormcast {

namespace {

constexpr std::uint64_t most_clock_entries = std::uint64_t{1} << 28;
constexpr std::uint64_t most_clock_operations = std::uint64_t{1} << 36;
constexpr std::uint64_t most_accesses = std::uint64_t{1} << 27;
constexpr std::size_t most_compared_pairs = 4096;

struct Access {
  std::uint32_t chunk = 0;
  std::uint32_t position = 0; ///< in the order
  std::uint32_t step = 0;
  bool writes = false;
};

class RaceFinder {
public:
  RaceFinder(const MscclAlgorithm& algorithm, const MscclOrder& order, const MscclMemory& memory, Findings& findings)
      : algorithm_(algorithm), order_(order), memory_(memory), findings_(findings), position_(algorithm.steps.size()),
        block_of_(algorithm.steps.size()), first_of_block_(algorithm.steps.size())
  {
    for (std::uint32_t i = 0; i < order.order.size(); ++i) {
      position_[order.order[i]] = i;
    }
    for (std::uint32_t i = 0; i < algorithm.blocks.size(); ++i) {
      const MscclBlock& block = algorithm.blocks[i];
      std::fill_n(block_of_.begin() + block.first, block.count, i);
      if (block.count > 0) {
        first_of_block_[block.first] = true;
      }
    }
  }

  void find(std::uint32_t gpu)
  {
    collect(gpu);
    if (!needs_order()) {
      return;
    }
    set_clocks(algorithm_.gpus[gpu]);
    for (std::size_t begin = 0; begin < accesses_.size();) {
      std::size_t end = begin;
      while (end < accesses_.size() && accesses_[end].chunk == accesses_[begin].chunk) {
        ++end;
      }
      compare(gpu, begin, end);
      begin = end;
    }
  }

private:
  void collect(std::uint32_t gpu)
  {
    accesses_.clear();
    const MscclGpu& here = algorithm_.gpus[gpu];
    for (std::uint32_t i = here.first; i < here.first + here.count; ++i) {
      const MscclBlock& block = algorithm_.blocks[i];
      for (std::uint32_t step = block.first; step < block.first + block.count; ++step) {
        const MscclStep& one = algorithm_.steps[step];
        for (std::uint32_t k = 0; k < one.count; ++k) {
          if (msccl_reads_source(one.type)) {
            accesses_.push_back({memory_.at(gpu, one.source, one.source_offset + k), position_[step], step, false});
          }
          if (msccl_writes(one.type)) {
            accesses_.push_back(
                {memory_.at(gpu, one.destination, one.destination_offset + k), position_[step], step, true});
          }
        }
      }
    }
    std::ranges::sort(accesses_, {},
                      [](const Access& access) { return std::tuple(access.chunk, access.position, !access.writes); });
    const auto same = std::ranges::unique(accesses_, {}, [](const Access& access) {
      return std::tuple(access.chunk, access.position); // of a step that reads and writes, the writing is left
    });
    accesses_.erase(same.begin(), same.end());
  }

  /// Whether some chunk has accesses of two blocks.
  bool needs_order() const
  {
    for (std::size_t i = 1; i < accesses_.size(); ++i) {
      if (accesses_[i].chunk == accesses_[i - 1].chunk &&
          block_of_[accesses_[i].step] != block_of_[accesses_[i - 1].step]) {
        return true;
      }
    }
    return false;
  }

  /// clocks_[step * width_ + b]: how many steps of block b of the gpu end before `step` begins, itself included.
  void set_clocks(const MscclGpu& gpu)
  {
    width_ = gpu.count;
    base_ = gpu.first;
    clocks_.assign(algorithm_.steps.size() * width_, 0);
    for (const std::uint32_t step : order_.order) {
      std::uint32_t* const own = clocks_.data() + std::size_t{step} * width_;
      const auto after = [&](std::uint32_t earlier) {
        const std::uint32_t* const other = clocks_.data() + std::size_t{earlier} * width_;
        for (std::size_t b = 0; b < width_; ++b) {
          own[b] = std::max(own[b], other[b]);
        }
      };
      if (!first_of_block_[step]) {
        after(step - 1);
      }
      if (order_.waits[step] != MscclOrder::none) {
        after(order_.waits[step]);
      }
      if (order_.received[step] != MscclOrder::none) {
        after(order_.sends[order_.received[step]]);
      }
      const std::uint32_t block = block_of_[step];
      if (block >= base_ && block - base_ < width_) {
        own[block - base_] = step - algorithm_.blocks[block].first + 1;
      }
    }
  }

  bool is_before(std::uint32_t first, std::uint32_t second) const
  {
    const std::uint32_t block = block_of_[first];
    return clocks_[std::size_t{second} * width_ + (block - base_)] > first - algorithm_.blocks[block].first;
  }

  /// Accesses to one chunk, in the order. Of many that are in order it suffices that each write comes after the write
  /// before it and the reads between them, and each read after the write before it.
  void compare(std::uint32_t gpu, std::size_t begin, std::size_t end)
  {
    const bool all = end - begin <= most_compared_pairs;
    std::size_t last_write = begin;
    for (std::size_t second = begin + 1; second < end; ++second) {
      for (std::size_t first = all ? begin : last_write; first < second; ++first) {
        const Access& one = accesses_[first];
        const Access& other = accesses_[second];
        if ((one.writes || other.writes) && !is_before(one.step, other.step)) {
          report(gpu, one, other);
        }
        if (!all && !other.writes) {
          break; // only the write
        }
      }
      last_write = accesses_[second].writes ? second : last_write;
    }
  }

  void report(std::uint32_t gpu, const Access& one, const Access& other)
  {
    const std::uint32_t first = std::min(one.step, other.step);
    const std::uint32_t second = std::max(one.step, other.step);
    findings_.add(FindingKind::race, algorithm_.steps[second].line, [&] {
      const auto step_text = [&](std::uint32_t step) {
        const MscclBlock& block = algorithm_.blocks[block_of_[step]];
        return fmt::format("tb {}, step {} ({})", block.id, step - block.first,
                           msccl_type_names.text(algorithm_.steps[step].type));
      };
      return fmt::format("gpu {}, {}: nothing orders {} and {}", gpu, memory_.name(gpu, one.chunk), step_text(first),
                         step_text(second));
    });
  }

  const MscclAlgorithm& algorithm_;
  const MscclOrder& order_;
  const MscclMemory& memory_;
  Findings& findings_;
  std::vector<std::uint32_t> position_; ///< by step: in the order
  std::vector<std::uint32_t> block_of_; ///< by step
  std::vector<bool> first_of_block_;    ///< by step
  std::vector<Access> accesses_;        ///< of a gpu, by chunk and position
  std::vector<std::uint32_t> clocks_;
  std::size_t width_ = 0;
  std::uint32_t base_ = 0;
};

} // namespace

void check_race_limits(const MscclAlgorithm& algorithm)
{
  std::uint64_t widest = 0;
  for (const MscclGpu& gpu : algorithm.gpus) {
    widest = std::max<std::uint64_t>(widest, gpu.count);
  }
  std::uint64_t accesses = 0;
  for (const MscclStep& step : algorithm.steps) {
    accesses += step.count;
  }
  const std::uint64_t steps = algorithm.steps.size();
  if (steps * widest > most_clock_entries || steps * algorithm.blocks.size() > most_clock_operations ||
      accesses > most_accesses) {
    throw InputError(fmt::format("{} steps in {} thread blocks with {} chunks are too many for a proof", steps,
                                 algorithm.blocks.size(), accesses));
  }
}

void find_msccl_races(const MscclAlgorithm& algorithm, const MscclOrder& order, const MscclMemory& memory,
                      Findings& findings)
{
  RaceFinder finder(algorithm, order, memory, findings);
  for (std::uint32_t gpu = 0; gpu < algorithm.gpus.size(); ++gpu) {
    finder.find(gpu);
  }
}

} // namespace wormcast
