#include "wormcast/values/renamed_keys.hpp"

#include "wormcast/values/parameter.hpp"

#include <algorithm>
#include <array>

namespace wormcast {

namespace {

struct RenamedKey {
  std::string_view former;
  std::string_view now;
};

// An entry stays for one version.
constexpr std::array renamed_keys = {RenamedKey{"flints", "segments"}, RenamedKey{"blocks", "segments"},
                                     RenamedKey{"packets", "segments"}};

} // namespace

std::string meant_key(std::string_view name, std::span<const std::string> known)
{
  for (const RenamedKey& key : renamed_keys) {
    if (name == key.former && std::ranges::find(known, key.now) != known.end()) {
      return std::string(key.now);
    }
  }
  return nearest_name(name, known);
}

} // namespace wormcast
