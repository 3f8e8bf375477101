#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wormcast {

/// What graph files would cost Boost's readers, which recurse into what is nested, and make all edges before anybody
/// can count them. Both functions take O(length) time and look at the text as the readers do; where they cannot tell,
/// the answer is the larger one. A text that is not valid may have any answer.

/// How deep the elements of an XML text stand inside each other.
std::size_t xml_nesting(std::string_view text);

/// What a text in DOT would cost.
struct DotOutline {
  std::size_t nesting = 0; ///< how deep its braces stand inside each other
  std::uint64_t edges = 0; ///< edges that end in a subgraph, one for each pair of nodes: at most so many; saturated
};

/// The outline of a text in DOT, without reading it as a graph.
DotOutline dot_outline(std::string_view text);

} // namespace wormcast
