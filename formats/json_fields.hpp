#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A scalar of a JSON object.
struct JsonField {
  enum class Kind { null, boolean, number, text };
  std::string name; ///< with the names of the objects around it: "waiting.step"
  std::string text; ///< for a number its digits as written
  Kind kind = Kind::null;

  friend bool operator==(const JsonField&, const JsonField&) = default;
};

/// Returns all scalars of a JSON object in its order; the elements of a list follow each other under the list's name.
/// Numbers are returned as text, while a parsed document would round them. Throws InputError with the column if the
/// text is malformed.
std::vector<JsonField> read_json_fields(std::string_view json);

/// Throws InputError where `json` is not well-formed JSON, cheaper than reading its fields.
void check_json(std::string_view json);

} // namespace wormcast
