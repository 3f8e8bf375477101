#pragma once

#include "wormcast/experiments/trace/records.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace wormcast {

/// A key of a record of a trace.
struct TraceKey {
  std::string path; ///< "waiting.step": the key `step` of the object `waiting`, which is a key itself
  std::string when; ///< in which records it is; empty: in all
  std::string text; ///< its meaning
};

/// The fields of trace_fields, as a list.
class TraceKeys {
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

  std::vector<TraceKey> take() { return std::move(keys_); }

private:
  /// The meaning is the last of what is said of a key.
  template <typename... More> void add(std::string_view key, const More&... more)
  {
    const std::string_view meaning = std::get<sizeof...(More) - 1>(std::tie(more...));
    keys_.push_back({object_ + std::string(key), std::string(when_), std::string(meaning)});
    when_ = {};
  }

  std::vector<TraceKey> keys_;
  std::string object_; ///< "waiting."; empty outside of objects
  std::string_view when_;
};

/// The keys of all records of a kind (TraceWait, ...), in the order in which they are written.
template <typename Record> std::vector<TraceKey> trace_keys()
{
  Record record;
  TraceKeys keys;
  trace_fields(keys, record);
  return keys.take();
}

} // namespace wormcast
