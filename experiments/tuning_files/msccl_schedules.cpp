#include "wormcast/experiments/tuning_files/msccl_schedules.hpp"

#include "wormcast/algorithms/imported/msccl_check.hpp"
#include "wormcast/algorithms/imported/msccl_writer.hpp"
#include "wormcast/experiments/run/imported_check.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/experiments/tuning_files/chosen_rules.hpp"
#include "wormcast/experiments/tuning_files/timed_candidates.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

/// Lengths with one schedule, both inclusive.
struct LengthRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// The lengths of a piece, each part at most twice as long as its beginning where segments are tuned.
std::vector<LengthRange> ranges_of(const ChosenAlgorithm& piece, std::uint64_t to)
{
  std::vector<LengthRange> ranges;
  const bool tuned = !piece.segments.empty() && piece.fewest_segments != piece.most_segments;
  for (std::uint64_t from = first_length(piece); from <= to;) {
    const std::uint64_t end = tuned && from <= to / 2 ? 2 * from - 1 : to;
    ranges.push_back({.from = from, .to = end});
    from = end + 1;
  }
  return ranges;
}

/// The bytes of the whole buffer, by which the executors choose (msccl-executor-nccl, sizeMultiplier).
std::uint64_t buffer_bytes(Operation operation, std::uint64_t bytes, std::uint32_t nodes)
{
  const std::uint64_t times = cuts_message(operation) ? 1 : nodes;
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / times) {
    throw InputError(fmt::format("--lengths: {} blocks of {} bytes are too long for MSCCL", times, bytes));
  }
  return bytes * times;
}

} // namespace

ProvedMsccl proved_msccl(const Schedule& schedule, std::uint32_t nodes, std::string name, bool keep_order)
{
  ProvedMsccl proved{.algorithm = msccl_of_schedule(schedule, nodes, std::move(name), keep_order), .warnings = {}};
  const MscclReport report = check_msccl(proved.algorithm);
  if (const std::vector<Finding> findings = report.findings(); !findings.empty()) {
    throw InputError(
        fmt::format("--format msccl: the schedule is refuted, run wormcast check: {}", finding_text(findings.front())));
  }
  if (const auto root = report.uses.front().root; root && *root != index(schedule.source)) {
    throw InputError(fmt::format("--format msccl: found root {}, expected {}", *root, index(schedule.source)));
  }
  const auto warn = [&](std::uint64_t found, std::uint64_t most, std::string_view what) {
    if (found > most) {
      proved.warnings.push_back(fmt::format("--format msccl: {} {}, RCCL and NCCL take at most {}", found, what, most));
    }
  };
  std::uint32_t blocks = 0;
  std::uint32_t steps = 0;
  for (const MscclGpu& gpu : proved.algorithm.gpus) {
    blocks = std::max(blocks, gpu.count);
  }
  for (const MscclBlock& block : proved.algorithm.blocks) {
    steps = std::max(steps, block.count);
  }
  warn(report.order.slots_needed, most_msccl_slots, "undelivered messages on a connection");
  warn(proved.algorithm.channels, most_msccl_channels, "channels");
  warn(blocks, most_msccl_blocks_of_gpu, "thread blocks on a gpu");
  warn(steps, most_msccl_block_steps, "steps in a thread block");
  return proved;
}

void require_in_msccl(Operation operation)
{
  switch (operation) {
  case Operation::broadcast:
  case Operation::multinode_broadcast:
  case Operation::total_exchange:
  case Operation::reduce:
  case Operation::reduce_scatter:
  case Operation::all_reduce:
    return;
  default:
    throw InputError(fmt::format("--format msccl: found operation {}, expected all_reduce, all_gather, reduce_scatter, "
                                 "all_to_all, broadcast or reduce",
                                 operation_names.text(operation)));
  }
}

MscclChoice msccl_of_choice(const Experiment& experiment, const Choice& choice)
{
  MscclChoice result;
  const std::uint32_t nodes = experiment.topology->host_count();
  if (choice.operation == Operation::broadcast || choice.operation == Operation::reduce) {
    result.notes.push_back(
        fmt::format("the schedules are for root {} alone; executors do not compare the root of a call",
                    index(experiment.request.source)));
  }
  for (std::size_t i = 0; i < choice.pieces.size(); ++i) {
    const ChosenAlgorithm& piece = choice.pieces[i];
    const std::uint64_t to =
        i + 1 < choice.pieces.size() ? first_length(choice.pieces[i + 1]) - 1 : choice.lengths.last;
    if (!piece.undecided.empty()) {
      result.notes.push_back(
          fmt::format("{} to {} bytes: no schedule, the fastest is not decided", first_length(piece), to));
      continue;
    }
    const Candidate candidate = candidate_of(experiment, choice, piece);
    for (const LengthRange& range : ranges_of(piece, to)) {
      const Experiment at = experiment_at(candidate, range.from);
      try {
        MscclSchedule schedule{.file = {},
                               .from = range.from,
                               .to = range.to,
                               .title = title_at(candidate, range.from),
                               .proved = proved_msccl(experiment_schedule(at), nodes, at.algorithm, false)};
        MscclAlgorithm& algorithm = schedule.proved.algorithm;
        schedule.file = fmt::format("{}_{}_{}.xml", algorithm.collective, range.from, range.to);
        algorithm.min_bytes = buffer_bytes(choice.operation, range.from, nodes);
        algorithm.max_bytes = buffer_bytes(choice.operation, range.to, nodes);
        result.schedules.push_back(std::move(schedule));
      } catch (const InputError& error) {
        result.notes.push_back(fmt::format("{} to {} bytes: no schedule of {}: {}", range.from, range.to,
                                           title_at(candidate, range.from), error.what()));
      }
    }
  }
  return result;
}

std::string msccl_choice_text(const MscclChoice& choice)
{
  std::vector<std::vector<std::string>> lines = {
      {"schedules for MSCCL", "algorithm", "minBytes", "maxBytes", "chunks"}};
  for (const MscclSchedule& one : choice.schedules) {
    lines.push_back({one.file, one.title, fmt::to_string(one.proved.algorithm.min_bytes),
                     fmt::to_string(one.proved.algorithm.max_bytes), fmt::to_string(one.proved.algorithm.chunks)});
  }
  return aligned(lines);
}

} // namespace wormcast
