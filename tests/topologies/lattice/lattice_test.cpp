// Lattices against what defines them: the matrix, shortest paths of the graph, the torus, and published distances.

#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/lattice/lattice.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <utility>

namespace wormcast {
namespace {

using Rational = boost::multiprecision::cpp_rational;

std::unique_ptr<Topology> make_lattice(std::vector<std::string> matrix, const std::string& tie = "no_wrap")
{
  TopologyDescription description{"lattice", {}};
  description.parameters.set("matrix", std::move(matrix));
  return make_topology(description, {"", tie});
}

std::vector<std::string> diagonal(const std::vector<std::int64_t>& dims)
{
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < dims.size(); ++row) {
    std::vector<std::int64_t> entries(dims.size(), 0);
    entries[row] = dims[row];
    rows.push_back(fmt::format("{}", fmt::join(entries, " ")));
  }
  return rows;
}

/// A lattice of 2 to 300 nodes in 1 to 4 dimensions.
std::unique_ptr<Topology> arbitrary_lattice()
{
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 5);
  const std::int64_t largest = dimensions == 1 ? 300 : dimensions == 2 ? 16 : dimensions == 3 ? 6 : 4;
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < dimensions; ++row) {
    const auto entries = *rc::gen::container<std::vector<std::int64_t>>(
        dimensions, rc::gen::inRange<std::int64_t>(-largest, largest + 1));
    rows.push_back(fmt::format("{}", fmt::join(entries, " ")));
  }
  const std::string tie = *rc::gen::element<std::string>("no_wrap", "positive");
  try {
    auto lattice = make_lattice(rows, tie);
    RC_PRE(lattice->node_count() >= 2 && lattice->node_count() <= 300);
    return lattice;
  } catch (const InputError&) { // singular, or two dimensions with the same neighbours
    RC_DISCARD();
  }
}

RC_GTEST_PROP(Lattice, RoutesAreShortestPathsInDimensionOrder, ())
{
  const auto topology = arbitrary_lattice();
  const auto& lattice = dynamic_cast<const Lattice&>(*topology);
  const ChannelGraph reversed = reverse_channels(lattice);
  const auto to = *rc::gen::inRange<std::uint32_t>(0, lattice.node_count());
  const std::vector<std::uint32_t> distances = distances_to(lattice, reversed, NodeId{to});
  for (std::uint32_t from = 0; from < lattice.node_count(); ++from) {
    const std::vector<ChannelId> route = route_between(lattice, from, to);
    RC_ASSERT(route.size() == distances[from]);
    RC_ASSERT(lattice.distance(NodeId{from}, NodeId{to}) == distances[from]);
    RC_ASSERT(nodes_between(lattice, from, to).back() == to);
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
      if (hop == 0) {
        RC_ASSERT(index(lattice.channel_source(route[hop])) == from);
        continue;
      }
      RC_ASSERT(lattice.channel_source(route[hop]) == lattice.channel_target(route[hop - 1]));
      RC_ASSERT(lattice.step_of(route[hop - 1]).dimension <= lattice.step_of(route[hop]).dimension);
    }
  }
  RC_ASSERT(lattice.longest_route() == *std::ranges::max_element(distances));
}

RC_GTEST_PROP(Lattice, TwoVirtualChannelsAreFreeOfDeadlock, ())
{
  const auto lattice = arbitrary_lattice();
  const ChannelDependencies dependencies = channel_dependencies(*lattice, 2);
  RC_ASSERT(dependencies.classes == 2);
  RC_ASSERT(check_deadlock(dependencies).deadlock_free());
}

TEST(Lattice, OneVirtualChannelCanDeadlock)
{
  EXPECT_FALSE(check_deadlock(channel_dependencies(*make_lattice({"5 2", "-2 5"}), 1)).deadlock_free());
}

RC_GTEST_PROP(Lattice, OfADiagonalMatrixIsTheTorus, ())
{
  std::vector<std::int64_t> dims(*rc::gen::inRange<std::size_t>(1, 4));
  for (std::int64_t& size : dims) {
    size = *rc::gen::inRange<std::int64_t>(1, dims.size() == 3 ? 6 : 9);
  }
  const std::string tie = *rc::gen::element<std::string>("no_wrap", "positive");
  const auto lattice = make_lattice(diagonal(dims), tie);
  const auto torus = make_grid("torus", dims, tie);
  RC_ASSERT(lattice->node_count() == torus->node_count());
  RC_ASSERT(lattice->channel_count() == torus->channel_count());
  for (std::uint32_t from = 0; from < torus->node_count(); ++from) {
    RC_ASSERT(lattice->coordinates(NodeId{from}) == torus->coordinates(NodeId{from}));
    for (std::uint32_t to = 0; to < torus->node_count(); ++to) {
      RC_ASSERT(nodes_between(*lattice, from, to) == nodes_between(*torus, from, to));
      const auto classes = [&](const Topology& topology) {
        const std::vector<ChannelId> route = route_between(topology, from, to);
        std::vector<std::uint8_t> of_route(route.size());
        topology.assign_virtual_channel_classes(route, 2, of_route);
        return of_route;
      };
      RC_ASSERT(classes(*lattice) == classes(*torus));
    }
  }
}

RC_GTEST_PROP(Lattice, NodesAreTheCosetsOfTheRows, ())
{
  // The box of any matrix of the same rows, in other order and added to each other, is the same.
  const auto first = *rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange<std::int64_t>(-9, 10));
  const auto second = *rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange<std::int64_t>(-9, 10));
  const auto third = *rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange<std::int64_t>(-9, 10));
  const auto row = [](const std::vector<std::int64_t>& entries) { return fmt::format("{}", fmt::join(entries, "  ")); };
  const auto sum = [](std::vector<std::int64_t> a, const std::vector<std::int64_t>& b, std::int64_t factor) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] += factor * b[i];
    }
    return a;
  };
  const std::int64_t determinant = first[0] * (second[1] * third[2] - second[2] * third[1]) -
                                   first[1] * (second[0] * third[2] - second[2] * third[0]) +
                                   first[2] * (second[0] * third[1] - second[1] * third[0]);
  RC_PRE(determinant != 0);
  const LatticeBox box(std::vector<std::string>{row(first), row(second), row(third)});
  const LatticeBox same(std::vector<std::string>{row(sum(third, first, -2)), row(first), row(sum(second, third, 5))});
  RC_ASSERT(box.points() == static_cast<std::uint32_t>(std::abs(determinant)));
  RC_ASSERT(std::ranges::equal(box.sizes(), same.sizes()));
  for (std::uint32_t number = 0; number < box.points(); ++number) {
    const LatticeVector point = box.point(number);
    RC_ASSERT(box.number_of(point) == number);
    for (const auto& of_row : {first, second, third}) {
      LatticeVector moved = point;
      for (std::size_t i = 0; i < of_row.size(); ++i) {
        moved[i] += 3 * of_row[i];
      }
      RC_ASSERT(box.number_of(moved) == number);
      RC_ASSERT(same.number_of(moved) == same.number_of(point));
    }
  }
}

// Of TPU v4's slices: 4 x 4 x 8 and 4 x 8 x 8, regular and with one and with both short dimensions twisted by half of
// the long ones. Computed by breadth-first search over the same graphs by an independent program.
TEST(Lattice, TwistedToriHaveThePublishedMeanDistances)
{
  const auto mean = [](std::vector<std::string> matrix) {
    return measure_topology(*make_lattice(std::move(matrix))).mean_distance;
  };
  EXPECT_EQ(mean({"4 0 0", "0 4 0", "0 0 8"}), Rational(512, 127));
  EXPECT_EQ(mean({"4 0 4", "0 4 0", "0 0 8"}), Rational(464, 127)); // 3.654
  EXPECT_EQ(mean({"4 0 4", "0 4 4", "0 0 8"}), Rational(440, 127)); // 3.465
  EXPECT_EQ(mean({"4 0 0", "0 8 0", "0 0 8"}), Rational(1280, 255));
  // A regular torus is limited by its longest ring, a mean of 2 hops there, an edge-symmetric one by the mean over
  // all three dimensions: 1.655, 1.745, 1.297 and 1.391 times the all-to-all throughput at most.
  const auto gain = [&](std::vector<std::string> matrix, const Rational& hops_in_longest_ring) {
    return static_cast<double>(hops_in_longest_ring / (*mean(std::move(matrix)) / 3));
  };
  EXPECT_NEAR(gain({"4 0 4", "0 4 0", "0 0 8"}, Rational(256, 127)), 1.655, 0.0005);
  EXPECT_NEAR(gain({"4 0 4", "0 4 4", "0 0 8"}, Rational(256, 127)), 1.745, 0.0005);
  EXPECT_NEAR(gain({"4 4 0", "0 8 0", "0 0 8"}, Rational(512, 255)), 1.297, 0.0005);
  EXPECT_NEAR(gain({"4 4 4", "0 8 0", "0 0 8"}, Rational(512, 255)), 1.391, 0.0005);
}

TEST(Lattice, HasThePublishedSizesOfFamilies)
{
  // Midimew: 2k^2 + 2k + 1 nodes within distance k, the most that degree 4 allows.
  for (std::int64_t k = 1; k <= 6; ++k) {
    const auto midimew = make_lattice({fmt::format("{} {}", k, k + 1), fmt::format("{} {}", -k - 1, k)});
    EXPECT_EQ(midimew->node_count(), 2 * k * k + 2 * k + 1);
    EXPECT_EQ(midimew->longest_route(), k);
  }
  // Face-centred and body-centred cubic: 2 a^3 and 4 a^3 nodes.
  EXPECT_EQ(make_lattice({"4 4 0", "4 0 4", "0 4 4"})->node_count(), 2 * 4 * 4 * 4);
  EXPECT_EQ(make_lattice({"-4 4 4", "4 -4 4", "4 4 -4"})->node_count(), 4 * 4 * 4 * 4);
  // A circulant graph of 13 nodes with steps 1 and 5: node (x, y) is x + 5y.
  EXPECT_EQ(make_lattice({"13 0", "-5 1"})->longest_route(), 2);
}

TEST(Lattice, ClosedFormsOfTheMetricsAreThoseFoundByEnumeration)
{
  for (const auto& matrix : std::vector<std::vector<std::string>>{
           {"1"}, {"2"}, {"7"}, {"4 2", "0 3"}, {"2 1", "1 3"}, {"4 0 4", "0 4 4", "0 0 8"}, {"3 0", "0 1"}}) {
    const auto lattice = make_lattice(matrix);
    EXPECT_TRUE(measure_topology(*lattice) == measure_by_enumeration(*lattice)) << lattice->title();
  }
}

TEST(Lattice, IsDrawnAsItsBox)
{
  const auto twisted = make_lattice({"4 0 2", "0 4 0", "0 0 4"});
  const Drawing drawing = draw_topology(*twisted);
  const Drawing of_mesh = draw_topology(*make_grid("mesh", {4, 4, 4}));
  EXPECT_EQ(drawing.nodes, of_mesh.nodes);
  EXPECT_EQ(drawing.labels.size(), of_mesh.labels.size());
  const auto stubs = std::ranges::count(drawing.channels, ChannelShape::stub, &ChannelDrawing::shape);
  EXPECT_EQ(stubs, std::ranges::count(of_mesh.channels, ChannelShape::stub, &ChannelDrawing::shape) + 96);
  const Drawing circle = draw_topology(*make_lattice({"13 0", "-5 1"}));
  EXPECT_EQ(circle.nodes, [] {
    Drawing expected;
    expected.nodes = circle_places(13);
    fit_extent(expected);
    return expected.nodes;
  }());
}

TEST(Lattice, TitleHasTheRows)
{
  EXPECT_EQ(make_lattice({" 4  -2 ", "0\t3"})->title(), "lattice (4 -2) (0 3)");
}

TEST(Lattice, RefusesWhatIsNoFiniteNetwork)
{
  EXPECT_EQ(input_error([] { make_lattice({"1 2", "2 4"}); }),
            "matrix: the lattice has linearly dependent rows, so that its network would be infinite; expected a matrix "
            "whose determinant is not 0");
  EXPECT_EQ(input_error([] { make_lattice({"2 0", "1"}); }),
            "matrix: row 2 of the lattice has 1 entries, expected 2, as there are 2 rows");
  EXPECT_EQ(input_error([] { make_lattice({"2 0", "0 1.5"}); }),
            "matrix: row 2 of the lattice has the entry \"1.5\", expected a whole number from -16777216 to 16777216");
  EXPECT_EQ(
      input_error([] { make_lattice({"16777217"}); }),
      "matrix: row 1 of the lattice has the entry \"16777217\", expected a whole number from -16777216 to 16777216");
  EXPECT_EQ(input_error([] { make_lattice({"1024 0", "0 1025"}); }),
            "matrix: a lattice of more than 1048576 nodes, the absolute value of the determinant");
  EXPECT_EQ(input_error([] { make_lattice(diagonal(std::vector<std::int64_t>(9, 1))); }),
            "matrix: a lattice of 9 rows, expected 1 to 8");
  EXPECT_EQ(
      input_error([] { make_lattice({"5 0", "-1 1"}); }),
      "matrix: steps in dimensions 1 and 2 of the lattice lead to the same node; expected different neighbours in "
      "all dimensions");
  EXPECT_EQ(input_error([] { make_lattice({"3"}, "random"); }),
            "network.tie: a lattice has no random ties, expected \"no_wrap\" or \"positive\"");
  const auto lattice = make_lattice({"4 2", "0 3"});
  EXPECT_EQ(input_error([&] { lattice->node_at(std::vector<std::int64_t>{0}); }),
            "[0] has 1 coordinates, but the lattice (4 2) (0 3) has 2 dimensions");
  EXPECT_EQ(input_error([&] { lattice->node_at(std::vector<std::int64_t>{1, 3}); }),
            "node (1, 3) is outside of the box 4 x 3 of the lattice (4 2) (0 3): its coordinate in dimension 2 is 3, "
            "expected 0 to 2");
}

} // namespace
} // namespace wormcast
