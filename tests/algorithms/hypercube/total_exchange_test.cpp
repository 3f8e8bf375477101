#include "tests/algorithms/hypercube/hypercubes.hpp"
#include "wormcast/algorithms/hypercube/total_exchange.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <tuple>

namespace wormcast {
namespace {

using testing::hypercube;
using testing::hypercube_golden;
using testing::schedule_of;

TEST(ExchangeTables, AreThoseOfFigure6)
{
  const std::vector<std::vector<std::uint32_t>> figure = {
      {0b0001},
      {0b0011, 0b0010},
      {0b0101, 0b0111, 0b0110, 0b0100},
      {0b1001, 0b1011, 0b1101, 0b1010, 0b1111, 0b1110, 0b1100, 0b1000}};
  for (std::uint32_t dimension = 1; dimension <= 4; ++dimension) {
    EXPECT_EQ(exchange_tables(dimension),
              std::vector<std::vector<std::uint32_t>>(figure.begin(), figure.begin() + dimension));
  }
}

TEST(ExchangeTables, AreTheGoldenOnes)
{
  for (const auto& [dimension, golden] : hypercube_golden().items()) {
    if (golden["total_exchange_mla"].contains("tables")) {
      const auto columns = exchange_tables(static_cast<std::uint32_t>(std::stoul(dimension)));
      for (const auto& [link, column] : golden["total_exchange_mla"]["tables"].items()) {
        EXPECT_EQ(nlohmann::json(columns.at(std::stoul(link) - 1)), column);
      }
    }
  }
}

TEST(ExchangeTables, HoldEveryDestinationOnce)
{
  std::set<std::uint32_t> destinations;
  std::uint32_t link = 0;
  for (const auto& column : exchange_tables(10)) {
    ++link;
    EXPECT_EQ(column.size(), 1U << (link - 1));
    for (const std::uint32_t destination : column) {
      EXPECT_EQ(destination >> (link - 1), 1U); // `link` is its highest bit
      EXPECT_TRUE(destinations.insert(destination).second);
    }
  }
  EXPECT_EQ(destinations.size(), 1023U);
}

/// The local rules of section 4, "Implementation of the Optimal Algorithm", played out: what a node sends over a link
/// follows from the packets' origins, destinations and times of arrival alone.
class LocalRules {
public:
  explicit LocalRules(std::uint32_t dimension)
      : dimension_(dimension), nodes_(1U << dimension), tables_(exchange_tables(dimension)),
        queues_(nodes_, std::vector<Queue>(dimension))
  {}

  // Messages as step, source, destination, block; sorted.
  std::vector<std::array<std::uint32_t, 4>> run()
  {
    for (std::uint32_t step = 1; step <= nodes_ / 2; ++step) {
      std::vector<Arrival> arrivals;
      for (std::uint32_t node = 0; node < nodes_; ++node) {
        for (std::uint32_t link = 1; link <= dimension_; ++link) {
          send(step, node, link, arrivals);
        }
      }
      for (const Arrival& arrival : arrivals) {
        enqueue(step, arrival);
      }
    }
    std::ranges::sort(sent_);
    return sent_;
  }

private:
  struct Arrival {
    std::uint32_t node = 0;
    std::uint32_t origin = 0;
    std::uint32_t destination = 0;
  };
  /// By (origin XOR node, step of arrival): origin and destination.
  using Queue = std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>;

  void send(std::uint32_t step, std::uint32_t node, std::uint32_t link, std::vector<Arrival>& arrivals)
  {
    std::uint32_t origin = node;
    std::uint32_t destination = 0;
    if (const auto& own = tables_[link - 1]; step <= own.size()) {
      destination = node ^ own[step - 1];
    } else {
      Queue& queue = queues_[node][link - 1];
      ASSERT_FALSE(queue.empty()) << "node " << node << ", link " << link << ", step " << step;
      std::tie(origin, destination) = queue.begin()->second;
      queue.erase(queue.begin());
    }
    const std::uint32_t next = node ^ 1U << (link - 1);
    sent_.push_back({step - 1, node, next, origin * nodes_ + destination});
    arrivals.push_back({next, origin, destination});
  }

  void enqueue(std::uint32_t step, const Arrival& arrival)
  {
    if (arrival.node != arrival.destination) {
      const auto link = static_cast<std::size_t>(std::bit_width(arrival.node ^ arrival.destination));
      queues_[arrival.node][link - 1][{arrival.origin ^ arrival.node, step}] = {arrival.origin, arrival.destination};
    }
  }

  std::uint32_t dimension_;
  std::uint32_t nodes_;
  std::vector<std::vector<std::uint32_t>> tables_;
  std::vector<std::vector<Queue>> queues_; // by node and link
  std::vector<std::array<std::uint32_t, 4>> sent_;
};

TEST(TotalExchange, FollowsTheLocalRules)
{
  for (std::uint32_t dimension = 1; dimension <= 6; ++dimension) {
    const auto cube = hypercube(dimension);
    EXPECT_EQ(testing::sorted_packets(schedule_of("total_exchange", *cube, PortModel::all)),
              LocalRules(dimension).run());
  }
}

TEST(TotalExchange, OfDimensionNineIsVerified)
{
  const auto cube = hypercube(9);
  const CheckReport report = check_schedule(*cube, schedule_of("total_exchange", *cube, PortModel::all));
  EXPECT_TRUE(report.valid() && report.contention_free);
  EXPECT_EQ(report.costs.alpha, 256U);
  EXPECT_EQ(report.costs.messages, 1'179'648U);
  EXPECT_EQ(report.costs.max_channel_load, 256U);
}

// Section 4, eqs. (5) and (6): how many of its own packets a node has sent after n steps.
TEST(TotalExchange, OwnPacketsLeaveInTime)
{
  for (std::uint32_t dimension = 1; dimension <= 6; ++dimension) {
    const auto cube = hypercube(dimension);
    const std::uint32_t nodes = cube->node_count();
    const Schedule schedule = schedule_of("total_exchange", *cube, PortModel::all);
    std::vector<std::vector<std::uint32_t>> own(nodes, std::vector<std::uint32_t>(step_count(schedule), 0));
    for (const Message& message : schedule.messages) {
      if (testing::packet(schedule, message) / nodes == index(message.source)) {
        ++own[index(message.source)][message.step];
      }
    }
    for (const std::vector<std::uint32_t>& by_step : own) {
      std::uint32_t sent = 0;
      for (std::uint32_t n = 1; n <= by_step.size(); ++n) {
        sent += by_step[n - 1];
        EXPECT_LE(sent, nodes / 2 + n - 1);
        std::uint32_t expected = 0;
        for (std::uint32_t link = 1; link <= dimension; ++link) {
          expected += std::min(n, 1U << (link - 1));
        }
        EXPECT_EQ(sent, expected);
      }
    }
  }
}

} // namespace
} // namespace wormcast
