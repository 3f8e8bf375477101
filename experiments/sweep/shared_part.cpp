#include "wormcast/experiments/sweep/shared_part.hpp"

namespace wormcast {

std::optional<StoredPoint> known_result(const std::string& key, ResultStore& store, const SharedPart& part, bool keep)
{
  std::optional<StoredPoint> failed;
  if (std::optional<StoredPoint> stored = store.find(key)) {
    if (is_finished(stored->state)) {
      return stored;
    }
    failed = std::move(stored);
  }
  if (std::optional<StoredPoint> found = part.found ? part.found(key) : std::nullopt) {
    if (is_finished(found->state) || (!failed && !part.retry)) {
      if (keep) {
        store.put(*found);
      }
      return found;
    }
  }
  return part.retry ? std::nullopt : failed;
}

} // namespace wormcast
