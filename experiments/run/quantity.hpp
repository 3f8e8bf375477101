#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/quantity.hpp"

#include <nlohmann/json.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wormcast {

/// The type of a quantity's values, which determines how files write them.
enum class QuantityType {
  truth,     ///< bool
  count,     ///< std::uint64_t
  fraction,  ///< Fraction; a text in files ("39/16")
  time,      ///< Time or TotalTime; exact microseconds in files
  mean_time, ///< double, in picoseconds, averaged over runs or messages; microseconds with seven digits in files
  number,    ///< double that was measured; seven digits in files
  setting,   ///< a double from the configuration; all of its digits in files
  text       ///< std::string
};

/// A value of the type that the quantity's declaration says; std::monostate: there is none.
using QuantityValue = std::variant<std::monostate, bool, std::uint64_t, Fraction, Time, TotalTime, double, std::string>;

/// One thing that results say. The objects of results, the tables and the database of sweeps, plots, the classes of
/// Python and the pages of results are made from this declaration.
struct Quantity {
  std::string name; ///< the key in a result; "bounds.alpha": the key "alpha" of the object "bounds"
  QuantityType type = QuantityType::count;
  std::string unit = {};  ///< "us", "bytes", "messages"; empty: a number or a text without one
  std::string text;       ///< one sentence for people
  std::string bound = {}; ///< the name of the quantity that no broadcast's is below; empty: none is known
  bool skewed = false;    ///< 0 in many runs and large in few: the mean of a sample can be far from normal
  bool left_out = false;  ///< without a value the key is left out; else it is null
};

/// A quantity with the source of its value.
template <typename Result> struct ResultQuantity {
  Quantity quantity;
  std::function<QuantityValue(const Result&)> value;
};

/// Integers of any width as counts, other types as they are.
template <typename Value> QuantityValue quantity_value(Value value)
{
  if constexpr (std::integral<Value> && !std::same_as<Value, bool>) {
    return std::uint64_t{value};
  } else {
    return value;
  }
}

/// The value of an optional; none where it is empty.
template <typename Value> QuantityValue quantity_value(std::optional<Value> value)
{
  return value ? quantity_value(*std::move(value)) : QuantityValue();
}

/// The value as files write it; null where there is none. Times are exact numbers for json_text.
nlohmann::ordered_json quantity_json(const Quantity& quantity, const QuantityValue& value);

/// Puts a quantity into the object of a result: under its key, which can be within another object.
void put_quantity(nlohmann::ordered_json& result, const Quantity& quantity, const QuantityValue& value);

/// The object of a result that has the quantity: "bounds" of "bounds.alpha"; empty: the result itself.
std::string_view object_of(const Quantity& quantity);

/// Quantities of a part of a result as quantities of the result, in the object `name`.
template <typename Result, typename Part>
std::vector<ResultQuantity<Result>> quantities_within(const std::string& name,
                                                      const std::vector<ResultQuantity<Part>>& quantities,
                                                      const std::function<const Part&(const Result&)>& part_of)
{
  std::vector<ResultQuantity<Result>> within;
  for (const ResultQuantity<Part>& declared : quantities) {
    Quantity quantity = declared.quantity;
    quantity.name = name + "." + quantity.name;
    within.push_back({std::move(quantity),
                      [part_of, value = declared.value](const Result& result) { return value(part_of(result)); }});
  }
  return within;
}

} // namespace wormcast
