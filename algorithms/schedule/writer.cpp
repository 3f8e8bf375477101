#include "wormcast/algorithms/schedule/file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <ostream>

namespace wormcast {

namespace {

std::string json_text(std::string_view text)
{
  return nlohmann::json(text).dump();
}

// Gathers text and hands it to a stream in large pieces.
class BufferedOutput {
public:
  explicit BufferedOutput(std::ostream& out) : out_(out) {}
  ~BufferedOutput() { flush(); }
  BufferedOutput(const BufferedOutput&) = delete;
  BufferedOutput& operator=(const BufferedOutput&) = delete;

  template <typename... Parts> void add(fmt::format_string<Parts...> format, Parts&&... parts)
  {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Parts>(parts)...);
    if (buffer_.size() > (std::size_t{1} << 20)) {
      flush();
    }
  }

private:
  void flush()
  {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

void write_header(const Schedule& schedule, BufferedOutput& out)
{
  out.add("{{\"format\": \"wormcast-schedule/1\", \"topology\": {{\"kind\": {}", json_text(schedule.topology.kind));
  for (const auto& [key, value] : schedule.topology.parameters.all()) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      out.add(", {}: {}", json_text(key), *number);
    } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
      out.add(", {}: [{}]", json_text(key), fmt::join(*list, ", "));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      out.add(", {}: {}", json_text(key), json_text(*text));
    }
  }
  if (!schedule.routing.routing.empty()) {
    out.add(", \"routing\": {}", json_text(schedule.routing.routing));
  }
  if (schedule.routing.tie != RoutingChoice{}.tie) {
    out.add(", \"tie\": {}", json_text(schedule.routing.tie));
  }
  out.add("}}, \"ports\": {}, \"duplex\": \"{}\", \"operation\": \"{}\"",
          schedule.ports.count == PortModel::all ? "\"all\"" : std::to_string(schedule.ports.count),
          schedule.duplex == Duplex::half ? "half" : "full", operation_name(schedule.operation));
  if (schedule.operation == Operation::broadcast || schedule.operation == Operation::scatter) {
    out.add(", \"source\": {}", index(schedule.source));
  }
  if (schedule.operation != Operation::none) {
    out.add(", \"blocks\": {}, \"message_bytes\": {}", schedule.blocks, schedule.message_bytes);
  }
}

void write_message(const Schedule& schedule, std::uint32_t id, BufferedOutput& out)
{
  const Message& message = schedule.messages[id];
  if (schedule.operation != Operation::none) {
    out.add("{{\"id\": {}, \"step\": {}, \"src\": {}, \"dst\": {}, \"blocks\": [", id, message.step,
            index(message.source), index(message.destination));
    const char* separator = "";
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      out.add("{}[{}, {}]", separator, range.begin, range.end);
      separator = ", ";
    }
    out.add("]}}");
    return;
  }
  const PlainMessage& plain = schedule.plain[id];
  out.add("{{\"id\": {}, ", id);
  if (message.step != 0) {
    out.add("\"step\": {}, ", message.step);
  }
  out.add("\"src\": {}, \"dst\": {}, \"bytes\": {}", index(message.source), index(message.destination), plain.bytes);
  if (plain.start != Time{}) {
    out.add(", \"start_us\": {}", format_microseconds(plain.start));
  }
  const char* separator = ", \"after\": [";
  for (const MessageId earlier : plain.after) {
    out.add("{}{}", separator, index(earlier));
    separator = ", ";
  }
  out.add("{}}}", plain.after.empty() ? "" : "]");
}

} // namespace

void write_schedule(const Schedule& schedule, std::ostream& out, const WorkProgress& progress)
{
  BufferedOutput output(out);
  write_header(schedule, output);
  output.add(", \"messages\": [");
  const char* separator = "\n";
  for (std::uint32_t id = 0; id < schedule.messages.size(); ++id) {
    output.add("{}", separator);
    write_message(schedule, id, output);
    separator = ",\n";
    if (progress && id % 4096 == 0) {
      progress(id, schedule.messages.size());
    }
  }
  output.add("\n]}}\n");
}

} // namespace wormcast
