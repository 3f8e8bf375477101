#pragma once

#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wormcast {

/// The type of a parameter, as which its text in a file or on the command line is read.
enum class ParameterType {
  boolean,
  integer,   ///< whole number in [minimum, maximum], or one of `choices` if there are any
  choice,    ///< one of `choices`
  text,      ///< any text
  file,      ///< a path; relative paths are relative to the file that names it
  integers,  ///< non-empty list of whole numbers, each in [minimum, maximum]
  texts,     ///< non-empty list of texts, the first one not empty
  time,      ///< text with a unit ("150us"); in [minimum, maximum] picoseconds
  byte_time, ///< the same with up to six decimals of a picosecond ("157.5ps"), above 0; at most `maximum` picoseconds
  bytes,     ///< whole number of bytes, or text with a unit ("4KiB"); in [minimum, maximum]
  node,      ///< node id (whole number), name (text) or coordinates (list of whole numbers); checked against the
             ///< topology later
  nodes,     ///< non-empty list of node ids, each in [minimum, maximum], or of names; the same
  ports,     ///< whole number >= 1, or "all" (stored as 0)
  number,    ///< decimal number above 0, at most `maximum`
  numbers,   ///< non-empty list of such numbers, or one of `choices`
  extent ///< how long something lasts: a time, a whole number of messages in [minimum, maximum], or one of `choices`
};

/// A value as written in a file, before it is read as a parameter.
using RawValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                              std::vector<std::string>>;

/// A checked value: boolean -> bool; integer, bytes, ports -> int64; choice, text, file -> string (also an integer
/// given as one of its choices); integers, texts -> vector; time -> Time; byte_time -> Time, or string with a fraction
/// of a picosecond (byte_time_of()); node -> int64 (an id), string (a name) or vector (coordinates); nodes -> vector of
/// int64 or of strings; number -> double; numbers -> vector of doubles or string; extent -> Time, int64 (messages) or
/// string.
using ParameterValue = std::variant<bool, std::int64_t, std::string, std::vector<std::int64_t>,
                                    std::vector<std::string>, Time, double, std::vector<double>>;

/// The one declaration of a parameter. Parser, error messages, effective configuration, `wormcast list` and the
/// reference page are all made from it.
struct Parameter {
  std::string name;
  ParameterType type = ParameterType::integer;
  std::string text = {};                       ///< one sentence for people
  std::optional<ParameterValue> fallback = {}; ///< value when absent; none: the parameter is required unless `optional`
  bool optional = false;                       ///< may be absent without a fallback
  std::int64_t minimum = 0;
  std::int64_t maximum = std::int64_t{1} << 62;
  std::vector<std::string> choices = {};
};

/// Values of declared parameters by name. A request for a name or type that was not declared is a broken invariant.
class ParameterValues {
public:
  bool has(std::string_view name) const;
  bool boolean(std::string_view name) const;
  std::int64_t integer(std::string_view name) const; ///< also bytes and ports (0 = all)
  const std::string& text(std::string_view name) const;
  const std::vector<std::int64_t>& integers(std::string_view name) const;
  const std::vector<std::string>& texts(std::string_view name) const;
  Time time(std::string_view name) const;
  double number(std::string_view name) const;
  const ParameterValue& value(std::string_view name) const;

  void set(std::string name, ParameterValue value);
  const std::map<std::string, ParameterValue, std::less<>>& all() const { return values_; }

  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;

private:
  std::map<std::string, ParameterValue, std::less<>> values_;
};

/// Returns the value of a parameter of type byte_time. Throws std::logic_error for a value of another type.
ByteTime byte_time_of(const ParameterValue& value);
/// Returns the time as such a value: a Time where it is a whole number of picoseconds, so that it is shown as all
/// times.
ParameterValue byte_time_value(ByteTime time);

/// Reads one raw value as `parameter`. Throws InputError with the value found and the value expected (type, unit, range
/// or choices, with the nearest choice), without the parameter's name.
ParameterValue read_parameter(const Parameter& parameter, const RawValue& raw);

/// Reads all of `raw` (name -> value) against the declarations and fills in the fallbacks. Throws InputError on an
/// unknown name (with the nearest known one), a bad value (with the name) or a missing one.
ParameterValues read_parameters(std::span<const Parameter> parameters,
                                const std::map<std::string, RawValue, std::less<>>& raw);

/// Returns the values that `parameter` expects, for error messages and lists: "a whole number from 1 to 8", "one of
/// \"full\", \"half\"".
std::string expectation(const Parameter& parameter);

/// The name of `known` that a user most likely meant by `name` (smallest edit distance, at most a third of the length),
/// or an empty text.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

} // namespace wormcast
