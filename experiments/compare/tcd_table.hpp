#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/names.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The values that `wormcast tcd` can show for every source. TCD, the total communication distance, is the sum of the
/// hops of all messages.
enum class TcdValue {
  algorithm,  ///< the schedules of the configured algorithm, made and counted source by source
  paper,      ///< minimum_tcd by its closed form, with the configured order, else the default one
  halving,    ///< the minimum over recursive halvings (recursive_halving_tcd)
  bound,      ///< no broadcast with one port in log2 N steps has less (tcd_lower_bounds)
  difference, ///< excess of `algorithm` over `halving`; for minimum_tcd and recursive_halving_tcd that of `paper`
  gap         ///< excess of `halving` over `bound`
};

/// "algorithm", "paper", ...
inline constexpr auto tcd_value_names = names<TcdValue>({{TcdValue::algorithm, "algorithm"},
                                                         {TcdValue::paper, "paper"},
                                                         {TcdValue::halving, "halving"},
                                                         {TcdValue::bound, "bound"},
                                                         {TcdValue::difference, "difference"},
                                                         {TcdValue::gap, "gap"}});

/// Throws InputError on an unknown name, with the nearest known one.
TcdValue tcd_value(std::string_view name);

/// One value for every source.
struct TcdColumn {
  TcdValue value = TcdValue::paper;
  std::string title;              ///< for people: "minimum_tcd, order best"
  std::vector<std::int64_t> tcds; ///< by node id
};

/// TCD of broadcasts from every node of a mesh or torus.
struct TcdTable {
  std::shared_ptr<const Topology> topology;
  const Grid* grid = nullptr; ///< the same topology
  std::vector<bool> eyes;     ///< by node id: eyes of Cang & Wu on a mesh of equal sides 2^k; none elsewhere
  std::vector<TcdColumn> columns;
};

/// At most this many messages, those of all sources together, are made for TcdValue::algorithm.
inline constexpr std::uint64_t most_tcd_messages = std::uint64_t{1} << 28;

/// Called with how many of how many sources are done.
using TcdProgress = std::function<void(std::size_t done, std::size_t sources)>;

/// The values `asked` for in their order; with none, all that exist here: `algorithm` where it is neither minimum_tcd
/// nor recursive_halving_tcd, the others where the sizes are powers of two (equal ones for `paper`). Throws InputError
/// where the topology is no mesh or torus, the algorithm is a schedule from a file, a value asked for or every value
/// is not there, or `algorithm` would take more than most_tcd_messages. Cost of all but `algorithm`: O(2^d d N) at
/// most; of `algorithm` the hops of N schedules.
TcdTable tcd_table(const Experiment& experiment, std::span<const TcdValue> asked, const TcdProgress& progress = {});

} // namespace wormcast
