#include "wormcast/algorithms/schedule/message_words_json.hpp"

#include "wormcast/formats/checked_json.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wormcast {

namespace {

using nlohmann::json;

constexpr std::uint64_t largest_word_number = std::numeric_limits<std::uint32_t>::max();

std::uint32_t number_of_words_text(const json& object, const char* key, NumberedTexts& texts, bool is_required)
{
  const auto found = object.find(key);
  if (found == object.end() && !is_required) {
    return texts.number("");
  }
  if (found == object.end() || !found->is_string()) {
    throw_wrong(std::string("mpi.") + key, found == object.end() ? json() : *found, "a text");
  }
  return texts.number(found->get_ref<const std::string&>());
}

std::int32_t read_tag(const json& value)
{
  if (!value.is_number_integer() || value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    throw_wrong("mpi.tag", value, "a whole number of 32 bits");
  }
  return value.get<std::int32_t>();
}

/// What is behind the ranks: `"call": "MPI_Isend", "tag": 7, ...`.
std::string members_json(const ProgramWords& program, const MessageWords& words)
{
  std::string text;
  if (const std::string& call = program.calls.text(words.call); !call.empty()) {
    text += "\"call\": " + json(call).dump() + ", ";
  }
  if (words.collective != 0) {
    text += fmt::format("\"collective\": {}, ", words.collective);
  }
  text += fmt::format("\"tag\": {}, \"communicator\": {}", words.tag,
                      json(program.communicators.text(words.communicator)).dump());
  if (const std::string& region = program.regions.text(words.region); !region.empty()) {
    text += ", \"region\": " + json(region).dump();
  }
  return text;
}

/// The keys that `known` names, but for the ranks.
MessageWords read_members(const json& object, const std::vector<std::string>& known, ProgramWords& program)
{
  if (!object.is_object()) {
    throw_wrong("mpi", object, "an object");
  }
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      throw_unknown_key(key, known);
    }
  }
  if (!object.contains("tag")) {
    throw InputError("the key \"mpi.tag\" is missing");
  }
  MessageWords words;
  words.tag = read_tag(object["tag"]);
  if (object.contains("collective")) {
    words.collective =
        static_cast<std::uint32_t>(read_number("mpi.collective", object["collective"], 1, largest_word_number));
  }
  words.call = number_of_words_text(object, "call", program.calls, false);
  words.communicator = number_of_words_text(object, "communicator", program.communicators, true);
  words.region = number_of_words_text(object, "region", program.regions, false);
  return words;
}

struct EntryHash {
  std::size_t operator()(const MessageWords& words) const
  {
    std::uint64_t hash = 0;
    for (const std::uint64_t part :
         {std::uint64_t{words.call}, std::uint64_t{words.communicator}, std::uint64_t{words.region},
          std::uint64_t{words.collective}, static_cast<std::uint64_t>(words.tag)}) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32U;
    }
    return hash;
  }
};

} // namespace

std::string message_words_json(const ProgramWords& program, const MessageWords& words)
{
  return fmt::format("{{\"sender\": {}, \"receiver\": {}, {}}}", words.sender, words.receiver,
                     members_json(program, words));
}

MessageWords read_message_words(const json& object, ProgramWords& program)
{
  static const std::vector<std::string> known = {"sender", "receiver",     "call",  "collective",
                                                 "tag",    "communicator", "region"};
  MessageWords words = read_members(object, known, program);
  for (const char* key : {"sender", "receiver"}) {
    if (!object.contains(key)) {
      throw InputError(fmt::format("the key \"mpi.{}\" is missing", key));
    }
  }
  words.sender = static_cast<std::uint32_t>(read_number("mpi.sender", object["sender"], 0, largest_word_number));
  words.receiver = static_cast<std::uint32_t>(read_number("mpi.receiver", object["receiver"], 0, largest_word_number));
  return words;
}

WordEntries::WordEntries(const ProgramWords& program)
{
  std::unordered_map<MessageWords, std::uint32_t, EntryHash> numbers;
  of_messages_.reserve(program.messages.size());
  for (MessageWords words : program.messages) {
    words.sender = 0;
    words.receiver = 0;
    if (!of_messages_.empty() && entries_[of_messages_.back()] == words) {
      of_messages_.push_back(of_messages_.back());
      continue;
    }
    const auto [place, is_new] = numbers.try_emplace(words, size());
    if (is_new) {
      entries_.push_back(words);
    }
    of_messages_.push_back(place->second);
  }
}

WordEntries::WordEntries(const json& list, ProgramWords& program)
{
  static const std::vector<std::string> known = {"call", "collective", "tag", "communicator", "region"};
  if (!list.is_array()) {
    throw_wrong("mpi", list, "a list of objects");
  }
  for (const json& object : list) {
    try {
      entries_.push_back(read_members(object, known, program));
    } catch (const InputError& error) {
      throw InputError(fmt::format("entry {} of \"mpi\": {}", size(), error.what()));
    }
  }
}

std::string WordEntries::text(const ProgramWords& program, std::uint32_t number) const
{
  return "{" + members_json(program, entries_[number]) + "}";
}

} // namespace wormcast
