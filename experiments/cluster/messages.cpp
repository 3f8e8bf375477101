#include "wormcast/experiments/cluster/messages.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::json;

constexpr std::size_t length_bytes = 8;

std::string framed_list(const Json& list)
{
  std::string bytes(length_bytes, '\0');
  Json::to_cbor(list, bytes);
  std::uint64_t length = bytes.size() - length_bytes;
  for (std::size_t i = 0; i < length_bytes; ++i, length >>= 8) {
    bytes[i] = static_cast<char>(length & 0xff);
  }
  return bytes;
}

std::size_t length_at(std::string_view bytes)
{
  std::uint64_t length = 0;
  for (std::size_t i = length_bytes; i > 0; --i) {
    length = length << 8 | static_cast<unsigned char>(bytes[i - 1]);
  }
  return length;
}

/// Makes a message of a list of so many members.
template <typename Make> auto read(std::string_view message, std::size_t members, const Make& make)
{
  try {
    const Json list = Json::from_cbor(message);
    if (!list.is_array() || list.size() != members) {
      throw MessageError("a message of another kind was expected");
    }
    return make(list);
  } catch (const Json::exception& error) {
    throw MessageError(error.what());
  }
}

} // namespace

std::string framed(const Hello& hello)
{
  return framed_list(
      Json::array({hello.token, hello.rank, hello.host, hello.version, hello.basis, hello.places, hello.error}));
}

std::string framed(const Task& task)
{
  return framed_list(Json::array({task.number, task.text}));
}

std::string framed(const TaskOutcome& outcome)
{
  return framed_list(Json::array(
      {outcome.task, outcome.report.code, outcome.report.text, outcome.signal, outcome.talk, outcome.wall_seconds}));
}

Hello hello_of(std::string_view message)
{
  return read(message, 7, [](const Json& list) {
    return Hello{.token = list[0],
                 .rank = list[1],
                 .host = list[2],
                 .version = list[3],
                 .basis = list[4],
                 .places = list[5],
                 .error = list[6]};
  });
}

Task task_of(std::string_view message)
{
  return read(message, 2, [](const Json& list) { return Task{.number = list[0], .text = list[1]}; });
}

TaskOutcome outcome_of(std::string_view message)
{
  return read(message, 6, [](const Json& list) {
    return TaskOutcome{.task = list[0],
                       .report = {.code = list[1], .text = list[2]},
                       .signal = list[3],
                       .talk = list[4],
                       .wall_seconds = list[5]};
  });
}

std::optional<std::string> MessageStream::next(std::size_t most)
{
  const std::string_view rest = std::string_view(bytes_).substr(begin_);
  if (rest.size() < length_bytes) {
    return std::nullopt;
  }
  const std::size_t length = length_at(rest);
  if (length > most) {
    throw MessageError("a message is too long");
  }
  if (rest.size() - length_bytes < length) {
    return std::nullopt;
  }
  std::string message(rest.substr(length_bytes, length));
  begin_ += length_bytes + length;
  if (begin_ == bytes_.size()) {
    bytes_.clear();
    begin_ = 0;
  } else if (begin_ > bytes_.size() / 2) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  return message;
}

} // namespace wormcast
