#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A scalar of a JSON object.
struct JsonField {
  enum class Kind { null, boolean, number, text };
  std::string name; ///< with the names of the objects around it: "waiting.step"
  std::string text; ///< of a number its digits as they stand there
  Kind kind = Kind::null;

  friend bool operator==(const JsonField&, const JsonField&) = default;
};

/// All scalars of a JSON object in its order; the elements of a list one after the other with the list's name. Numbers
/// keep their text, while a parsed document would round them. Throws InputError that says what is malformed, and at
/// which column.
std::vector<JsonField> read_json_fields(std::string_view json);

/// Throws InputError where `json` is not well-formed JSON, cheaper than reading its fields.
void check_json(std::string_view json);

} // namespace wormcast
