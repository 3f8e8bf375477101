// What the program computes is what it computed when tests/fingerprints.tsv was written.

#include "tests/equality/fingerprints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::filesystem::path fingerprint_file = WORMCAST_TEST_DATA "/fingerprints.tsv";

TEST(Fingerprints, AreThoseOfTheFile)
{
  const std::vector<Fingerprint> kept = read_fingerprints(fingerprint_file);
  EXPECT_GT(kept.size(), 300U);
  EXPECT_THAT(changed_fingerprints(kept, fingerprints_now(WORMCAST_CONFIGS)), IsEmpty())
      << "these runs give other results than before. If they should: ./dev equal --write-fingerprints "
         "tests/fingerprints.tsv";
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

TEST(Fingerprints, AFileOfAnotherFormIsRefused)
{
  EXPECT_THROW(read_fingerprints(WORMCAST_TEST_DATA "/CMakeLists.txt"), std::runtime_error);
  EXPECT_THROW(read_fingerprints(WORMCAST_TEST_DATA "/no_such_file"), std::runtime_error);
}

} // namespace
} // namespace wormcast::testing
