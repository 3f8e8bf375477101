#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

namespace wormcast {

namespace {

using boost::multiprecision::cpp_rational;

TopologyMetrics metrics_of(const std::string& kind, const std::vector<std::int64_t>& dims)
{
  return measure_topology(*make_grid(kind, dims));
}

TEST(Metrics, of_a_square_mesh)
{
  const TopologyMetrics metrics = metrics_of("mesh", {32, 32});
  EXPECT_EQ(metrics.nodes, 1024U);
  EXPECT_EQ(metrics.channels, 3968U);
  EXPECT_EQ(metrics.links, 1984U);
  EXPECT_EQ(metrics.smallest_degree, 2U);
  EXPECT_EQ(metrics.largest_degree, 4U);
  EXPECT_EQ(metrics.diameter, 62U);
  EXPECT_EQ(metrics.mean_distance, cpp_rational(64, 3));
  EXPECT_EQ(metrics.bisection, (Bisection{64, 32, true}));
}

TEST(Metrics, of_large_networks)
{
  const TopologyMetrics mesh = metrics_of("mesh", {1024, 1024});
  EXPECT_EQ(mesh.diameter, 2046U);
  EXPECT_EQ(mesh.mean_distance, cpp_rational(2048, 3));
  EXPECT_EQ(mesh.bisection, (Bisection{2048, 1024, true}));
  const TopologyMetrics torus = metrics_of("torus", {1024, 1024});
  EXPECT_EQ(torus.diameter, 1024U);
  EXPECT_EQ(torus.bisection, (Bisection{4096, 2048, true}));
  const TopologyMetrics line = metrics_of("mesh", {std::int64_t{1} << 23});
  EXPECT_EQ(line.mean_distance, cpp_rational((1 << 23) + 1, 3));
}

TEST(Metrics, of_small_networks)
{
  const TopologyMetrics single = metrics_of("torus", {1, 1});
  EXPECT_EQ(single.diameter, 0U);
  EXPECT_EQ(single.mean_distance, cpp_rational(0));
  EXPECT_FALSE(single.bisection);
  const TopologyMetrics cube = metrics_of("torus", {2, 2, 2});
  EXPECT_EQ(cube.smallest_degree, 3U);
  EXPECT_EQ(cube.mean_distance, cpp_rational(12, 7));
  EXPECT_EQ(cube.bisection, (Bisection{8, 4, true}));
  EXPECT_EQ(metrics_of("mesh", {3, 3}).bisection, (Bisection{8, 4, true}));
  EXPECT_EQ(metrics_of("torus", {3, 2}).bisection, (Bisection{6, 3, true}));
}

TEST(Metrics, of_the_petersen_graph)
{
  const TopologyMetrics metrics = measure_topology(ListedTopology(10, petersen_channels()));
  EXPECT_EQ(metrics.links, 15U);
  EXPECT_EQ(metrics.smallest_degree, 3U);
  EXPECT_EQ(metrics.diameter, 2U);
  EXPECT_EQ(metrics.mean_distance, cpp_rational(5, 3));
}

RC_GTEST_PROP(Metrics, closed_forms_equal_enumeration, ())
{
  const auto topology = arbitrary_grid(400);
  TopologyMetrics closed = measure_topology(*topology);
  TopologyMetrics enumerated = measure_by_enumeration(*topology);
  const bool both_exact = closed.bisection && closed.bisection->exact && enumerated.bisection->exact;
  if (!both_exact) {
    RC_ASSERT(closed.bisection.has_value() == enumerated.bisection.has_value());
    closed.bisection = enumerated.bisection = std::nullopt;
  }
  RC_ASSERT(closed == enumerated);
}

/// All grids of at most `most_nodes` nodes and at most 4 dimensions, sizes in descending order.
void collect_sizes(std::vector<std::int64_t>& sizes, std::int64_t nodes, std::int64_t most_nodes,
                   std::vector<std::vector<std::int64_t>>& all)
{
  for (std::int64_t size = 2; size * nodes <= most_nodes && (sizes.empty() || size <= sizes.back()); ++size) {
    sizes.push_back(size);
    all.push_back(sizes);
    if (sizes.size() < 4) {
      collect_sizes(sizes, nodes * size, most_nodes, all);
    }
    sizes.pop_back();
  }
}

TEST(Metrics, bisection_of_every_small_grid_is_exact)
{
  std::vector<std::vector<std::int64_t>> all;
  std::vector<std::int64_t> sizes;
  collect_sizes(sizes, 1, 20, all);
  ASSERT_GT(all.size(), 30U);
  for (const char* kind : {"mesh", "torus"}) {
    for (const auto& dims : all) {
      const auto topology = make_grid(kind, dims);
      const std::optional<Bisection> closed = measure_topology(*topology).bisection;
      ASSERT_TRUE(closed);
      EXPECT_EQ(*closed, *search_bisection(*topology)) << topology->title();
    }
  }
}

} // namespace

} // namespace wormcast
