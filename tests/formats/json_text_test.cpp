#include "wormcast/formats/json_text.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, ExactNumbersKeepTheirDigits)
{
  // 2^53 + 1 picoseconds: no double holds this number of microseconds.
  Json json = {{"latency_us", exact_microseconds(Time{9007199254740993})}};
  EXPECT_EQ(json_text(json, JsonLayout::one_line), R"({"latency_us":9007199254.740993})");
}

TEST(JsonText, Layouts)
{
  Json json;
  json["b"] = {1, 2};
  json["a"] = {{"empty", Json::object()}, {"none", Json::array()}, {"nested", {{1, 2}, {3}}}};
  EXPECT_EQ(json_text(json, JsonLayout::one_line), R"({"b":[1,2],"a":{"empty":{},"none":[],"nested":[[1,2],[3]]}})");
  EXPECT_EQ(json_text(json, JsonLayout::indented), R"({
  "b": [1, 2],
  "a": {
    "empty": {},
    "none": [],
    "nested": [
      [1, 2],
      [3]
    ]
  }
})");
}

TEST(JsonText, TextThatIsNotUtf8IsReplaced)
{
  EXPECT_EQ(json_quoted("a\"\n\xff"), "\"a\\\"\\n\xef\xbf\xbd\"");
}

} // namespace
} // namespace wormcast
