#include "wormcast/algorithms/schedule/block_texts.hpp"

#include <functional>

namespace wormcast {

namespace {

constexpr std::size_t beginning = 40; // characters by which a list is found; shorter ones are read as fast
constexpr std::size_t most_kept = std::size_t{1} << 24;
constexpr std::size_t most_alike = 16; // lists with one beginning

std::uint64_t hash_of_beginning(std::string_view text)
{
  return std::hash<std::string_view>{}(text.substr(0, beginning));
}

} // namespace

std::optional<BlockTexts::Found> BlockTexts::find(std::string_view text) const
{
  if (text.size() < beginning) {
    return std::nullopt;
  }
  const auto [first, last] = by_beginning_.equal_range(hash_of_beginning(text));
  for (auto candidate = first; candidate != last; ++candidate) {
    const Place& place = candidate->second;
    if (text.starts_with(std::string_view(texts_).substr(place.offset, place.size))) {
      return Found{place.set, place.size};
    }
  }
  return std::nullopt;
}

void BlockTexts::keep(std::string_view list, BlockSetId set)
{
  if (list.size() < beginning || list.size() > longest) {
    return;
  }
  const std::uint64_t hash = hash_of_beginning(list);
  if (by_beginning_.count(hash) == most_alike) {
    return;
  }
  if (texts_.size() + list.size() > most_kept) {
    texts_.clear();
    by_beginning_.clear();
  }
  by_beginning_.emplace(hash,
                        Place{static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(list.size()), set});
  texts_ += list;
}

} // namespace wormcast
