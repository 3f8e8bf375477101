#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace wormcast {

/// The reach of jobs of the all-port split scatter if s[j] segments is the largest message allowed with j steps left,
/// the current one included. All vectors are indexed by j = 0 .. T. An S-job owns one segment of each column of an
/// interval and sends columns to both sides; a B-job owns two segments of each and also sends one of them to the other
/// node of its own column. (A reconstruction of stage 1 in section 8 of Zhuang & Liberatore.)
struct ScatterCapacity {
  std::vector<std::int64_t> s;       ///< s[0] = 0
  std::vector<std::int64_t> s_hand;  ///< cS: columns that an S-job hands to one side with j steps left
  std::vector<std::int64_t> s_side;  ///< cS[1] + .. + cS[j]: columns that it can serve on one side in all
  std::vector<std::int64_t> s_total; ///< SM: columns that it can serve in all
  std::vector<std::int64_t> b_hand;  ///< cB
  std::vector<std::int64_t> b_total; ///< BM

  std::size_t steps() const { return s.size() - 1; }

  /// No steps.
  ScatterCapacity();
  /// One step more, before the others: cS = min(s, SM), SM += 2 cS; cB = min(s/2, BM), BM = 2 cB + min(s, SM), on the
  /// right the values of one step less.
  void push(std::int64_t size);
  void pop();

  /// Returns whether an S-job or B-job with j steps left serves `left` and `right` columns on both sides of its own.
  bool s_job_fits(std::size_t j, std::int64_t left, std::int64_t right) const;
  bool b_job_fits(std::size_t j, std::int64_t left, std::int64_t right) const;
};

/// Returns the step sizes for which `feasible` holds: the fewest steps T, then the smallest sum, then the
/// lexicographically smallest (s[T], ..., s[1]). No size is above `largest`. `feasible` must stay true when a size
/// grows, and may depend on everything of steps T and T-1, but below only on the reach of step T-2 (s_side, s_total,
/// b_total), since prefixes with a smaller reach than another are left out. Some hundred prefixes remain at `largest` =
/// 2048. Throws std::logic_error if not even 64 steps of `largest` are feasible.
ScatterCapacity optimal_scatter_sizes(std::int64_t largest,
                                      const std::function<bool(const ScatterCapacity&)>& feasible);

} // namespace wormcast
