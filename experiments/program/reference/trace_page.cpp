#include "wormcast/experiments/program/reference/trace_page.hpp"

#include "wormcast/experiments/program/reference/reference.hpp"
#include "wormcast/experiments/trace/record_members.hpp"
#include "wormcast/experiments/trace/trace_keys.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

template <typename Record> std::string record_section(std::string_view type, std::string_view what)
{
  std::string text = fmt::format("\n## `{}`\n\n{}\n\n| key | meaning |\n|---|---|\n", type, what);
  for (const TraceKey& key : trace_keys<Record>()) {
    text += fmt::format("| `{}` | {}{}{} |\n", key.path, key.when, key.when.empty() ? "" : ": ", key.text);
  }
  return text;
}

/// The rows of the fields of one array.
template <typename Record> std::string member_rows(std::string_view array)
{
  std::string text;
  for (const RecordMember& member : record_members<Record>()) {
    const std::string key = member.trace_key.empty() ? "" : fmt::format("`{}`", member.trace_key);
    text += fmt::format("| `{}` | `{}` | `{}` | {} | {} |\n", array, member.name, member.format, key, member.text);
  }
  return text;
}

} // namespace

std::string trace_page()
{
  std::string text = "# Records of a trace\n\n";
  text += made_from;
  text += "`wormcast run --trace FILE` writes JSON lines of format `wormcast-trace/1`. The first line is a header "
          "([formats](../formats.md#trace-wormcast-run---trace)); every other line has a `type`, and the keys of that "
          "type in this order. `waiting.step` is the key `step` of the object `waiting`. Times are exact numbers of "
          "microseconds.\n";
  text += record_section<TraceBroadcast>("broadcast", "A broadcast of a series that ended.");
  text += record_section<TraceMessage>("message", "A message, before the first record that names it.");
  text += record_section<TraceWait>("contention", "A wait, written when it ends.");
  text += record_section<TraceOccupancy>("occupancy", "A message held a channel or port; written when it releases it.");
  text += record_section<TraceTotals>("end", "The last line.");
  text += R"(
## Records in Python

The records of `wormcast.Result` and `Schedule.messages` are structured arrays of NumPy ([Python](../python.md#runs)) with these fields, and
the types that NumPy gives them. Times (`i8`) are picoseconds. Types `u1` are positions in `contention_kinds`, `wait_causes` and
`channel_kinds`. The key is that of the same value in a trace.

| array | field | type | key | meaning |
|---|---|---|---|---|
)";
  text += member_rows<Message>("schedule.messages");
  text += member_rows<DeliveryRecord>("deliveries");
  text += member_rows<ContentionRecord>("contention");
  text += member_rows<OccupancyRecord>("occupancy");
  return text;
}

} // namespace wormcast
