#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wormcast {

/// A field of a message in the wire format of Protocol Buffers. What its bytes mean depends on its declared type.
struct ProtobufField {
  /// Values of the wire format; 3 and 4, groups, are not read.
  enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

  std::uint64_t number = 0;
  Wire wire = Wire::varint;
  std::uint64_t value = 0;  ///< varint, fixed32 and fixed64
  std::string_view bytes;   ///< of a text, message or packed list
  std::uint64_t offset = 0; ///< where `bytes` begin in the file
};

/// Reads fields, or messages with their lengths before them, from bytes that must outlive the reader.
class ProtobufReader {
public:
  /// `name` is the file's in errors, and `offset` where `bytes` begin in it.
  ProtobufReader(std::string_view bytes, std::string_view name, std::uint64_t offset = 0)
      : rest_(bytes), name_(name), offset_(offset)
  {}

  bool at_end() const { return rest_.empty(); }

  /// Where the rest begins in the file.
  std::uint64_t offset() const { return offset_; }

  /// The next field; none at the end. Throws InputError "NAME: byte N: ...", as all functions here, for what is cut, a
  /// number of more than 64 bits, and a type that is not read.
  std::optional<ProtobufField> field();

  /// The next message of a file in which each has its length before it, not empty.
  std::string_view message();

  /// A number of 7 bits a byte, the least significant first.
  std::uint64_t varint();

  [[noreturn]] void fail(std::uint64_t byte, std::string_view text) const;

private:
  std::string_view take(std::uint64_t count, std::string_view what);
  std::uint64_t fixed(std::size_t bytes);

  std::string_view rest_;
  std::string_view name_;
  std::uint64_t offset_;
};

} // namespace wormcast
