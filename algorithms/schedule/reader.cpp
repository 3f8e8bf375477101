#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/algorithms/schedule/header_reader.hpp"
#include "wormcast/algorithms/schedule/message_reader.hpp"
#include "wormcast/algorithms/schedule/message_words_json.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/formats/checked_json.hpp"
#include "wormcast/formats/json_reader.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <numeric>

namespace wormcast {

namespace {

using nlohmann::json;

constexpr std::size_t deepest_nesting = 16; // a schedule needs 5

// The file as it is, with `messages` apart.
struct Document {
  json header;
  MessagesAsRead read;
};

Document read_document(JsonReader& reader)
{
  Document document;
  if (reader.kind() != JsonReader::Kind::object) {
    document.header = reader.value();
    reader.finish();
    return document;
  }
  document.header = json::object();
  reader.enter_object();
  while (const auto found = reader.next_key()) {
    const std::string key(*found);
    if (document.header.contains(key)) {
      reader.refuse_repeated(key);
    }
    if (key != "messages" || reader.kind() != JsonReader::Kind::list) {
      document.header[key] = reader.value();
      continue;
    }
    document.header[key] = json::array();
    MessageReader messages(reader);
    reader.enter_list();
    while (reader.next_item()) {
      messages.read();
    }
    document.read = messages.take();
  }
  reader.finish();
  return document;
}

// Checks messages in the order of the file.
class MessageChecker {
public:
  MessageChecker(const MessagesAsRead& read, const Topology& topology, const Schedule& schedule)
      : read_(read), topology_(topology), schedule_(schedule), nodes_(topology.host_count()),
        seen_(read.ids.empty() ? 0 : read.messages.size(), false)
  {}

  void check_all()
  {
    for (std::size_t place = 0; place < read_.messages.size(); ++place) {
      try {
        check_id(place);
        check(place);
      } catch (const InputError& error) {
        throw InputError(fmt::format("message {}: {}", read_.id(place), error.what()));
      }
    }
  }

private:
  void check_id(std::size_t place)
  {
    if (read_.ids.empty()) {
      return;
    }
    const std::uint32_t id = read_.ids[place];
    if (id >= seen_.size()) {
      throw InputError(fmt::format("ids must be 0 to {} for {} messages", seen_.size() - 1, seen_.size()));
    }
    if (seen_[id]) {
      throw InputError("this id occurs twice");
    }
    seen_[id] = true;
  }

  void check(std::size_t place) const
  {
    const Message& message = read_.messages[place];
    check_node("src", message.source);
    check_node("dst", message.destination);
    if (message.source == message.destination) {
      throw InputError(fmt::format("node {} sends to itself", index(message.source)));
    }
    if (schedule_.operation == Operation::none) {
      check_plain(place);
    } else {
      check_blocks(place);
    }
  }

  void check_node(std::string_view key, NodeId node) const
  {
    if (index(node) >= nodes_) {
      if (index(node) < topology_.node_count()) {
        check_host(topology_, node, fmt::format("{}: node {}", key, index(node)));
      }
      throw InputError(fmt::format("{}: node {} is outside of the {}, expected 0 to {}", key, index(node),
                                   topology_.title(), nodes_ - 1));
    }
  }

  void check_plain(std::size_t place) const
  {
    const bool has_bytes = !read_.plain.empty() && read_.plain[place].bytes > 0;
    if (!has_bytes || read_.messages[place].blocks != MessagesAsRead::no_blocks) {
      throw InputError("a message of operation \"none\" needs \"bytes\" and has no \"blocks\"");
    }
    for (const MessageId earlier : read_.after[place]) {
      if (index(earlier) >= read_.messages.size()) {
        throw InputError(fmt::format("after: there is no message {}", index(earlier)));
      }
    }
  }

  void check_blocks(std::size_t place) const
  {
    const BlockSetId blocks = read_.messages[place].blocks;
    const bool is_plain = !read_.plain.empty() && has_plain_key(read_.plain[place]);
    if (blocks == MessagesAsRead::no_blocks || is_plain || !read_.after[place].empty()) {
      throw InputError(
          fmt::format("a message of operation \"{}\" needs \"blocks\"; \"bytes\", \"start_us\", \"after\", "
                      "\"compute_us\" and \"priority\" belong to operation \"none\"",
                      operation_names.text(schedule_.operation)));
    }
    if (const std::uint32_t end = read_.sets.end(blocks); end > schedule_.blocks) {
      throw InputError(fmt::format("block {} does not exist, the last one is {}", end - 1, schedule_.blocks - 1));
    }
  }

  const MessagesAsRead& read_;
  const Topology& topology_;
  const Schedule& schedule_;
  std::uint32_t nodes_;
  std::vector<bool> seen_; ///< by id, where ids have an order of their own
};

// By id instead of by position in the file.
template <typename Item> std::vector<Item> ordered(std::vector<Item> items, const std::vector<std::uint32_t>& ids)
{
  if (ids.empty() || items.empty()) {
    return items;
  }
  std::vector<Item> by_id(items.size());
  for (std::size_t place = 0; place < items.size(); ++place) {
    by_id[ids[place]] = items[place];
  }
  return by_id;
}

MessageLists ordered(MessageLists lists, const std::vector<std::uint32_t>& ids)
{
  if (ids.empty() || lists.entry_count() == 0) {
    return lists;
  }
  std::vector<std::uint32_t> places(ids.size());
  for (std::uint32_t place = 0; place < ids.size(); ++place) {
    places[ids[place]] = place;
  }
  MessageLists by_id;
  for (std::size_t id = 0; id < places.size(); ++id) {
    by_id.set(id, lists[places[id]]);
  }
  return by_id;
}

bool waits_only_for_earlier(const Schedule& schedule)
{
  for (std::uint32_t id = 0; id < schedule.messages.size(); ++id) {
    if (std::ranges::any_of(schedule.after[id], [&](MessageId before) { return index(before) >= id; })) {
      return false;
    }
  }
  return true;
}

// A message that waits for itself, through others or directly, would wait forever.
void check_after_is_acyclic(const Schedule& schedule)
{
  if (waits_only_for_earlier(schedule)) {
    return;
  }
  const std::size_t count = schedule.messages.size();
  std::vector<std::uint32_t> missing(count);
  std::vector<std::size_t> place(count + 1, 0); // in dependents, by message
  for (std::size_t id = 0; id < count; ++id) {
    missing[id] = static_cast<std::uint32_t>(schedule.after[id].size());
    for (const MessageId earlier : schedule.after[id]) {
      ++place[index(earlier)];
    }
  }
  std::partial_sum(place.begin(), place.end(), place.begin()); // where the dependents of each message end
  std::vector<std::uint32_t> dependents(schedule.after.entry_count());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t id = 0; id < count; ++id) {
    for (const MessageId earlier : schedule.after[id]) {
      dependents[--place[index(earlier)]] = id;
    }
    if (missing[id] == 0) {
      ready.push_back(id);
    }
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    for (std::size_t later = place[ready[i]]; later < place[ready[i] + 1]; ++later) {
      if (--missing[dependents[later]] == 0) {
        ready.push_back(dependents[later]);
      }
    }
  }
  if (ready.size() < count) {
    const auto stuck = std::ranges::find_if(missing, [](std::uint32_t left) { return left > 0; });
    throw InputError(
        fmt::format("message {}: after: it waits, directly or through others, for messages that wait for it",
                    stuck - missing.begin()));
  }
}

/// Completes the words of messages that refer to the list "mpi" of the file.
void take_word_entries(const json& header, MessagesAsRead& read)
{
  const json no_entries = json::array();
  const WordEntries entries(header.contains("mpi") ? header["mpi"] : no_entries, *read.words);
  for (std::size_t place = 0; place < read.word_entries.size(); ++place) {
    const std::uint32_t entry = read.word_entries[place];
    if (entry == MessagesAsRead::in_message) {
      continue;
    }
    if (entry >= entries.size()) {
      throw InputError(fmt::format("message {}: mpi: found {}, but the list \"mpi\" of the schedule has {} entries",
                                   read.id(place), entry, entries.size()));
    }
    MessageWords& words = read.words->messages[place];
    const MessageWords ranks = words;
    words = entries.entry(entry);
    words.sender = ranks.sender == MessagesAsRead::of_node ? index(read.messages[place].source) : ranks.sender;
    words.receiver =
        ranks.receiver == MessagesAsRead::of_node ? index(read.messages[place].destination) : ranks.receiver;
  }
}

Schedule assemble(Document document, std::shared_ptr<const ProgramWords>& words)
{
  Schedule schedule;
  const std::unique_ptr<Topology> topology = read_schedule_header(document.header, schedule);
  MessagesAsRead& read = document.read;
  MessageChecker(read, *topology, schedule).check_all();
  if (read.words) {
    take_word_entries(document.header, read);
  }
  if (schedule.operation == Operation::none) {
    for (Message& message : read.messages) {
      message.blocks = {};
    }
    schedule.plain = ordered(std::move(read.plain), read.ids);
  }
  schedule.block_sets = std::move(read.sets);
  schedule.messages = ordered(std::move(read.messages), read.ids);
  schedule.after = ordered(std::move(read.after), read.ids);
  schedule.ports_of_messages = ordered(std::move(read.ports), read.ids);
  if (read.words) {
    if (schedule.operation != Operation::none) {
      throw InputError("\"mpi\" belongs to messages of operation \"none\"");
    }
    read.words->messages = ordered(std::move(read.words->messages), read.ids);
    words = std::move(read.words);
  }
  check_after_is_acyclic(schedule);
  return schedule;
}

} // namespace

Schedule read_schedule(std::istream& in, std::string_view name)
{
  return read_spoken_schedule(in, name).schedule;
}

SpokenSchedule read_spoken_schedule(std::istream& in, std::string_view name)
{
  JsonReader reader(in, name, deepest_nesting);
  try {
    SpokenSchedule spoken;
    spoken.schedule = assemble(read_document(reader), spoken.words);
    return spoken;
  } catch (const SyntaxError&) {
    throw;
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

Schedule read_schedule(const std::filesystem::path& file)
{
  return read_spoken_schedule(file).schedule;
}

SpokenSchedule read_spoken_schedule(const std::filesystem::path& file)
{
  std::ifstream in = open_file(file);
  return read_spoken_schedule(in, file.string());
}

} // namespace wormcast
