// Long messages in segments and in packets.

#include "tests/algorithms/collective/networks.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/schedule/pieces.hpp"
#include "wormcast/algorithms/schedule/ready_messages.hpp"
#include "wormcast/algorithms/verifier/added_bytes.hpp"
#include "wormcast/algorithms/verifier/operation_check.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct CutCase {
  std::string operation;
  std::string algorithm;
};

// Of operations whose blocks can be cut.
const std::vector<CutCase> cut_cases = {
    {"broadcast", "binomial_tree"}, {"broadcast", "scatter_all_gather"}, {"all_gather", "ring"},
    {"reduce_scatter", "ring"},     {"all_reduce", "recursive_halving"}, {"reduce", "bfs_tree"},
    {"all_reduce", "bucket"},       {"scatter", "dimension_halving"},    {"gather", "dimension_halving"}};

// By step, sender and receiver.
std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> bytes_between(const Schedule& schedule)
{
  const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> sums;
  for (const Message& message : schedule.messages) {
    sums[{message.step, index(message.source), index(message.destination)}] +=
        bytes[static_cast<std::uint32_t>(message.blocks)];
  }
  return sums;
}

std::vector<std::uint64_t> bytes_of_messages(const Schedule& schedule)
{
  const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
  std::vector<std::uint64_t> of;
  for (const Message& message : schedule.messages) {
    of.push_back(bytes[static_cast<std::uint32_t>(message.blocks)]);
  }
  return of;
}

Schedule sent_once(Operation operation, std::uint64_t bytes)
{
  Schedule schedule;
  schedule.operation = operation;
  schedule.message_bytes = bytes;
  schedule.messages = {
      {.step = 0, .source = NodeId{0}, .destination = NodeId{1}, .blocks = schedule.block_sets.intern({0, 1})}};
  return schedule;
}

RC_GTEST_PROP(Pieces, DoTheSameOperationAndAreShort, ())
{
  const CutCase one = *rc::gen::elementOf(cut_cases);
  const auto topology = testing::torus({4, 2});
  Schedule schedule = testing::schedule_for(one.operation, one.algorithm, *topology, 0);
  schedule.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 3000);
  const auto most = *rc::gen::inRange<std::uint64_t>(1, 2000);
  const bool packets = *rc::gen::arbitrary<bool>();
  const Schedule cut = packets ? with_packets(schedule, 8, most) : with_segments(schedule, 8, most);
  RC_ASSERT(check_operation(*topology, cut).done());
  RC_ASSERT(std::ranges::all_of(bytes_of_messages(cut), [&](std::uint64_t bytes) { return bytes <= most; }));
  if (one.operation != "reduce_scatter" && one.operation != "all_gather") {
    RC_ASSERT(bytes_between(cut) == bytes_between(schedule)); // the others' blocks are rounded one by one
  }
  RC_ASSERT(cut.packets.empty() || cut.packets.size() == cut.messages.size());
  for (std::size_t id = 0; id < cut.packets.size(); ++id) {
    const std::uint32_t next = id == 0 ? 0 : cut.packets[id - 1] + 1;
    RC_ASSERT((cut.packets[id] == 0 || cut.packets[id] == next));
    RC_ASSERT(cut.messages[index(first_packet(cut, MessageId{static_cast<std::uint32_t>(id)}))].source ==
              cut.messages[id].source);
  }
}

TEST(Pieces, AreFilledAsFarAsEqualBlocksAllow)
{
  EXPECT_THAT(bytes_of_messages(with_segments(sent_once(Operation::broadcast, 1 << 20), 2, 1 << 18)),
              ElementsAre(1 << 18, 1 << 18, 1 << 18, 1 << 18));
  const std::vector<std::uint64_t> uneven =
      bytes_of_messages(with_segments(sent_once(Operation::broadcast, 100'000), 2, 65'536));
  ASSERT_EQ(uneven.size(), 2U);
  EXPECT_GT(uneven[0], 65'536 / 16 * 15);
  EXPECT_EQ(uneven[0] + uneven[1], 100'000U);
  EXPECT_EQ(with_segments(sent_once(Operation::broadcast, 100), 2, 100).messages.size(), 1U);
  EXPECT_EQ(with_segments(sent_once(Operation::broadcast, 100), 2, 1).messages.size(), 100U);
}

TEST(Pieces, AreWaitedForTogether)
{
  Schedule chain = sent_once(Operation::broadcast, 100);
  chain.messages.push_back(
      {.step = 1, .source = NodeId{1}, .destination = NodeId{2}, .blocks = chain.messages.front().blocks});
  const Schedule cut = with_segments(chain, 3, 40);
  ASSERT_EQ(cut.messages.size(), 6U);
  EXPECT_THAT(cut.after[0], IsEmpty());
  EXPECT_THAT(cut.after[3], ElementsAre(MessageId{0}, MessageId{1}, MessageId{2}));
  const Schedule ready = with_segments(with_ready_messages(chain, 3, 10), 3, 40);
  EXPECT_THAT(ready.after[0], ElementsAre(MessageId{6})) << "the first segment waits for the report";
}

TEST(Pieces, CanBeOfMessagesAloneThatAreAdded)
{
  const auto topology = testing::torus({4});
  Schedule schedule = testing::schedule_for("all_reduce", "recursive_halving", *topology, 0);
  schedule.message_bytes = 400; // halves of 200 and 100 bytes are added, then gathered
  const std::vector<std::uint64_t> added = added_bytes(schedule, 4);
  EXPECT_EQ(with_segments(schedule, 4, 100, added).messages.size(), 4U * (2 + 1 + 1 + 1));
  EXPECT_EQ(with_segments(schedule, 4, 100).messages.size(), 4U * (2 + 1 + 1 + 2));
}

// T_s = 100, 1 ps a byte, no hops: 100 bytes are 200 ps, and every further segment costs a start-up.
TEST(Pieces, CostAStartUpASegmentAndNoneAPacket)
{
  const auto topology = testing::mesh({2});
  Schedule schedule = sent_once(Operation::broadcast, 100);
  schedule.topology = topology->description();
  NetworkParameters network;
  network.startup = Time{100};
  network.per_byte = Time{1};
  network.virtual_channels = 2;
  const auto latency = [&](const Schedule& sent, Mode mode) {
    RunParameters run;
    run.mode = mode;
    return simulate_core(*topology, sent, network, run).latency.value().picoseconds;
  };
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    EXPECT_EQ(latency(schedule, mode), 200);
    EXPECT_EQ(latency(with_segments(schedule, 2, 25), mode), 4 * 125);
    EXPECT_EQ(latency(with_packets(schedule, 2, 25), mode), 200);
  }
}

TEST(Pieces, AreRefusedWhereMessagesCannotBeCut)
{
  const auto refused = [](const Schedule& schedule, std::uint64_t most, const std::string& why) {
    EXPECT_THAT(input_error([&] { with_segments(schedule, 2, most); }), HasSubstr(why));
    EXPECT_THAT(input_error([&] { with_packets(schedule, 2, most); }), HasSubstr(why));
  };
  refused(sent_once(Operation::broadcast, 100), 0, "found 0 bytes, expected at least 1");
  Schedule total = sent_once(Operation::total_exchange, 100);
  total.blocks = 4;
  refused(total, 99, "found 99 bytes, but a block of this total_exchange has 100 and cannot be cut");
  EXPECT_EQ(with_segments(total, 2, 100).messages.size(), 1U);
  Schedule list = sent_once(Operation::none, 100);
  list.plain = {{.bytes = 100, .start = {}}};
  refused(list, 10, "a plain message list or a program says itself how long its messages are");
}

} // namespace
} // namespace wormcast
