// Several sources that run together.

#include "tests/simulator/engines/random_traffic.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/sources/merged_source.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

using testing::grid;
using testing::small_network;

std::vector<DeliveryRecord> deliveries_of(const Topology& topology, const NetworkParameters& network,
                                          MessageSource& source)
{
  std::vector<DeliveryRecord> records;
  RecordSinks sinks;
  sinks.delivery = [&](const DeliveryRecord& record) { records.push_back(record); };
  const auto engine = make_worm_engine({topology, network, sinks, source});
  while (!engine->advance().empty()) {
  }
  return records;
}

// Two lists together are the one list that has the messages of both, the first one's first.
RC_GTEST_PROP(MergedSource, OfTwoListsIsTheListOfBoth, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = testing::random_network();
  const auto topology = make_topology(description, network.routing);
  const std::vector<testing::Send> first = testing::random_sends(topology->node_count());
  const std::vector<testing::Send> second = testing::random_sends(topology->node_count());
  std::vector<testing::Send> both = first;
  for (testing::Send send : second) {
    for (std::uint32_t& earlier : send.after) {
      earlier += static_cast<std::uint32_t>(first.size());
    }
    both.push_back(send);
  }
  const Schedule list_of_both = testing::plain_schedule(description, both);
  const Schedule first_list = testing::plain_schedule(description, first);
  const Schedule second_list = testing::plain_schedule(description, second);
  const RunParameters run;
  std::vector<std::unique_ptr<MessageSource>> parts;
  parts.push_back(make_schedule_source(*topology, first_list, network, run));
  parts.push_back(make_schedule_source(*topology, second_list, network, run));
  MergedSource merged(std::move(parts));
  RC_ASSERT(merged.message_count() == both.size());
  const auto whole = make_schedule_source(*topology, list_of_both, network, run);
  RC_ASSERT(deliveries_of(*topology, network, merged) == deliveries_of(*topology, network, *whole));
  RC_ASSERT(merged.rest().messages == whole->rest().messages);
}

// A list that does not say how long it is.
class EndlessSource final : public MessageSource {
public:
  explicit EndlessSource(std::unique_ptr<MessageSource> source) : source_(std::move(source)) {}
  std::int64_t next_time() const override { return source_->next_time(); }
  void pop(std::int64_t now, std::vector<NewMessage>& messages) override { source_->pop(now, messages); }
  void delivered(std::span<const Delivery> deliveries, std::int64_t now) override
  {
    source_->delivered(deliveries, now);
  }
  void port_released(MessageId message, std::int64_t now) override { source_->port_released(message, now); }
  bool wants_port_releases() const override { return source_->wants_port_releases(); }
  std::optional<std::uint64_t> message_count() const override { return std::nullopt; }
  Rest rest() const override { return source_->rest(); }

private:
  std::unique_ptr<MessageSource> source_;
};

TEST(MergedSource, NumbersMessagesWithoutEndBehindAllOthersInTurn)
{
  const auto description = grid("mesh", {4});
  const auto topology = make_topology(description);
  const Schedule list = testing::plain_schedule(description, {{0, 1, 8}, {1, 2, 8}});
  const auto part = [&](bool endless) -> std::unique_ptr<MessageSource> {
    auto source = make_schedule_source(*topology, list, small_network(), {});
    return endless ? std::make_unique<EndlessSource>(std::move(source)) : std::move(source);
  };
  std::vector<std::unique_ptr<MessageSource>> parts;
  for (const bool endless : {true, false, true, false}) {
    parts.push_back(part(endless));
  }
  const MergedSource merged(std::move(parts));
  EXPECT_FALSE(merged.message_count());
  EXPECT_EQ(merged.merged({1, MessageId{1}}), MessageId{1});
  EXPECT_EQ(merged.merged({3, MessageId{0}}), MessageId{2});
  EXPECT_EQ(merged.merged({0, MessageId{0}}), MessageId{4});
  EXPECT_EQ(merged.merged({2, MessageId{0}}), MessageId{5});
  EXPECT_EQ(merged.merged({0, MessageId{7}}), MessageId{18});
  for (std::uint32_t number = 0; number < 20; ++number) {
    EXPECT_EQ(merged.merged(merged.part_of(MessageId{number})), MessageId{number});
  }
}

TEST(MergedSource, TellsEachPartOfItsOwnMessages)
{
  const auto description = grid("mesh", {8});
  const auto topology = make_topology(description);
  // Chains of messages, each after the one before.
  std::vector<testing::Send> chain;
  for (std::uint32_t i = 0; i < 7; ++i) {
    chain.push_back({i, i + 1, 8, 0, i == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{i - 1}});
  }
  const Schedule list = testing::plain_schedule(description, chain);
  std::vector<std::unique_ptr<MessageSource>> parts;
  for (int i = 0; i < 3; ++i) {
    parts.push_back(std::make_unique<EndlessSource>(make_schedule_source(*topology, list, small_network(), {})));
  }
  MergedSource merged(std::move(parts));
  EXPECT_EQ(deliveries_of(*topology, small_network(), merged).size(), 21U);
  EXPECT_EQ(merged.rest().messages, 0U);
}

} // namespace
} // namespace wormcast
