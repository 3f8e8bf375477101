// Wavefronts, by hand; all allocators are compared with those of the slow router in random runs.

#include "wormcast/simulator/engines/input_queued/allocator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;

class Wavefronts : public ::testing::Test {
protected:
  std::vector<std::uint32_t> granted(AllocatorKind kind, const std::vector<AllocatorRequest>& requests)
  {
    Allocator allocator(kind, 1, 3, 3);
    const auto match = allocator.match(requests, {.of_outputs = of_outputs, .of_inputs = of_inputs});
    return {match.begin(), match.end()};
  }

  std::vector<std::uint16_t> of_outputs = {0, 0, 0};
  std::vector<std::uint16_t> of_inputs = {0, 0, 0};
};

TEST_F(Wavefronts, GoByDiagonals)
{
  const std::vector<AllocatorRequest> requests = {{0, 0}, {0, 1}, {1, 0}, {2, 2}};
  // From diagonal 0 on (0, 0) comes first, and leaves neither input 0 nor output 0; (2, 2) is on diagonal 4 mod 3
  EXPECT_THAT(granted(AllocatorKind::wavefront, requests), ElementsAre(0, 3));
  EXPECT_THAT(of_outputs, ElementsAre(1, 0, 0));
  EXPECT_THAT(granted(AllocatorKind::wavefront, requests), ElementsAre(1, 2, 3));
  EXPECT_THAT(of_outputs, ElementsAre(2, 0, 0));
  EXPECT_THAT(granted(AllocatorKind::wavefront, {}), ElementsAre());
  EXPECT_THAT(of_outputs, ElementsAre(2, 0, 0));
}

TEST_F(Wavefronts, SkipDiagonalsToTheFirstGrant)
{
  EXPECT_THAT(granted(AllocatorKind::rr_wavefront, {{2, 2}}), ElementsAre(0));
  EXPECT_THAT(of_outputs, ElementsAre(2, 0, 0));
  EXPECT_THAT(granted(AllocatorKind::wavefront, {{2, 2}}), ElementsAre(0));
  EXPECT_THAT(of_outputs, ElementsAre(0, 0, 0));
}

TEST_F(Wavefronts, ServePrioritiesFirst)
{
  EXPECT_THAT(granted(AllocatorKind::wavefront, {{0, 0, 0, 0}, {0, 1, 0, 5}, {1, 0, 7, 0}}), ElementsAre(1, 2));
  // That of the output counts before that of the input
  of_outputs = {0, 0, 0};
  EXPECT_THAT(granted(AllocatorKind::wavefront, {{0, 0, 9, 0}, {0, 1, 0, 1}}), ElementsAre(1));
}

} // namespace
} // namespace wormcast
