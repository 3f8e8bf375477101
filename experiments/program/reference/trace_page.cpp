#include "wormcast/experiments/program/reference/trace_page.hpp"

#include "wormcast/experiments/program/reference/reference.hpp"
#include "wormcast/experiments/trace/records.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

/// A row of Markdown for each field of a record.
class FieldTable {
public:
  template <typename... More> void choice(std::string_view key, const More&... more) { add(key, more...); }
  template <typename... More> void text(std::string_view key, const More&... more) { add(key, more...); }
  template <typename... More> void number(std::string_view key, const More&... more) { add(key, more...); }
  template <typename... More> void below(std::string_view key, const More&... more) { add(key, more...); }
  template <typename... More> void time(std::string_view key, const More&... more) { add(key, more...); }
  template <typename... More> void truth(std::string_view key, const More&... more) { add(key, more...); }
  template <typename... More> void owner(std::string_view key, const More&... more)
  {
    when_ = "only of a series";
    add(key, more...);
  }
  template <typename Members> void object(std::string_view key, std::string_view meaning, Members members)
  {
    add(key, meaning);
    object_ = std::string(key) + ".";
    members();
    object_.clear();
  }
  bool has(std::string_view, bool, std::string_view when)
  {
    when_ = when;
    return true;
  }

  const std::string& rows() const { return rows_; }

private:
  template <typename... More> void add(std::string_view key, const More&... more)
  {
    const std::string_view meaning = std::get<sizeof...(More) - 1>(std::tie(more...));
    rows_ += fmt::format("| `{}{}` | {}{}{} |\n", object_, key, when_, when_.empty() ? "" : ": ", meaning);
    when_ = {};
  }

  std::string rows_;
  std::string object_; ///< "waiting."; empty outside of objects
  std::string_view when_;
};

template <typename Record> std::string record_section(std::string_view type, std::string_view what)
{
  Record record;
  FieldTable table;
  trace_fields(table, record);
  return fmt::format("\n## `{}`\n\n{}\n\n| key | meaning |\n|---|---|\n{}", type, what, table.rows());
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
  return text;
}

} // namespace wormcast
