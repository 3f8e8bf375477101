#include "wormcast/formats/protobuf_reader.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr unsigned bits_of_byte = 7;
constexpr unsigned char more_follows = 0x80;
constexpr unsigned wire_bits = 3;
constexpr std::uint64_t wire_mask = 7;

} // namespace

void ProtobufReader::fail(std::uint64_t byte, std::string_view text) const
{
  throw InputError(fmt::format("{}: byte {}: {}", name_, byte, text));
}

std::string_view ProtobufReader::take(std::uint64_t count, std::string_view what)
{
  if (count > rest_.size()) {
    fail(offset_, fmt::format("{} of {} bytes, but {} are left", what, count, rest_.size()));
  }
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  offset_ += count;
  return taken;
}

std::uint64_t ProtobufReader::varint()
{
  const std::uint64_t begin = offset_;
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += bits_of_byte) {
    if (rest_.empty()) {
      fail(begin, "the file ends within a number");
    }
    const auto byte = static_cast<unsigned char>(rest_.front());
    const std::uint64_t bits = byte & (more_follows - 1U);
    if (shift >= 64 || (bits << shift) >> shift != bits) {
      fail(begin, "a number of more than 64 bits");
    }
    number |= bits << shift;
    rest_.remove_prefix(1);
    ++offset_;
    if ((byte & more_follows) == 0) {
      return number;
    }
  }
}

std::uint64_t ProtobufReader::fixed(std::size_t bytes)
{
  const std::string_view text = take(bytes, "a number");
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(text[i]);
  }
  return number;
}

std::optional<ProtobufField> ProtobufReader::field()
{
  if (rest_.empty()) {
    return std::nullopt;
  }
  const std::uint64_t begin = offset_;
  const std::uint64_t tag = varint();
  ProtobufField field;
  field.number = tag >> wire_bits;
  const std::uint64_t wire = tag & wire_mask;
  if (field.number == 0) {
    fail(begin, "a field with number 0");
  }
  switch (wire) {
  case static_cast<std::uint64_t>(ProtobufField::Wire::varint):
    field.value = varint();
    break;
  case static_cast<std::uint64_t>(ProtobufField::Wire::fixed64):
    field.value = fixed(8);
    break;
  case static_cast<std::uint64_t>(ProtobufField::Wire::fixed32):
    field.value = fixed(4);
    break;
  case static_cast<std::uint64_t>(ProtobufField::Wire::bytes): {
    const std::uint64_t count = varint();
    field.offset = offset_;
    field.bytes = take(count, fmt::format("field {}", field.number));
    break;
  }
  default:
    fail(begin, fmt::format("field {} has wire type {}, expected 0, 1, 2 or 5", field.number, wire));
  }
  field.wire = static_cast<ProtobufField::Wire>(wire);
  return field;
}

std::string_view ProtobufReader::message()
{
  const std::uint64_t begin = offset_;
  const std::uint64_t count = varint();
  if (count == 0) {
    fail(begin, "an empty message");
  }
  return take(count, "a message");
}

} // namespace wormcast
