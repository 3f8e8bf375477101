#include "wormcast/experiments/trace/record_members.hpp"

#include "wormcast/experiments/trace/trace_keys.hpp"

#include <algorithm>
#include <concepts>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace wormcast {

namespace {

template <typename Member> constexpr std::string_view format_of_member()
{
  if constexpr (std::same_as<Member, Time>) {
    static_assert(sizeof(Time) == 8 && std::is_signed_v<decltype(Time::picoseconds)>);
    return "i8";
  } else {
    static_assert(std::is_enum_v<Member> || std::unsigned_integral<Member>);
    static_assert(sizeof(Member) == 1 || sizeof(Member) == 4);
    return sizeof(Member) == 1 ? "u1" : "u4";
  }
}

/// Members of a Record, of which traces write a TraceRecord.
template <typename Record> class Members {
public:
  static_assert(std::is_standard_layout_v<Record>, "so that members have offsets");

  explicit Members(std::vector<TraceKey> keys) : keys_(std::move(keys)) {}

  /// A member that traces write, too.
  template <typename Member> void add(std::string name, Member Record::* member, const std::string& trace_key)
  {
    add(std::move(name), member, trace_key, text_of(trace_key));
  }

  /// A member that they lack, or of which they say something else.
  template <typename Member>
  void add_own(std::string name, Member Record::* member, std::string text, std::string trace_key = "")
  {
    add(std::move(name), member, std::move(trace_key), std::move(text));
  }

  void add_resource(Resource Record::* resource)
  {
    const Record record;
    const auto offset = [&](const auto& member) {
      return static_cast<std::size_t>(reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&record));
    };
    const auto add_part = [&](const char* name, const auto& member, const std::string& key) {
      using Member = std::remove_cvref_t<decltype(member)>;
      all_.push_back({name, key, std::string(format_of_member<Member>()), offset(member), text_of(key)});
    };
    add_part("channel_kind", (record.*resource).kind, "resource");
    add_part("channel", (record.*resource).channel, "channel_id");
    add_part("node", (record.*resource).node, "node");
  }

  std::vector<RecordMember> take() { return std::move(all_); }

private:
  template <typename Member>
  void add(std::string name, Member Record::* member, std::string trace_key, std::string text)
  {
    const Record record;
    const auto offset = reinterpret_cast<const char*>(&(record.*member)) - reinterpret_cast<const char*>(&record);
    all_.push_back({std::move(name), std::move(trace_key), std::string(format_of_member<Member>()),
                    static_cast<std::size_t>(offset), std::move(text)});
  }

  /// What a trace says of a key; of one in an object what it says of both.
  std::string text_of(const std::string& path) const
  {
    const auto key = std::ranges::find(keys_, path, &TraceKey::path);
    if (key == keys_.end()) {
      throw std::logic_error("a trace has no key " + path);
    }
    const std::size_t dot = path.find('.');
    return dot == std::string::npos ? key->text : text_of(path.substr(0, dot)) + ": " + key->text;
  }

  std::vector<TraceKey> keys_;
  std::vector<RecordMember> all_;
};

} // namespace

template <> std::vector<RecordMember> record_members<Message>()
{
  Members<Message> members(trace_keys<TraceMessage>());
  members.add("step", &Message::step, "step");
  members.add("source", &Message::source, "src");
  members.add("destination", &Message::destination, "dst");
  members.add_own("block_set", &Message::blocks, "the set of blocks that it carries; equal sets have equal numbers");
  return members.take();
}

template <> std::vector<RecordMember> record_members<DeliveryRecord>()
{
  Members<DeliveryRecord> members(trace_keys<TraceMessage>());
  members.add("message", &DeliveryRecord::message, "id");
  members.add("step", &DeliveryRecord::step, "step");
  members.add("source", &DeliveryRecord::source, "src");
  members.add("destination", &DeliveryRecord::destination, "dst");
  members.add("ready", &DeliveryRecord::ready, "ready_us");
  members.add_own("granted", &DeliveryRecord::granted, "when it got its port");
  members.add_own("time", &DeliveryRecord::delivered, "when it arrived");
  return members.take();
}

template <> std::vector<RecordMember> record_members<ContentionRecord>()
{
  Members<ContentionRecord> members(trace_keys<TraceWait>());
  members.add("kind", &ContentionRecord::kind, "kind");
  members.add("cause", &ContentionRecord::cause, "cause");
  members.add_resource(&ContentionRecord::resource);
  members.add("waiting", &ContentionRecord::waiting, "waiting.message");
  members.add("waiting_step", &ContentionRecord::waiting_step, "waiting.step");
  members.add("holding", &ContentionRecord::holding, "holding.message");
  members.add("holding_step", &ContentionRecord::holding_step, "holding.step");
  members.add("from", &ContentionRecord::from, "from_us");
  members.add("to", &ContentionRecord::to, "to_us");
  members.add_own("wait", &ContentionRecord::wait,
                  "from `from` to `to`; of `sharing` the time between them in which a flit waited", "wait_us");
  return members.take();
}

template <> std::vector<RecordMember> record_members<OccupancyRecord>()
{
  Members<OccupancyRecord> members(trace_keys<TraceOccupancy>());
  members.add_resource(&OccupancyRecord::resource);
  members.add("message", &OccupancyRecord::message, "message");
  members.add("step", &OccupancyRecord::step, "step");
  members.add("from", &OccupancyRecord::from, "from_us");
  members.add("to", &OccupancyRecord::to, "to_us");
  return members.take();
}

} // namespace wormcast
