#pragma once

#include "wormcast/formats/json_fields.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The fields of one line of a trace by name, nested ones with dots between the names. Functions that return a value
/// throw InputError with the name of a field that is missing, of another kind or outside of what is expected.
class TraceLine {
public:
  /// Throws InputError where the text is no JSON object.
  explicit TraceLine(std::string_view text) : fields_(read_json_fields(text)) {}

  /// Returns the first field of this name; null: there is none.
  const JsonField* find(std::string_view name) const;

  const std::string& text(std::string_view name) const;
  std::uint64_t whole(std::string_view name, std::uint64_t maximum = std::numeric_limits<std::int64_t>::max()) const;
  std::int32_t signed_32(std::string_view name) const;
  std::int64_t signed_64(std::string_view name) const;
  /// Returns a decimal number above 0, at most `maximum`.
  double share(std::string_view name, double maximum) const;
  /// Returns a whole number less than `count`.
  std::uint32_t below(std::string_view name, std::uint64_t count) const;
  Time microseconds(std::string_view name) const;

  /// Return none for null.
  std::optional<std::uint64_t> whole_or_null(std::string_view name) const;
  std::optional<std::uint32_t> below_or_null(std::string_view name, std::uint64_t count) const;
  /// Returns none for null, or where the field is not there.
  std::optional<Time> microseconds_or_null(std::string_view name) const;
  /// Returns false where the field is not there.
  bool is_true(std::string_view name) const;

  /// Return the elements of a list, empty where it is not there; flags are 1 for true, 0 for false.
  std::vector<std::int64_t> list(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  std::vector<std::int64_t> flags(std::string_view name) const;

private:
  const JsonField& get(std::string_view name, JsonField::Kind kind, std::string_view expected) const;

  std::vector<JsonField> fields_;
};

} // namespace wormcast
