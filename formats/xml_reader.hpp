#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>

namespace wormcast {

/// Line and column of a text, from 1; the column counts bytes.
struct XmlPosition {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

/// An attribute of an element, in UTF-8. Valid during the call that gets it.
struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

/// What read_xml() calls in the order of the text. What its functions throw ends the reading and reaches its caller.
class XmlElements {
public:
  virtual ~XmlElements() = default;
  virtual void begin(std::string_view element, std::span<const XmlAttribute> attributes, XmlPosition position) = 0;
  virtual void end(std::string_view element) = 0;
};

/// Limits of a text, so that no input takes memory without bounds.
struct XmlLimits {
  std::size_t depth = 8;                 ///< of nested elements
  std::size_t attribute_bytes = 1 << 12; ///< of a value
};

/// Reads XML 1.0 from a stream element by element, so that memory is that of the longest tag (at most 1 MiB). Text
/// between tags is ignored. Throws SyntaxError with `name`, line and column: for malformed text, a text that ends
/// within an element, document types (and with them entities that a file declares), and what passes a limit.
void read_xml(std::istream& in, std::string_view name, XmlElements& elements, const XmlLimits& limits = {});

} // namespace wormcast
