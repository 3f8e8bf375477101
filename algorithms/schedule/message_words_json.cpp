#include "wormcast/algorithms/schedule/message_words_json.hpp"

#include "wormcast/formats/checked_json.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
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

} // namespace

std::string message_words_json(const ProgramWords& program, const MessageWords& words)
{
  std::string text = fmt::format("{{\"sender\": {}, \"receiver\": {}", words.sender, words.receiver);
  if (const std::string& call = program.calls.text(words.call); !call.empty()) {
    text += ", \"call\": " + json(call).dump();
  }
  if (words.collective != 0) {
    text += fmt::format(", \"collective\": {}", words.collective);
  }
  text += fmt::format(", \"tag\": {}, \"communicator\": {}", words.tag,
                      json(program.communicators.text(words.communicator)).dump());
  if (const std::string& region = program.regions.text(words.region); !region.empty()) {
    text += ", \"region\": " + json(region).dump();
  }
  return text + "}";
}

MessageWords read_message_words(const json& object, ProgramWords& program)
{
  static const std::vector<std::string> known = {"sender", "receiver",     "call",  "collective",
                                                 "tag",    "communicator", "region"};
  if (!object.is_object()) {
    throw_wrong("mpi", object, "an object");
  }
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      throw_unknown_key(key, known);
    }
  }
  for (const char* key : {"sender", "receiver", "tag"}) {
    if (!object.contains(key)) {
      throw InputError(fmt::format("the key \"mpi.{}\" is missing", key));
    }
  }
  MessageWords words;
  words.sender = static_cast<std::uint32_t>(read_number("mpi.sender", object["sender"], 0, largest_word_number));
  words.receiver = static_cast<std::uint32_t>(read_number("mpi.receiver", object["receiver"], 0, largest_word_number));
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

} // namespace wormcast
