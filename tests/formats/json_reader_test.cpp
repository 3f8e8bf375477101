// JSON read from a stream: against another reader of it, across the edges of the window, and what it says of text that
// is no JSON.

#include "wormcast/formats/json_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr std::size_t window = 262144; // of the reader

nlohmann::json json_of(const std::string& text)
{
  std::istringstream in(text);
  JsonReader reader(in, "name", 100);
  nlohmann::json value = reader.value();
  reader.finish();
  return value;
}

std::string syntax_error_of(const std::string& text)
{
  try {
    json_of(text);
  } catch (const SyntaxError& error) {
    return error.what();
  }
  return "no error";
}

// Values of all types, nested; floating-point numbers only where exact.
nlohmann::json any_json(int depth)
{
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
  case 0:
    return nullptr;
  case 1:
    return *rc::gen::arbitrary<bool>();
  case 2:
    return *rc::gen::arbitrary<std::uint64_t>();
  case 3:
    return *rc::gen::arbitrary<std::int64_t>();
  case 4:
    return *rc::gen::element<std::string>("", "plain", "\"\\/\b\f\n\r\t", "\x7f\x01 \xc3\xbc \xe2\x82\xac",
                                          "\xf0\x9f\x90\x9b", "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf");
  case 5:
    return *rc::gen::element("a", "a rather long text that does not fit into any small buffer at all");
  case 6: {
    nlohmann::json list = nlohmann::json::array();
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
      list.push_back(any_json(depth - 1));
    }
    return list;
  }
  default: {
    nlohmann::json object = nlohmann::json::object();
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
      object[*rc::gen::element<std::string>("id", "b", "\"", "\n", "\xc3\xbc",
                                            "a key of more than 32 characters, rare")] = any_json(depth - 1);
    }
    return object;
  }
  }
}

std::string any_text()
{
  return any_json(3).dump(*rc::gen::element(-1, 0, 2), ' ', *rc::gen::arbitrary<bool>());
}

RC_GTEST_PROP(JsonReader, ReadsWhatIsWritten, ())
{
  const nlohmann::json value = any_json(3);
  RC_ASSERT(json_of(value.dump(*rc::gen::element(-1, 0, 2), ' ', *rc::gen::arbitrary<bool>())) == value);
}

bool is_json(const std::string& text)
{
  try {
    return !nlohmann::json::parse(text).is_discarded();
  } catch (const nlohmann::json::parse_error&) {
    return false;
  }
}

// A key that stands twice, and numbers above every double, are no matter of the grammar.
RC_GTEST_PROP(JsonReader, TakesAndRefusesWhatTheOtherReaderDoes, ())
{
  std::string text = any_text();
  for (int changes = *rc::gen::inRange(1, 4); changes > 0; --changes) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const auto cut = *rc::gen::inRange<std::size_t>(0, std::min<std::size_t>(text.size() - at, 3) + 1);
    text.replace(at, cut,
                 *rc::gen::element<std::string>("", " ", ",", ":", "[", "]", "{", "}", "\"", "\\", "\\u00e4", "\\ud83d",
                                                "\\udc1b", "0", "1.5", "-", "e", "E+3", ".", "true", "nul", "\x1f",
                                                "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf5", "//", "\xef\xbb\xbf"));
  }
  const std::string error = syntax_error_of(text);
  RC_PRE(error.find("occurs twice") == std::string::npos);
  try {
    RC_ASSERT((error == "no error") == is_json(text));
  } catch (const nlohmann::json::out_of_range&) {
    RC_DISCARD("a number above every double");
  }
}

// The window ends anywhere in the text.
RC_GTEST_PROP(JsonReader, ReadsAcrossTheEdgesOfItsWindow, ())
{
  const std::string text = any_text();
  const auto before = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  RC_ASSERT(json_of(std::string(window - before, *rc::gen::element(' ', '\n')) + text) == nlohmann::json::parse(text));
}

TEST(JsonReader, ReadsNumbersAcrossTheEdgesOfItsWindow)
{
  const std::string list = "[ 12 , [3, 4], 5.25,[ 18446744073709551615 ,0]]";
  for (std::size_t before = 0; before <= list.size(); ++before) {
    std::istringstream in(std::string(window - before, ' ') + list);
    JsonReader reader(in, "name", 2);
    reader.enter_list();
    EXPECT_TRUE(reader.next_item());
    EXPECT_FALSE(reader.plain_decimal(1));
    EXPECT_EQ(reader.whole_number(), 12U);
    EXPECT_TRUE(reader.next_item());
    EXPECT_FALSE(reader.whole_number());
    EXPECT_EQ(reader.pair_of_whole_numbers(), std::pair(std::uint64_t{3}, std::uint64_t{4}));
    EXPECT_TRUE(reader.next_item());
    EXPECT_FALSE(reader.whole_number());
    EXPECT_EQ(reader.plain_decimal(4), "5.25");
    EXPECT_TRUE(reader.next_item());
    EXPECT_FALSE(reader.pair_of_whole_numbers());
    EXPECT_EQ(reader.value(), nlohmann::json::array({~std::uint64_t{0}, 0}));
    EXPECT_FALSE(reader.next_item());
    EXPECT_NO_THROW(reader.finish());
  }
}

TEST(JsonReader, ReadsTextsAndNumbersThatAreLongerThanItsWindow)
{
  const std::string longer(window + 10, '7');
  EXPECT_EQ(json_of("\"" + longer + "\""), longer);
  EXPECT_EQ(json_of("{\"" + longer + "\" : 1}"), nlohmann::json({{longer, 1}}));
  const nlohmann::json number = json_of("[" + longer + "." + longer + "]");
  EXPECT_EQ(std::string(number[0].get_binary().begin(), number[0].get_binary().end()), longer + "." + longer);
}

TEST(JsonReader, ReadsEscapedCharacters)
{
  EXPECT_EQ(json_of(R"("\u00E4\u20aC\uD83D\uDC1b\u0000\u007f\/\n")"),
            std::string("\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x9b\0\x7f/\n", 13));
}

TEST(JsonReader, RoundsNoNumber)
{
  const auto text_of = [](const std::string& number) {
    const nlohmann::json value = json_of(number);
    return value.is_binary() ? std::string(value.get_binary().begin(), value.get_binary().end()) : value.dump();
  };
  for (const char* number : {"0", "18446744073709551615", "-9223372036854775808", "18446744073709551616", "1.10",
                             "-0.5e-7", "1E400", "-9223372036854775809"}) {
    EXPECT_EQ(text_of(number), number);
  }
}

TEST(JsonReader, TellsLineAndColumn)
{
  EXPECT_EQ(syntax_error_of(""), "name:1:1: malformed JSON: found the end of the file, expected a value");
  EXPECT_EQ(syntax_error_of("[1,\n 2;"), "name:2:3: malformed JSON: found ';', expected ',' or ']'");
  const std::string lines = "[\n" + std::string(window, '\n') + "   ";
  EXPECT_THAT(syntax_error_of(lines + "x]"), ::testing::StartsWith("name:262146:4: "));
  EXPECT_THAT(syntax_error_of("[" + std::string(3 * window, ' ') + "x"), ::testing::StartsWith("name:1:786434: "));
  EXPECT_THAT(syntax_error_of("\n[" + std::string(3 * window, ' ') + "x"), ::testing::StartsWith("name:2:786434: "));
}

TEST(JsonReader, SaysWhatItExpected)
{
  EXPECT_THAT(syntax_error_of("[1 2]"), EndsWith("found '2', expected ',' or ']'"));
  EXPECT_THAT(syntax_error_of("[1,]"), EndsWith("found ']', expected a value"));
  EXPECT_THAT(syntax_error_of("{\"a\" 1}"), EndsWith("found '1', expected ':' behind a key"));
  EXPECT_THAT(syntax_error_of("{\"a\":1 \"b\"}"), EndsWith("found '\"', expected ',' or '}'"));
  EXPECT_THAT(syntax_error_of("{\"a\":1,}"), EndsWith("found '}', expected a key in quotes"));
  EXPECT_THAT(syntax_error_of("{a:1}"), EndsWith("found 'a', expected a key in quotes"));
  EXPECT_THAT(syntax_error_of("1 1"), EndsWith("found '1', expected the end of the file"));
  EXPECT_THAT(syntax_error_of(std::string("1\0", 2)), EndsWith("found the byte 0x00, expected the end of the file"));
  EXPECT_THAT(syntax_error_of("[-]"), EndsWith("found ']', expected a digit"));
  EXPECT_THAT(syntax_error_of("1."), EndsWith("found the end of the file, expected a digit"));
  EXPECT_THAT(syntax_error_of("[trie]"), EndsWith("1:4: malformed JSON: found 'i', expected the word true"));
  EXPECT_THAT(syntax_error_of("\"a\nb\""),
              EndsWith("found the byte 0x0a, expected the rest of a text and its closing quote"));
  EXPECT_THAT(syntax_error_of("\"\\x\""), HasSubstr("found 'x', expected one of"));
  EXPECT_THAT(syntax_error_of("\"\\u12g4\""), EndsWith("found 'g', expected four hexadecimal digits"));
  EXPECT_THAT(syntax_error_of("\"\\udc00\""), HasSubstr("first half of a character"));
  EXPECT_THAT(syntax_error_of("\"\\ud800\\u0020\""), HasSubstr("second half of a character"));
  EXPECT_THAT(syntax_error_of("\"\xff\""), EndsWith("found the byte 0xff, expected UTF-8"));
  EXPECT_THAT(syntax_error_of("{\"a\": {\"b\": 1, \"b\": 2}}"), HasSubstr("the key \"b\" occurs twice in one object"));
}

TEST(JsonReader, RefusesToGoDeeperThanItIsTold)
{
  EXPECT_EQ(syntax_error_of(std::string(100, '[') + std::string(100, ']')), "no error");
  EXPECT_EQ(syntax_error_of(std::string(101, '[')),
            "name:1:101: more than 100 lists and objects inside of one another");
  EXPECT_EQ(syntax_error_of("[" + std::string(1000, ' ') + "[]" + ", []]"), "no error");
}

// A stream that ends in an error, as a disk does that fails.
class FailingBuffer : public std::streambuf {
protected:
  int_type underflow() override { throw std::runtime_error("the disk fails"); }
};

TEST(JsonReader, AStreamThatFailsIsAFileError)
{
  FailingBuffer buffer;
  std::istream in(&buffer);
  EXPECT_THROW(JsonReader(in, "name", 10), FileError);
}

} // namespace
} // namespace wormcast
