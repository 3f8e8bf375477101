#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/algorithms/schedule/message_words_json.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/algorithms/schedule/text_output.hpp"
#include "wormcast/values/flag_list.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

namespace wormcast {

namespace {

std::string json_text(std::string_view text)
{
  return nlohmann::json(text).dump();
}

void add_range(std::string& text, BlockRange range)
{
  const fmt::format_int begin(range.begin);
  const fmt::format_int end(range.end);
  text.append(text.empty() ? "[" : ", [").append(begin.data(), begin.size());
  text.append(", ").append(end.data(), end.size()).append("]");
}

// Block sets as written in the file. Many messages carry the same set, so that the texts of long ones are stored.
class SetTexts {
public:
  explicit SetTexts(const BlockSets& sets) : sets_(sets), kept_(sets.count()) {}

  /// Valid until the next call.
  std::string_view operator[](BlockSetId id)
  {
    Place& place = kept_[static_cast<std::uint32_t>(id)];
    if (place.size > 0) {
      return std::string_view(texts_).substr(place.offset, place.size);
    }
    text_.clear();
    const BlockRanges ranges = sets_.ranges(id);
    for (const BlockRange range : ranges) {
      add_range(text_, range);
    }
    if (ranges.size() >= fewest_ranges && text_.size() <= most_kept / 16) {
      keep(place);
    }
    return text_;
  }

private:
  static constexpr std::size_t fewest_ranges = 3; // of fewer, writing is about as fast as finding
  static constexpr std::size_t most_kept = std::size_t{1} << 24;

  struct Place {
    std::uint32_t offset = 0;
    std::uint32_t size = 0; ///< 0: not stored
  };

  void keep(Place& place)
  {
    if (texts_.size() + text_.size() > most_kept) {
      texts_.clear();
      std::ranges::fill(kept_, Place{});
    }
    place = {static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(text_.size())};
    texts_ += text_;
  }

  const BlockSets& sets_;
  std::vector<Place> kept_; ///< by set
  std::string texts_;
  std::string text_;
};

void write_chosen(const ParameterValues& chosen, TextOutput& out)
{
  const char* separator = ", \"chosen\": {";
  for (const auto& [key, value] : chosen.all()) {
    const auto* number = std::get_if<std::int64_t>(&value);
    out.add(separator, json_text(key), ": ",
            number != nullptr ? fmt::to_string(*number) : json_text(std::get<std::string>(value)));
    separator = ", ";
  }
  out.add(chosen.all().empty() ? "" : "}");
}

/// "[4, 4]", "[true, false]".
std::string list_text(const Parameter& parameter, const std::vector<std::int64_t>& list)
{
  if (!is_flag_list(parameter)) {
    return fmt::format("[{}]", fmt::join(list, ", "));
  }
  std::vector<std::string_view> flags;
  for (const std::int64_t flag : list) {
    flags.emplace_back(flag != 0 ? "true" : "false");
  }
  return fmt::format("[{}]", fmt::join(flags, ", "));
}

/// The declaration of a parameter of a kind of topology.
const Parameter& topology_parameter(std::string_view kind, std::string_view name)
{
  return *std::ranges::find(find_topology_kind(kind).parameters, name, &Parameter::name);
}

void write_header(const Schedule& schedule, TextOutput& out)
{
  out.add("{\"format\": \"wormcast-schedule/1\", \"topology\": {\"kind\": ", json_text(schedule.topology.kind));
  for (const auto& [key, value] : schedule.topology.parameters.all()) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      out.add(fmt::format(", {}: {}", json_text(key), *number));
    } else if (const auto* decimal = std::get_if<double>(&value)) {
      out.add(fmt::format(", {}: {}", json_text(key), *decimal));
    } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
      out.add(", ", json_text(key), ": ", list_text(topology_parameter(schedule.topology.kind, key), *list));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      out.add(", ", json_text(key), ": ", json_text(*text));
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
      const char* before = ": [";
      out.add(", ", json_text(key));
      for (const std::string& one : *texts) {
        out.add(before, json_text(one));
        before = ", ";
      }
      out.add("]");
    }
  }
  if (!schedule.routing.routing.empty()) {
    out.add(", \"routing\": ", json_text(schedule.routing.routing));
  }
  if (schedule.routing.tie != RoutingChoice{}.tie) {
    out.add(", \"tie\": ", json_text(schedule.routing.tie));
  }
  out.add("}, \"ports\": ", schedule.ports.count == PortModel::all ? "\"all\"" : std::to_string(schedule.ports.count),
          ", \"duplex\": \"", duplex_names.text(schedule.duplex), "\", \"operation\": \"",
          operation_names.text(schedule.operation), "\"");
  if (has_source(schedule.operation)) {
    out.add(", \"source\": ", index(schedule.source));
  }
  const char* separator = ", \"destinations\": [";
  for (const NodeId node : schedule.destinations) {
    out.add(separator, index(node));
    separator = ", ";
  }
  if (!schedule.destinations.empty()) {
    out.add("]");
  }
  if (schedule.operation != Operation::none) {
    out.add(", \"blocks\": ", schedule.blocks, ", \"message_bytes\": ", schedule.message_bytes);
  }
  write_chosen(schedule.chosen, out);
}

/// What an MPI program says of a message: the number of an entry, with the ranks where they are not the nodes.
void write_words(const MessageWords& words, const Message& message, std::uint32_t entry, TextOutput& out)
{
  if (words.sender == index(message.source) && words.receiver == index(message.destination)) {
    out.add(", \"mpi\": ", entry);
  } else {
    out.add(", \"mpi\": [", entry, ", ", words.sender, ", ", words.receiver, "]");
  }
}

/// The list of entries.
void write_word_entries(const ProgramWords& words, const WordEntries& entries, TextOutput& out)
{
  out.add(", \"mpi\": [");
  for (std::uint32_t number = 0; number < entries.size(); ++number) {
    out.add(number == 0 ? "\n" : ",\n", entries.text(words, number));
  }
  out.add("]");
}

void write_port(const Schedule& schedule, std::uint32_t id, TextOutput& out)
{
  if (!schedule.ports_of_messages.empty()) {
    out.add(", \"port\": ", unsigned{schedule.ports_of_messages[id]});
  }
}

void write_plain_message(const Schedule& schedule, std::uint32_t id, TextOutput& out)
{
  const Message& message = schedule.messages[id];
  const PlainMessage& plain = schedule.plain[id];
  out.add("{\"id\": ", id);
  if (message.step != 0) {
    out.add(", \"step\": ", message.step);
  }
  out.add(", \"src\": ", index(message.source), ", \"dst\": ", index(message.destination),
          ", \"bytes\": ", plain.bytes);
  if (plain.start != Time{}) {
    out.add(", \"start_us\": ", format_microseconds(plain.start));
  }
  const char* separator = ", \"after\": [";
  const std::span<const MessageId> after = schedule.after[id];
  for (const MessageId earlier : after) {
    out.add(separator, index(earlier));
    separator = ", ";
  }
  out.add(after.empty() ? "" : "]");
  if (plain.compute != Time{}) {
    out.add(", \"compute_us\": ", format_microseconds(plain.compute));
  }
  if (plain.priority != 0) {
    out.add(", \"priority\": ", plain.priority);
  }
  write_port(schedule, id, out);
}

} // namespace

void write_schedule(const Schedule& schedule, std::ostream& out, const WorkProgress& progress)
{
  write_schedule(schedule, nullptr, out, progress);
}

void write_schedule(const Schedule& schedule, const ProgramWords* words, std::ostream& out,
                    const WorkProgress& progress)
{
  if (schedule.program) {
    throw InputError(
        "a program in GOAL cannot be written as a message list: what its ranks wait for has no place there");
  }
  TextOutput output(out);
  SetTexts texts(schedule.block_sets);
  write_header(schedule, output);
  std::optional<WordEntries> entries;
  if (words != nullptr) {
    entries.emplace(*words);
    write_word_entries(*words, *entries, output);
  }
  output.add(", \"messages\": [");
  const char* separator = "\n";
  constexpr std::uint64_t steps_of_message = 8;
  WorkSteps steps;
  for (std::uint32_t id = 0; id < schedule.messages.size(); ++id) {
    steps.add(steps_of_message);
    output.add(separator);
    if (schedule.operation == Operation::none) {
      write_plain_message(schedule, id, output);
      if (entries) {
        write_words(words->messages[id], schedule.messages[id], entries->of_message(id), output);
      }
      output.add("}");
    } else {
      const Message& message = schedule.messages[id];
      output.add("{\"id\": ", id, ", \"step\": ", message.step, ", \"src\": ", index(message.source),
                 ", \"dst\": ", index(message.destination), ", \"blocks\": [", texts[message.blocks], "]");
      write_port(schedule, id, output);
      output.add("}");
    }
    separator = ",\n";
    if (progress && id % 4096 == 0) {
      progress(id, schedule.messages.size());
    }
  }
  output.add("\n]}\n");
}

} // namespace wormcast
