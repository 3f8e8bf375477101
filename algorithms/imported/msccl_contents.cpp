#include "wormcast/algorithms/imported/msccl_contents.hpp"

#include "wormcast/algorithms/imported/contribution_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

class SymbolicRun {
public:
  SymbolicRun(const MscclAlgorithm& algorithm, const MscclOrder& order, const MscclMemory& memory, MscclUse& use,
              std::vector<std::vector<CarriedChunk>>* carried)
      : algorithm_(algorithm), order_(order), memory_(memory), use_(use), carried_(carried),
        ranks_(ranks_of(algorithm)), sums_(ranks_), held_(memory.size(), 0), in_flight_(order.sends.size())
  {
    if (carried_ != nullptr) {
      carried_->assign(order.sends.size(), {});
    }
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const std::uint32_t inputs = algorithm.operation ? memory.inputs() : algorithm.gpus[rank].chunks[0];
      for (std::uint32_t chunk = 0; chunk < inputs; ++chunk) {
        held_[memory.at(rank, MscclBuffer::input, chunk)] = sums_.single(rank, chunk);
      }
    }
  }

  void run()
  {
    for (const std::uint32_t step : order_.order) {
      execute(step);
    }
    if (algorithm_.operation) {
      compare_end();
    }
  }

private:
  static std::uint32_t ranks_of(const MscclAlgorithm& algorithm)
  {
    return static_cast<std::uint32_t>(algorithm.gpus.size());
  }

  void execute(std::uint32_t step)
  {
    const MscclStep& here = algorithm_.steps[step];
    const std::uint32_t gpu = msccl_block_of(algorithm_, step).gpu;
    use_.writes_to_input =
        use_.writes_to_input || (!use_.in_place && msccl_writes(here.type) && here.destination == MscclBuffer::input);
    std::vector<std::uint32_t> message;
    if (msccl_receives(here.type)) {
      message = std::exchange(in_flight_[order_.received[step]], {});
    }
    std::vector<std::uint32_t> sent;
    for (std::uint32_t k = 0; k < here.count; ++k) {
      std::uint32_t value = msccl_receives(here.type) ? message[k] : 0;
      if (msccl_reads_source(here.type)) {
        const std::uint32_t read = read_chunk(step, gpu, memory_.at(gpu, here.source, here.source_offset + k));
        value = msccl_receives(here.type) ? add(step, value, read) : read;
      }
      if (msccl_writes(here.type)) {
        const std::uint32_t chunk = memory_.at(gpu, here.destination, here.destination_offset + k);
        held_[chunk] = here.type == MscclType::reduce ? add(step, read_chunk(step, gpu, chunk), value) : value;
      }
      if (msccl_sends(here.type)) {
        sent.push_back(value);
      }
    }
    if (msccl_sends(here.type)) {
      record(order_.sent[step], sent);
      in_flight_[order_.sent[step]] = std::move(sent);
    }
  }

  void record(std::uint32_t message, const std::vector<std::uint32_t>& sent)
  {
    if (carried_ == nullptr) {
      return;
    }
    for (const std::uint32_t value : sent) {
      const auto intervals = sums_.intervals(value);
      CarriedChunk& carried = (*carried_)[message].emplace_back();
      if (!intervals.empty()) {
        const std::uint64_t first = intervals.front().begin;
        carried = {.rank = sums_.rank_of(first),
                   .chunk = sums_.chunk_of(first),
                   .of_one_chunk = sums_.chunk_of(first) == sums_.chunk_of(intervals.back().end - 1)};
      }
    }
  }

  std::uint32_t read_chunk(std::uint32_t step, std::uint32_t gpu, std::uint32_t chunk)
  {
    if (held_[chunk] == 0) {
      use_.findings.add(FindingKind::possession, algorithm_.steps[step].line, [&] {
        return fmt::format("{} ({}) reads {}, which holds nothing", msccl_place(algorithm_, step),
                           msccl_type_names.text(algorithm_.steps[step].type), memory_.name(gpu, chunk));
      });
    }
    return held_[chunk];
  }

  std::uint32_t add(std::uint32_t step, std::uint32_t one, std::uint32_t other)
  {
    if (const auto twice = sums_.common(one, other)) {
      use_.findings.add(FindingKind::counting, algorithm_.steps[step].line, [&] {
        return fmt::format("{} ({}) counts the contribution of rank {} to chunk {} twice",
                           msccl_place(algorithm_, step), msccl_type_names.text(algorithm_.steps[step].type),
                           sums_.rank_of(*twice), sums_.chunk_of(*twice));
      });
    }
    return sums_.sum(one, other);
  }

  std::uint32_t output(std::uint32_t rank, std::uint32_t chunk) const
  {
    return held_[memory_.at(rank, MscclBuffer::output, chunk)];
  }

  /// The file does not say who the root is: of a broadcast the origin of most first chunks, of a reduction the rank
  /// with most complete chunks.
  std::uint32_t find_root() const
  {
    std::vector<std::uint32_t> votes(ranks_, 0);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (algorithm_.operation == Operation::broadcast) {
        const auto first = sums_.intervals(output(rank, 0));
        votes[first.empty() ? rank : sums_.rank_of(first.front().begin)] += first.empty() ? 0 : 1;
        continue;
      }
      for (std::uint32_t chunk = 0; chunk < memory_.outputs(); ++chunk) {
        votes[rank] += sums_.is_complete(output(rank, chunk), chunk) ? 1 : 0;
      }
    }
    return static_cast<std::uint32_t>(std::ranges::max_element(votes) - votes.begin());
  }

  void compare_end()
  {
    const bool rooted = algorithm_.operation == Operation::broadcast || algorithm_.operation == Operation::reduce;
    if (rooted) {
      use_.root = find_root();
    }
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (algorithm_.operation == Operation::reduce && rank != *use_.root) {
        continue;
      }
      for (std::uint32_t chunk = 0; chunk < memory_.outputs(); ++chunk) {
        compare_end(rank, chunk);
      }
    }
  }

  void compare_end(std::uint32_t rank, std::uint32_t chunk)
  {
    const std::uint32_t part = std::max(algorithm_.chunks / ranks_, 1U); // chunks of one rank
    switch (*algorithm_.operation) {
    case Operation::multinode_broadcast:
      expect_single(rank, chunk, chunk / part, chunk % part);
      break;
    case Operation::total_exchange:
      expect_single(rank, chunk, chunk / part, rank * part + chunk % part);
      break;
    case Operation::broadcast:
      expect_single(rank, chunk, *use_.root, chunk);
      break;
    case Operation::reduce_scatter:
      expect_complete(rank, chunk, rank * part + chunk);
      break;
    default:
      expect_complete(rank, chunk, chunk);
    }
  }

  void expect_single(std::uint32_t rank, std::uint32_t chunk, std::uint32_t origin, std::uint32_t index)
  {
    if (!sums_.is_single(output(rank, chunk), origin, index)) {
      report_end(rank, chunk, sums_.single_text(origin, index));
    }
  }

  void expect_complete(std::uint32_t rank, std::uint32_t chunk, std::uint32_t index)
  {
    if (!sums_.is_complete(output(rank, chunk), index)) {
      report_end(rank, chunk, sums_.complete_text(index));
    }
  }

  void report_end(std::uint32_t rank, std::uint32_t chunk, const std::string& expected)
  {
    use_.findings.add(FindingKind::coverage, 0, [&] {
      return fmt::format("rank {}, {} ends with {}, not with {}", rank,
                         memory_.name(rank, memory_.at(rank, MscclBuffer::output, chunk)),
                         sums_.text(output(rank, chunk)), expected);
    });
  }

  const MscclAlgorithm& algorithm_;
  const MscclOrder& order_;
  const MscclMemory& memory_;
  MscclUse& use_;
  std::vector<std::vector<CarriedChunk>>* carried_;
  std::uint32_t ranks_;
  ContributionSums sums_;
  std::vector<std::uint32_t> held_;                   ///< by chunk of the memory: its value
  std::vector<std::vector<std::uint32_t>> in_flight_; ///< by message: the values that it carries
};

} // namespace

void execute_msccl(const MscclAlgorithm& algorithm, const MscclOrder& order, const MscclMemory& memory, MscclUse& use,
                   std::vector<std::vector<CarriedChunk>>* carried)
{
  SymbolicRun(algorithm, order, memory, use, carried).run();
}

} // namespace wormcast
