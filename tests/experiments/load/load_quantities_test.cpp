// Quantities of latency-load curves: every one that is declared is in the files and on the page.

#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/load/load_point.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/load/load_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

/// A point of uniform traffic on a line, whose middle channels are full at a load of 0.44.
Json point_at(double load)
{
  const testing::TemporaryDirectory directory;
  const RawConfig config = read_config(directory.write("load.toml", R"([topology]
kind = "mesh"
dims = [8]
[network]
startup = "0us"
per_byte = "1ns"
flit_bytes = 8
[traffic]
bytes = 64
measure = "1ms"
)"));
  return compute_load_point(make_load_experiment(config, {}), load).result;
}

/// The names of all values of an object, "a.b" for those of objects in it.
void append_names(const Json& object, const std::string& within, std::vector<std::string>& names)
{
  for (const auto& [name, value] : object.items()) {
    if (value.is_object()) {
      append_names(value, within + name + ".", names);
    } else {
      names.push_back(within + name);
    }
  }
}

std::vector<std::string> declared_names()
{
  std::vector<std::string> names;
  for (const LoadQuantity& quantity : load_quantities()) {
    names.push_back(quantity.name());
  }
  return names;
}

TEST(LoadQuantities, AreDeclaredOnceWithTextsAndUnits)
{
  std::set<std::string> names;
  for (const LoadQuantity& quantity : load_quantities()) {
    const Quantity& declared = quantity.declared.quantity;
    EXPECT_TRUE(names.insert(declared.name).second) << declared.name;
    EXPECT_NE(declared.text, "") << declared.name;
    EXPECT_EQ(declared.unit == "us", declared.name.find("_us") != std::string::npos) << declared.name;
    EXPECT_EQ(quantity.column.heading.empty(), quantity.column.format.empty()) << declared.name;
    EXPECT_EQ(quantity.column.repeated_as.empty(), quantity.column.repeated_digits == 0) << declared.name;
    if (!quantity.column.above.empty()) {
      EXPECT_THAT(declared_names(), Contains(quantity.column.above));
    }
  }
  for (const std::string_view name :
       {load_quantity::offered, load_quantity::accepted, load_quantity::verdict, load_quantity::undecided_by,
        load_quantity::stable, load_quantity::mean_latency, load_quantity::lowest_mean, load_quantity::highest_mean}) {
    EXPECT_TRUE(names.contains(std::string(name))) << name;
  }
}

TEST(LoadQuantities, AreTheJsonOfAPointInTheirOrder)
{
  Json point = point_at(0.05);
  EXPECT_EQ(point["verdict"], "stable");
  for (const std::string_view latencies : {load_quantity::latency, load_quantity::network_latency}) {
    EXPECT_TRUE(point[std::string(latencies)]["histogram"].is_array());
    point[std::string(latencies)].erase("histogram");
  }
  std::vector<std::string> names;
  append_names(point, "", names);
  EXPECT_EQ(names, declared_names());
}

TEST(LoadQuantities, LatenciesOfAPointWithoutThemAreNullAsAWhole)
{
  const Json point = point_at(0.9);
  EXPECT_EQ(point["verdict"], "saturated");
  EXPECT_TRUE(point["latency_us"].is_null());
  EXPECT_TRUE(point["network_latency_us"].is_null());
  EXPECT_TRUE(point["undecided_by"].is_null());
  EXPECT_TRUE(point["contention"].is_object());
}

TEST(LoadQuantities, AreTheColumnsOfResults)
{
  LoadCurves curves;
  curves.curves.emplace_back().error = "no network";
  const std::string csv = load_csv(curves);
  std::string expected = "offered";
  for (const LoadQuantity& quantity : load_quantities()) {
    if (quantity.name() != "offered" && quantity.name().find(".depth") == std::string::npos) {
      expected += "," + quantity.name();
    }
  }
  EXPECT_EQ(csv.substr(0, csv.find('\n')), expected + ",zero_load_us,state,error");
}

TEST(LoadQuantities, AreOnThePageOfResults)
{
  const std::string page = testing::read_file(std::string(WORMCAST_CONFIGS) + "/../docs/reference/results.md");
  for (const std::string& name : declared_names()) {
    EXPECT_THAT(page, HasSubstr("| `" + name + "` |"));
  }
}

TEST(LoadQuantities, AreInTheTablesForPeople)
{
  LoadCurve curve;
  const Json point = point_at(0.05);
  curve.points.push_back({.offered = 0.05, .error = {}, .result = point});
  curve.points.push_back({.offered = 3, .state = PointState::deadlock, .error = {}, .result = saturated_point_json(3)});
  LoadCurves curves;
  curves.curves.push_back(curve);
  const std::string listing = load_listing(curves);
  EXPECT_THAT(listing, HasSubstr("accepted  latency us"));
  EXPECT_THAT(listing, HasSubstr(fmt::format("{:.5g}", point["latency_us"]["p99"].get<double>())));
  const double half = point["latency_us"]["high"].get<double>() - point["latency_us"]["mean"].get<double>();
  EXPECT_THAT(listing, HasSubstr(fmt::format("  {:.2g}  ", half)));
  EXPECT_THAT(listing, ::testing::ContainsRegex("deadlock +- +- +-\n")); // accepted, hops, busiest; no latencies
}

} // namespace
} // namespace wormcast
