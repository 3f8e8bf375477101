#pragma once

#include "wormcast/experiments/process/shard.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"

#include <functional>
#include <optional>
#include <string>

namespace wormcast {

/// What one of several processes computes of the work that they share.
struct SharedPart {
  Shard shard = {};    ///< by default the whole
  bool compute = true; ///< false: what nobody has computed is left out
  bool retry = true;   ///< what has failed before is computed again; false: that it failed is its result
  /// What other processes have computed, by key; may be empty.
  std::function<std::optional<StoredPoint>(const std::string& key)> found = {};
};

/// A result that exists: in `store`, or found elsewhere (then it is put into `store` if `keep`); none where it is
/// missing or to be computed again.
std::optional<StoredPoint> known_result(const std::string& key, ResultStore& store, const SharedPart& part, bool keep);

} // namespace wormcast
