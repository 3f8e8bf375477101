#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/petersen_torus.hpp"

#include <cmath>
#include <map>
#include <numbers>

namespace wormcast {

namespace {

double distance(DrawingPoint a, DrawingPoint b)
{
  return std::hypot(a.x - b.x, a.y - b.y);
}

double smallest_distance(const Drawing& drawing)
{
  double smallest = 1e300;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      smallest = std::min(smallest, distance(drawing.nodes[i], drawing.nodes[k]));
    }
  }
  return smallest;
}

// Distance of the node that a straight channel passes most closely without ending at it.
double smallest_clearance(const Topology& topology, const Drawing& drawing)
{
  double smallest = 1e300;
  for (std::uint32_t channel = 0; channel < topology.channel_count(); ++channel) {
    const std::uint32_t from = index(topology.channel_source(ChannelId{channel}));
    const std::uint32_t to = index(topology.channel_target(ChannelId{channel}));
    const DrawingPoint a = drawing.nodes[from];
    const DrawingPoint b = drawing.nodes[to];
    for (std::uint32_t node = 0; node < topology.node_count() && drawing.channels[channel].shape == ChannelShape::line;
         ++node) {
      if (node != from && node != to) {
        const DrawingPoint p = drawing.nodes[node];
        const double along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / std::pow(distance(a, b), 2);
        const double t = std::clamp(along, 0.0, 1.0);
        smallest = std::min(smallest, distance(p, {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}));
      }
    }
  }
  return smallest;
}

// What every drawing keeps: one place for each node, the extent that it names, a shape for each channel, and the same
// line, bow or way round for both directions of a link.
void expect_sound(const Topology& topology)
{
  const Drawing drawing = draw_topology(topology);
  ASSERT_EQ(drawing.nodes.size(), topology.node_count());
  ASSERT_EQ(drawing.channels.size(), topology.channel_count());
  DrawingPoint smallest = {1e300, 1e300};
  DrawingPoint largest;
  for (const DrawingPoint& place : drawing.nodes) {
    smallest = {std::min(smallest.x, place.x), std::min(smallest.y, place.y)};
    largest = {std::max(largest.x, place.x), std::max(largest.y, place.y)};
  }
  EXPECT_EQ(smallest, (DrawingPoint{0, 0}));
  EXPECT_EQ(largest, (DrawingPoint{drawing.width, drawing.height}));
  if (topology.node_count() > 1) {
    EXPECT_GE(smallest_distance(drawing), 0.99) << topology.title();
  }
  for (std::uint32_t channel = 0; channel < topology.channel_count(); ++channel) {
    const ChannelDrawing& drawn = drawing.channels[channel];
    const NodeId to = topology.channel_target(ChannelId{channel});
    const std::uint32_t first = index(topology.first_channel(to));
    for (std::uint32_t back = first; back < first + topology.out_degree(to); ++back) {
      if (topology.channel_target(ChannelId{back}) == topology.channel_source(ChannelId{channel})) {
        const ChannelDrawing& opposite = drawing.channels[back];
        EXPECT_EQ(drawn.shape, opposite.shape);
        const double sign = drawn.shape == ChannelShape::stub ? -1 : 1;
        EXPECT_NEAR(drawn.bend.x, sign * opposite.bend.x, 1e-12);
        EXPECT_NEAR(drawn.bend.y, sign * opposite.bend.y, 1e-12);
      }
    }
    if (drawn.shape == ChannelShape::stub) {
      EXPECT_NEAR(std::hypot(drawn.bend.x, drawn.bend.y), 1, 1e-12);
    }
  }
}

std::size_t count(const Drawing& drawing, ChannelShape shape)
{
  return static_cast<std::size_t>(std::ranges::count(drawing.channels, shape, &ChannelDrawing::shape));
}

TEST(Drawing, MeshNodesLieAtTheirCoordinates)
{
  const auto mesh = make_grid("mesh", {5, 3});
  const Drawing drawing = draw_topology(*mesh);
  EXPECT_EQ(drawing.nodes[14], (DrawingPoint{4, 2}));
  EXPECT_EQ(drawing.width, 4);
  EXPECT_EQ(drawing.height, 2);
  EXPECT_EQ(count(drawing, ChannelShape::line), mesh->channel_count());
}

TEST(Drawing, WrapAroundChannelsOfATorusAreStubsInTheirDirection)
{
  const auto torus = make_grid("torus", {5, 3});
  const Drawing drawing = draw_topology(*torus);
  EXPECT_EQ(count(drawing, ChannelShape::stub), 2U * (5 + 3));
  const auto stub = [&](std::uint32_t from, std::uint32_t to) {
    const std::uint32_t first = index(torus->first_channel(NodeId{from}));
    for (std::uint32_t id = first; id < first + 4; ++id) {
      if (torus->channel_target(ChannelId{id}) == NodeId{to}) {
        return drawing.channels[id].bend;
      }
    }
    return DrawingPoint{};
  };
  EXPECT_EQ(stub(4, 0), (DrawingPoint{1, 0}));
  EXPECT_EQ(stub(0, 4), (DrawingPoint{-1, 0}));
  EXPECT_EQ(stub(10, 0), (DrawingPoint{0, 1}));
  EXPECT_EQ(stub(0, 10), (DrawingPoint{0, -1}));
}

TEST(Drawing, ATorusOfOneDimensionIsACircle)
{
  const Drawing drawing = draw_topology(*make_grid("torus", {1, 6}));
  EXPECT_EQ(count(drawing, ChannelShape::line), 12U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(distance(drawing.nodes[i], drawing.nodes[(i + 1) % 6]), 1, 1e-12);
    EXPECT_NEAR(distance(drawing.nodes[i], {drawing.width / 2, drawing.height / 2}), 1, 1e-12);
  }
}

TEST(Drawing, PlanesOfThreeDimensionsLieSideBySide)
{
  const auto mesh = make_grid("mesh", {3, 3, 2});
  const Drawing drawing = draw_topology(*mesh);
  for (std::size_t node = 0; node < 9; ++node) {
    EXPECT_EQ(drawing.nodes[9 + node], (DrawingPoint{drawing.nodes[node].x + 4, drawing.nodes[node].y}));
  }
  EXPECT_EQ(count(drawing, ChannelShape::arc), 18U);
  EXPECT_EQ(count(drawing, ChannelShape::stub), 0U);

  // Eight planes fit a screen better in two rows than in one; the channels between rows are stubs.
  const Drawing rows = draw_topology(*make_grid("mesh", {8, 8, 8}));
  EXPECT_EQ(rows.width, 3 * 9 + 7) << "four planes in a row, two units between them";
  EXPECT_EQ(rows.height, 9 + 7);
  EXPECT_GT(count(rows, ChannelShape::stub), 0U);
}

TEST(Drawing, EveryGridIsSound)
{
  for (const std::vector<std::int64_t>& dims : {std::vector<std::int64_t>{1},
                                                {2},
                                                {7},
                                                {4, 1},
                                                {1, 4},
                                                {3, 4},
                                                {4, 4, 3},
                                                {1, 1, 5},
                                                {2, 3, 2, 3},
                                                {2, 2, 2, 2, 2}}) {
    expect_sound(*make_grid("mesh", dims));
    expect_sound(*make_grid("torus", dims));
  }
}

RC_GTEST_PROP(DrawingProperties, RandomGridsAreSound, ())
{
  expect_sound(*arbitrary_grid(300));
}

TEST(Drawing, HypercubesAreNestedSquaresWhoseLinksKeepClearOfNodes)
{
  for (std::int64_t dimension = 1; dimension <= 8; ++dimension) {
    const auto hypercube = make_hypercube(dimension);
    expect_sound(*hypercube);
    if (dimension <= 6) {
      EXPECT_GE(smallest_clearance(*hypercube, draw_topology(*hypercube)), 0.2) << dimension;
    }
  }
  const Drawing drawing = draw_topology(*make_hypercube(4));
  for (std::size_t corner = 0; corner < 16; corner += 4) { // the squares of links 1 and 2
    EXPECT_NEAR(distance(drawing.nodes[corner], drawing.nodes[corner + 1]), 1, 1e-12);
    EXPECT_NEAR(distance(drawing.nodes[corner], drawing.nodes[corner + 3]), std::numbers::sqrt2, 1e-12);
  }
  const double side = distance(drawing.nodes[0], drawing.nodes[4]); // the square of links 3 and 4
  EXPECT_GT(side, 2);
  EXPECT_NEAR(distance(drawing.nodes[0], drawing.nodes[8]), side, 1e-12);
  EXPECT_NEAR(distance(drawing.nodes[4], drawing.nodes[8]), side * std::numbers::sqrt2, 1e-12);
}

TEST(Drawing, ThePetersenGraphIsAPentagramInAPentagon)
{
  const auto graph = make_topology({"petersen", {}});
  expect_sound(*graph);
  const Drawing drawing = draw_topology(*graph);
  const DrawingPoint centre = {drawing.nodes[0].x, drawing.nodes[0].y - 2};
  for (std::size_t p = 0; p < 10; ++p) {
    EXPECT_NEAR(distance(drawing.nodes[p], centre), p < 5 ? 2 : 1, 1e-12);
  }
  std::map<int, int> links_by_length; // in hundredths
  for (std::uint32_t id = 0; id < graph->channel_count(); ++id) {
    const double length = distance(drawing.nodes[index(graph->channel_source(ChannelId{id}))],
                                   drawing.nodes[index(graph->channel_target(ChannelId{id}))]);
    ++links_by_length[static_cast<int>(std::lround(100 * length))];
  }
  EXPECT_EQ(links_by_length, (std::map<int, int>{{100, 10}, {190, 10}, {235, 10}}));
}

TEST(Drawing, PetersenTorusModulesLieOnAGridOfTheirCoordinates)
{
  TopologyDescription description{"petersen_torus", {}};
  description.parameters.set("dims", std::vector<std::int64_t>{2, 3, 4});
  const auto torus = make_topology(description);
  expect_sound(*torus);
  const Drawing drawing = draw_topology(*torus);
  const auto place = [&](const PetersenTorusNode& node) {
    return drawing.nodes[index(petersen_torus_id({2, 3, 4}, node))];
  };
  const DrawingPoint origin = place({0, 0, 0, 6});
  EXPECT_GT(place({0, 1, 0, 6}).x, origin.x);
  EXPECT_NEAR(place({0, 1, 0, 6}).y, origin.y, 1e-12);
  EXPECT_GT(place({0, 0, 1, 6}).y, origin.y);
  EXPECT_NEAR(place({0, 0, 1, 6}).x, origin.x, 1e-12);
  EXPECT_GT(place({1, 0, 0, 6}).x, place({0, 2, 0, 6}).x) << "the plane z = 1 lies to the right of z = 0";
  // Each of the 2 * 3 * 4 modules has two external edges in z; those in x, y and their diagonals wrap on the border.
  const std::size_t wraps_x = std::size_t{2} * 4 * 2;
  const std::size_t wraps_y = std::size_t{2} * 3 * 2;
  const std::size_t wraps_diagonal = std::size_t{2} * 2 * 2 * (3 + 4 - 1);
  EXPECT_EQ(count(drawing, ChannelShape::stub), std::size_t{2} * 24 + wraps_x + wraps_y + wraps_diagonal);
}

TEST(Drawing, PlanesCarryTheirCoordinates)
{
  const auto labels = [](const std::string& kind, std::vector<std::int64_t> dims) {
    TopologyDescription description{kind, {}};
    description.parameters.set("dims", std::move(dims));
    const Drawing drawing = draw_topology(*make_topology(description));
    std::vector<std::string> texts;
    for (const DrawingLabel& label : drawing.labels) {
      texts.push_back(label.text);
      for (const DrawingPoint node : drawing.nodes) {
        EXPECT_GE(distance(label.place, node), label_distance - 1e-9) << label.text;
      }
    }
    return texts;
  };
  EXPECT_EQ(labels("mesh", {4, 4}), std::vector<std::string>());
  EXPECT_EQ(labels("torus", {4, 2, 3}), (std::vector<std::string>{"z = 0", "z = 1", "z = 2"}));
  EXPECT_EQ(labels("mesh", {3, 3, 2, 2}),
            (std::vector<std::string>{"z = 0, dimension 4 = 0", "z = 1, dimension 4 = 0", "z = 0, dimension 4 = 1",
                                      "z = 1, dimension 4 = 1"}));
  EXPECT_EQ(labels("mesh", {3, 3, 1, 2}),
            (std::vector<std::string>{"z = 0, dimension 4 = 0", "z = 0, dimension 4 = 1"}));
  EXPECT_EQ(labels("petersen_torus", {3, 2, 2}), (std::vector<std::string>{"z = 0", "z = 1", "z = 2"}));
}

TEST(Drawing, GraphsAreLaidOutByDistances)
{
  // A path of five nodes with a triangle at its end, as channels in both directions.
  std::vector<ChannelEnds> channels;
  for (const auto& [a, b] : {std::pair(0U, 1U), {1U, 2U}, {2U, 3U}, {3U, 4U}, {4U, 5U}, {5U, 3U}}) {
    channels.push_back({NodeId{a}, NodeId{b}});
    channels.push_back({NodeId{b}, NodeId{a}});
  }
  const ListedTopology topology(6, channels);
  expect_sound(topology);
  const Drawing drawing = draw_topology(topology);
  EXPECT_GT(distance(drawing.nodes[0], drawing.nodes[4]), distance(drawing.nodes[0], drawing.nodes[2]));
  EXPECT_LT(distance(drawing.nodes[4], drawing.nodes[5]), 1.5);
  EXPECT_EQ(draw_topology(topology).nodes, drawing.nodes) << "the same each time";
}

TEST(Drawing, GraphsOfManyNodesLieOnACircle)
{
  std::vector<ChannelEnds> channels;
  const std::uint32_t nodes = most_nodes_for_distance_layout + 1;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    channels.push_back({NodeId{node}, NodeId{(node + 1) % nodes}});
  }
  const ListedTopology topology(nodes, channels);
  const Drawing drawing = draw_topology(topology);
  EXPECT_NEAR(distance(drawing.nodes[0], drawing.nodes[1]), 1, 1e-9);
  EXPECT_NEAR(drawing.width, nodes / std::numbers::pi, 0.01);
  EXPECT_NEAR(drawing.height, nodes / std::numbers::pi, 0.01);
}

} // namespace

} // namespace wormcast
