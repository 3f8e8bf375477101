#include "wormcast/algorithms/imported/msccl_writer.hpp"

#include "wormcast/algorithms/imported/msccl_runs.hpp"
#include "wormcast/algorithms/schedule/text_output.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

std::string_view collective_of(Operation operation)
{
  switch (operation) {
  case Operation::multinode_broadcast:
    return "allgather";
  case Operation::reduce_scatter:
    return "reducescatter";
  case Operation::total_exchange:
    return "alltoall";
  case Operation::all_reduce:
    return "allreduce";
  case Operation::reduce:
    return "reduce";
  default:
    return "broadcast";
  }
}

/// A step of a thread block of the gpu.
struct StepPlace {
  std::uint32_t block = 0;
  std::uint32_t step = 0;
};

/// The thread blocks of one gpu, while its steps are added in their order.
class GpuProgram {
public:
  struct Block {
    std::optional<std::uint32_t> send;
    std::optional<std::uint32_t> receive;
    std::uint32_t channel = 0;
    std::vector<MscclStep> steps;
    std::map<std::uint32_t, std::uint32_t> waited; ///< by block: it waited for its steps up to this one
  };

  explicit GpuProgram(std::array<std::uint32_t, 3> chunks) : chunks_(chunks)
  {
    for (std::size_t buffer = 0; buffer < chunks.size(); ++buffer) {
      written_[buffer].resize(chunks[buffer]);
      read_[buffer].resize(chunks[buffer]);
    }
  }

  /// The block that sends to or receives from `peer` on a channel.
  std::uint32_t block(bool sends, std::uint32_t peer, std::uint32_t channel)
  {
    const auto [found, is_new] = ids_.emplace(std::tuple(peer, channel, sends), blocks_.size());
    if (is_new) {
      Block block;
      (sends ? block.send : block.receive) = peer;
      block.channel = channel;
      blocks_.push_back(std::move(block));
    }
    return found->second;
  }

  /// A block that only copies.
  std::uint32_t local_block()
  {
    blocks_.emplace_back();
    return static_cast<std::uint32_t>(blocks_.size() - 1);
  }

  /// Adds a step behind those that it has to wait for. `before` is one more of them.
  StepPlace add(std::uint32_t block, MscclStep step, const std::optional<StepPlace>& before = std::nullopt)
  {
    std::map<std::uint32_t, std::uint32_t> waits;
    const auto wait = [&](const std::optional<StepPlace>& place) {
      if (place && place->block != block) {
        std::uint32_t& latest = waits.emplace(place->block, place->step).first->second;
        latest = std::max(latest, place->step);
      }
    };
    wait(before);
    for_chunks(step, [&](std::optional<StepPlace>& writer, std::vector<StepPlace>& readers) {
      wait(writer);
      if (msccl_writes(step.type)) {
        for (const StepPlace& reader : readers) {
          wait(reader);
        }
      }
    });
    add_waits(block, step, waits);
    std::vector<MscclStep>& steps = blocks_[block].steps;
    steps.push_back(step);
    const StepPlace place{block, static_cast<std::uint32_t>(steps.size() - 1)};
    for_chunks(step, [&](std::optional<StepPlace>& writer, std::vector<StepPlace>& readers) {
      if (msccl_writes(step.type)) {
        writer = place;
        readers.clear();
      } else {
        readers.push_back(place);
      }
    });
    return place;
  }

  /// A copy, which reads one buffer and writes another.
  void add_copy(std::uint32_t block, MscclStep step)
  {
    read_[static_cast<std::size_t>(step.source)][step.source_offset].push_back(add(block, step));
  }

  const std::array<std::uint32_t, 3>& chunks() const { return chunks_; }
  const std::vector<Block>& blocks() const { return blocks_; }

private:
  /// Of the side that the step accesses at this gpu.
  template <typename Visit> void for_chunks(const MscclStep& step, const Visit& visit)
  {
    const bool writes = msccl_writes(step.type);
    const auto buffer = static_cast<std::size_t>(writes ? step.destination : step.source);
    const std::uint32_t offset = writes ? step.destination_offset : step.source_offset;
    for (std::uint32_t k = 0; k < step.count; ++k) {
      visit(written_[buffer][offset + k], read_[buffer][offset + k]);
    }
  }

  /// All but the last one are waited for by steps of their own, before `step`.
  void add_waits(std::uint32_t block, MscclStep& step, std::map<std::uint32_t, std::uint32_t>& waits)
  {
    Block& here = blocks_[block];
    std::erase_if(waits, [&](const auto& wait) {
      const auto known = here.waited.find(wait.first);
      return known != here.waited.end() && known->second >= wait.second;
    });
    std::size_t left = waits.size();
    for (const auto& [other, target] : waits) {
      here.waited[other] = target;
      blocks_[other].steps[target].has_dependents = true;
      MscclStep nop{.type = MscclType::nop, .count = 0};
      MscclStep& waiting = --left == 0 ? step : nop;
      waiting.wait_block = other;
      waiting.wait_step = target;
      if (left > 0) {
        here.steps.push_back(nop);
      }
    }
  }

  std::array<std::uint32_t, 3> chunks_;
  std::vector<Block> blocks_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> ids_; ///< by peer, channel, direction
  std::array<std::vector<std::optional<StepPlace>>, 3> written_; ///< by buffer and chunk: the last writer
  std::array<std::vector<std::vector<StepPlace>>, 3> read_;      ///< by buffer and chunk: readers since
};

class MscclMaker {
public:
  MscclMaker(const Schedule& schedule, std::uint32_t nodes, std::string name, bool keep_order)
      : schedule_(schedule), nodes_(nodes), keep_order_(keep_order), cut_(msccl_runs(schedule, nodes)),
        channels_(cut_.runs.size(), 0)
  {
    algorithm_.name = std::move(name);
    algorithm_.protocol = "Simple";
    algorithm_.collective = collective_of(schedule.operation);
    algorithm_.operation = schedule.operation;
    algorithm_.chunks = cut_.chunks;
    algorithm_.in_place = schedule.operation != Operation::total_exchange;
    algorithm_.out_of_place = !algorithm_.in_place;
  }

  MscclAlgorithm make()
  {
    do {
      place_steps();
    } while (split_long_blocks());
    gather();
    return std::move(algorithm_);
  }

private:
  std::array<std::uint32_t, 3> chunks_of(std::uint32_t node) const
  {
    const std::uint32_t part = std::max(cut_.chunks / nodes_, 1U);
    const std::uint32_t input = schedule_.operation == Operation::multinode_broadcast ? part : cut_.chunks;
    const std::uint32_t output = schedule_.operation == Operation::reduce_scatter ? part : cut_.chunks;
    return {input, output, cut_.scratch[node]};
  }

  void place_steps()
  {
    gpus_.clear();
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      gpus_.emplace_back(chunks_of(node));
      if (schedule_.operation == Operation::total_exchange) {
        gpus_.back().add_copy(gpus_.back().local_block(), {.type = MscclType::copy,
                                                           .source = MscclBuffer::input,
                                                           .destination = MscclBuffer::output,
                                                           .source_offset = node,
                                                           .destination_offset = node,
                                                           .count = 1});
      }
    }
    sent_.assign(cut_.runs.size(), {});
    received_.assign(cut_.runs.size(), {});
    std::vector<std::optional<StepPlace>> last_sent(nodes_);
    for (std::size_t begin = 0; begin < cut_.runs.size();) {
      std::size_t end = begin;
      while (end < cut_.runs.size() && cut_.runs[end].step == cut_.runs[begin].step) {
        ++end;
      }
      for (std::size_t i = begin; i < end; ++i) { // sends carry what was there before the step
        const MscclRun& run = cut_.runs[i];
        GpuProgram& gpu = gpus_[run.from];
        sent_[i] = gpu.add(gpu.block(true, run.to, channels_[i]), step_of(run, MscclType::send),
                           keep_order_ ? last_sent[run.from] : std::nullopt);
        last_sent[run.from] = sent_[i];
      }
      for (std::size_t i = begin; i < end; ++i) {
        const MscclRun& run = cut_.runs[i];
        GpuProgram& gpu = gpus_[run.to];
        const MscclType type = run.partial ? MscclType::receive_reduce_copy : MscclType::receive;
        received_[i] = gpu.add(gpu.block(false, run.from, channels_[i]), step_of(run, type));
      }
      begin = end;
    }
  }

  /// The other side of a send or receive is named, by custom.
  static MscclStep step_of(const MscclRun& run, MscclType type)
  {
    const MscclPlace& source = type == MscclType::receive_reduce_copy ? run.destination : run.source;
    return {.type = type,
            .source = source.buffer,
            .destination = run.destination.buffer,
            .source_offset = source.offset,
            .destination_offset = run.destination.offset,
            .count = run.count};
  }

  /// Moves the runs from the first one that lies beyond the limit at either end, and all later ones of its connection,
  /// to the next channel. Returns whether there is any. A run that alone has too many waits stays.
  bool split_long_blocks()
  {
    enum class Fate { stays, moves };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Fate> seen; // by sender, receiver, channel
    bool moved = false;
    for (std::size_t i = 0; i < cut_.runs.size(); ++i) {
      const MscclRun& run = cut_.runs[i];
      const bool is_long = sent_[i].step >= most_msccl_block_steps || received_[i].step >= most_msccl_block_steps;
      const auto [known, is_first] = seen.emplace(std::tuple(run.from, run.to, channels_[i]), Fate::stays);
      if (!is_first && (is_long || known->second == Fate::moves)) {
        known->second = Fate::moves;
        ++channels_[i];
        moved = true;
      }
    }
    return moved;
  }

  void gather()
  {
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      const GpuProgram& program = gpus_[node];
      algorithm_.gpus.push_back({.chunks = program.chunks(),
                                 .first = static_cast<std::uint32_t>(algorithm_.blocks.size()),
                                 .count = static_cast<std::uint32_t>(program.blocks().size())});
      for (std::uint32_t id = 0; id < program.blocks().size(); ++id) {
        const GpuProgram::Block& block = program.blocks()[id];
        algorithm_.blocks.push_back({.gpu = node,
                                     .id = id,
                                     .send = block.send,
                                     .receive = block.receive,
                                     .channel = block.channel,
                                     .first = static_cast<std::uint32_t>(algorithm_.steps.size()),
                                     .count = static_cast<std::uint32_t>(block.steps.size())});
        algorithm_.steps.insert(algorithm_.steps.end(), block.steps.begin(), block.steps.end());
        algorithm_.channels = std::max(algorithm_.channels, block.channel + 1);
      }
    }
  }

  const Schedule& schedule_;
  std::uint32_t nodes_;
  bool keep_order_;
  MscclRuns cut_;
  std::vector<std::uint32_t> channels_; ///< by run
  std::vector<GpuProgram> gpus_;
  std::vector<StepPlace> sent_;     ///< by run
  std::vector<StepPlace> received_; ///< by run
  MscclAlgorithm algorithm_;
};

std::string escaped(std::string_view text)
{
  std::string written;
  for (const char character : text) {
    switch (character) {
    case '&':
      written += "&amp;";
      break;
    case '<':
      written += "&lt;";
      break;
    case '"':
      written += "&quot;";
      break;
    default:
      written += character;
    }
  }
  return written;
}

std::string number_or_none(const std::optional<std::uint32_t>& number)
{
  return number ? std::to_string(*number) : "-1";
}

} // namespace

MscclAlgorithm msccl_of_schedule(const Schedule& schedule, std::uint32_t nodes, std::string name, bool keep_order)
{
  return MscclMaker(schedule, nodes, std::move(name), keep_order).make();
}

void write_msccl(const MscclAlgorithm& algorithm, std::ostream& out)
{
  TextOutput text(out);
  const auto flag = [](bool set) { return std::string_view(set ? "1" : "0"); };
  text.add("<algo name=\"", escaped(algorithm.name), "\" proto=\"", algorithm.protocol, "\" nchannels=\"",
           std::uint64_t{algorithm.channels}, "\" nchunksperloop=\"", std::uint64_t{algorithm.chunks}, "\" ngpus=\"",
           std::uint64_t{algorithm.gpus.size()}, "\" coll=\"", algorithm.collective, "\" inplace=\"",
           flag(algorithm.in_place), "\" outofplace=\"", flag(algorithm.out_of_place), "\" minBytes=\"",
           algorithm.min_bytes, "\" maxBytes=\"", algorithm.max_bytes, "\">\n");
  for (std::size_t id = 0; id < algorithm.gpus.size(); ++id) {
    const MscclGpu& gpu = algorithm.gpus[id];
    text.add("  <gpu id=\"", std::uint64_t{id}, "\" i_chunks=\"", std::uint64_t{gpu.chunks[0]}, "\" o_chunks=\"",
             std::uint64_t{gpu.chunks[1]}, "\" s_chunks=\"", std::uint64_t{gpu.chunks[2]}, "\">\n");
    for (std::uint32_t i = gpu.first; i < gpu.first + gpu.count; ++i) {
      const MscclBlock& block = algorithm.blocks[i];
      text.add("    <tb id=\"", std::uint64_t{block.id}, "\" send=\"", number_or_none(block.send), "\" recv=\"",
               number_or_none(block.receive), "\" chan=\"", std::uint64_t{block.channel}, "\">\n");
      for (std::uint32_t s = 0; s < block.count; ++s) {
        const MscclStep& step = algorithm.steps[block.first + s];
        const bool waits_only = step.type == MscclType::nop;
        const auto offset = [&](std::uint32_t chunks) { return waits_only ? "-1" : std::to_string(chunks); };
        text.add("      <step s=\"", std::uint64_t{s}, "\" type=\"", msccl_type_names.text(step.type), "\" srcbuf=\"",
                 msccl_buffer_names.text(step.source), "\" srcoff=\"", offset(step.source_offset), "\" dstbuf=\"",
                 msccl_buffer_names.text(step.destination), "\" dstoff=\"", offset(step.destination_offset),
                 "\" cnt=\"", std::uint64_t{step.count}, "\" depid=\"", number_or_none(step.wait_block), "\" deps=\"",
                 step.wait_block ? std::to_string(step.wait_step) : "-1", "\" hasdep=\"", flag(step.has_dependents),
                 "\"/>\n");
      }
      text.add("    </tb>\n");
    }
    text.add("  </gpu>\n");
  }
  text.add("</algo>\n");
}

} // namespace wormcast
