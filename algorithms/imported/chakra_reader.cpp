#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/algorithms/imported/chakra_attributes.hpp"
#include "wormcast/formats/compressed_input.hpp"
#include "wormcast/formats/protobuf_reader.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint64_t most_chakra_nodes = std::uint64_t{1} << 28;
constexpr std::uint64_t most_chakra_waits = std::uint64_t{1} << 30;
constexpr std::uint64_t longest_chakra = std::uint64_t{1} << 32;
constexpr std::size_t longest_group_name = 1 << 12;

using Wire = ProtobufField::Wire;

/// Numbers of the fields of Node.
enum NodeField : std::uint8_t {
  id_of_node = 1,
  type_of_node = 3,
  control_waits = 4,
  data_waits = 5,
  duration_of_node = 7,
  attribute_of_node = 10
};

/// Reads the files of the ranks one after the other.
class ChakraReader {
public:
  ChakraReader(std::size_t ranks, const ChakraGroups& groups) : given_(groups) { trace_.ranks.resize(ranks); }

  void read(std::uint32_t rank, const ChakraFile& file)
  {
    rank_ = rank;
    name_ = file.name;
    ids_.clear();
    ProtobufReader messages(file.bytes, file.name);
    if (messages.at_end()) {
      messages.fail(0, "an empty file");
    }
    for (bool is_first = true; !messages.at_end(); is_first = false) {
      const std::string_view message = messages.message();
      ProtobufReader fields(message, file.name, messages.offset() - message.size());
      if (is_first) {
        read_metadata(fields);
      } else {
        read_node(fields);
      }
    }
  }

  ChakraTrace finish()
  {
    for (ChakraGroup& group : trace_.groups) {
      const auto given = given_.find(group.name);
      if (given != given_.end() && !group.name.empty()) {
        group.members = given->second;
        check_members(group);
      } else if (group.name.empty()) {
        group.members.clear();
        for (std::uint32_t rank = 0; rank < trace_.ranks.size(); ++rank) {
          group.members.push_back(rank);
        }
      }
    }
    return std::move(trace_);
  }

private:
  [[noreturn]] void fail(const ProtobufReader& fields, const std::string& text) const { fields.fail(begin_, text); }

  void read_metadata(ProtobufReader& fields)
  {
    while (const auto field = fields.field()) {
      if (field->number == 1 && field->wire == Wire::bytes) {
        trace_.ranks[rank_].version = printable(field->bytes.substr(0, longest_group_name));
      }
    }
  }

  void read_node(ProtobufReader& fields)
  {
    ChakraRank& rank = trace_.ranks[rank_];
    begin_ = fields.offset();
    if (++nodes_ > most_chakra_nodes) {
      fail(fields, fmt::format("more than {} nodes", most_chakra_nodes));
    }
    ChakraNode node;
    node.begin = static_cast<std::uint32_t>(rank.waits.size());
    std::uint64_t type = 0;
    NodeAttributes attributes;
    while (const auto field = fields.field()) {
      if (field->number == id_of_node && field->wire == Wire::varint) {
        node.id = field->value;
      } else if (field->number == type_of_node && field->wire == Wire::varint) {
        type = field->value;
      } else if (field->number == control_waits || field->number == data_waits) {
        read_waits(*field, rank);
      } else if (field->number == duration_of_node && field->wire == Wire::varint) {
        node.micros = field->value;
      } else if (field->number == attribute_of_node && field->wire == Wire::bytes) {
        attributes.read(*field, name_);
      }
    }
    node.end = static_cast<std::uint32_t>(rank.waits.size());
    if (!ids_.insert(node.id).second) {
      fail(fields, fmt::format("rank {}: node {} a second time", rank_, node.id));
    }
    set_type(fields, node, type, attributes);
    rank.nodes.push_back(node);
  }

  void read_waits(const ProtobufField& field, ChakraRank& rank)
  {
    const auto add = [&](std::uint64_t id) {
      if (++waits_ > most_chakra_waits) {
        throw InputError(fmt::format("{}: more than {} dependencies", name_, most_chakra_waits));
      }
      rank.waits.push_back(id);
    };
    if (field.wire == Wire::varint) {
      add(field.value);
    } else if (field.wire == Wire::bytes) {
      for (ProtobufReader ids(field.bytes, name_, field.offset); !ids.at_end();) {
        add(ids.varint());
      }
    }
  }

  /// "rank 3: node 17 (COMM_SEND): ".
  std::string where(const ChakraNode& node) const
  {
    return fmt::format("rank {}: node {} ({}): ", rank_, node.id, chakra_type_names.text(node.type));
  }

  void set_type(const ProtobufReader& fields, ChakraNode& node, std::uint64_t type, const NodeAttributes& attributes)
  {
    if (type < static_cast<std::uint64_t>(ChakraType::metadata) ||
        type > static_cast<std::uint64_t>(ChakraType::collective)) {
      fail(fields, fmt::format("rank {}: node {} has type {}, expected 1 to 7", rank_, node.id, type));
    }
    node.type = static_cast<ChakraType>(type);
    switch (node.type) {
    case ChakraType::send:
      set_message(fields, node, "comm_dst", attributes.to, attributes);
      break;
    case ChakraType::receive:
      set_message(fields, node, "comm_src", attributes.from, attributes);
      break;
    case ChakraType::collective:
      set_collective(fields, node, attributes);
      break;
    default:
      node.on_cpu = attributes.on_cpu && attributes.on_cpu->number != 0;
      node.operations = number(fields, node, "num_ops", attributes.operations, 0);
      if (node.micros > largest_chakra_number) {
        fail(fields, fmt::format("{}duration {}, expected at most 2^62", where(node), node.micros));
      }
    }
  }

  /// The number of an attribute; `fallback` where it is absent, or an error where that is none.
  std::uint64_t number(const ProtobufReader& fields, const ChakraNode& node, std::string_view name,
                       const std::optional<AttributeValue>& value, std::optional<std::uint64_t> fallback) const
  {
    if (!value && !fallback) {
      fail(fields, fmt::format("{}no {}", where(node), name));
    }
    if (value && (value->negative || value->number > largest_chakra_number)) {
      fail(fields, fmt::format("{}{} {}, expected from 0 to 2^62", where(node), name,
                               value->negative ? fmt::to_string(static_cast<std::int64_t>(value->number))
                                               : fmt::to_string(value->number)));
    }
    return value ? value->number : *fallback;
  }

  void set_message(const ProtobufReader& fields, ChakraNode& node, std::string_view name,
                   const std::optional<AttributeValue>& peer, const NodeAttributes& attributes)
  {
    const std::uint64_t other = number(fields, node, name, peer, std::nullopt);
    if (other >= trace_.ranks.size()) {
      fail(fields, fmt::format("{}{} {}, there are {} ranks", where(node), name, other, trace_.ranks.size()));
    }
    if (other == rank_) {
      fail(fields, fmt::format("{}{} {}, which is the rank itself", where(node), name, other));
    }
    node.peer = static_cast<std::uint32_t>(other);
    node.tag = number(fields, node, "comm_tag", attributes.tag, 0);
    node.bytes = number(fields, node, "comm_size", attributes.size, std::nullopt);
  }

  void set_collective(const ProtobufReader& fields, ChakraNode& node, const NodeAttributes& attributes)
  {
    const std::uint64_t type = number(fields, node, "comm_type", attributes.type, std::nullopt);
    if (type > static_cast<std::uint64_t>(ChakraCollective::barrier)) {
      fail(fields, fmt::format("{}comm_type {}, expected 0 to 9", where(node), type));
    }
    node.collective = static_cast<ChakraCollective>(type);
    const bool needs_size = node.collective != ChakraCollective::barrier;
    node.bytes =
        number(fields, node, "comm_size", attributes.size, needs_size ? std::nullopt : std::optional<std::uint64_t>(0));
    std::string name;
    if (attributes.group) {
      name = attributes.group->text.empty() ? fmt::to_string(attributes.group->number)
                                            : printable(attributes.group->text.substr(0, longest_group_name));
    }
    const auto known = group_of_.try_emplace(std::move(name), static_cast<std::uint32_t>(trace_.groups.size())).first;
    node.group = known->second;
    if (node.group == trace_.groups.size()) {
      trace_.groups.push_back({.name = known->first, .members = {}});
    }
    std::vector<std::uint32_t>& members = trace_.groups[node.group].members;
    if (members.empty() || members.back() != rank_) {
      members.push_back(rank_);
    }
  }

  /// Those of a file of groups.
  void check_members(const ChakraGroup& group) const
  {
    std::vector<std::uint32_t> sorted = group.members;
    std::ranges::sort(sorted);
    if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end() || sorted.back() >= trace_.ranks.size()) {
      throw InputError(fmt::format("{}: group {} has members that are not different ranks from 0 to {}", name_,
                                   group.name, trace_.ranks.size() - 1));
    }
  }

  const ChakraGroups& given_;
  ChakraTrace trace_;
  std::uint32_t rank_ = 0;
  std::string name_;
  std::uint64_t begin_ = 0; ///< of the node
  std::uint64_t nodes_ = 0;
  std::uint64_t waits_ = 0;
  std::unordered_set<std::uint64_t> ids_;
  std::map<std::string, std::uint32_t> group_of_;
};

} // namespace

ChakraTrace read_chakra(std::span<const ChakraFile> files, const ChakraGroups& groups)
{
  ChakraReader reader(files.size(), groups);
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    reader.read(rank, files[rank]);
  }
  return reader.finish();
}

ChakraTrace read_chakra(const std::filesystem::path& trace, const ChakraGroups& groups)
{
  const std::vector<std::filesystem::path> files = chakra_files(trace);
  ChakraReader reader(files.size(), groups);
  std::uint64_t left = longest_chakra;
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    std::ifstream in = open_file(files[rank]);
    const std::string name = files[rank].string();
    const ChakraFile file = {.name = name, .bytes = decompressed(in, name, left)};
    left -= file.bytes.size();
    reader.read(rank, file);
  }
  return reader.finish();
}

} // namespace wormcast
