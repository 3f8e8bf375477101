#pragma once

#include "wormcast/algorithms/schedule/block_texts.hpp"
#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/formats/json_reader.hpp"
#include "wormcast/values/work_watch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Whether a message has a key that only messages of plain lists have.
inline bool has_plain_key(const PlainMessage& message)
{
  return message.bytes != 0 || message.start != Time{} || message.compute != Time{} || message.priority != 0;
}

/// The messages of a schedule in the order of its file, checked only as far as the rest of the file is not needed:
/// topology and operation may follow them.
struct MessagesAsRead {
  static constexpr BlockSetId no_blocks{~std::uint32_t{0}};

  std::vector<std::uint32_t> ids;  ///< empty: 0, 1, 2, ...
  std::vector<Message> messages;   ///< without blocks: no_blocks
  std::vector<PlainMessage> plain; ///< without bytes: 0; empty if no message has any of these keys
  MessageLists after;              ///< by position in the file
  std::vector<std::uint8_t> ports; ///< of all messages; empty where none is bound to a port
  static constexpr std::uint32_t in_message = ~std::uint32_t{0};
  static constexpr std::uint32_t of_node = ~std::uint32_t{0};

  std::shared_ptr<ProgramWords> words; ///< of all messages; null where none has any; ranks may be of_node
  /// By position in the file the entry of the list "mpi" that has a message's words; in_message: the message itself.
  std::vector<std::uint32_t> word_entries;
  BlockSets sets;

  std::uint32_t id(std::size_t place) const { return ids.empty() ? static_cast<std::uint32_t>(place) : ids[place]; }
};

/// Reads the elements of `messages` one by one.
class MessageReader {
public:
  explicit MessageReader(JsonReader& reader) : json_(reader) {}

  /// Reads a message. Throws SyntaxError; InputError with the message and the key that is wrong; InputError where the
  /// memory for more messages is not there.
  void read();

  MessagesAsRead take() { return std::move(read_); }

private:
  void read_field(std::size_t field);
  std::uint64_t read_whole(std::string_view key, std::uint64_t minimum, std::uint64_t maximum);
  void read_id();
  void read_blocks();
  Time read_time(std::size_t field);
  void read_after();
  void read_words();
  void read_word_entry();
  // `before`: how many messages before this one, which is the last in read_.messages, have the key.
  void expect_all_or_none(std::string_view key, bool is_there, std::size_t before) const;
  void keep();
  [[noreturn]] void refuse(std::string_view problem) const;

  JsonReader& json_;
  MessagesAsRead read_;
  BlockTexts texts_;

  // The message being read.
  std::optional<std::uint32_t> id_;
  std::string wrong_id_; ///< as written in the file; empty: there is none
  Message message_;
  PlainMessage plain_;
  std::optional<std::uint8_t> port_;
  std::optional<MessageWords> words_;
  std::uint32_t word_entry_ = MessagesAsRead::in_message;
  std::vector<MessageId> after_;
  std::vector<BlockRange> ranges_;
  WorkSteps steps_;
};

} // namespace wormcast
