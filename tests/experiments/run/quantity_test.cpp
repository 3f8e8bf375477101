// Quantities of results: what their declarations say is so.

#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/run/series_quantities.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/formats/json_text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace wormcast {
namespace {

std::string written(const Quantity& quantity, const QuantityValue& value)
{
  nlohmann::ordered_json result = nlohmann::ordered_json::object();
  put_quantity(result, quantity, value);
  return json_text(result, JsonLayout::one_line);
}

TEST(Quantities, AreWrittenAsTheirTypesSay)
{
  EXPECT_EQ(written({.name = "a", .type = QuantityType::truth, .text = ""}, true), R"({"a":true})");
  EXPECT_EQ(written({.name = "a", .type = QuantityType::count, .text = ""}, quantity_value(7U)), R"({"a":7})");
  EXPECT_EQ(written({.name = "a", .type = QuantityType::fraction, .text = ""}, Fraction(39, 16)), R"({"a":"39/16"})");
  EXPECT_EQ(written({.name = "a", .type = QuantityType::time, .text = ""}, Time{1'234'567}), R"({"a":1.234567})");
  EXPECT_EQ(written({.name = "a", .type = QuantityType::mean_time, .text = ""}, 1'234'567.89), R"({"a":1.234568})");
  EXPECT_EQ(written({.name = "a", .type = QuantityType::number, .text = ""}, 0.123456789), R"({"a":0.1234568})");
  EXPECT_EQ(written({.name = "a", .type = QuantityType::setting, .text = ""}, 0.123456789), R"({"a":0.123456789})");
  EXPECT_EQ(written({.name = "a", .type = QuantityType::text, .text = ""}, "b"), R"({"a":"b"})");
}

TEST(Quantities, WithoutAValueAreNullOrLeftOut)
{
  EXPECT_EQ(written({.name = "a", .text = ""}, {}), R"({"a":null})");
  EXPECT_EQ(written({.name = "a", .text = "", .left_out = true}, {}), "{}");
  EXPECT_EQ(quantity_value(std::optional<Time>()), QuantityValue());
}

TEST(Quantities, WithADotAreInObjects)
{
  EXPECT_EQ(written({.name = "a.b.c", .text = ""}, std::uint64_t{1}), R"({"a":{"b":{"c":1}}})");
  EXPECT_EQ(object_of({.name = "a.b", .text = ""}), "a");
  EXPECT_EQ(object_of({.name = "a", .text = ""}), "");
}

TEST(Quantities, DecimalValuesNeedATypeThatSaysHowTheyAreWritten)
{
  EXPECT_THROW(written({.name = "a", .type = QuantityType::count, .text = ""}, 0.5), std::logic_error);
}

TEST(Quantities, AreDeclaredOnceAndBoundedByOthers)
{
  std::set<std::string> names;
  for (const auto& declared : run_quantities()) {
    EXPECT_TRUE(names.insert(declared.quantity.name).second) << declared.quantity.name;
  }
  names.clear();
  for (const auto& declared : series_quantities()) {
    EXPECT_TRUE(names.insert(declared.quantity.name).second) << declared.quantity.name;
  }
  for (const Quantity& quantity : quantity_columns()) {
    EXPECT_NE(quantity.text, "") << quantity.name;
    EXPECT_EQ(quantity.unit == "us", quantity.name.find("_us") != std::string::npos) << quantity.name;
    if (!quantity.bound.empty()) {
      const Quantity* bound = find_quantity(quantity.bound);
      ASSERT_NE(bound, nullptr) << quantity.name;
      EXPECT_EQ(bound->unit, quantity.unit) << quantity.name;
    }
  }
}

} // namespace
} // namespace wormcast
