#include "wormcast/experiments/config/axis_values.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace wormcast {

namespace {

constexpr std::int64_t largest_number = std::int64_t{1} << 62;

/// Reads the values of one axis; every error carries the key and the place in the file.
class AxisReader {
public:
  AxisReader(const std::filesystem::path& file, const std::string& key)
      : file_(file), key_(key), declarations_(declarations(key)), type_(declarations_.front()->type)
  {}

  std::vector<RawValue> list(const toml::array& array) const
  {
    if (array.empty()) {
      fail(array, "found an empty list, expected at least one value");
    }
    std::vector<RawValue> values;
    std::set<RawValue> known;
    WorkSteps steps;
    for (const toml::node& element : array) {
      steps.add();
      auto value = raw_value(element);
      if (!value) {
        const toml::node& wrong = offending_node(element);
        fail(wrong, fmt::format("found {}, expected {}", describe(wrong), expectation(*declarations_.front())));
      }
      check(element, *value);
      if (!known.insert(*value).second) {
        fail(element, fmt::format("found {} a second time, expected different values", describe(element)));
      }
      values.push_back(std::move(*value));
    }
    return values;
  }

  std::vector<RawValue> range(const toml::table& table) const
  {
    check_range_keys(table);
    const toml::node* factor = table.get("factor");
    const toml::node* step = table.get("step");
    if ((factor == nullptr) == (step == nullptr)) {
      fail(table, "found a range with both or neither of \"factor\" and \"step\", expected exactly one of them");
    }
    const std::int64_t from = number(table, "from");
    const std::int64_t to = number(table, "to");
    const auto numbers = step != nullptr ? arithmetic(*step, from, to) : geometric(*factor, from, to);
    std::vector<RawValue> values;
    for (const std::int64_t value : numbers) {
      values.push_back(raw(value));
      check(table, values.back());
    }
    return values;
  }

private:
  [[noreturn]] void fail(const toml::node& node, const std::string& text) const
  {
    throw_at(toml_origin(file_, node.source()), "sweep." + key_, text);
  }

  /// A value must be good for one of the declarations: which one counts depends on the point of the sweep.
  void check(const toml::node& node, const RawValue& value) const
  {
    std::string first_error;
    for (const Parameter* declaration : declarations_) {
      try {
        read_parameter(*declaration, value);
        return;
      } catch (const InputError& error) {
        if (first_error.empty()) {
          first_error = error.what();
        }
      }
    }
    fail(node, first_error);
  }

  void check_range_keys(const toml::table& table) const
  {
    static const std::vector<std::string> known = {"from", "to", "factor", "step"};
    for (const auto& [name, node] : table) {
      if (std::find(known.begin(), known.end(), name.str()) == known.end()) {
        fail(node, fmt::format("found key \"{}\" in a range, expected from, to, and factor or step{}", name.str(),
                               suggestion(name.str(), known)));
      }
    }
  }

  /// `from`, `to` or `step` in the parameter's own unit: picoseconds, bytes, or just a number.
  std::int64_t number(const toml::table& table, std::string_view name) const
  {
    const toml::node* node = table.get(name);
    if (node == nullptr) {
      fail(table, fmt::format("\"{}\" is missing, expected a range {{from, to, factor}} or {{from, to, step}}", name));
    }
    return number(*node, name);
  }

  std::int64_t number(const toml::node& node, std::string_view name) const
  {
    try {
      const auto* text = node.as_string();
      const auto* whole = node.as_integer();
      if (is_time() && text != nullptr) {
        return parse_time(text->get()).picoseconds;
      }
      if (type_ == ParameterType::bytes && text != nullptr) {
        return static_cast<std::int64_t>(parse_bytes(text->get()));
      }
      if (!is_time() && whole != nullptr) {
        if (whole->get() > largest_number || whole->get() < -largest_number) {
          throw InputError(fmt::format("found {}, expected a number of at most 2^62", whole->get()));
        }
        return whole->get();
      }
    } catch (const InputError& error) {
      fail(node, fmt::format("{}: {}", name, error.what()));
    }
    const char* expected = is_time()                       ? "a time with a unit such as \"150us\""
                           : type_ == ParameterType::bytes ? "a whole number of bytes or a text such as \"64KiB\""
                                                           : "a whole number";
    fail(node, fmt::format("{}: found {}, expected {}", name, describe(node), expected));
  }

  /// Ranges of the time of a byte have whole picoseconds, too.
  bool is_time() const { return type_ == ParameterType::time || type_ == ParameterType::byte_time; }

  RawValue raw(std::int64_t value) const
  {
    if (is_time()) {
      return format_time(Time{value});
    }
    return value;
  }

  std::string shown(std::int64_t value) const
  {
    return is_time() ? format_time(Time{value}) : fmt::format("{}", value);
  }

  [[noreturn]] void fail_unmet_end(const toml::node& node, std::int64_t to, std::int64_t last, std::int64_t next) const
  {
    fail(node,
         fmt::format("the range does not meet its end {}: it goes from {} to {}", shown(to), shown(last), shown(next)));
  }

  void check_size(const toml::node& node, std::uint64_t size) const
  {
    if (size > largest_sweep) {
      fail(node, fmt::format("the range has more than {} values", largest_sweep));
    }
  }

  std::vector<std::int64_t> arithmetic(const toml::node& node, std::int64_t from, std::int64_t to) const
  {
    const std::int64_t step = number(node, "step");
    if (step == 0) {
      fail(node, "step: found 0, expected a step that leads from \"from\" to \"to\"");
    }
    if ((step > 0) != (to > from) && to != from) {
      fail(node,
           fmt::format("step: found {}, which never leads from {} to {}", shown_step(step), shown(from), shown(to)));
    }
    check_size(node, static_cast<std::uint64_t>((to - from) / step) + 1);
    std::vector<std::int64_t> numbers;
    std::int64_t value = from;
    for (; step > 0 ? value <= to : value >= to; value += step) {
      numbers.push_back(value);
    }
    if (numbers.back() != to) {
      fail_unmet_end(node, to, numbers.back(), value);
    }
    return numbers;
  }

  std::string shown_step(std::int64_t step) const { return step < 0 ? fmt::format("{}", step) : shown(step); }

  std::vector<std::int64_t> geometric(const toml::node& node, std::int64_t from, std::int64_t to) const
  {
    const auto factor = node.value<double>();
    if (!node.is_number() || !factor || !std::isfinite(*factor) || *factor <= 1) {
      fail(node, fmt::format("factor: found {}, expected a number above 1", describe(node)));
    }
    if (from <= 0) {
      fail(node, fmt::format("factor: found a range from {}, expected one from a number above 0", shown(from)));
    }
    if (to < from) {
      fail(node,
           fmt::format("factor: found {}, which never leads from {} to {}", describe(node), shown(from), shown(to)));
    }
    std::vector<std::int64_t> numbers = {from};
    while (numbers.back() < to) {
      const std::int64_t next = product(node, numbers.back(), *factor);
      if (next > to) {
        fail_unmet_end(node, to, numbers.back(), next);
      }
      numbers.push_back(next);
    }
    return numbers;
  }

  /// A factor such as 1.1 has no exact binary form, so a product within rounding of a whole number is that number.
  std::int64_t product(const toml::node& node, std::int64_t value, double factor) const
  {
    if (factor == std::floor(factor)) {
      std::int64_t result = 0;
      if (factor >= static_cast<double>(largest_number) ||
          __builtin_mul_overflow(value, static_cast<std::int64_t>(factor), &result) || result > largest_number) {
        return largest_number + 1;
      }
      return result;
    }
    const long double exact = static_cast<long double>(value) * static_cast<long double>(factor);
    if (exact > static_cast<long double>(largest_number)) {
      return largest_number + 1;
    }
    const long double whole = std::nearbyint(exact);
    if (std::fabs(exact - whole) > exact * 4 * std::numeric_limits<double>::epsilon() || whole <= value) {
      fail(node, fmt::format("factor: {} times {} is not a whole number", describe(node), shown(value)));
    }
    return static_cast<std::int64_t>(whole);
  }

  const std::filesystem::path& file_;
  const std::string& key_;
  std::vector<const Parameter*> declarations_;
  ParameterType type_;
};

bool can_range(ParameterType type)
{
  return type == ParameterType::integer || type == ParameterType::time || type == ParameterType::byte_time ||
         type == ParameterType::bytes || type == ParameterType::node || type == ParameterType::ports;
}

} // namespace

SweepAxis read_axis(const std::filesystem::path& file, const std::string& key, const toml::node& node)
{
  const AxisReader reader(file, key);
  const Origin origin = toml_origin(file, node.source());
  SweepAxis axis{.key = key, .values = {}, .origin = origin};
  if (const toml::array* array = node.as_array()) {
    axis.values = reader.list(*array);
  } else if (const toml::table* table = node.as_table()) {
    const Parameter& parameter = *declarations(key).front();
    if (!can_range(parameter.type)) {
      throw_at(origin, "sweep." + key,
               fmt::format("found a range, expected a list of values, each {}", expectation(parameter)));
    }
    axis.values = reader.range(*table);
  } else {
    throw_at(origin, "sweep." + key,
             fmt::format("found {}, expected a list of values or a range {{from, to, factor}} or {{from, to, step}}",
                         describe(node)));
  }
  return axis;
}

} // namespace wormcast
