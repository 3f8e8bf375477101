#pragma once

#include "wormcast/algorithms/schedule/block_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wormcast {

/// Long lists of block ranges as they stood in a file, and the sets that they are: many messages carry the same set.
/// Holds at most 16 MiB of text, and then begins anew.
class BlockTexts {
public:
  static constexpr std::size_t longest = std::size_t{1} << 16; ///< of a text that is kept

  /// A list that is known.
  struct Found {
    BlockSetId set{};
    std::size_t size = 0; ///< of the list's text
  };

  /// The list that `text` begins with, if it is known. No list is the beginning of another one: brackets close it.
  std::optional<Found> find(std::string_view text) const;

  /// Keeps a list that find() did not know, unless it is too short or too long to be worth it.
  void keep(std::string_view list, BlockSetId set);

private:
  struct Place {
    std::uint32_t offset = 0; ///< in texts_
    std::uint32_t size = 0;
    BlockSetId set{};
  };

  std::string texts_;
  std::unordered_multimap<std::uint64_t, Place> by_beginning_;
};

} // namespace wormcast
