#include "wormcast/values/registration.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wormcast {

void check_new_name(std::string_view article, std::string_view what, std::string_view name, bool taken)
{
  if (!is_plain_name(name)) {
    throw InputError(
        fmt::format("the {} \"{}\" cannot be registered, expected a name of lower-case letters, digits and underscores",
                    what, printable(name)));
  }
  if (taken) {
    throw InputError(fmt::format("there is {} {} \"{}\" already, expected another name", article, what, name));
  }
}

void throw_unknown(std::string_view what, std::string_view name, std::span<const std::string> known)
{
  const std::string nearest = nearest_name(name, known);
  throw InputError(fmt::format("there is no {} \"{}\"{}", what, name,
                               nearest.empty() ? fmt::format(", expected one of {}", fmt::join(known, ", "))
                                               : fmt::format(", did you mean \"{}\"?", nearest)));
}

} // namespace wormcast
