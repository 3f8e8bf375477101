#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wormcast {

/// The cost of graph files in Boost's readers, which recurse into nested elements and make all edges before they can be
/// counted. Both functions take O(length) time and interpret the text as the readers do; where they cannot decide, the
/// result is the larger one. For an invalid text the result is arbitrary.

/// Returns the depth of nested elements in an XML text.
std::size_t xml_nesting(std::string_view text);

/// The cost of a text in DOT.
struct DotOutline {
  std::size_t nesting = 0; ///< depth of nested braces
  std::uint64_t edges = 0; ///< edges that end in a subgraph, one for each pair of nodes: at most so many; saturated
};

/// The outline of a text in DOT, without reading it as a graph.
DotOutline dot_outline(std::string_view text);

/// Whether an id comes before another one, with the numbers in them compared as numbers: "n2" before "n10".
bool naturally_before(std::string_view a, std::string_view b);

} // namespace wormcast
