#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/imported/netrace.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct WrittenPacket {
  std::uint64_t cycle = 0;
  std::uint32_t id = 0;
  std::uint8_t type = 1;
  std::uint8_t source = 0;
  std::uint8_t destination = 1;
  std::vector<std::uint32_t> dependents = {};
};

struct WrittenRegion {
  std::uint64_t offset = 0;
  std::uint64_t packets = 0;
};

/// The bytes of a trace of four nodes.
class NetraceText {
public:
  void number(std::uint64_t value, int bytes)
  {
    for (int i = 0; i < bytes; ++i) {
      text_.push_back(static_cast<char>(value >> (8 * i)));
    }
  }

  static std::string of(const std::vector<WrittenPacket>& packets, const std::vector<WrittenRegion>& regions = {})
  {
    NetraceText text;
    text.number(0x484A5455, 4);
    text.number(0x3F800000, 4); // 1.0
    text.text_ += "test" + std::string(26, '\0');
    text.number(4, 2);
    text.number(packets.empty() ? 0 : packets.back().cycle, 8);
    text.number(packets.size(), 8);
    text.number(0, 4);
    text.number(regions.size(), 4);
    text.number(0, 8);
    for (const WrittenRegion& region : regions) {
      text.number(region.offset, 8);
      text.number(0, 8);
      text.number(region.packets, 8);
    }
    for (const WrittenPacket& packet : packets) {
      text.number(packet.cycle, 8);
      text.number(packet.id, 4);
      text.number(0, 4);
      text.number(packet.type, 1);
      text.number(packet.source, 1);
      text.number(packet.destination, 1);
      text.number(0, 1);
      text.number(packet.dependents.size(), 1);
      for (const std::uint32_t dependent : packet.dependents) {
        text.number(dependent, 4);
      }
    }
    return text.text_;
  }

private:
  std::string text_;
};

Netrace netrace_of(const std::string& bytes, std::optional<std::uint64_t> region = std::nullopt)
{
  std::istringstream in(bytes);
  return read_netrace(in, "t.tra", region);
}

std::string netrace_error(const std::string& bytes, std::optional<std::uint64_t> region = std::nullopt)
{
  return input_error([&] { netrace_of(bytes, region); });
}

const std::vector<NodeId> four_nodes = {NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}};

/// A request, its answer, which waits for nothing on its way from node 1 to itself, and a second request.
const std::vector<WrittenPacket> packet_chain = {{.cycle = 5, .id = 10, .dependents = {11}},
                                                 {.cycle = 9, .id = 11, .type = 2, .source = 1, .dependents = {12, 99}},
                                                 {.cycle = 20, .id = 12, .type = 16, .source = 1, .destination = 0}};

TEST(Netraces, AreReadWithTheirDependencies)
{
  const Netrace trace = netrace_of(NetraceText::of(packet_chain));
  EXPECT_EQ(trace.benchmark, "test");
  EXPECT_EQ(trace.nodes, 4U);
  ASSERT_EQ(trace.packets.size(), 3U);
  EXPECT_EQ(netrace_bytes(trace.packets[0]), 8U);
  EXPECT_EQ(netrace_bytes(trace.packets[1]), 72U);
  EXPECT_THAT(trace.after[2], ElementsAre(MessageId{1}));
  EXPECT_EQ(trace.dependencies, 3U);
  EXPECT_EQ(trace.absent, 1U);
  EXPECT_EQ(trace.longest_chain, 3U);
  EXPECT_TRUE(trace.findings.empty());
}

TEST(Netraces, AreMessageLists)
{
  const Netrace trace = netrace_of(NetraceText::of(packet_chain));
  const Schedule open = netrace_messages(trace, {.closed = false, .cycle = Time{500}}, four_nodes, "t.tra");
  ASSERT_EQ(open.messages.size(), 2U); // that of node 1 to itself is none
  EXPECT_EQ(open.plain[1].start, Time{10'000});
  EXPECT_THAT(open.after[1], IsEmpty());
  const Schedule closed = netrace_messages(trace, {}, four_nodes, "t.tra");
  EXPECT_EQ(closed.plain[0].start, Time{5'000});
  EXPECT_EQ(closed.plain[1].start, Time{20'000});
  EXPECT_EQ(closed.plain[1].bytes, 72U);
  EXPECT_THAT(closed.after[1], ElementsAre(MessageId{0}));
  EXPECT_THROW(netrace_messages(trace, {.cycle = Time{std::int64_t{1} << 60}}, four_nodes, "t.tra"), InputError);
}

TEST(Netraces, KeepTheTimeBetweenPackets)
{
  const Program program = netrace_program(netrace_of(NetraceText::of(packet_chain)), {.keep_think = true}, "t.tra");
  std::vector<std::int64_t> pauses; // of the packet to itself first, and then before each packet
  for (const ProgramAction& action : program.actions) {
    if (action.kind == ProgramAction::Kind::compute) {
      pauses.push_back(action.duration.picoseconds);
    }
  }
  EXPECT_THAT(pauses, ElementsAre(0, 5'000, 4'000, 11'000));
  EXPECT_EQ(program.sends.size(), 2U);
}

TEST(Netraces, HaveRegions)
{
  const std::string bytes = NetraceText::of(packet_chain, {{.offset = 0, .packets = 1}, {.offset = 25, .packets = 2}});
  const Netrace second = netrace_of(bytes, 1);
  ASSERT_EQ(second.packets.size(), 2U);
  EXPECT_EQ(second.packets[0].cycle, 0U);
  EXPECT_EQ(second.packets[1].cycle, 11U);
  EXPECT_EQ(netrace_of(bytes, 0).absent, 1U); // the answer is in the other region
  EXPECT_EQ(netrace_error(bytes, 2), "t.tra: found region 2, but the trace has 2");
  EXPECT_EQ(netrace_error(NetraceText::of(packet_chain, {{.offset = 9999}}), 0),
            "t.tra: byte 171: the file ends before region 0, which begins at byte 10095");
}

TEST(Netraces, AreRefutedByACyclicWait)
{
  std::vector<WrittenPacket> packets = packet_chain;
  packets[2].dependents = {11};
  const Netrace trace = netrace_of(NetraceText::of(packets));
  ASSERT_EQ(trace.findings.all().size(), 1U);
  EXPECT_EQ(trace.findings.all()[0].kind, FindingKind::deadlock);
  EXPECT_EQ(trace.findings.all()[0].text, "packet 11 waits for itself: 11 <- 12 <- 11");
  EXPECT_THROW(netrace_messages(trace, {}, four_nodes, "t.tra"), InputError);
  EXPECT_NO_THROW(netrace_messages(trace, {.closed = false}, four_nodes, "t.tra"));
}

TEST(Netraces, SayWhatIsNotOfTheFormat)
{
  const std::string bytes = NetraceText::of(packet_chain);
  const auto changed = [&](std::size_t packet, auto change) {
    std::vector<WrittenPacket> packets = packet_chain;
    change(packets[packet]);
    return netrace_error(NetraceText::of(packets));
  };
  EXPECT_EQ(netrace_error(bytes.substr(0, 50)), "t.tra: byte 0: the file ends within the header");
  EXPECT_EQ(netrace_error("x" + bytes),
            "t.tra: byte 0: found 0x4A545578, expected 0x484A5455, the magic number of netrace");
  EXPECT_EQ(netrace_error(bytes.substr(0, 7) + '\x40' + bytes.substr(8)),
            "t.tra: byte 4: found version 4, expected 1.0");
  EXPECT_EQ(netrace_error(bytes.substr(0, bytes.size() - 5)), "t.tra: byte 126: the file ends within packet 2");
  EXPECT_EQ(netrace_error(bytes.substr(0, 126)), "t.tra: 2 packets, but the header says 3");
  EXPECT_EQ(changed(1, [](WrittenPacket& packet) { packet.cycle = 1; }),
            "t.tra: byte 97: packet 1: its cycle 1 is before 5, that of the packet before it");
  EXPECT_EQ(changed(1, [](WrittenPacket& packet) { packet.id = 10; }),
            "t.tra: byte 97: packet 1: its id 10 occurs a second time");
  EXPECT_EQ(changed(1, [](WrittenPacket& packet) { packet.type = 7; }),
            "t.tra: byte 97: packet 1: found type 7, which has no length");
  EXPECT_EQ(changed(1, [](WrittenPacket& packet) { packet.destination = 9; }),
            "t.tra: byte 97: packet 1: from node 1 to node 9, but there are 4");
}

} // namespace
} // namespace wormcast
