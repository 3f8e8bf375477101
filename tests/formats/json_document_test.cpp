#include "wormcast/formats/json_document.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace wormcast {
namespace {

std::string written_again(const std::string& text)
{
  return json_text(read_json(text), JsonLayout::one_line);
}

TEST(JsonDocument, WritesTheSameDigitsAgain)
{
  for (const std::string text :
       {"9007199254.740991", "0.1000", "1.5", "-0.0", "1E3", "340282366920938463463374607431768211455", "-12",
        "18446744073709551615", R"({"b":[1,2.50,{"c":[]}],"a":{},"":null})", R"(["é\n",true,false])"}) {
    EXPECT_EQ(written_again(text), text);
  }
  EXPECT_EQ(written_again("{ \"a\" : [ 1 , 2 ] }"), R"({"a":[1,2]})");
}

TEST(JsonDocument, HasNumbersWhereNothingIsLost)
{
  EXPECT_EQ(read_json("0.1").get<double>(), 0.1);
  EXPECT_EQ(read_json("7").get<int>(), 7);
  EXPECT_EQ(read_json("9007199254.740991"), exact_number("9007199254.740991")); // a double says ...992
}

TEST(JsonDocument, SaysWhereTextIsMalformed)
{
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      read_json(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(error_of("{\"a\":1"), "the JSON text ends at column 6 in the middle of a value");
  EXPECT_EQ(error_of("[1,}"), "malformed JSON at column 4");
  EXPECT_EQ(error_of("1 2"), "malformed JSON at column 3");
  EXPECT_NE(error_of(""), "");
}

} // namespace
} // namespace wormcast
