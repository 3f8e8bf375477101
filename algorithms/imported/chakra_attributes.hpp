#pragma once

#include "wormcast/formats/protobuf_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wormcast {

/// Larger numbers than these are refused.
inline constexpr std::uint64_t largest_chakra_number = std::uint64_t{1} << 62;

/// The value of an attribute: a number or a text.
struct AttributeValue {
  std::uint64_t number = 0;
  bool negative = false;
  std::string_view text;
};

/// What the attributes of a node say, as far as it is known.
struct NodeAttributes {
  std::optional<AttributeValue> size;
  std::optional<AttributeValue> to;
  std::optional<AttributeValue> from;
  std::optional<AttributeValue> tag;
  std::optional<AttributeValue> type;
  std::optional<AttributeValue> group;
  std::optional<AttributeValue> on_cpu;
  std::optional<AttributeValue> operations;

  /// Takes an attribute of the node, a message AttributeProto in the file `name`, if it is known.
  void read(const ProtobufField& message, const std::string& name);

private:
  std::optional<AttributeValue>* find(std::string_view name);
};

} // namespace wormcast
