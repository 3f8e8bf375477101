#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/dependency/grid_routing_dependency.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/grid_routing.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <utility>

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
    EXPECT_EQ(grid_routing_names.read(grid_routing_names.text(routing)), routing);
  }
  EXPECT_EQ(grid_routing_names.size(), routings.size());
  EXPECT_THROW((void)grid_routing_names.read("north_last"), InputError);
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

// The node behind a port, which is there.
NodeId behind(const Grid& grid, NodeId node, std::uint32_t port)
{
  const std::size_t dimension = port / 2;
  std::vector<std::int64_t> place = grid.coordinates(node);
  const std::int64_t size = grid.sizes()[dimension];
  place[dimension] = (place[dimension] + (port % 2 == 0 ? 1 : size - 1)) % size;
  return grid.node_at(place);
}

RC_GTEST_PROP(GridRouting, AlwaysComesNearer, ())
{
  const bool torus = *rc::gen::arbitrary<bool>();
  const auto grid = mesh(*rc::gen::container<std::vector<std::int64_t>>(2, rc::gen::inRange<std::int64_t>(1, 9)),
                         torus ? "torus" : "mesh");
  const auto routing =
      torus ? GridRouting::minimal_adaptive
            : *rc::gen::element(GridRouting::west_first, GridRouting::odd_even, GridRouting::minimal_adaptive);
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
    if (routing == GridRouting::minimal_adaptive) {
      const EscapeHop escape = escape_hop(*grid, here, to);
      RC_ASSERT((ports >> escape.port & 1U) != 0U);
      RC_ASSERT(escape.virtual_channel < escape_channel_count(*grid));
    }
    const std::uint32_t port = *rc::gen::elementOf(choices);
    const NodeId next = behind(*grid, here, port);
    RC_ASSERT(grid->distance(next, to) + 1 == grid->distance(here, to));
    here = next;
  }
  RC_ASSERT(permitted_ports(routing, *grid, source, to, to) == 0U);
}

TEST(GridRouting, GoesInBothDirectionsAtHalfARing)
{
  const auto torus = mesh({6, 5, 2}, "torus");
  const auto ports = [&](std::vector<std::int64_t> here, std::vector<std::int64_t> to) {
    return permitted(GridRouting::minimal_adaptive, *torus, {0, 0, 0}, std::move(here), std::move(to));
  };
  EXPECT_EQ(ports({1, 0, 0}, {4, 0, 0}), east | west);
  EXPECT_EQ(ports({0, 0, 0}, {4, 0, 0}), west);
  EXPECT_EQ(ports({5, 4, 0}, {1, 0, 0}), east | north);
  EXPECT_EQ(ports({5, 4, 1}, {2, 2, 1}), east | west | south);
  EXPECT_EQ(ports({0, 0, 1}, {0, 0, 0}), 32U) << "a single link in a ring of two";
}

// Escape channels by dimension order: 1 from places behind the destination's, 0 from those before it.
TEST(GridRouting, ChangesTheEscapeChannelAtTheWrapAroundLink)
{
  const auto torus = mesh({6, 5}, "torus");
  const auto escape = [&](std::vector<std::int64_t> here, std::vector<std::int64_t> to) {
    const EscapeHop hop = escape_hop(*torus, torus->node_at(here), torus->node_at(to));
    return std::pair<int, int>(hop.port, hop.virtual_channel);
  };
  EXPECT_EQ(escape({5, 0}, {1, 3}), std::pair(0, 1)); // upwards over the link
  EXPECT_EQ(escape({0, 0}, {1, 3}), std::pair(0, 0)); // behind it
  EXPECT_EQ(escape({1, 0}, {5, 3}), std::pair(1, 0)); // downwards over the link
  EXPECT_EQ(escape({5, 0}, {4, 3}), std::pair(1, 1)); // and at once
  EXPECT_EQ(escape({1, 0}, {4, 3}), std::pair(0, 0)) << "half a ring, without the link";
  EXPECT_EQ(escape({4, 0}, {4, 3}), std::pair(3, 0)) << "y when x is done";
  const Grid upwards(torus->description(), RoutingChoice{.tie = "positive"});
  EXPECT_EQ(escape_hop(upwards, NodeId{4}, NodeId{1}).port, 0);
  const auto flat = mesh({6, 5});
  EXPECT_EQ(escape_hop(*flat, NodeId{5}, NodeId{1}).virtual_channel, 0);
}

TEST(GridRouting, DrawsEveryNodeInBetweenAsOften)
{
  const auto torus = mesh({5, 4, 3}, "torus");
  // 4 to 1 over the link of x: 3 places; 0 to 2 in y, half a ring, upwards: 3; 2 to 0 in z over the link: 2.
  const NodeId corner = torus->node_at(std::vector<std::int64_t>{4, 0, 2});
  const NodeId other = torus->node_at(std::vector<std::int64_t>{1, 2, 0});
  ASSERT_EQ(intermediate_count(GridRouting::romm, *torus, corner, other), 18U);
  std::set<NodeId> between;
  for (std::uint32_t place = 0; place < 18; ++place) {
    const NodeId by = intermediate_at(GridRouting::romm, *torus, corner, other, place);
    EXPECT_EQ(torus->distance(corner, by) + torus->distance(by, other), torus->distance(corner, other));
    between.insert(by);
  }
  EXPECT_EQ(between.size(), 18U);

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
  for (const auto& dims :
       std::vector<std::vector<std::int64_t>>{{8, 8}, {1, 5}, {7, 4}, {4, 3, 5}, {9}, {2, 2, 2, 2}, {3, 6, 2, 3}}) {
    for (const char* kind : {"mesh", "torus"}) {
      const auto grid = mesh(dims, kind);
      for (const GridRouting routing : routings) {
        const bool turn_model = routing == GridRouting::west_first || routing == GridRouting::odd_even;
        if (turn_model && (grid->wraps() || dims.size() != 2)) {
          continue;
        }
        const ChannelDependencies dependencies = routing_dependencies(*grid, routing, grid->wraps() ? 4 : 2);
        EXPECT_TRUE(check_deadlock(dependencies).deadlock_free()) << grid->title() << grid_routing_names.text(routing);
        EXPECT_EQ(dependencies.of_escape_channels, routing == GridRouting::minimal_adaptive);
        const std::uint32_t rings = grid->wraps() ? 2 : 1;
        const bool two = has_two_phases(routing);
        EXPECT_EQ(dependencies.classes, two                                                         ? 2 * rings
                                        : grid->wraps() || routing == GridRouting::minimal_adaptive ? rings
                                                                                                    : 1);
      }
    }
  }
}

// A header that may take any shortest way in one virtual channel: four messages that turn to the left wait in a cycle.
TEST(GridRouting, ShowsTheCycleWithoutEscapeChannels)
{
  const auto grid = mesh({4, 4});
  const PortRelation any = [&](NodeId source, NodeId here, NodeId to) {
    return permitted_ports(GridRouting::minimal_adaptive, *grid, source, here, to);
  };
  const DeadlockCheck check = check_deadlock(turn_dependencies(*grid, any, SourceMatters::no));
  EXPECT_EQ(check.cycle.size(), 4U);
  // Escape channels by x first for some destinations and by y first for others are none.
  const EscapeRelation mixed = [&](NodeId here, NodeId to) {
    const std::uint32_t ports = any(here, here, to);
    const auto lowest = static_cast<std::uint32_t>(std::countr_zero(ports));
    const std::uint32_t port = index(to) % 2 == 0 ? lowest : static_cast<std::uint32_t>(std::bit_width(ports)) - 1;
    return EscapeHop{.port = static_cast<std::uint8_t>(port), .virtual_channel = 0};
  };
  EXPECT_FALSE(check_deadlock(escape_dependencies(*grid, any, mixed)).deadlock_free());
  // Those of west-first with one turn too many.
  const PortRelation too_free = [&](NodeId source, NodeId here, NodeId to) {
    const std::uint32_t ports = any(source, here, to);
    return (ports & west) != 0 && grid->coordinate(here, 0) != 2 ? west : ports;
  };
  EXPECT_FALSE(check_deadlock(turn_dependencies(*grid, too_free, SourceMatters::yes)).deadlock_free());
}

// A cycle of channels, each of which begins where the one before ends, in one dimension.
void expect_ring(const Grid& grid, const DeadlockCheck& check, std::int64_t size)
{
  ASSERT_EQ(check.cycle.size(), static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < check.cycle.size(); ++i) {
    const ChannelId next = check.cycle[(i + 1) % check.cycle.size()].channel;
    EXPECT_EQ(grid.channel_target(check.cycle[i].channel), grid.channel_source(next));
    EXPECT_EQ(port_of_channel(grid, check.cycle[i].channel), port_of_channel(grid, next));
  }
}

// On a torus each ring is a cycle where its virtual channels have no two classes.
TEST(GridRouting, ShowsTheRingsWithoutClasses)
{
  const auto torus = mesh({5, 5}, "torus");
  const PortRelation any = [&](NodeId source, NodeId here, NodeId to) {
    return permitted_ports(GridRouting::minimal_adaptive, *torus, source, here, to);
  };
  const EscapeRelation without_dateline = [&](NodeId here, NodeId to) {
    return EscapeHop{.port = escape_hop(*torus, here, to).port, .virtual_channel = 0};
  };
  expect_ring(*torus, check_deadlock(escape_dependencies(*torus, any, without_dateline)), 5);
  // The other way round at the dateline: a class is entered on both sides of it.
  const EscapeRelation wrong_side = [&](NodeId here, NodeId to) {
    EscapeHop hop = escape_hop(*torus, here, to);
    hop.virtual_channel = torus->coordinate(here, hop.port / 2) < 2 ? 0 : 1;
    return hop;
  };
  EXPECT_FALSE(check_deadlock(escape_dependencies(*torus, any, wrong_side)).deadlock_free());
  for (const GridRouting routing : {GridRouting::valiant, GridRouting::romm}) {
    // One virtual channel for each phase; three, of which the middle one is in both halves.
    expect_ring(*torus, check_deadlock(routing_dependencies(*torus, routing, 2)), 5);
    EXPECT_FALSE(check_deadlock(routing_dependencies(*torus, routing, 6)).deadlock_free());
    EXPECT_TRUE(check_deadlock(routing_dependencies(*torus, routing, 8)).deadlock_free());
  }
  // West-first on a torus: its turns break no ring.
  const PortRelation west_first = [&](NodeId source, NodeId here, NodeId to) {
    const std::uint32_t ports = any(source, here, to);
    return (ports & west) != 0 ? west : ports;
  };
  expect_ring(*torus, check_deadlock(turn_dependencies(*torus, west_first, SourceMatters::no)), 5);
}

// All that a message can ask for after an escape channel, by walking every way; whoever leaves edges out must keep what
// can be reached by them.
RC_GTEST_PROP(GridRouting, LeavesOutOnlyDependenciesThatFollow, ())
{
  const std::vector<std::int64_t> dims =
      *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(1, 4), rc::gen::inRange<std::int64_t>(1, 5));
  const auto grid = mesh(dims, *rc::gen::element<std::string>("mesh", "torus"));
  const PortRelation any = [&](NodeId source, NodeId here, NodeId to) {
    return permitted_ports(GridRouting::minimal_adaptive, *grid, source, here, to);
  };
  const EscapeRelation escape = [&](NodeId here, NodeId to) { return escape_hop(*grid, here, to); };
  const std::uint32_t classes = escape_channel_count(*grid);
  const auto vertex = [&](NodeId node, NodeId to) {
    const EscapeHop hop = escape(node, to);
    const NodeId next = behind(*grid, node, hop.port);
    std::uint32_t channel = index(grid->first_channel(node));
    while (grid->channel_target(ChannelId{channel}) != next || port_of_channel(*grid, ChannelId{channel}) != hop.port) {
      ++channel;
    }
    return channel * classes + hop.virtual_channel;
  };
  std::set<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t from = 0; from < grid->node_count(); ++from) {
    for (std::uint32_t to = 0; to < grid->node_count(); ++to) {
      if (from == to) {
        continue;
      }
      std::vector<NodeId> reached = {behind(*grid, NodeId{from}, escape(NodeId{from}, NodeId{to}).port)};
      for (std::size_t i = 0; i < reached.size(); ++i) {
        if (reached[i] == NodeId{to}) {
          continue;
        }
        all.emplace(vertex(NodeId{from}, NodeId{to}), vertex(reached[i], NodeId{to}));
        const std::uint32_t ports = any(reached[i], reached[i], NodeId{to});
        for (std::uint32_t port = 0; port < 2 * dims.size(); ++port) {
          if ((ports >> port & 1U) != 0 &&
              std::ranges::find(reached, behind(*grid, reached[i], port)) == reached.end()) {
            reached.push_back(behind(*grid, reached[i], port));
          }
        }
      }
    }
  }
  const auto kept = dependency_set(escape_dependencies(*grid, any, escape));
  RC_ASSERT(std::ranges::includes(all, kept));
  std::map<std::uint32_t, std::vector<std::uint32_t>> next;
  for (const auto& [first, second] : kept) {
    next[first].push_back(second);
  }
  std::uint32_t before = ~std::uint32_t{0};
  std::set<std::uint32_t> behind_it;
  for (const auto& [first, second] : all) {
    if (first != before) {
      before = first;
      behind_it.clear();
      std::vector<std::uint32_t> open = {first};
      while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        for (const std::uint32_t further : next[at]) {
          if (behind_it.insert(further).second) {
            open.push_back(further);
          }
        }
      }
    }
    RC_ASSERT(behind_it.contains(second));
  }
}

// That sources are looked at in groups changes nothing.
TEST(GridRouting, HasTheTurnsOfEverySource)
{
  const auto grid = mesh({5, 4});
  for (const GridRouting routing : {GridRouting::west_first, GridRouting::odd_even}) {
    const PortRelation ports = [&](NodeId source, NodeId here, NodeId to) {
      return permitted_ports(routing, *grid, source, here, to);
    };
    EXPECT_EQ(dependency_set(routing_dependencies(*grid, routing, 1)),
              dependency_set(turn_dependencies(*grid, ports, SourceMatters::yes)));
  }
}

TEST(GridRouting, IsNotLookedAtWhereThatTakesTooLong)
{
  EXPECT_NO_THROW(check_dependency_size(*mesh({97, 97}), GridRouting::minimal_adaptive));
  EXPECT_NO_THROW(check_dependency_size(*mesh({97, 97}), GridRouting::odd_even));
  EXPECT_THROW(check_dependency_size(*mesh({98, 98}), GridRouting::odd_even), InputError);
  EXPECT_THROW(check_dependency_size(*mesh({98, 98}, "torus"), GridRouting::minimal_adaptive), InputError);
  EXPECT_NO_THROW(check_dependency_size(*mesh({17, 17, 17}), GridRouting::minimal_adaptive));
  EXPECT_THROW(check_dependency_size(*mesh({18, 18, 18}), GridRouting::minimal_adaptive), InputError);
  EXPECT_THROW(check_dependency_size(*mesh({128, 129}), GridRouting::west_first), InputError);
  EXPECT_NO_THROW(check_dependency_size(*mesh({512, 512}), GridRouting::valiant));
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
    EXPECT_EQ(turns, 6U * 49U) << grid_routing_names.text(routing);
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
  const auto grid = mesh(dims, *rc::gen::element<std::string>("mesh", "torus"));
  const auto routing = *rc::gen::element(GridRouting::valiant, GridRouting::romm);
  const std::uint32_t rings = grid->wraps() ? 2 : 1;
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
        // In each phase the half of a ring is fixed where the message enters it.
        std::vector<std::uint32_t> vertices;
        std::uint32_t ring = 0;
        for (std::size_t hop = 0; hop < route.size(); ++hop) {
          const std::uint32_t port = port_of_channel(*grid, route[hop]);
          if (grid->wraps() && (hop == 0 || hop == first || port_of_channel(*grid, route[hop - 1]) != port)) {
            const NodeId aim = hop < first ? by : last;
            ring = grid->coordinate(grid->channel_source(route[hop]), port / 2) > grid->coordinate(aim, port / 2);
          }
          vertices.push_back((2 * index(route[hop]) + (hop < first ? 0 : 1)) * rings + ring);
        }
        for (std::size_t hop = 1; hop < route.size(); ++hop) {
          expected.emplace(vertices[hop - 1], vertices[hop]);
        }
      }
    }
  }
  const auto found = dependency_set(routing_dependencies(*grid, routing, 2 * rings));
  RC_ASSERT(std::ranges::includes(found, expected));
  // On a torus turns to the second phase are from and to both halves, whether or not a message takes them.
  RC_ASSERT(grid->wraps() || found == expected);
}

TEST(GridRouting, IsRefusedWhereItIsNotProved)
{
  const auto square = mesh({4, 4});
  const auto cube = mesh({3, 3, 3});
  const auto torus = mesh({4, 4}, "torus");
  const RoutingNeeds rich{.virtual_channels = 4, .releases_at_credit = true};
  for (const GridRouting routing : routings) {
    EXPECT_NO_THROW(check_grid_routing(routing, *square, rich));
    if (routing == GridRouting::west_first || routing == GridRouting::odd_even) {
      EXPECT_THROW(check_grid_routing(routing, *torus, rich), InputError);
    } else {
      EXPECT_NO_THROW(check_grid_routing(routing, *torus, rich));
    }
  }
  EXPECT_NO_THROW(check_grid_routing(GridRouting::odd_even, *square, {}));
  EXPECT_NO_THROW(check_grid_routing(GridRouting::minimal_adaptive, *torus, {3, true}));
  EXPECT_THROW(check_grid_routing(GridRouting::minimal_adaptive, *torus, {2, true}), InputError);
  EXPECT_THROW(check_grid_routing(GridRouting::minimal_adaptive, *torus, {3, false}), InputError);
  EXPECT_NO_THROW(check_grid_routing(GridRouting::valiant, *torus, {4, false}));
  EXPECT_THROW(check_grid_routing(GridRouting::valiant, *torus, {2, false}), InputError);
  EXPECT_THROW(check_grid_routing(GridRouting::romm, *torus, {6, false}), InputError);
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
