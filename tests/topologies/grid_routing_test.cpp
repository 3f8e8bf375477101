#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/grid_routing.hpp"
#include "wormcast/topologies/grid_routing_dependency.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <boost/range/iterator_range.hpp>

#include <array>
#include <bit>
#include <set>

namespace wormcast {

namespace {

constexpr std::uint32_t east = 1;
constexpr std::uint32_t west = 2;
constexpr std::uint32_t north = 4; // y upwards
constexpr std::uint32_t south = 8;

constexpr std::array routings = {GridRouting::dimension_order,  GridRouting::west_first, GridRouting::odd_even,
                                 GridRouting::minimal_adaptive, GridRouting::valiant,    GridRouting::romm};

std::unique_ptr<Grid> mesh(std::vector<std::int64_t> dims, const std::string& kind = "mesh")
{
  return std::make_unique<Grid>(make_grid(kind, std::move(dims))->description(), RoutingChoice{});
}

std::set<std::pair<std::uint32_t, std::uint32_t>> dependency_set(const ChannelDependencies& dependencies)
{
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const auto& edge : boost::make_iterator_range(edges(dependencies.graph))) {
    found.emplace(source(edge, dependencies.graph), target(edge, dependencies.graph));
  }
  return found;
}

std::uint32_t permitted(GridRouting routing, const Grid& grid, std::vector<std::int64_t> source,
                        std::vector<std::int64_t> here, std::vector<std::int64_t> to)
{
  return permitted_ports(routing, grid, grid.node_at(source), grid.node_at(here), grid.node_at(to));
}

TEST(GridRouting, HasNamesThatComeBack)
{
  for (const GridRouting routing : routings) {
    EXPECT_EQ(grid_routing_of(grid_routing_name(routing)), routing);
  }
  EXPECT_EQ(grid_routing_names().size(), routings.size());
  EXPECT_THROW(grid_routing_of("north_last"), std::logic_error);
}

TEST(GridRouting, GoesWestBeforeAllElse)
{
  const auto grid = mesh({8, 8});
  const auto ports = [&](std::vector<std::int64_t> here, std::vector<std::int64_t> to) {
    return permitted(GridRouting::west_first, *grid, {7, 7}, std::move(here), std::move(to));
  };
  EXPECT_EQ(ports({4, 4}, {2, 6}), west);
  EXPECT_EQ(ports({2, 4}, {2, 6}), north);
  EXPECT_EQ(ports({1, 4}, {2, 6}), east | north);
  EXPECT_EQ(ports({1, 7}, {2, 6}), east | south);
  EXPECT_EQ(ports({2, 6}, {2, 6}), 0U);
}

// By hand from function ROUTE in Fig. 3 of Chiu, 2000.
TEST(GridRouting, TurnsByOddAndEvenColumns)
{
  const auto grid = mesh({8, 8});
  const auto ports = [&](std::vector<std::int64_t> source, std::vector<std::int64_t> here,
                         std::vector<std::int64_t> to) {
    return permitted(GridRouting::odd_even, *grid, std::move(source), std::move(here), std::move(to));
  };
  // Eastwards: a turn to north in an odd column or that of the source.
  EXPECT_EQ(ports({0, 0}, {0, 0}, {5, 5}), east | north);
  EXPECT_EQ(ports({0, 0}, {2, 0}, {5, 5}), east);
  EXPECT_EQ(ports({0, 0}, {3, 0}, {5, 5}), east | north);
  EXPECT_EQ(ports({0, 7}, {3, 7}, {5, 5}), east | south);
  // One column before a destination in an even column, where no turn is left.
  EXPECT_EQ(ports({0, 0}, {3, 0}, {4, 5}), north);
  EXPECT_EQ(ports({0, 0}, {4, 0}, {5, 5}), east);
  EXPECT_EQ(ports({0, 0}, {3, 5}, {4, 5}), east);
  // Westwards: north and south in even columns, from where turns to west are allowed.
  EXPECT_EQ(ports({7, 0}, {6, 0}, {2, 5}), west | north);
  EXPECT_EQ(ports({7, 0}, {5, 0}, {2, 5}), west);
  EXPECT_EQ(ports({7, 0}, {6, 5}, {2, 5}), west);
  EXPECT_EQ(ports({7, 0}, {2, 0}, {2, 5}), north);
}

RC_GTEST_PROP(GridRouting, AlwaysComesNearer, ())
{
  const auto grid = mesh(*rc::gen::container<std::vector<std::int64_t>>(2, rc::gen::inRange<std::int64_t>(1, 9)));
  const auto routing = *rc::gen::element(GridRouting::west_first, GridRouting::odd_even, GridRouting::minimal_adaptive);
  const auto node = rc::gen::inRange<std::uint32_t>(0, grid->node_count());
  const NodeId source{*node};
  const NodeId to{*node};
  NodeId here = source;
  while (here != to) {
    const std::uint32_t ports = permitted_ports(routing, *grid, source, here, to);
    RC_ASSERT(ports != 0U);
    RC_ASSERT((ports & ~permitted_ports(GridRouting::minimal_adaptive, *grid, source, here, to)) == 0U);
    std::vector<std::uint32_t> choices;
    for (std::uint32_t port = 0; port < 4; ++port) {
      if ((ports >> port & 1U) != 0) {
        choices.push_back(port);
      }
    }
    const std::uint32_t port = *rc::gen::elementOf(choices);
    const std::int64_t step = grid->stride(port / 2) * (port % 2 == 0 ? 1 : -1);
    const NodeId next{static_cast<std::uint32_t>(index(here) + step)};
    RC_ASSERT(grid->distance(next, to) + 1 == grid->distance(here, to));
    here = next;
  }
  RC_ASSERT(permitted_ports(routing, *grid, source, to, to) == 0U);
}

TEST(GridRouting, DrawsEveryNodeInBetweenAsOften)
{
  const auto grid = mesh({5, 4, 3});
  const NodeId from = grid->node_at(std::vector<std::int64_t>{3, 0, 2});
  const NodeId to = grid->node_at(std::vector<std::int64_t>{1, 2, 2});
  for (const GridRouting routing : {GridRouting::valiant, GridRouting::romm}) {
    const std::uint32_t count = intermediate_count(routing, *grid, from, to);
    EXPECT_EQ(count, routing == GridRouting::valiant ? 60U : 9U);
    std::set<NodeId> nodes;
    for (std::uint32_t place = 0; place < count; ++place) {
      const NodeId by = intermediate_at(routing, *grid, from, to, place);
      nodes.insert(by);
      if (routing == GridRouting::romm) {
        EXPECT_EQ(grid->distance(from, by) + grid->distance(by, to), grid->distance(from, to));
      }
      // The numbers that belong to a node are a range of their own.
      const std::uint64_t first = ((std::uint64_t{place} << 32) + count - 1) / count;
      const std::uint64_t behind = ((std::uint64_t{place + 1} << 32) + count - 1) / count;
      EXPECT_EQ(intermediate_node(routing, *grid, from, to, first << 32), by);
      EXPECT_EQ(intermediate_node(routing, *grid, from, to, (behind - 1) << 32 | 0xffffffff), by);
    }
    EXPECT_EQ(nodes.size(), count);
    EXPECT_EQ(intermediate_node(routing, *grid, to, to, 12345), to) << "to itself straight";
  }
}

TEST(GridRouting, IsFreeOfDeadlock)
{
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{8, 8}, {1, 5}, {7, 4}, {4, 3, 5}, {9}}) {
    const auto grid = mesh(dims);
    for (const GridRouting routing : routings) {
      const bool turn_model = routing == GridRouting::west_first || routing == GridRouting::odd_even;
      if (turn_model && dims.size() != 2) {
        continue;
      }
      const ChannelDependencies dependencies = routing_dependencies(*grid, routing, 2);
      EXPECT_TRUE(check_deadlock(dependencies).deadlock_free()) << grid->title() << grid_routing_name(routing);
      EXPECT_EQ(dependencies.of_escape_channels, routing == GridRouting::minimal_adaptive);
      EXPECT_EQ(dependencies.classes, has_two_phases(routing) ? 2U : 1U);
    }
  }
}

// A header that may take any shortest way in one virtual channel: four messages that turn to the left wait in a circle.
TEST(GridRouting, ShowsTheCircleWithoutEscapeChannels)
{
  const auto grid = mesh({4, 4});
  const PortRelation any = [&](NodeId source, NodeId here, NodeId to) {
    return permitted_ports(GridRouting::minimal_adaptive, *grid, source, here, to);
  };
  const DeadlockCheck check = check_deadlock(turn_dependencies(*grid, any));
  EXPECT_EQ(check.cycle.size(), 4U);
  // Escape channels by x first for some destinations and by y first for others are none.
  const PortRelation mixed = [&](NodeId source, NodeId here, NodeId to) {
    const std::uint32_t ports = any(source, here, to);
    return index(to) % 2 == 0 ? ports & (~ports + 1) : std::bit_floor(ports);
  };
  EXPECT_FALSE(check_deadlock(escape_dependencies(*grid, any, mixed)).deadlock_free());
  // Those of west-first with one turn too many.
  const PortRelation too_free = [&](NodeId source, NodeId here, NodeId to) {
    const std::uint32_t ports = any(source, here, to);
    return (ports & west) != 0 && grid->coordinate(here, 0) != 2 ? west : ports;
  };
  EXPECT_FALSE(check_deadlock(turn_dependencies(*grid, too_free)).deadlock_free());
}

// All turns that are allowed, and no others, by direction and column.
TEST(GridRouting, TakesTheTurnsOfItsModel)
{
  const auto grid = mesh({8, 8});
  const auto direction = [&](std::uint32_t channel) {
    const NodeId from = grid->channel_source(ChannelId{channel});
    const NodeId to = grid->channel_target(ChannelId{channel});
    const std::int64_t x = grid->coordinate(to, 0) - grid->coordinate(from, 0);
    const std::int64_t y = grid->coordinate(to, 1) - grid->coordinate(from, 1);
    return x > 0 ? east : x < 0 ? west : y > 0 ? north : south;
  };
  for (const GridRouting routing : {GridRouting::west_first, GridRouting::odd_even}) {
    std::size_t turns = 0;
    for (const auto& [held, wanted] : dependency_set(routing_dependencies(*grid, routing, 1))) {
      const std::uint32_t before = direction(held);
      const std::uint32_t behind = direction(wanted);
      const bool to_west = behind == west && before != west;
      const bool from_east = before == east && behind != east;
      const std::int64_t column = grid->coordinate(grid->channel_target(ChannelId{held}), 0);
      EXPECT_FALSE(to_west && (routing == GridRouting::west_first || column % 2 == 1));
      EXPECT_FALSE(from_east && routing == GridRouting::odd_even && column % 2 == 0);
      turns += before == behind ? 0 : 1;
    }
    // A turn of one kind fits at 7 x 7 nodes. West-first: six of eight kinds. Odd-even: from east to north and south
    // in 4 columns, from there to west in 3, the other four kinds everywhere: 2 * 28 + 2 * 21 + 4 * 49.
    EXPECT_EQ(turns, 6U * 49U) << grid_routing_name(routing);
  }
}

// The dependencies of two phases are those of all ways.
RC_GTEST_PROP(GridRouting, HasTheDependenciesOfBothPhases, ())
{
  // On a line the graph has turns back at its ends, too, which only a message to its sender would take.
  std::vector<std::int64_t> dims =
      *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(2, 4), rc::gen::inRange<std::int64_t>(1, 4));
  dims[0] = std::max<std::int64_t>(dims[0], 2);
  dims[1] = std::max<std::int64_t>(dims[1], 2);
  const auto grid = mesh(dims);
  const auto routing = *rc::gen::element(GridRouting::valiant, GridRouting::romm);
  std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (std::uint32_t from = 0; from < grid->node_count(); ++from) {
    for (std::uint32_t to = 0; to < grid->node_count(); ++to) {
      const NodeId source{from};
      const NodeId last{to};
      for (std::uint32_t place = 0; place < intermediate_count(routing, *grid, source, last); ++place) {
        const NodeId by = intermediate_at(routing, *grid, source, last, place);
        std::vector<ChannelId> route;
        grid->append_route(source, by, route);
        const std::size_t first = route.size();
        grid->append_route(by, last, route);
        for (std::size_t hop = 1; hop < route.size(); ++hop) {
          expected.emplace(2 * index(route[hop - 1]) + (hop - 1 < first ? 0 : 1),
                           2 * index(route[hop]) + (hop < first ? 0 : 1));
        }
      }
    }
  }
  RC_ASSERT(dependency_set(routing_dependencies(*grid, routing, 2)) == expected);
}

TEST(GridRouting, IsRefusedWhereItIsNotProved)
{
  const auto square = mesh({4, 4});
  const auto cube = mesh({3, 3, 3});
  const auto torus = mesh({4, 4}, "torus");
  const RoutingNeeds rich{.virtual_channels = 4, .releases_at_credit = true};
  for (const GridRouting routing : routings) {
    EXPECT_NO_THROW(check_grid_routing(routing, *square, rich));
    if (routing == GridRouting::dimension_order) {
      EXPECT_NO_THROW(check_grid_routing(routing, *torus, {}));
    } else {
      EXPECT_THROW(check_grid_routing(routing, *torus, rich), InputError);
    }
  }
  EXPECT_NO_THROW(check_grid_routing(GridRouting::odd_even, *square, {}));
  EXPECT_THROW(check_grid_routing(GridRouting::odd_even, *cube, rich), InputError);
  EXPECT_THROW(check_grid_routing(GridRouting::west_first, *cube, rich), InputError);
  EXPECT_NO_THROW(check_grid_routing(GridRouting::minimal_adaptive, *cube, rich));
  EXPECT_THROW(check_grid_routing(GridRouting::minimal_adaptive, *square, {.virtual_channels = 4}), InputError);
  EXPECT_THROW(check_grid_routing(GridRouting::minimal_adaptive, *square, {1, true}), InputError);
  EXPECT_THROW(check_grid_routing(GridRouting::valiant, *square, {3, true}), InputError);
  EXPECT_THROW(check_grid_routing(GridRouting::romm, *square, {1, true}), InputError);
}

} // namespace

} // namespace wormcast
