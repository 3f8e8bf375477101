// What the program computes is what it computed when tests/fingerprints.tsv was written.

#include "tests/equality/fingerprints.hpp"
#include "tests/equality/rewritten_fingerprints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <unistd.h>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path fingerprint_file = WORMCAST_TEST_DATA "/fingerprints.tsv";

TEST(Fingerprints, AreThoseOfTheFile)
{
  const std::vector<Fingerprint> kept = read_fingerprints(fingerprint_file);
  EXPECT_GT(kept.size(), 300U);
  EXPECT_THAT(changed_fingerprints(kept, fingerprints_now(WORMCAST_CONFIGS)), IsEmpty())
      << "these runs give other results than before. If they should: ./dev equal --write-fingerprints "
         "tests/fingerprints.tsv --reason TEXT";
}

TEST(Fingerprints, SayWhatChanged)
{
  const std::vector<Fingerprint> kept = read_fingerprints(fingerprint_file);
  std::vector<Fingerprint> now = kept;
  now.front().contention.back() ^= 1;
  now.front().latency += "0";
  now.back().run = "random again";
  EXPECT_THAT(changed_fingerprints(kept, now),
              ElementsAre(kept.front().run + ": latency, contention", "random again: new", kept.back().run + ": gone"));
}

/// A file that is removed with the test.
class RewrittenFingerprints : public ::testing::Test {
protected:
  ~RewrittenFingerprints() override { std::filesystem::remove(file_); }

  std::string text() const
  {
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// What is reported, or the error.
  std::string rewrite(const std::vector<Fingerprint>& now, const std::string& reason) const
  {
    std::ostringstream report;
    try {
      rewrite_fingerprints(file_, now, reason, report);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return report.str();
  }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("wormcast-fingerprints-" + std::to_string(::getpid()));
};

TEST_F(RewrittenFingerprints, HaveAReasonWhereRowsMove)
{
  std::vector<Fingerprint> now = {{"configs/a.toml", "worm", "1", "d", "c", "o"},
                                  {"random 1", "flit", "2", "d", "c", "o"}};
  EXPECT_EQ(rewrite(now, ""), "configs/a.toml: new\nrandom 1: new\n2 rows, 0 moved or gone, 2 new\n");
  EXPECT_EQ(read_fingerprints(file_), now);
  EXPECT_THAT(read_reasons(file_), IsEmpty());

  now[1].latency = "3";
  const std::string before = text();
  for (const char* none : {"", "  ", "two\nlines"}) {
    EXPECT_THAT(rewrite(now, none), HasSubstr(*none == 't' ? "expected one" : "rows have moved, and nobody says why"));
    EXPECT_EQ(text(), before);
  }
  EXPECT_EQ(rewrite(now, "Hops cost time."), "random 1: latency\n2 rows, 1 moved or gone, 0 new\n");
  EXPECT_EQ(read_fingerprints(file_), now);
  EXPECT_THAT(read_reasons(file_), ElementsAre(EndsWith(", 1 moved, 0 new: Hops cost time.")));

  now.pop_back();
  EXPECT_THAT(rewrite(now, ""), HasSubstr("nobody says why"));
  EXPECT_EQ(rewrite(now, "No seed 1."), "random 1: gone\n1 rows, 1 moved or gone, 0 new\n");
  EXPECT_EQ(rewrite(now, "Nothing."), "1 rows, 0 moved or gone, 0 new\n");
  EXPECT_THAT(read_reasons(file_), ElementsAre(EndsWith("No seed 1."), EndsWith("Hops cost time.")));
}

TEST(Fingerprints, AFileOfAnotherFormIsRefused)
{
  EXPECT_THROW(read_fingerprints(WORMCAST_TEST_DATA "/CMakeLists.txt"), std::runtime_error);
  EXPECT_THROW(read_fingerprints(WORMCAST_TEST_DATA "/no_such_file"), std::runtime_error);
}

} // namespace
} // namespace wormcast::testing
