#include "wormcast/algorithms/schedule/message_reader.hpp"

#include "wormcast/algorithms/schedule/message_words_json.hpp"
#include "wormcast/formats/checked_json.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace wormcast {

namespace {

using nlohmann::json;

enum Field : std::size_t {
  id_field,
  step_field,
  src_field,
  dst_field,
  blocks_field,
  bytes_field,
  start_field,
  after_field,
  compute_field,
  port_field,
  priority_field,
  words_field
};

constexpr std::array<std::string_view, 12> field_names = {
    "id", "step", "src", "dst", "blocks", "bytes", "start_us", "after", "compute_us", "port", "priority", "mpi"};

constexpr std::uint64_t most_ports = 64;
constexpr std::uint64_t most_priority = 255;

// Room for one more: twice as many, where the memory is there.
template <typename Item> void make_room(std::vector<Item>& items)
{
  if (items.size() == items.capacity()) {
    const std::size_t more = std::max<std::size_t>(2 * items.size(), 1024);
    reserve_memory(more * sizeof(Item), fmt::format("a schedule of more than {} messages", items.size()));
    items.reserve(more);
  }
}

// "12.5" as 12500000 ps. At most 12 digits before the point; nothing where there are more than six behind it.
std::optional<Time> picoseconds_of(std::string_view microseconds)
{
  constexpr std::size_t decimals = 6;
  const std::size_t point = std::min(microseconds.find('.'), microseconds.size());
  const std::string_view fraction = microseconds.substr(std::min(point + 1, microseconds.size()));
  if (point > 12 || fraction.size() > decimals) {
    return std::nullopt;
  }
  std::int64_t time = 0;
  for (const std::string_view digits : {microseconds.substr(0, point), fraction}) {
    for (const char digit : digits) {
      time = 10 * time + (digit - '0');
    }
  }
  for (std::size_t i = fraction.size(); i < decimals; ++i) {
    time *= 10;
  }
  return Time{time};
}

// Any value as a range; it can be empty.
std::optional<BlockRange> range_of(const json& value)
{
  const bool pair = value.is_array() && value.size() == 2 && value[0].is_number_unsigned() &&
                    value[1].is_number_unsigned() && value[1].get<std::uint64_t>() < schedule_limit::blocks;
  if (!pair) {
    return std::nullopt;
  }
  const auto end = value[1].get<std::uint32_t>();
  return BlockRange{static_cast<std::uint32_t>(std::min<std::uint64_t>(value[0].get<std::uint64_t>(), end)), end};
}

} // namespace

// A wrong key is reported when the message is complete: its id may follow.
void MessageReader::read()
{
  id_.reset();
  wrong_id_.clear();
  message_ = {.blocks = MessagesAsRead::no_blocks};
  plain_ = {};
  port_.reset();
  words_.reset();
  after_.clear();
  if (json_.kind() != JsonReader::Kind::object) {
    refuse(fmt::format("found {}, expected a message as an object", show(json_.value())));
  }
  json_.enter_object();
  unsigned found = 0;
  std::string problem;
  while (const auto key = json_.next_key()) {
    const auto field = static_cast<std::size_t>(std::ranges::find(field_names, *key) - field_names.begin());
    try {
      if (field == field_names.size()) {
        const std::string unknown(*key);
        json_.value();
        static const std::vector<std::string> known(field_names.begin(), field_names.end());
        throw_unknown_key(unknown, known);
      }
      if ((found & 1U << field) != 0) {
        json_.refuse_repeated(*key);
      }
      found |= 1U << field;
      read_field(field);
    } catch (const SyntaxError&) {
      throw;
    } catch (const InputError& error) {
      problem = problem.empty() ? error.what() : problem;
    }
  }
  for (const Field field : {id_field, src_field, dst_field}) {
    if ((found & 1U << field) == 0) {
      refuse(fmt::format("the key \"{}\" is missing", field_names[field]));
    }
  }
  if (!problem.empty()) {
    refuse(problem);
  }
  keep();
}

void MessageReader::refuse(std::string_view problem) const
{
  const std::string which = id_                 ? std::to_string(*id_)
                            : wrong_id_.empty() ? fmt::format("number {} of the list", read_.messages.size())
                                                : wrong_id_;
  throw InputError(fmt::format("message {}: {}", which, problem));
}

void MessageReader::read_field(std::size_t field)
{
  const std::string_view key = field_names[field];
  const auto node = [&] { return NodeId{static_cast<std::uint32_t>(read_whole(key, 0, schedule_limit::ids - 1))}; };
  switch (field) {
  case id_field:
    return read_id();
  case step_field:
    message_.step = static_cast<std::uint32_t>(read_whole(key, 0, schedule_limit::steps - 1));
    return;
  case src_field:
    message_.source = node();
    return;
  case dst_field:
    message_.destination = node();
    return;
  case blocks_field:
    return read_blocks();
  case bytes_field:
    plain_.bytes = read_whole(key, 1, schedule_limit::bytes);
    return;
  case start_field:
    plain_.start = read_time(field);
    return;
  case compute_field:
    plain_.compute = read_time(field);
    return;
  case port_field:
    port_ = static_cast<std::uint8_t>(read_whole(key, 0, most_ports - 1));
    return;
  case priority_field:
    plain_.priority = static_cast<std::uint8_t>(read_whole(key, 0, most_priority));
    return;
  case words_field:
    return read_words();
  default:
    return read_after();
  }
}

std::uint64_t MessageReader::read_whole(std::string_view key, std::uint64_t minimum, std::uint64_t maximum)
{
  const auto number = json_.whole_number();
  if (!number) {
    return read_number(key, json_.value(), minimum, maximum);
  }
  return *number >= minimum && *number <= maximum ? *number : read_number(key, json(*number), minimum, maximum);
}

void MessageReader::read_id()
{
  constexpr std::string_view key = field_names[id_field];
  const auto number = json_.whole_number();
  if (number && *number < schedule_limit::ids) {
    id_ = static_cast<std::uint32_t>(*number);
    return;
  }
  const json value = number ? json(*number) : json_.value();
  wrong_id_ = show(value);
  id_ = static_cast<std::uint32_t>(read_number(key, value, 0, schedule_limit::ids - 1));
}

// The whole list is read even if one of its ranges is wrong.
void MessageReader::read_blocks()
{
  constexpr std::string_view key = field_names[blocks_field];
  ranges_.clear();
  if (json_.kind() != JsonReader::Kind::list) {
    throw_wrong(key, json_.value(), "a list of at least one range [begin, end]");
  }
  if (const auto known = texts_.find(json_.ahead(BlockTexts::longest))) {
    json_.skip_value(known->size);
    message_.blocks = known->set;
    return;
  }
  const std::uint64_t begin = json_.offset();
  std::optional<json> wrong;
  json_.enter_list();
  while (json_.next_item()) {
    const auto pair = json_.pair_of_whole_numbers();
    if (pair && pair->first < pair->second && pair->second < schedule_limit::blocks) {
      ranges_.push_back({static_cast<std::uint32_t>(pair->first), static_cast<std::uint32_t>(pair->second)});
      continue;
    }
    json value = pair ? json::array({pair->first, pair->second}) : json_.value();
    const auto range = range_of(value);
    if (range && range->begin < range->end) {
      ranges_.push_back(*range);
    } else if (!wrong) {
      wrong = std::move(value);
    }
  }
  if (wrong) {
    throw_wrong(key, *wrong, range_of(*wrong) ? "a range that is not empty" : "a half-open range [begin, end]");
  }
  if (ranges_.empty()) {
    throw_wrong(key, json::array(), "a list of at least one range [begin, end]");
  }
  message_.blocks = read_.sets.intern(ranges_);
  if (const auto list = json_.since(begin)) {
    texts_.keep(*list, message_.blocks);
  }
}

Time MessageReader::read_time(std::size_t field)
{
  constexpr std::size_t longest = 19; // 12 digits, the point and six decimals
  const auto text = json_.plain_decimal(longest);
  const auto time = text ? picoseconds_of(*text) : std::nullopt;
  if (time) {
    return *time;
  }
  const json value = text ? json::binary(std::vector<std::uint8_t>(text->begin(), text->end())) : json_.value();
  return read_microseconds(field_names[field], value);
}

void MessageReader::read_after()
{
  constexpr std::string_view key = field_names[after_field];
  if (json_.kind() != JsonReader::Kind::list) {
    throw_wrong(key, json_.value(), "a list of message ids");
  }
  std::optional<json> wrong;
  json_.enter_list();
  while (json_.next_item()) {
    const auto number = json_.whole_number();
    if (number && *number < schedule_limit::ids) {
      after_.push_back(MessageId{static_cast<std::uint32_t>(*number)});
      continue;
    }
    json value = number ? json(*number) : json_.value();
    if (!wrong) {
      wrong = std::move(value);
    }
  }
  if (wrong) {
    throw_wrong(key, *wrong, fmt::format("a whole number from 0 to {}", schedule_limit::ids - 1));
  }
}

void MessageReader::read_words()
{
  if (!read_.words) {
    read_.words = std::make_shared<ProgramWords>();
  }
  if (json_.kind() == JsonReader::Kind::number || json_.kind() == JsonReader::Kind::list) {
    return read_word_entry();
  }
  words_ = read_message_words(json_.value(), *read_.words);
  word_entry_ = MessagesAsRead::in_message;
}

void MessageReader::read_word_entry()
{
  constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max() - 1;
  words_ = MessageWords{.sender = MessagesAsRead::of_node, .receiver = MessagesAsRead::of_node};
  if (json_.kind() == JsonReader::Kind::number) {
    word_entry_ = static_cast<std::uint32_t>(read_whole("mpi", 0, largest));
    return;
  }
  std::array<std::uint32_t, 3> numbers{};
  std::size_t count = 0;
  json_.enter_list();
  while (json_.next_item()) {
    const auto number = static_cast<std::uint32_t>(read_whole("mpi", 0, largest));
    if (count < numbers.size()) {
      numbers[count] = number;
    }
    ++count;
  }
  if (count != numbers.size()) {
    throw InputError(
        fmt::format("mpi: found a list of {}, expected the number of an entry, sender and receiver", count));
  }
  word_entry_ = numbers[0];
  words_->sender = numbers[1];
  words_->receiver = numbers[2];
}

void MessageReader::expect_all_or_none(std::string_view key, bool is_there, std::size_t before) const
{
  if (is_there && before < read_.messages.size() - 1) {
    refuse(fmt::format("it has \"{}\", but messages before it have not", key));
  }
  if (!is_there && before > 0) {
    refuse(fmt::format("it has no \"{}\", but messages before it have", key));
  }
}

void MessageReader::keep()
{
  constexpr std::uint64_t steps_of_message = 8;
  steps_.add(steps_of_message);
  const std::size_t place = read_.messages.size();
  if (read_.ids.empty() && *id_ != place) {
    for (std::uint32_t earlier = 0; earlier < place; ++earlier) {
      make_room(read_.ids);
      read_.ids.push_back(earlier);
    }
  }
  if (!read_.ids.empty() || *id_ != place) {
    make_room(read_.ids);
    read_.ids.push_back(*id_);
  }
  make_room(read_.messages);
  read_.messages.push_back(message_);
  if (has_plain_key(plain_) || !read_.plain.empty()) {
    while (read_.plain.size() < place) {
      make_room(read_.plain);
      read_.plain.emplace_back();
    }
    make_room(read_.plain);
    read_.plain.push_back(plain_);
  }
  expect_all_or_none("port", port_.has_value(), read_.ports.size());
  if (port_) {
    make_room(read_.ports);
    read_.ports.push_back(*port_);
  }
  expect_all_or_none("mpi", words_.has_value(), read_.words ? read_.words->messages.size() : 0);
  if (words_) {
    make_room(read_.words->messages);
    read_.words->messages.push_back(*words_);
    make_room(read_.word_entries);
    read_.word_entries.push_back(word_entry_);
  }
  read_.after.set(place, after_);
}

} // namespace wormcast
