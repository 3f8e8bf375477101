#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// The object "mpi" of a message in wormcast-schedule/1 (docs/formats.md).
std::string message_words_json(const ProgramWords& program, const MessageWords& words);

/// Reads it; new texts are added to `program`. Throws InputError with the key.
MessageWords read_message_words(const nlohmann::json& object, ProgramWords& program);

/// What messages say but for their ranks, each different one once: the list "mpi" of wormcast-schedule/1, to whose
/// entries messages refer by number.
class WordEntries {
public:
  /// Of all messages, numbered in the order of their first use.
  explicit WordEntries(const ProgramWords& program);
  /// Reads the list. Throws InputError with the entry and its key.
  WordEntries(const nlohmann::json& list, ProgramWords& program);

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  /// The entry of a message of the program.
  std::uint32_t of_message(std::size_t message) const { return of_messages_[message]; }
  /// With the ranks 0 and 0.
  const MessageWords& entry(std::uint32_t number) const { return entries_[number]; }
  /// The JSON of an entry.
  std::string text(const ProgramWords& program, std::uint32_t number) const;

private:
  std::vector<MessageWords> entries_;
  std::vector<std::uint32_t> of_messages_;
};

} // namespace wormcast
