#include "tests/values/expect_input_error.hpp"
#include "wormcast/experiments/compare/measured_envelope.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Latency = std::function<std::optional<std::int64_t>(std::uint64_t)>;

// Goes on until nothing is asked any more; counts the answers.
std::size_t answer_all(EnvelopeSearch& search, const std::vector<Latency>& lines)
{
  std::size_t answers = 0;
  for (auto questions = search.questions(); !questions.empty(); questions = search.questions()) {
    for (const auto& question : questions) {
      for (const std::uint64_t length : question.lengths) {
        search.answer(question.line, length, lines[question.line](length));
        ++answers;
      }
    }
  }
  return answers;
}

Latency affine(std::int64_t fixed, std::int64_t per_byte)
{
  return [=](std::uint64_t length) { return fixed + per_byte * static_cast<std::int64_t>(length); };
}

TEST(EnvelopeSearch, FindsCrossingsToTheByte)
{
  EnvelopeSearch search(3, lengths_of({.first = 64, .last = 65536}, 4096));
  // 0 and 1 meet at 1000 bytes, 1 and 2 at 20000.
  const std::size_t answers = answer_all(search, {affine(0, 40), affine(30000, 10), affine(210000, 1)});
  EXPECT_THAT(search.pieces(),
              ElementsAre(MeasuredPiece{64, 1000, 0}, MeasuredPiece{1001, 20000, 1}, MeasuredPiece{20001, 65536, 2}));
  EXPECT_LT(answers, 3 * 11 + 2 * 3 * 15U);
}

TEST(EnvelopeSearch, APieceBetweenTwoWinnersIsFound)
{
  EnvelopeSearch search(3, std::vector<std::uint64_t>{64, 128});
  answer_all(search, {affine(0, 100), affine(9500, 2), affine(9000, 10)});
  EXPECT_THAT(search.pieces(), ElementsAre(MeasuredPiece{64, 96, 0}, MeasuredPiece{97, 128, 1}));
  EnvelopeSearch narrow(3, std::vector<std::uint64_t>{64, 128});
  answer_all(narrow, {affine(0, 100), affine(9500, 2), affine(8600, 10)});
  EXPECT_THAT(narrow.pieces(),
              ElementsAre(MeasuredPiece{64, 95, 0}, MeasuredPiece{96, 112, 2}, MeasuredPiece{113, 128, 1}));
}

TEST(EnvelopeSearch, WhatWasBoundedAtTheLowEndIsAskedBetween)
{
  EnvelopeSearch search(3, std::vector<std::uint64_t>{64, 128});
  const Latency bounded = [](std::uint64_t length) -> std::optional<std::int64_t> {
    const auto exact = 8600 + 10 * static_cast<std::int64_t>(length);
    return length < 70 ? exact - 1000 : exact; // no lower bound that wins
  };
  answer_all(search, {affine(0, 100), affine(9500, 2), bounded});
  EXPECT_THAT(search.pieces(),
              ElementsAre(MeasuredPiece{64, 95, 0}, MeasuredPiece{96, 112, 2}, MeasuredPiece{113, 128, 1}));
}

TEST(EnvelopeSearch, WhatHasNoLatencyAtTheLowEndIsAskedBetween)
{
  EnvelopeSearch search(3, std::vector<std::uint64_t>{64, 128});
  answer_all(search, {affine(0, 100), affine(9500, 2), [](std::uint64_t length) {
                        return length < 90 ? std::nullopt
                                           : std::optional(8600 + 10 * static_cast<std::int64_t>(length));
                      }});
  EXPECT_THAT(search.pieces(),
              ElementsAre(MeasuredPiece{64, 95, 0}, MeasuredPiece{96, 112, 2}, MeasuredPiece{113, 128, 1}));
}

TEST(EnvelopeSearch, WhatHasNoLatencyNeverWins)
{
  EnvelopeSearch search(2, lengths_of({.first = 1, .last = 8}, 1));
  answer_all(search, {[](std::uint64_t length) { return length < 4 ? std::optional<std::int64_t>(1) : std::nullopt; },
                      affine(10, 0)});
  EXPECT_THAT(search.pieces(), ElementsAre(MeasuredPiece{1, 3, 0}, MeasuredPiece{4, 8, 1}));
}

// Two lines that meet at 1000 bytes, with draws that differ from seed to seed and line to line.
SeedLatencies drawn(std::int64_t latency, std::int64_t spread, std::size_t line)
{
  SeedLatencies latencies;
  for (std::int64_t seed = 0; seed < 20; ++seed) {
    latencies.push_back(latency + spread * ((7 * seed + 3 * static_cast<std::int64_t>(line) * seed * seed) % 11 - 5));
  }
  return latencies;
}

std::vector<MeasuredPiece> drawn_pieces(std::int64_t spread)
{
  EnvelopeSearch search(2, lengths_of({.first = 64, .last = 65536}, 64), LatencyKind::drawn);
  for (auto questions = search.questions(); !questions.empty(); questions = search.questions()) {
    for (const auto& question : questions) {
      for (const std::uint64_t length : question.lengths) {
        const auto bytes = static_cast<std::int64_t>(length);
        search.answer(question.line, length,
                      drawn(question.line == 0 ? 40 * bytes : 30000 + 10 * bytes, spread, question.line));
      }
    }
  }
  return search.pieces();
}

TEST(EnvelopeSearch, BetweenDrawnWinnersItIsNotDecided)
{
  const std::vector<MeasuredPiece> pieces = drawn_pieces(1000);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[0].line, 0U);
  EXPECT_THAT(pieces[0].undecided, ::testing::IsEmpty());
  EXPECT_EQ(pieces[0].from, 64U);
  EXPECT_EQ(pieces[1].from, pieces[0].to + 1);
  EXPECT_EQ(pieces[1].undecided.size(), 1U);
  EXPECT_LT(pieces[1].from, 1000U);
  EXPECT_GT(pieces[1].to, 1000U);
  EXPECT_EQ(pieces[2].from, pieces[1].to + 1);
  EXPECT_EQ(pieces[2].line, 1U);
  EXPECT_THAT(pieces[2].undecided, ::testing::IsEmpty());
  EXPECT_EQ(pieces[2].to, 65536U);
  const std::vector<MeasuredPiece> noisier = drawn_pieces(4000);
  EXPECT_LT(noisier[1].from, pieces[1].from);
  EXPECT_GT(noisier[1].to, pieces[1].to);
}

// Paired draws that are alike: nothing is left undecided but what the search does not look at.
TEST(EnvelopeSearch, WhatLiesBetweenTwoDrawnWinnersIsNotTheirs)
{
  const std::vector<MeasuredPiece> pieces = drawn_pieces(0);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_LE(pieces[1].from, 1001U); // where they meet the first counts
  EXPECT_GE(pieces[1].to, 1000U);
  EXPECT_LE(pieces[1].to - pieces[1].from, 1000U / 64);
}

TEST(SearchRange, IsReadAndRefused)
{
  EXPECT_EQ(parse_search_range("none"), std::nullopt);
  EXPECT_THAT(lengths_of(*parse_search_range("16..1kB"), 100), ElementsAre(16, 32, 64, 100, 128, 256, 512, 1000));
  EXPECT_THAT(lengths_of(*parse_search_range("7..7"), 100), ElementsAre(7));
  EXPECT_THAT(lengths_of({.first = std::uint64_t{1} << 63, .last = ~std::uint64_t{0}}, 1),
              ElementsAre(std::uint64_t{1} << 63, ~std::uint64_t{0}));
  EXPECT_THAT(lengths_of(*parse_search_range("64"), 64), ElementsAre(64));
  EXPECT_THAT(lengths_of(*parse_search_range("4KiB,64,64"), 100), ElementsAre(64, 4096));
  EXPECT_THAT(input_error([] { parse_search_range("64,x"); }), HasSubstr("expected lengths, such as 64..1MiB"));
  EXPECT_THAT(input_error([] { parse_search_range("64..32"); }), HasSubstr("found \"64..32\""));
  EXPECT_THAT(input_error([] { parse_search_range("0..32"); }), HasSubstr("at least 1 byte"));
  EXPECT_THAT(input_error([] { parse_search_range("a..b"); }), HasSubstr("\"a\" is not a number"));
}

} // namespace
} // namespace wormcast
