// Shares and trees of the exchanges on tori against the rules of De Sensi et al. (SC 2025, arXiv 2508.17311) as the
// authors' program applies them, written down here once more: port p of a node has the share p of the vector, begins
// with dimension p mod D and takes its dimensions in turn.

#include "tests/algorithms/collective/networks.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace wormcast {
namespace {

using testing::mesh;
using testing::torus;

using Sizes = std::vector<std::int64_t>;

Schedule made_with(const Topology& topology, const std::string& name,
                   const std::map<std::string, RawValue, std::less<>>& raw, std::uint32_t ports)
{
  const Algorithm& algorithm = find_algorithm(name);
  ScheduleRequest request;
  request.message_bytes = 1 << 20;
  request.ports.count = ports;
  request.source = NodeId{topology.node_count() / 3};
  request.parameters = read_parameters(algorithm.parameters, raw);
  return make_schedule(algorithm, topology, request);
}

void expect_valid(const Topology& topology, const Schedule& schedule, const std::string& what)
{
  const CheckReport report = check_schedule(topology, schedule, {.max_violations = 1});
  EXPECT_TRUE(report.valid()) << what << " on " << topology.title() << ": "
                              << (report.violations.empty() ? "" : report.violations[0].text);
}

/// One step of a port.
struct PortStep {
  std::size_t dimension = 0;
  std::uint32_t k = 0;
};

std::vector<PortStep> steps_of_port(const Sizes& shape, std::size_t port)
{
  std::vector<PortStep> steps;
  std::vector<std::uint32_t> done(shape.size(), 0);
  bool any = true;
  for (std::size_t turn = port % shape.size(); any; ++turn) {
    const std::size_t dimension = turn % shape.size();
    if ((std::int64_t{1} << done[dimension]) < shape[dimension]) {
      steps.push_back({dimension, done[dimension]++});
    }
    any = false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      any = any || (std::int64_t{1} << done[d]) < shape[d];
    }
  }
  return steps;
}

std::uint32_t peer_of(const Grid& grid, std::uint32_t node, PortStep step, bool bine, std::size_t port)
{
  constexpr std::array<std::int64_t, 8> rho = {1, -1, 3, -5, 11, -21, 43, -85};
  const std::int64_t size = grid.sizes()[step.dimension];
  const std::int64_t x = grid.coordinate(NodeId{node}, step.dimension);
  std::int64_t distance = bine ? (x % 2 == 0 ? rho[step.k] : -rho[step.k]) : (x ^ (std::int64_t{1} << step.k)) - x;
  if (port / grid.sizes().size() % 2 == 1) {
    distance = -distance;
  }
  const std::int64_t to = ((x + distance) % size + size) % size;
  return static_cast<std::uint32_t>(std::int64_t{node} + (to - x) * grid.stride(step.dimension));
}

/// Step, sender, receiver and share.
using Sends = std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>>;

Sends sends_of(const Schedule& schedule, std::uint32_t shares)
{
  Sends sends;
  for (const Message& message : schedule.messages) {
    const std::uint32_t block = schedule.block_sets.ranges(message.blocks).front().begin;
    sends.emplace(message.step, index(message.source), index(message.destination), block % shares);
  }
  EXPECT_EQ(sends.size(), schedule.messages.size());
  return sends;
}

Sends exchanges_by_rule(const Grid& grid, const Sizes& shape, bool bine, std::uint32_t shares)
{
  Sends sends;
  for (std::uint32_t port = 0; port < shares; ++port) {
    const std::vector<PortStep> steps = steps_of_port(shape, port);
    for (std::uint32_t step = 0; step < steps.size(); ++step) {
      for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
        sends.emplace(step, node, peer_of(grid, node, steps[step], bine, port), port);
      }
    }
  }
  return sends;
}

Sends tree_by_rule(const Grid& grid, const Sizes& shape, bool bine, std::uint32_t shares, std::uint32_t root,
                   bool increasing = false)
{
  Sends sends;
  for (std::uint32_t port = 0; port < shares; ++port) {
    std::vector<PortStep> steps = steps_of_port(shape, port);
    if (!increasing) {
      std::ranges::reverse(steps);
    }
    std::set<std::uint32_t> reached = {root};
    for (std::uint32_t step = 0; step < steps.size(); ++step) {
      for (const std::uint32_t node : std::set<std::uint32_t>(reached)) {
        const std::uint32_t child = peer_of(grid, node, steps[step], bine, port);
        sends.emplace(step, node, child, port);
        EXPECT_TRUE(reached.insert(child).second);
      }
    }
  }
  return sends;
}

const std::vector<Sizes> shapes = {{2, 2, 2}, {4, 4, 4}, {8, 8, 8}, {8, 4}, {32}};

TEST(Shares, ExchangesOfWholeSharesFollowTheRule)
{
  for (const Sizes& shape : shapes) {
    const auto topology = torus(shape);
    const auto& grid = dynamic_cast<const Grid&>(*topology);
    for (const bool bine : {false, true}) {
      for (std::uint32_t shares = 1; shares <= 6; ++shares) {
        const std::string name = bine ? "swing" : "torus_doubling";
        const Schedule schedule =
            made_with(*topology, name, {{"variant", std::string("latency")}, {"shares", std::int64_t{shares}}}, shares);
        EXPECT_EQ(schedule.blocks, shares);
        EXPECT_EQ(sends_of(schedule, shares), exchanges_by_rule(grid, shape, bine, shares))
            << name << " " << topology->title() << ", " << shares << " shares";
        if (topology->node_count() <= 64 || shares == 6) {
          expect_valid(*topology, schedule, name);
        }
      }
    }
  }
}

TEST(Shares, HalvingAndDoublingAndBucketsAreRight)
{
  for (const Sizes& shape : std::vector<Sizes>{{2, 2, 2}, {4, 4, 4}, {8, 4}, {32}}) {
    const auto topology = torus(shape);
    for (const std::string name : {"swing", "torus_doubling", "bucket"}) {
      for (const std::string operation : {"all_reduce", "reduce_scatter", "all_gather", "broadcast"}) {
        for (const std::uint32_t shares : {1U, 2U, 3U, 5U, 6U}) {
          expect_valid(*topology,
                       made_with(*topology, name, {{"operation", operation}, {"shares", std::int64_t{shares}}}, shares),
                       name + " " + operation);
        }
      }
    }
  }
}

/// The bytes of the first message of each step, as a share of the vector.
TEST(Shares, HalvingSendsHalfOfWhatIsLeft)
{
  const auto topology = torus({4, 4, 4});
  const Schedule schedule =
      made_with(*topology, "swing", {{"operation", std::string("reduce_scatter")}, {"shares", std::int64_t{1}}}, 1);
  const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
  for (const Message& message : schedule.messages) {
    EXPECT_EQ(bytes[static_cast<std::size_t>(message.blocks)], schedule.message_bytes >> (message.step + 1));
  }
}

TEST(Shares, TreesFollowTheRule)
{
  for (const Sizes& shape : shapes) {
    const auto topology = torus(shape);
    const auto& grid = dynamic_cast<const Grid&>(*topology);
    for (const bool bine : {false, true}) {
      const std::string name = bine ? "torus_bine_tree" : "torus_binomial_tree";
      for (std::uint32_t shares = 1; shares <= 6; ++shares) {
        const Schedule schedule =
            made_with(*topology, name, {{"segments", std::int64_t{shares}}, {"shares", std::int64_t{shares}}}, shares);
        EXPECT_EQ(sends_of(schedule, shares), tree_by_rule(grid, shape, bine, shares, index(schedule.source)))
            << name << " " << topology->title() << ", " << shares << " shares";
        expect_valid(*topology, schedule, name);
      }
    }
  }
}

TEST(Shares, NodesSendASegmentToAllChildrenBeforeTheNextOne)
{
  const auto topology = torus({4, 4});
  const Schedule schedule =
      made_with(*topology, "torus_bine_tree", {{"segments", std::int64_t{6}}, {"shares", std::int64_t{2}}}, 2);
  expect_valid(*topology, schedule, "torus_bine_tree in 6 segments");
  for (const Message& a : schedule.messages) {
    for (const Message& b : schedule.messages) {
      const std::uint32_t first = schedule.block_sets.ranges(a.blocks).front().begin;
      const std::uint32_t second = schedule.block_sets.ranges(b.blocks).front().begin;
      if (a.source == b.source && first % 2 == second % 2 && first < second) {
        EXPECT_LT(a.step, b.step);
      }
    }
  }
}

TEST(Shares, TreesOfBineAreFreeOfContention)
{
  for (const Sizes& shape : shapes) {
    const auto topology = torus(shape);
    const Schedule schedule = made_with(*topology, "torus_bine_tree", {{"segments", std::int64_t{1}}}, 1);
    EXPECT_TRUE(check_schedule(*topology, schedule).contention_free) << topology->title();
  }
}

TEST(Shares, TreesRunBackwardsForReductions)
{
  const auto topology = torus({4, 8});
  for (const std::string operation : {"reduce", "all_reduce"}) {
    expect_valid(*topology,
                 made_with(*topology, "torus_binomial_tree",
                           {{"operation", operation}, {"segments", std::int64_t{3}}, {"shares", std::int64_t{3}}}, 3),
                 operation);
  }
}

// The nodes that are reached through `node` in a share's tree, itself included.
std::set<std::uint32_t> below(const Sends& tree, std::uint32_t node, std::uint32_t share)
{
  std::set<std::uint32_t> found = {node};
  for (const auto& [step, from, to, of] : tree) {
    if (of == share && found.contains(from)) {
      found.insert(to); // ordered by step
    }
  }
  return found;
}

TEST(Shares, ScattersFollowTheRule)
{
  for (const Sizes& shape : std::vector<Sizes>{{8}, {2, 2, 2}, {4, 4, 4}, {4, 8}, {2, 16}}) {
    const auto topology = torus(shape);
    const auto& grid = dynamic_cast<const Grid&>(*topology);
    const std::uint32_t nodes = topology->node_count();
    for (const std::string name : {"torus_bine_scatter", "torus_binomial_scatter"}) {
      for (const std::string distances : {"decreasing", "increasing"}) {
        for (const std::uint32_t shares : {1U, 3U, 6U}) {
          const Schedule schedule =
              made_with(*topology, name, {{"distances", distances}, {"shares", std::int64_t{shares}}}, shares);
          expect_valid(*topology, schedule, name);
          const Sends tree = tree_by_rule(grid, shape, name == "torus_bine_scatter", shares, index(schedule.source),
                                          distances == "increasing");
          Sends sends;
          for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
            const Message& message = schedule.messages[id];
            std::set<std::uint32_t> carried;
            std::set<std::uint32_t> of_shares;
            for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
              for (std::uint32_t block = range.begin; block < range.end; ++block) {
                carried.insert(block % nodes);
                of_shares.insert(block / nodes);
              }
            }
            ASSERT_EQ(of_shares.size(), 1U);
            const std::uint32_t share = *of_shares.begin();
            sends.emplace(message.step, index(message.source), index(message.destination), share);
            EXPECT_EQ(carried, below(tree, index(message.destination), share));
            EXPECT_EQ(shares == 1 ? 0 : port_of_message(schedule, MessageId{static_cast<std::uint32_t>(id)}, shares),
                      share);
          }
          EXPECT_EQ(sends, tree) << name << " " << topology->title() << " " << distances << ", " << shares;
        }
      }
    }
  }
}

TEST(Shares, GathersAreScattersBackwards)
{
  const auto topology = torus({4, 4, 4});
  for (const std::string distances : {"decreasing", "increasing"}) {
    const std::map<std::string, RawValue, std::less<>> parameters = {{"distances", distances},
                                                                     {"shares", std::int64_t{3}}};
    const Schedule scatter = made_with(*topology, "torus_bine_scatter", parameters, 3);
    std::map<std::string, RawValue, std::less<>> reverse = parameters;
    reverse.emplace("operation", std::string("gather"));
    const Schedule gather = made_with(*topology, "torus_bine_scatter", reverse, 3);
    expect_valid(*topology, gather, "gather");
    Sends there;
    for (const auto& [step, from, to, block] : sends_of(scatter, static_cast<std::uint32_t>(scatter.blocks))) {
      there.emplace(step_count(scatter) - 1 - step, to, from, block);
    }
    EXPECT_EQ(sends_of(gather, static_cast<std::uint32_t>(gather.blocks)), there);
  }
}

TEST(Shares, BytesOfBineScattersGoLessFar)
{
  const auto topology = torus({8, 8});
  const auto byte_hops = [&](const std::string& name, const std::string& distances) {
    const Schedule schedule = made_with(*topology, name, {{"distances", distances}}, 1);
    std::uint64_t sum = 0;
    for (const Message& message : schedule.messages) {
      std::vector<ChannelId> route;
      topology->append_route(message.source, message.destination, route);
      sum += schedule.block_sets.size(message.blocks) * route.size();
    }
    return sum;
  };
  // Each of the six steps carries 32 blocks over its distance.
  EXPECT_EQ(byte_hops("torus_bine_scatter", "increasing"), 32U * (1 + 1 + 1 + 1 + 3 + 3));
  EXPECT_EQ(byte_hops("torus_bine_scatter", "decreasing"), 32U * (1 + 1 + 1 + 1 + 3 + 3));
  EXPECT_EQ(byte_hops("torus_binomial_scatter", "decreasing"), 32U * (1 + 1 + 2 + 2 + 4 + 4));
}

TEST(Shares, BineSavesAThirdOfTheDistance)
{
  struct Distances {
    Sizes shape;
    std::uint64_t doubling;
    std::uint64_t bine;
  };
  for (const Distances& one : std::vector<Distances>{
           {{2, 2, 2}, 3, 3}, {{4, 4, 4}, 9, 6}, {{8, 8, 8}, 21, 15}, {{64, 64}, 126, 84}, {{32, 256}, 286, 191}}) {
    const auto topology = torus(one.shape);
    const std::map<std::string, RawValue, std::less<>> latency = {{"variant", std::string("latency")}};
    EXPECT_EQ(schedule_costs(*topology, made_with(*topology, "torus_doubling", latency, 1)).step_hops, one.doubling);
    EXPECT_EQ(schedule_costs(*topology, made_with(*topology, "swing", latency, 1)).step_hops, one.bine);
  }
}

TEST(Shares, TreesRefuseOtherNetworks)
{
  const auto refusal = [](const Topology& topology) -> std::string {
    try {
      made_with(topology, "torus_bine_tree", {{"segments", std::int64_t{1}}}, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(*mesh({4, 4})), "torus_bine_tree is made for tori, not for a mesh 4 x 4");
  EXPECT_EQ(refusal(*torus({4, 6})), "torus_bine_tree needs sizes that are powers of 2; the y size of the torus 4 x 6 "
                                     "is 6; the nearest is 4");
}

TEST(Shares, MixedToriRunWhatAsksEachDimensionByItself)
{
  TopologyDescription description = torus({4, 5})->description();
  description.parameters.set("wrap", Sizes{0, 1});
  const auto mixed = make_topology(description);
  for (const std::uint32_t ports : {1U, 0U}) {
    const Schedule schedule = made_with(*mixed, "bucket", {}, ports);
    const CheckReport report = check_schedule(*mixed, schedule);
    EXPECT_TRUE(report.valid() && report.contention_free);
  }
  EXPECT_THROW(made_with(*mixed, "swing", {}, 1), InputError);
}

} // namespace
} // namespace wormcast
