#pragma once

#include "wormcast/algorithms/schedule/block_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wormcast {

/// Long lists of block ranges as written in a file, with their sets: many messages carry the same set. Holds at most 16
/// MiB of text, and is then cleared.
class BlockTexts {
public:
  static constexpr std::size_t longest = std::size_t{1} << 16; ///< of a stored text

  /// A list that is known.
  struct Found {
    BlockSetId set{};
    std::size_t size = 0; ///< of the list's text
  };

  /// The list that `text` begins with, if it is known. No list is the beginning of another one: brackets close it.
  std::optional<Found> find(std::string_view text) const;

  /// Stores a list that find() did not find, unless it is too short or too long for it to pay.
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
