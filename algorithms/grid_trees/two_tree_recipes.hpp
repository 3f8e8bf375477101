#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wormcast {

/// The recipes of two trees for meshes of `side` x `side` nodes.
struct TwoTreeRecipes {
  std::int64_t side = 0;
  std::span<const std::string_view> recipes; ///< as parse_recipe reads them
  /// The recipe of each source: row by row for x and y below side/2 (sources are served as their reflections are), 'a'
  /// the first, 'b' the second, ..., then 'A', 'B', ...; '.': none.
  std::string_view by_source;
  /// The reflection of these sources that the recipe serves, as trees_from_reflection takes it, '0' to '3'; '.': none.
  std::string_view reflections;
};

/// All sizes that have recipes, the smallest first. Found by a computer search, proved by the tests.
std::span<const TwoTreeRecipes> two_tree_recipes();

} // namespace wormcast
