#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/formats/json_reader.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/formats/xml_reader.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace wormcast {

namespace {

constexpr std::int64_t most_gpus = std::int64_t{1} << 20;
constexpr std::int64_t most_blocks = std::int64_t{1} << 24;
constexpr std::size_t most_steps = std::size_t{1} << 26;
constexpr std::int64_t most_chunks = std::int64_t{1} << 26;
constexpr std::int64_t any_number = std::numeric_limits<std::int64_t>::max();

struct MscclCollective {
  std::string_view name;
  Operation operation;
};
constexpr std::array collectives = {MscclCollective{"allreduce", Operation::all_reduce},
                                    MscclCollective{"allgather", Operation::multinode_broadcast},
                                    MscclCollective{"reducescatter", Operation::reduce_scatter},
                                    MscclCollective{"alltoall", Operation::total_exchange},
                                    MscclCollective{"broadcast", Operation::broadcast},
                                    MscclCollective{"reduce", Operation::reduce}};

/// The tag that is being read.
struct Tag {
  std::string_view name;
  std::string where; ///< "gpu 0, tb 1: ", empty for the root
  std::span<const XmlAttribute> attributes;
  XmlPosition position;
};

class MscclReader final : public XmlElements {
public:
  explicit MscclReader(std::string_view name) : name_(name) {}

  void begin(std::string_view element, std::span<const XmlAttribute> attributes, XmlPosition position) override
  {
    if (skipped_ > 0 || (depth_ == 2 && element == "copy")) { // which older files have, and the executor ignores
      ++skipped_;
      return;
    }
    static constexpr std::array<std::string_view, 4> levels = {"algo", "gpu", "tb", "step"};
    if (depth_ >= levels.size() || element != levels[depth_]) {
      fail({.name = element, .where = where(), .attributes = {}, .position = position},
           depth_ < levels.size() ? fmt::format("element '{}', expected '{}'", printable(element), levels[depth_])
                                  : fmt::format("element '{}' within a step", printable(element)));
    }
    const Tag tag{.name = element, .where = where(), .attributes = attributes, .position = position};
    switch (depth_++) {
    case 0:
      read_algorithm(tag);
      break;
    case 1:
      read_gpu(tag);
      break;
    case 2:
      read_block(tag);
      break;
    default:
      read_step(tag);
    }
  }

  void end(std::string_view) override { skipped_ > 0 ? --skipped_ : --depth_; }

  MscclAlgorithm finish()
  {
    for (std::uint32_t gpu = 0; gpu < gpus_; ++gpu) {
      if (!by_gpu_.contains(gpu)) {
        throw SyntaxError(fmt::format("{}: gpu {} is missing: ngpus is {}", name_, gpu, gpus_));
      }
    }
    sort_blocks();
    return std::move(algorithm_);
  }

private:
  std::string where() const
  {
    std::string text;
    if (depth_ > 1) {
      text += fmt::format("gpu {}", gpu_);
    }
    if (depth_ > 2) {
      text += fmt::format(", tb {}", algorithm_.blocks.back().id);
    }
    if (depth_ > 3) {
      text += fmt::format(", step {}", algorithm_.blocks.back().count - 1);
    }
    return text.empty() ? text : text + ": ";
  }

  [[noreturn]] void fail(const Tag& tag, const std::string& text) const
  {
    throw SyntaxError(fmt::format("{}:{}:{}: {}{}", name_, tag.position.line, tag.position.column, tag.where, text));
  }

  static std::optional<std::string_view> find(const Tag& tag, std::string_view key)
  {
    const auto found = std::ranges::find(tag.attributes, key, &XmlAttribute::name);
    return found == tag.attributes.end() ? std::nullopt : std::optional(found->value);
  }

  std::string_view text(const Tag& tag, std::string_view key) const
  {
    const auto found = find(tag, key);
    if (!found) {
      fail(tag, fmt::format("no attribute '{}'", key));
    }
    return *found;
  }

  std::int64_t number_of(const Tag& tag, std::string_view key, std::string_view value, std::int64_t least,
                         std::int64_t most) const
  {
    const auto number = number_of_text<std::int64_t>(value);
    if (!number) {
      fail(tag, fmt::format("{}=\"{}\" is not a number", key, printable(value)));
    }
    if (*number < least || *number > most) {
      fail(tag, fmt::format("{}=\"{}\", expected {}", key, *number,
                            most == any_number ? fmt::format("{} or more", least)
                                               : fmt::format("from {} to {}", least, most)));
    }
    return *number;
  }

  std::int64_t number(const Tag& tag, std::string_view key, std::int64_t least, std::int64_t most) const
  {
    return number_of(tag, key, text(tag, key), least, most);
  }

  std::int64_t number_or(const Tag& tag, std::string_view key, std::int64_t least, std::int64_t most,
                         std::int64_t otherwise) const
  {
    const auto found = find(tag, key);
    return found ? number_of(tag, key, *found, least, most) : otherwise;
  }

  void read_algorithm(const Tag& tag)
  {
    algorithm_.name = text(tag, "name");
    algorithm_.protocol = text(tag, "proto");
    if (algorithm_.protocol != "Simple" && algorithm_.protocol != "LL" && algorithm_.protocol != "LL128") {
      fail(tag, fmt::format("unknown protocol '{}' (Simple, LL, LL128)", printable(algorithm_.protocol)));
    }
    algorithm_.channels = static_cast<std::uint32_t>(number(tag, "nchannels", 1, most_chunks));
    algorithm_.chunks = static_cast<std::uint32_t>(number(tag, "nchunksperloop", 1, most_chunks));
    gpus_ = static_cast<std::uint32_t>(number(tag, "ngpus", 1, most_gpus));
    algorithm_.collective = text(tag, "coll");
    const auto known = std::ranges::find(collectives, algorithm_.collective, &MscclCollective::name);
    if (known != collectives.end()) {
      algorithm_.operation = known->operation;
    }
    const bool by_rank = algorithm_.operation == Operation::multinode_broadcast ||
                         algorithm_.operation == Operation::reduce_scatter ||
                         algorithm_.operation == Operation::total_exchange;
    if (by_rank && algorithm_.chunks % gpus_ != 0) {
      fail(tag, fmt::format("nchunksperloop=\"{}\", expected a multiple of ngpus (\"{}\") for {}", algorithm_.chunks,
                            gpus_, algorithm_.collective));
    }
    algorithm_.in_place = number_or(tag, "inplace", 0, 1, 0) == 1;
    algorithm_.out_of_place = number_or(tag, "outofplace", 0, 1, algorithm_.in_place ? 0 : 1) == 1;
    if (!algorithm_.in_place && !algorithm_.out_of_place) {
      fail(tag, "inplace and outofplace are both 0, expected at least one of them to be 1");
    }
    algorithm_.min_bytes = static_cast<std::uint64_t>(number_or(tag, "minBytes", 0, any_number, 0));
    algorithm_.max_bytes = static_cast<std::uint64_t>(number_or(tag, "maxBytes", 0, any_number, 0));
  }

  void read_gpu(const Tag& tag)
  {
    gpu_ = static_cast<std::uint32_t>(number(tag, "id", 0, std::int64_t{gpus_} - 1));
    MscclGpu gpu;
    if (by_gpu_.contains(gpu_)) {
      fail(tag, fmt::format("gpu {} a second time", gpu_));
    }
    const Tag within{.name = tag.name,
                     .where = fmt::format("gpu {}: ", gpu_),
                     .attributes = tag.attributes,
                     .position = tag.position};
    static constexpr std::array<std::string_view, 3> keys = {"i_chunks", "o_chunks", "s_chunks"};
    for (std::size_t buffer = 0; buffer < keys.size(); ++buffer) {
      gpu.chunks[buffer] = static_cast<std::uint32_t>(number(within, keys[buffer], 0, most_chunks));
    }
    by_gpu_.emplace(gpu_, gpu);
    ids_.clear();
  }

  std::optional<std::uint32_t> read_peer(const Tag& tag, std::string_view key) const
  {
    const std::int64_t peer = number(tag, key, std::numeric_limits<std::int64_t>::min(), any_number);
    if (peer == -1) {
      return std::nullopt;
    }
    if (peer < 0 || peer >= gpus_ || peer == gpu_) {
      fail(tag, fmt::format("{} peer {}, expected another rank from 0 to {}, or -1 for none",
                            key == "send" ? "send" : "receive", peer, gpus_ - 1));
    }
    return static_cast<std::uint32_t>(peer);
  }

  void read_block(const Tag& tag)
  {
    MscclBlock block;
    block.gpu = gpu_;
    block.id = static_cast<std::uint32_t>(number(tag, "id", 0, most_blocks - 1));
    if (!ids_.insert(block.id).second) {
      fail(tag, fmt::format("tb {} a second time", block.id));
    }
    const Tag within{.name = tag.name,
                     .where = fmt::format("gpu {}, tb {}: ", gpu_, block.id),
                     .attributes = tag.attributes,
                     .position = tag.position};
    block.send = read_peer(within, "send");
    block.receive = read_peer(within, "recv");
    block.channel = static_cast<std::uint32_t>(number(within, "chan", 0, most_chunks));
    block.first = static_cast<std::uint32_t>(algorithm_.steps.size());
    block.line = static_cast<std::uint32_t>(tag.position.line);
    algorithm_.blocks.push_back(block);
  }

  MscclBuffer read_buffer(const Tag& tag, std::string_view key) const
  {
    const std::string_view found = text(tag, key);
    const auto buffer = msccl_buffer_names.find(found);
    if (!buffer) {
      fail(tag, fmt::format("unknown buffer '{}' of {} (i, o, s)", printable(found), key));
    }
    return *buffer;
  }

  void read_step(const Tag& outer)
  {
    MscclBlock& block = algorithm_.blocks.back();
    if (algorithm_.steps.size() >= most_steps) {
      fail(outer, fmt::format("more than {} steps", most_steps));
    }
    const Tag tag{.name = outer.name,
                  .where = fmt::format("gpu {}, tb {}, step {}: ", gpu_, block.id, block.count),
                  .attributes = outer.attributes,
                  .position = outer.position};
    const std::int64_t number_here = number(tag, "s", 0, any_number);
    if (number_here != block.count) {
      fail(tag, fmt::format("s=\"{}\", expected {}: steps count 0, 1, ...", number_here, block.count));
    }
    MscclStep step;
    const std::string_view type = text(tag, "type");
    const auto known = msccl_type_names.find(type);
    if (!known) {
      fail(tag, fmt::format("unknown type '{}' (s, r, rcs, rrs, rrc, rrcs, re, cpy, nop)", printable(type)));
    }
    step.type = *known;
    step.source = read_buffer(tag, "srcbuf");
    step.destination = read_buffer(tag, "dstbuf");
    const std::int64_t least_offset = step.type == MscclType::nop ? -1 : 0;
    const auto offset = [&](std::string_view key, bool used) {
      return static_cast<std::uint32_t>(
          std::max<std::int64_t>(number(tag, key, used ? least_offset : -1, most_chunks), 0));
    };
    step.source_offset = offset("srcoff", msccl_reads_source(step.type));
    step.destination_offset = offset("dstoff", msccl_writes(step.type));
    step.count = static_cast<std::uint32_t>(number(tag, "cnt", step.type == MscclType::nop ? -1 : 1, most_chunks));
    if (step.type == MscclType::nop) {
      step.count = 0;
    }
    const std::int64_t waits = number(tag, "depid", -1, most_blocks - 1);
    const std::int64_t wait_step = number(tag, "deps", -1, most_chunks);
    if (waits >= 0 && wait_step >= 0) {
      step.wait_block = static_cast<std::uint32_t>(waits);
      step.wait_step = static_cast<std::uint32_t>(wait_step);
    }
    step.has_dependents = number(tag, "hasdep", 0, 1) == 1;
    step.line = static_cast<std::uint32_t>(tag.position.line);
    if (msccl_sends(step.type) && !block.send) {
      fail(tag, "sends, but the thread block has no send peer");
    }
    if (msccl_receives(step.type) && !block.receive) {
      fail(tag, "receives, but the thread block has no recv peer");
    }
    ++block.count;
    algorithm_.steps.push_back(step);
  }

  /// By gpu and id, with the steps in the same order.
  void sort_blocks()
  {
    std::vector<MscclBlock> blocks = std::move(algorithm_.blocks);
    std::vector<MscclStep> steps = std::move(algorithm_.steps);
    std::ranges::sort(blocks, {}, [](const MscclBlock& block) { return std::pair(block.gpu, block.id); });
    algorithm_.blocks.clear();
    algorithm_.steps.clear();
    algorithm_.gpus.resize(gpus_);
    for (std::uint32_t gpu = 0; gpu < gpus_; ++gpu) {
      algorithm_.gpus[gpu].chunks = by_gpu_.at(gpu).chunks;
    }
    algorithm_.steps.reserve(steps.size());
    for (MscclBlock& block : blocks) {
      MscclGpu& gpu = algorithm_.gpus[block.gpu];
      if (gpu.count++ == 0) {
        gpu.first = static_cast<std::uint32_t>(algorithm_.blocks.size());
      }
      const auto from = steps.begin() + block.first;
      block.first = static_cast<std::uint32_t>(algorithm_.steps.size());
      algorithm_.steps.insert(algorithm_.steps.end(), from, from + block.count);
      algorithm_.blocks.push_back(block);
    }
  }

  std::string name_;
  MscclAlgorithm algorithm_;
  std::uint32_t gpus_ = 0;
  std::uint32_t gpu_ = 0; ///< that is being read
  std::map<std::uint32_t, MscclGpu> by_gpu_;
  std::set<std::uint32_t> ids_; ///< of its blocks
  std::size_t depth_ = 0;
  std::size_t skipped_ = 0; ///< elements that are open and ignored
};

} // namespace

bool msccl_receives(MscclType type)
{
  return type == MscclType::receive || type == MscclType::receive_copy_send || type == MscclType::receive_reduce_send ||
         type == MscclType::receive_reduce_copy || type == MscclType::receive_reduce_copy_send;
}

bool msccl_sends(MscclType type)
{
  return type == MscclType::send || type == MscclType::receive_copy_send || type == MscclType::receive_reduce_send ||
         type == MscclType::receive_reduce_copy_send;
}

bool msccl_reads_source(MscclType type)
{
  return type != MscclType::receive && type != MscclType::receive_copy_send && type != MscclType::nop;
}

bool msccl_writes(MscclType type)
{
  return type != MscclType::send && type != MscclType::receive_reduce_send && type != MscclType::nop;
}

const MscclBlock& msccl_block_of(const MscclAlgorithm& algorithm, std::uint32_t step)
{
  const auto after = std::ranges::partition_point(
      algorithm.blocks, [&](const MscclBlock& block) { return block.first + block.count <= step; });
  return *after;
}

std::string msccl_place(const MscclAlgorithm& algorithm, std::uint32_t step)
{
  const MscclBlock& block = msccl_block_of(algorithm, step);
  return fmt::format("gpu {}, tb {}, step {}", block.gpu, block.id, step - block.first);
}

MscclAlgorithm read_msccl(std::istream& in, std::string_view name)
{
  MscclReader reader(name);
  read_xml(in, name, reader);
  return reader.finish();
}

MscclAlgorithm read_msccl(const std::filesystem::path& file)
{
  std::ifstream in = open_file(file);
  return read_msccl(in, file.string());
}

} // namespace wormcast
