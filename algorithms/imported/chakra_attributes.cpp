#include "wormcast/algorithms/imported/chakra_attributes.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace wormcast {

namespace {

std::int64_t unzigzag(std::uint64_t number)
{
  return static_cast<std::int64_t>(number >> 1U) ^ -static_cast<std::int64_t>(number & 1U);
}

AttributeValue signed_value(std::int64_t number)
{
  return {.number = static_cast<std::uint64_t>(number), .negative = number < 0, .text = {}};
}

AttributeValue decimal_value(double number)
{
  const bool fits = std::isfinite(number) && number >= 0 && number <= static_cast<double>(largest_chakra_number);
  return {.number = fits ? static_cast<std::uint64_t>(number) : 0, .negative = !fits, .text = {}};
}

/// The value of a field of AttributeProto; none of a list or of what is unknown.
std::optional<AttributeValue> attribute_value(const ProtobufField& field)
{
  switch (field.number) {
  case 3: // double
    return decimal_value(std::bit_cast<double>(field.value));
  case 5: // float
    return decimal_value(std::bit_cast<float>(static_cast<std::uint32_t>(field.value)));
  case 7:  // int32
  case 9:  // int64
  case 25: // sfixed64
    return signed_value(static_cast<std::int64_t>(field.value));
  case 15: // sint32
  case 17: // sint64
    return signed_value(unzigzag(field.value));
  case 23: // sfixed32
    return signed_value(static_cast<std::int32_t>(field.value));
  case 11: // uint32
  case 13: // uint64
  case 19: // fixed32
  case 21: // fixed64
  case 27: // bool
    return AttributeValue{.number = field.value, .text = {}};
  case 29: // string
  case 31: // bytes
    return AttributeValue{.text = field.bytes};
  default:
    return std::nullopt;
  }
}

} // namespace

void NodeAttributes::read(const ProtobufField& message, const std::string& name)
{
  ProtobufReader fields(message.bytes, name, message.offset);
  std::string_view attribute;
  std::optional<AttributeValue> value;
  while (const auto field = fields.field()) {
    if (field->number == 1 && field->wire == ProtobufField::Wire::bytes) {
      attribute = field->bytes;
    } else if (const auto found = attribute_value(*field)) {
      value = found;
    }
  }
  if (std::optional<AttributeValue>* const known = find(attribute)) {
    *known = value;
  }
}

std::optional<AttributeValue>* NodeAttributes::find(std::string_view name)
{
  const std::pair<std::string_view, std::optional<AttributeValue>*> all[] = {
      {"comm_size", &size}, {"comm_dst", &to},   {"comm_src", &from},    {"comm_tag", &tag},
      {"comm_type", &type}, {"pg_name", &group}, {"is_cpu_op", &on_cpu}, {"num_ops", &operations}};
  for (const auto& [known, value] : all) {
    if (known == name) {
      return value;
    }
  }
  return nullptr;
}

} // namespace wormcast
