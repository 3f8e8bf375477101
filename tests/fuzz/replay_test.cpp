// The fuzzing targets without libFuzzer: all seeds, which are also what fuzzing has found so far, and a fixed number of
// mutations of them.

#include "tests/experiments/sanitizer.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/targets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

namespace wormcast::fuzz {

void PrintTo(const Target& target, std::ostream* out)
{
  *out << target.name;
}

namespace {

using ::testing::Contains;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAreArray;

const std::filesystem::path data = WORMCAST_FUZZ_DATA;

std::string content_of(const std::filesystem::path& file)
{
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The seeds of a target by name.
std::map<std::string, std::string> seeds_of(const Target& target)
{
  std::map<std::string, std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(data / "seeds" / target.name)) {
    seeds.emplace(entry.path().filename(), content_of(entry.path()));
  }
  return seeds;
}

std::vector<std::string> names_in(const std::filesystem::path& folder)
{
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().stem());
  }
  return names;
}

class FuzzTarget : public ::testing::TestWithParam<Target> {};

TEST_P(FuzzTarget, TakesItsSeedsAsTheirNamesSay)
{
  for (const auto& [name, text] : seeds_of(GetParam())) {
    SCOPED_TRACE(name);
    Outcome outcome;
    ASSERT_NO_THROW(outcome = run_target(GetParam(), text));
    if (name.starts_with("valid_")) {
      EXPECT_EQ(outcome.verdict, Verdict::accepted) << outcome.error;
    } else if (name.starts_with("wrong_")) {
      EXPECT_EQ(outcome.verdict, Verdict::refused) << outcome.error;
    } else if (name.starts_with("large_")) {
      EXPECT_EQ(outcome.verdict, Verdict::too_large) << outcome.error;
    } else {
      EXPECT_THAT(name, StartsWith("found_"));
    }
  }
}

/// Runs one input. It is in `file` while it runs: what crashes leaves it there.
Verdict run_kept(const Target& target, const std::string& input, const std::filesystem::path& file)
{
  std::ofstream(file, std::ios::binary) << input;
  Outcome outcome;
  EXPECT_NO_THROW(outcome = run_target(target, input)) << "by the input in " << file;
  if (!::testing::Test::HasFailure()) {
    std::filesystem::remove(file);
  }
  return outcome.verdict;
}

/// 10,000, with sanitizers 1,500, or as many as WORMCAST_FUZZ_INPUTS says.
int mutations()
{
  constexpr int usual = testing::has_address_sanitizer ? 1500 : 10000;
  const char* wanted = std::getenv("WORMCAST_FUZZ_INPUTS");
  return wanted == nullptr ? usual : std::stoi(wanted);
}

TEST_P(FuzzTarget, SurvivesMutationsOfItsSeeds)
{
  const int inputs = mutations();
  std::vector<std::string> seeds;
  for (auto& [name, text] : seeds_of(GetParam())) {
    seeds.push_back(std::move(text));
  }
  const std::string language(GetParam().language);
  Mutator mutator(seeds, read_dictionary(data / "dictionaries" / (language + ".dict")), 1);
  const auto file = std::filesystem::temp_directory_path() / ("wormcast-mutated-" + std::string(GetParam().name));
  std::cout << "an input that ends this program is kept in " << file << std::endl;
  std::map<Verdict, int> counts;
  for (int i = 0; i < inputs && !HasFailure(); ++i) {
    ++counts[run_kept(GetParam(), mutator.next(), file)];
  }
  ASSERT_FALSE(HasFailure());
  EXPECT_GE(counts[Verdict::accepted], inputs / 100) << "mutations are too coarse to be read";
  EXPECT_GE(counts[Verdict::refused], inputs / 100) << "mutations are too fine to be wrong";
  EXPECT_LE(counts[Verdict::too_large], inputs / 10) << "limits leave too much out";
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTarget, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(FuzzTargets, HaveSeedsAndADictionary)
{
  std::vector<std::string> names;
  std::vector<std::string> languages;
  for (const Target& target : targets()) {
    names.emplace_back(target.name);
    languages.emplace_back(target.language);
  }
  EXPECT_THAT(names_in(data / "seeds"), UnorderedElementsAreArray(names));
  for (const std::string& language : names_in(data / "dictionaries")) {
    EXPECT_THAT(languages, Contains(language));
    EXPECT_FALSE(read_dictionary(data / "dictionaries" / (language + ".dict")).empty());
  }
}

TEST(FuzzTargets, WhatIsNoInputErrorIsADefect)
{
  const Target broken{"broken", "json", [](std::string_view text) { return std::string(text).at(1) == 'x'; }};
  EXPECT_THROW(run_target(broken, ""), std::out_of_range);
  EXPECT_THROW(require(false, "a promise"), std::logic_error);
}

TEST(FuzzMutator, MakesTheSameInputsFromTheSameNumber)
{
  Mutator one({"{\"id\": 1}"}, {"null"}, 7);
  Mutator same({"{\"id\": 1}"}, {"null"}, 7);
  Mutator other({"{\"id\": 1}"}, {"null"}, 8);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string input = one.next();
    EXPECT_EQ(input, same.next());
    equal += input == other.next() ? 1 : 0;
  }
  EXPECT_LT(equal, 50);
}

TEST(FuzzMutator, ReadsWordsWithEscapes)
{
  const auto file = std::filesystem::temp_directory_path() / "wormcast-words.dict";
  std::ofstream(file) << "# comment\n\nquote=\"\\\"a\\\\\\x00\\xff\"\n\"plain\"\n";
  EXPECT_EQ(read_dictionary(file), (std::vector<std::string>{std::string("\"a\\\0\xff", 5), "plain"}));
  std::ofstream(file) << "word\n";
  EXPECT_THROW(read_dictionary(file), std::runtime_error);
  std::filesystem::remove(file);
}

} // namespace
} // namespace wormcast::fuzz
