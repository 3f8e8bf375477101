// Tables for people: rows are made of declared quantities.

#include "wormcast/experiments/run/rows.hpp"
#include "wormcast/experiments/run/run_rows.hpp"
#include "wormcast/experiments/run/series_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

struct Pot {
  std::optional<Time> boiled;
  std::uint64_t eggs = 0;
};

const std::vector<ResultQuantity<Pot>>& pot_quantities()
{
  static const std::vector<ResultQuantity<Pot>> all = {
      {{.name = "boiled_us", .type = QuantityType::time, .unit = "us", .text = ""},
       [](const Pot& pot) { return quantity_value(pot.boiled); }},
      {{.name = "eggs", .type = QuantityType::count, .text = ""},
       [](const Pot& pot) { return quantity_value(pot.eggs); }},
  };
  return all;
}

TableRows rows_of(const std::vector<TableRow<Pot>>& rows, const Pot& pot)
{
  static const std::vector<ShownValue<Pot>> others = {
      {"kind", [](const Pot& shown) { return shown.eggs > 2 ? std::optional<std::string>("hard") : std::nullopt; }}};
  return table_rows<Pot>(rows, pot_quantities(), others, pot);
}

std::optional<std::string> shown(QuantityType type, const QuantityValue& value, const std::string& unit = "")
{
  return quantity_text({.name = "a", .type = type, .unit = unit, .text = ""}, value);
}

TEST(Rows, ShowQuantitiesInTheirUnits)
{
  EXPECT_EQ(shown(QuantityType::time, Time{1'500'000}, "us"), "1.5 us");
  EXPECT_EQ(shown(QuantityType::mean_time, 1'234'567.89, "us"), "1.234568 us");
  EXPECT_EQ(shown(QuantityType::count, std::uint64_t{4096}, "bytes"), "4 KiB");
  EXPECT_EQ(shown(QuantityType::count, std::uint64_t{4096}, "hops"), "4096");
  EXPECT_EQ(shown(QuantityType::fraction, Fraction(39, 16)), "39/16");
  EXPECT_EQ(shown(QuantityType::number, 1.23456), "1.235");
  EXPECT_EQ(shown(QuantityType::setting, 1.23456), "1.23456");
  EXPECT_EQ(shown(QuantityType::time, {}), std::nullopt);
}

TEST(Rows, AreThoseWhoseQuantitiesHaveValues)
{
  const std::vector<TableRow<Pot>> rows = {
      {"eggs", "{eggs}, {kind}"}, {"eggs", "{eggs}"}, {"time", "after {boiled_us}, {eggs} eggs"}};
  EXPECT_THAT(rows_of(rows, {.boiled = Time{2'000'000}, .eggs = 3}),
              ElementsAre(Pair("eggs", "3, hard"), Pair("time", "after 2 us, 3 eggs")));
  EXPECT_THAT(rows_of(rows, {.boiled = {}, .eggs = 1}), ElementsAre(Pair("eggs", "1")));
}

TEST(Rows, AreThoseWhoseConditionHolds)
{
  const std::vector<TableRow<Pot>> rows = {{"eggs", "none", [](const Pot& pot) { return pot.eggs == 0; }},
                                           {"eggs", "some"}};
  EXPECT_THAT(rows_of(rows, {}), ElementsAre(Pair("eggs", "none")));
  EXPECT_THAT(rows_of(rows, {.boiled = {}, .eggs = 1}), ElementsAre(Pair("eggs", "some")));
}

TEST(Rows, NameNothingThatIsNotDeclared)
{
  EXPECT_THROW(rows_of({{"salt", "{salt}"}}, {}), std::logic_error);
  EXPECT_THAT(names_in("{a} of {b.c}; "), ElementsAre("a", "b.c"));
}

/// The names in rows that neither a quantity nor another value has, and the values that no row names.
template <typename Result>
std::vector<std::string> loose_names(std::span<const TableRow<Result>> rows,
                                     std::span<const ResultQuantity<Result>> quantities,
                                     std::span<const ShownValue<Result>> others)
{
  std::vector<std::string> loose;
  std::vector<std::string> named;
  for (const TableRow<Result>& row : rows) {
    for (const std::string& name : names_in(row.text)) {
      named.push_back(name);
      const bool known =
          std::ranges::any_of(quantities, [&](const auto& declared) { return declared.quantity.name == name; });
      if (!known && std::ranges::find(others, name, &ShownValue<Result>::name) == others.end()) {
        loose.push_back(name);
      }
    }
  }
  for (const ShownValue<Result>& other : others) {
    if (std::ranges::find(named, other.name) == named.end()) {
      loose.push_back(other.name);
    }
  }
  return loose;
}

TEST(Rows, OfRunsAreMadeOfTheirQuantities)
{
  EXPECT_THAT(loose_names(run_row_texts(), run_quantities(), other_values_of_runs()), IsEmpty());
}

TEST(Rows, OfSeriesAreMadeOfTheirQuantities)
{
  EXPECT_THAT(loose_names(series_row_texts(), series_quantities(), other_values_of_series()), IsEmpty());
}

} // namespace
} // namespace wormcast
