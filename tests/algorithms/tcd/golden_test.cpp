// TCD by source and step lists of the broadcasts of Cang & Wu and of recursive halving, against tests/golden/tcd.

#include "tests/algorithms/tcd/golden.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/matrix.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using nlohmann::json;
using testing::cube;
using testing::GridTopology;
using testing::mesh;
using testing::schedule_of;
using testing::step_distances;
using testing::tcd_golden;
using testing::torus;

Schedule broadcast_from(const Topology& topology, const std::string& variant, NodeId source)
{
  if (variant == "halving") {
    return schedule_of("recursive_halving_tcd", topology, source, 1);
  }
  return schedule_of("minimum_tcd", topology, source, 1, {{"order", variant}});
}

struct GoldenVariant {
  TcdVariant variant;
  std::string key;
};

const std::vector<GoldenVariant> golden_variants = {
    {TcdVariant::paper, "paper_order"}, {TcdVariant::best, "best_order"}, {TcdVariant::halving, "halving"}};

TEST(TcdGolden, MatricesAndSchedulesHaveTheTcdOfEverySource)
{
  std::size_t compared = 0;
  for (const auto& [title, matrix] : tcd_golden()["matrices"].items()) {
    const GridTopology grid = mesh(matrix["dims"].get<std::vector<std::int64_t>>());
    for (const GoldenVariant& golden : golden_variants) {
      const auto expected = matrix[golden.key].get<std::vector<std::uint64_t>>();
      EXPECT_EQ(tcd_matrix(*grid, golden.variant).tcd, expected) << title << " " << golden.key;
      for (std::uint32_t node = 0; node < grid->node_count(); ++node) {
        const Schedule schedule =
            broadcast_from(*grid, std::string(tcd_variant_names.text(golden.variant)), NodeId{node});
        const CheckReport report = check_schedule(*grid, schedule);
        EXPECT_TRUE(report.valid() && report.contention_free);
        EXPECT_EQ(report.costs.tcd, expected[node]) << title << " " << golden.key << " " << node;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 3U * (16 + 64 + 64));
}

TEST(TcdGolden, HalvingIsTheTrueMinimumWhereThatIsKnown)
{
  for (const auto& [title, minimum] : tcd_golden()["true_minimum"].items()) {
    const auto dims = tcd_golden()["matrices"][title]["dims"].get<std::vector<std::int64_t>>();
    const GridTopology grid = mesh(dims);
    const auto least = minimum["values"].get<std::vector<std::uint64_t>>();
    EXPECT_EQ(tcd_matrix(*grid, TcdVariant::halving).tcd, least) << title;
    const std::vector<std::uint64_t> bounds = tcd_matrix(*grid, TcdVariant::lower_bound).tcd;
    for (std::size_t node = 0; node < least.size(); ++node) {
      EXPECT_LE(bounds[node], least[node]) << title << " " << node;
    }
  }
}

TEST(TcdGolden, SchedulesAreMadeMessageByMessage)
{
  ASSERT_FALSE(tcd_golden()["schedules"].empty());
  for (const json& golden : tcd_golden()["schedules"]) {
    const GridTopology grid(golden["kind"], golden["dims"].get<std::vector<std::int64_t>>());
    const Schedule schedule = broadcast_from(*grid, golden["variant"], NodeId{golden["source"].get<std::uint32_t>()});
    json steps = json::array();
    for (const Message& message : schedule.messages) {
      while (steps.size() <= message.step) {
        steps.push_back(json::array());
      }
      steps[message.step].push_back({index(message.source), index(message.destination)});
    }
    EXPECT_EQ(steps, golden["steps"]);
    EXPECT_EQ(step_distances(*grid, schedule), golden["per_step"].get<std::vector<std::uint64_t>>());
  }
}

TEST(TcdGolden, ScheduleFilesHaveTheirTcdAndHalvingReachesIt)
{
  const json files = json::parse(std::ifstream(testing::tcd_folder + "index.json"));
  ASSERT_EQ(files.size(), 13U);
  for (const json& file : files) {
    const GridTopology grid = mesh(file["dims"].get<std::vector<std::int64_t>>());
    const NodeId source{file["source"].get<std::uint32_t>()};
    const auto tcd = file["tcd"].get<std::uint64_t>();
    const Schedule read = read_schedule(testing::tcd_folder + file["file"].get<std::string>());
    EXPECT_EQ(read.source, source);
    const CheckReport report = check_schedule(*grid, read);
    EXPECT_TRUE(report.valid() && report.contention_free) << file["file"];
    EXPECT_EQ(report.costs.tcd, tcd);
    EXPECT_EQ(step_distances(*grid, read), file["per_step"].get<std::vector<std::uint64_t>>());

    EXPECT_EQ(check_schedule(*grid, broadcast_from(*grid, "halving", source)).costs.tcd, tcd) << file["file"];
    EXPECT_EQ(tcd_matrix(*grid, TcdVariant::halving).tcd[index(source)], tcd);
    EXPECT_EQ(tcd_matrix(*grid, TcdVariant::paper).tcd[index(source)], file["algorithm_paper_order"]);
    EXPECT_EQ(tcd_matrix(*grid, TcdVariant::best).tcd[index(source)], file["algorithm_best_order"]);
    EXPECT_GE(tcd_matrix(*grid, TcdVariant::lower_bound).tcd[index(source)], file["lower_bound"].get<std::uint64_t>());
  }
}

// A broadcast of 16x16 that annealing found, of the same TCD as an eye's.
TEST(TcdGolden, AnnealedScheduleIsAsGoodAsAnEyes)
{
  const Schedule read = read_schedule(testing::tcd_folder + "annealed16x16_s90_tcd291.json");
  const CheckReport report = check_schedule(*mesh({16, 16}), read);
  EXPECT_TRUE(report.valid());
  EXPECT_EQ(report.costs.tcd, 291U);
  EXPECT_EQ(optimal_tcd(2, 4), 291);
}

// Smallest TCD over all sources, which annealing over all broadcasts did not beat either.
TEST(TcdGolden, HalvingOfUnequalSizes)
{
  const std::vector<std::pair<std::vector<std::int64_t>, std::uint64_t>> cases = {
      {{4, 8}, 33}, {{2, 16}, 39}, {{4, 16}, 71}, {{8, 16}, 143}, {{4, 32}, 153}, {{2, 64}, 199}};
  for (const auto& [dims, least] : cases) {
    EXPECT_EQ(std::ranges::min(recursive_halving_tcds(*mesh(dims))), least);
  }
}

// Sources of side 4, 8, 16, ... from which halving is below the papers' order and the best one, and by how much at
// most.
TEST(TcdGolden, HalvingRefutesTheTheoremsOnTheMinimum)
{
  struct Case {
    std::size_t d;
    unsigned k;
    int below_paper;
    int below_best;
    std::uint64_t largest_gap;
  };
  for (const Case& expected :
       {Case{2, 2, 4, 0, 0}, Case{2, 3, 40, 28, 1}, Case{2, 4, 216, 192, 3}, Case{2, 5, 964, 924, 6},
        Case{2, 6, 4012, 3952, 12}, Case{3, 2, 32, 0, 0}, Case{3, 3, 432, 296, 2}, Case{3, 4, 3936, 3584, 6}}) {
    const GridTopology grid = mesh(cube(expected.d, expected.k));
    const auto halving = tcd_matrix(*grid, TcdVariant::halving).tcd;
    const auto paper = tcd_matrix(*grid, TcdVariant::paper).tcd;
    const auto best = tcd_matrix(*grid, TcdVariant::best).tcd;
    int below_paper = 0;
    int below_best = 0;
    std::uint64_t largest_gap = 0;
    for (std::size_t node = 0; node < halving.size(); ++node) {
      EXPECT_LE(halving[node], best[node]);
      EXPECT_LE(best[node], paper[node]);
      below_paper += halving[node] < paper[node] ? 1 : 0;
      below_best += halving[node] < best[node] ? 1 : 0;
      largest_gap = std::max(largest_gap, best[node] - halving[node]);
    }
    EXPECT_EQ(below_paper, expected.below_paper);
    EXPECT_EQ(below_best, expected.below_best);
    EXPECT_EQ(largest_gap, expected.largest_gap);
  }
}

// 2000, figure 5, and the appendix of 1998 ("17 for both"): the source always sends to the inner eyes.
TEST(TcdGolden, NaiveGivesThePapersFigures)
{
  const GridTopology cube_of_4 = mesh({4, 4, 4});
  const TcdMatrix matrix = tcd_matrix(*cube_of_4, TcdVariant::naive);
  for (std::uint32_t node = 0; node < 64; ++node) {
    std::uint64_t outside = 0;
    for (const std::int64_t x : cube_of_4->coordinates(NodeId{node})) {
      outside += x == 0 || x == 3 ? 1 : 0;
    }
    EXPECT_EQ(matrix.tcd[node], 63 + 3 * outside);
    EXPECT_EQ(matrix.eyes[node], outside == 0);
    EXPECT_EQ(check_schedule(*cube_of_4, broadcast_from(*cube_of_4, "naive", NodeId{node})).costs.tcd,
              matrix.tcd[node]);
  }
  const TcdMatrix square = tcd_matrix(*mesh({4, 4}), TcdVariant::naive);
  EXPECT_EQ(square.tcd[1], 17U);
  EXPECT_EQ(square.tcd[4], 17U);
}

TEST(TcdMatrix, IsDefinedWhereItsAlgorithmIs)
{
  const GridTopology unequal = mesh({4, 8});
  const GridTopology odd = mesh({4, 6});
  const GridTopology equal = torus({8, 8});
  for (const TcdVariant variant : tcd_variant_names.all()) {
    const bool any_powers = variant == TcdVariant::halving || variant == TcdVariant::lower_bound;
    EXPECT_EQ(has_tcd_matrix(*unequal, variant), any_powers);
    EXPECT_FALSE(has_tcd_matrix(*odd, variant));
    EXPECT_THROW(tcd_matrix(*odd, variant), InputError);
    EXPECT_TRUE(has_tcd_matrix(*equal, variant));
    const TcdMatrix matrix = tcd_matrix(*equal, variant);
    EXPECT_EQ(matrix.tcd, std::vector<std::uint64_t>(64, 69)); // OD, and the bound reaches it
    EXPECT_EQ(matrix.eyes, std::vector<bool>(64, true));
    EXPECT_EQ(matrix.sizes, (std::vector<std::int64_t>{8, 8}));
  }
  EXPECT_EQ(tcd_matrix(*unequal, TcdVariant::halving).eyes, std::vector<bool>(32, false));
}

} // namespace
} // namespace wormcast
