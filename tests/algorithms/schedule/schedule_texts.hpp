#pragma once

#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/values/input_error.hpp"

#include <sstream>
#include <string>

namespace wormcast::testing {

/// Reads and writes texts of schedules.
inline Schedule schedule_of_text(const std::string& text)
{
  std::istringstream in(text);
  return read_schedule(in, "test.json");
}

inline std::string text_of_schedule(const Schedule& schedule)
{
  std::ostringstream out;
  write_schedule(schedule, out);
  return out.str();
}

/// The error of a text, "no error" where there is none.
inline std::string schedule_error(const std::string& text)
{
  try {
    schedule_of_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A broadcast on 2 x 2 nodes with these messages; `more` keys of its header.
inline std::string broadcast_text(const std::string& messages, const std::string& more = "")
{
  return R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [2, 2]}, "operation": "broadcast",
  "source": 0, "blocks": 2, "message_bytes": 10)" +
         more + R"(, "messages": [)" + messages + "]}";
}

/// A plain list of messages on a ring of four.
inline std::string plain_text(const std::string& messages)
{
  return R"({"messages": [)" + messages +
         R"(], "operation": "none", "topology": {"kind": "torus", "dims": [4], "tie": "positive"}, "format": "wormcast-schedule/1"})";
}

} // namespace wormcast::testing
