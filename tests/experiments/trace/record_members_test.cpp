// Members of records as arrays show them: they are where they say, and those that a trace writes.

#include "wormcast/experiments/trace/record_members.hpp"
#include "wormcast/experiments/trace/trace_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using ::testing::UnorderedElementsAre;

std::size_t size_of(const RecordMember& member)
{
  return static_cast<std::size_t>(member.format.back() - '0');
}

/// The member `name` of a record, read from its memory.
template <typename Record> std::uint64_t number_in(const Record& record, const std::string& name)
{
  const auto members = record_members<Record>();
  const auto member = std::ranges::find(members, name, &RecordMember::name);
  if (member == members.end()) {
    ADD_FAILURE() << name;
    return 0;
  }
  std::uint64_t number = 0; // the machine is little-endian, as those of Debian are that build this
  std::memcpy(&number, reinterpret_cast<const char*>(&record) + member->offset, size_of(*member));
  return number;
}

/// What the trace of a record has, and arrays lack.
template <typename Record, typename TraceRecord> std::vector<std::string> keys_of_no_member()
{
  std::vector<std::string> missing;
  const auto members = record_members<Record>();
  for (const TraceKey& key : trace_keys<TraceRecord>()) {
    if (std::ranges::find(members, key.path, &RecordMember::trace_key) == members.end()) {
      missing.push_back(key.path);
    }
  }
  return missing;
}

template <typename Record> class Members : public ::testing::Test {};
using Records = ::testing::Types<Message, DeliveryRecord, ContentionRecord, OccupancyRecord>;
TYPED_TEST_SUITE(Members, Records);

TYPED_TEST(Members, HaveNamesTextsAndBytesOfTheirOwn)
{
  std::set<std::string> names;
  std::set<std::size_t> bytes;
  for (const RecordMember& member : record_members<TypeParam>()) {
    EXPECT_TRUE(names.insert(member.name).second) << member.name;
    EXPECT_NE(member.text, "") << member.name;
    for (std::size_t byte = 0; byte < size_of(member); ++byte) {
      EXPECT_TRUE(bytes.insert(member.offset + byte).second) << member.name;
    }
    EXPECT_LE(member.offset + size_of(member), sizeof(TypeParam)) << member.name;
  }
}

TEST(RecordMembers, AreThoseThatTracesWrite)
{
  EXPECT_THAT(
      (keys_of_no_member<ContentionRecord, TraceWait>()),
      UnorderedElementsAre("channel", "to_node", "waiting", "waiting.broadcast", "holding", "holding.broadcast"));
  EXPECT_THAT((keys_of_no_member<OccupancyRecord, TraceOccupancy>()),
              UnorderedElementsAre("channel", "to_node", "broadcast"));
  EXPECT_THAT((keys_of_no_member<DeliveryRecord, TraceMessage>()),
              UnorderedElementsAre("bytes", "broadcast", "round", "mpi", "mpi.sender", "mpi.receiver", "mpi.call",
                                   "mpi.collective", "mpi.tag", "mpi.communicator", "mpi.region"));
}

TEST(RecordMembers, AreReadFromTheMemoryOfARecord)
{
  const ContentionRecord wait = {
      .resource = {.kind = Resource::Kind::ejection, .channel = ChannelId{11}, .node = NodeId{12}},
      .waiting = MessageId{13},
      .holding = MessageId{14},
      .waiting_step = 15,
      .holding_step = 16,
      .kind = ContentionKind::port,
      .from = Time{17},
      .to = Time{18'000'000'000'000},
      .wait = Time{19},
      .cause = WaitCause::slot};
  const std::pair<const char*, std::uint64_t> expected[] = {
      {"kind", 2},          {"cause", 3},    {"channel_kind", 2},        {"channel", 11},
      {"node", 12},         {"waiting", 13}, {"waiting_step", 15},       {"holding", 14},
      {"holding_step", 16}, {"from", 17},    {"to", 18'000'000'000'000}, {"wait", 19}};
  EXPECT_EQ(record_members<ContentionRecord>().size(), std::size(expected));
  for (const auto& [name, number] : expected) {
    EXPECT_EQ(number_in(wait, name), number) << name;
  }
  const DeliveryRecord delivery = {.message = MessageId{1},
                                   .step = 2,
                                   .source = NodeId{3},
                                   .destination = NodeId{4},
                                   .ready = Time{5},
                                   .granted = Time{6},
                                   .delivered = Time{7}};
  std::uint64_t next = 1;
  for (const RecordMember& member : record_members<DeliveryRecord>()) {
    EXPECT_EQ(number_in(delivery, member.name), next++) << member.name;
  }
}

} // namespace
} // namespace wormcast
