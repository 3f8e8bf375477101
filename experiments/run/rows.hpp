#pragma once

#include "wormcast/experiments/run/quantity.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// Name and value of each row of a table for people.
using TableRows = std::vector<std::pair<std::string, std::string>>;

/// A text in a row that is not a quantity.
template <typename Result> struct ShownValue {
  std::string name;
  std::function<std::optional<std::string>(const Result&)> text; ///< none: nothing is to be said
};

/// A row of a table for people, or one of several for its title: the first that applies is shown.
template <typename Result> struct TableRow {
  std::string title;
  std::string text; ///< "at least {bounds.latency_us}": names of quantities and of ShownValues; all must have a value
  std::function<bool(const Result&)> when = {}; ///< empty: always
};

/// A value for people: "3721.5 us", "4 KiB", "39/16", "12". None where there is none.
std::optional<std::string> quantity_text(const Quantity& quantity, const QuantityValue& value);

/// The names in braces of the text of a row.
std::vector<std::string> names_in(std::string_view text);

/// The text with the results of `value_of` instead of the names in it; none where one of them has no result.
std::optional<std::string> filled_in(std::string_view text,
                                     const std::function<std::optional<std::string>(std::string_view)>& value_of);

/// The text of a name in a row. Throws std::logic_error where nothing has that name.
template <typename Result>
std::optional<std::string> shown_value(std::string_view name, std::span<const ResultQuantity<Result>> quantities,
                                       std::span<const ShownValue<Result>> others, const Result& result)
{
  const auto is_called = [&](const ResultQuantity<Result>& declared) { return declared.quantity.name == name; };
  if (const auto found = std::ranges::find_if(quantities, is_called); found != quantities.end()) {
    return quantity_text(found->quantity, found->value(result));
  }
  if (const auto found = std::ranges::find(others, name, &ShownValue<Result>::name); found != others.end()) {
    return found->text(result);
  }
  throw std::logic_error("a row for people names a quantity that is not declared");
}

/// The rows of a result: of those with the same title the first that applies.
template <typename Result>
TableRows table_rows(std::span<const TableRow<Result>> rows, std::span<const ResultQuantity<Result>> quantities,
                     std::span<const ShownValue<Result>> others, const Result& result)
{
  TableRows shown;
  for (const TableRow<Result>& row : rows) {
    const bool is_there = !shown.empty() && shown.back().first == row.title;
    if (is_there || (row.when && !row.when(result))) {
      continue;
    }
    if (auto text =
            filled_in(row.text, [&](std::string_view name) { return shown_value(name, quantities, others, result); })) {
      shown.emplace_back(row.title, *std::move(text));
    }
  }
  return shown;
}

/// The rows with their values below each other, `width` characters or more from the left.
std::string aligned_rows(const TableRows& rows, std::size_t width);

} // namespace wormcast
