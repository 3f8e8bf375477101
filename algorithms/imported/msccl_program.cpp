#include "wormcast/algorithms/imported/msccl_program.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

constexpr std::uint64_t largest_whole_message = std::uint64_t{1} << 62;

/// The bytes of messages.
class MessageSizes {
public:
  MessageSizes(const MscclAlgorithm& algorithm, const MscclOrder& order, std::uint64_t message_bytes)
      : algorithm_(algorithm), order_(order),
        part_(std::max(algorithm.chunks / static_cast<std::uint32_t>(algorithm.gpus.size()), 1U)),
        length_(message_bytes)
  {
    const bool of_blocks = algorithm.operation && !cuts_message(*algorithm.operation);
    const std::uint64_t times = of_blocks ? algorithm.gpus.size() : 1;
    if (message_bytes > largest_whole_message / times) {
      throw InputError(fmt::format("found a length of {} bytes, expected at most {} for {} ranks", message_bytes,
                                   largest_whole_message / times, algorithm.gpus.size()));
    }
    length_ *= times;
  }

  std::vector<std::uint64_t> all() const
  {
    std::vector<std::uint64_t> bytes(order_.sends.size(), 0);
    for (const std::uint32_t step : order_.order) { // what is passed on has the size of what was received
      if (order_.sent[step] != MscclOrder::none) {
        bytes[order_.sent[step]] = bytes_of(step, bytes);
      }
    }
    for (std::size_t message = 0; message < bytes.size(); ++message) { // of steps in a cycle
      bytes[message] = bytes[message] > 0 ? bytes[message] : scratch_bytes(algorithm_.steps[order_.sends[message]]);
    }
    return bytes;
  }

private:
  std::uint64_t bytes_of(std::uint32_t step, const std::vector<std::uint64_t>& bytes) const
  {
    const MscclStep& here = algorithm_.steps[step];
    if (here.type == MscclType::receive_copy_send) {
      return bytes[order_.received[step]];
    }
    if (here.source == MscclBuffer::scratch) {
      return scratch_bytes(here);
    }
    const bool is_part =
        (algorithm_.operation == Operation::multinode_broadcast && here.source == MscclBuffer::input) ||
        (algorithm_.operation == Operation::reduce_scatter && here.source == MscclBuffer::output);
    const std::uint64_t from =
        here.source_offset + (is_part ? std::uint64_t{msccl_block_of(algorithm_, step).gpu} * part_ : 0);
    return std::max<std::uint64_t>(begin_of(from + here.count) - begin_of(from), 1);
  }

  std::uint64_t scratch_bytes(const MscclStep& step) const
  {
    const std::uint64_t of_chunk = length_ / algorithm_.chunks + (length_ % algorithm_.chunks > 0 ? 1 : 0);
    return std::max<std::uint64_t>(step.count * of_chunk, 1);
  }

  std::uint64_t begin_of(std::uint64_t chunk) const
  {
    const std::uint64_t whole = length_ / algorithm_.chunks;
    const std::uint64_t rest = length_ % algorithm_.chunks; // below 2^26, as chunks are
    return chunk * whole + chunk * rest / algorithm_.chunks;
  }

  const MscclAlgorithm& algorithm_;
  const MscclOrder& order_;
  std::uint64_t part_;
  std::uint64_t length_; ///< L
};

/// The actions of a step: it begins with the first and ends with the last.
struct StepActions {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

class ProgramMaker {
public:
  ProgramMaker(const MscclAlgorithm& algorithm, const MscclOrder& order, std::vector<std::uint64_t> bytes)
      : algorithm_(algorithm), order_(order), bytes_(std::move(bytes)), actions_(algorithm.steps.size())
  {
    program_.ranks = static_cast<std::uint32_t>(algorithm.gpus.size());
    program_.sends.resize(order.sends.size());
  }

  Program make()
  {
    for (std::uint32_t i = 0; i < algorithm_.blocks.size(); ++i) {
      const MscclBlock& block = algorithm_.blocks[i];
      for (std::uint32_t step = block.first; step < block.first + block.count; ++step) {
        add_step(block, i - algorithm_.gpus[block.gpu].first, step);
      }
    }
    for (const MscclBlock& block : algorithm_.blocks) {
      for (std::uint32_t step = block.first; step < block.first + block.count; ++step) {
        if (step > block.first) {
          require(step, step - 1);
        }
        if (order_.waits[step] != MscclOrder::none) {
          require(step, order_.waits[step]);
        }
      }
    }
    return std::move(program_);
  }

private:
  std::uint32_t add(const ProgramAction& action)
  {
    program_.actions.push_back(action);
    return static_cast<std::uint32_t>(program_.actions.size() - 1);
  }

  void add_step(const MscclBlock& block, std::uint32_t number, std::uint32_t step)
  {
    const MscclStep& here = algorithm_.steps[step];
    ProgramAction action{.rank = block.gpu, .cpu = number, .duration = {}, .line = here.line};
    StepActions& made = actions_[step];
    const bool receives = msccl_receives(here.type);
    if (receives) {
      const std::uint32_t message = order_.received[step];
      action.kind = ProgramAction::Kind::receive;
      action.peer = *block.receive;
      action.tag = message;
      action.bytes = bytes_[message];
      made.first = made.last = add(action);
    }
    if (msccl_sends(here.type)) {
      const std::uint32_t message = order_.sent[step];
      action.kind = ProgramAction::Kind::send;
      action.peer = *block.send;
      action.tag = message;
      action.bytes = bytes_[message];
      made.last = add(action);
      program_.sends[message] = made.last;
      if (receives) {
        program_.dependencies.push_back({.before = made.first, .after = made.last});
      } else {
        made.first = made.last;
      }
    } else if (!receives) {
      action.kind = ProgramAction::Kind::compute;
      made.first = made.last = add(action);
    }
  }

  void require(std::uint32_t step, std::uint32_t earlier)
  {
    program_.dependencies.push_back({.before = actions_[earlier].last, .after = actions_[step].first});
  }

  const MscclAlgorithm& algorithm_;
  const MscclOrder& order_;
  std::vector<std::uint64_t> bytes_;
  std::vector<StepActions> actions_;
  Program program_;
};

} // namespace

Program msccl_program(const MscclAlgorithm& algorithm, const MscclOrder& order, std::uint64_t message_bytes,
                      std::string_view name)
{
  for (const Finding& finding : order.findings.all()) {
    if (finding.kind != FindingKind::deadlock) {
      throw InputError(
          fmt::format("{}:{}: {}: {}", name, finding.line, finding_kind_names.text(finding.kind), finding.text));
    }
  }
  Program program = ProgramMaker(algorithm, order, MessageSizes(algorithm, order, message_bytes).all()).make();
  program.title = "program in MSCCL XML";
  program.message_bytes = message_bytes;
  return program;
}

Program read_msccl_program(const std::filesystem::path& file, std::uint64_t message_bytes)
{
  const MscclAlgorithm algorithm = read_msccl(file);
  return msccl_program(algorithm, order_msccl(algorithm), message_bytes, file.string());
}

} // namespace wormcast
