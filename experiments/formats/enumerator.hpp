#pragma once

#include "wormcast/values/input_error.hpp"

#include <string>
#include <string_view>

namespace wormcast {

/// The one of the enumerators `all` that `name_of` gives this name. Throws InputError with all names where there is
/// none.
template <typename All, typename NameOf>
typename All::value_type enumerator_called(std::string_view name, const All& all, const NameOf& name_of)
{
  std::string names;
  for (const auto one : all) {
    if (name_of(one) == name) {
      return one;
    }
    names += (names.empty() ? "\"" : ", \"") + std::string(name_of(one)) + "\"";
  }
  throw InputError("found \"" + std::string(name) + "\", expected one of " + names);
}

} // namespace wormcast
