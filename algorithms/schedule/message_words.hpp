#pragma once

#include "wormcast/values/names.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// Different texts, numbered in the order of their first use.
class NumberedTexts {
public:
  /// The number of `text`, which is new where it was not met before.
  std::uint32_t number(std::string_view text);
  const std::string& text(std::uint32_t number) const { return texts_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// What an MPI program says of one message that it sent, with numbers of the texts of ProgramWords.
struct MessageWords {
  std::uint32_t sender = 0;   ///< rank in MPI_COMM_WORLD
  std::uint32_t receiver = 0; ///< rank in MPI_COMM_WORLD
  std::uint32_t call = 0;     ///< the sender's MPI function; empty text: not known, as in replays
  std::uint32_t communicator = 0;
  std::uint32_t region = 0; ///< of the sender, as the program names it; empty text: none
  /// Which of its kind on its communicator the collective is, from 1; 0: the message is of no collective.
  std::uint32_t collective = 0;
  std::int32_t tag = 0; ///< below 0 where the message is not point to point: SMPI's own

  friend bool operator==(const MessageWords&, const MessageWords&) = default;
};

/// By what messages of a program are put together.
enum class WordGroup {
  call,         ///< "MPI_Isend"
  collective,   ///< "MPI_Bcast 3 of MPI_COMM_WORLD"; messages of no collective by their call
  communicator, ///< "MPI_COMM_WORLD"
  region,       ///< "solver"; "no region" where the program names none
  tag           ///< "tag 7"; messages that are not point to point by their call
};
inline constexpr auto word_group_names = names<WordGroup>({{WordGroup::call, "call"},
                                                           {WordGroup::collective, "collective"},
                                                           {WordGroup::communicator, "communicator"},
                                                           {WordGroup::region, "region"},
                                                           {WordGroup::tag, "tag"}});

/// The words of all messages of a program, by message id.
struct ProgramWords {
  NumberedTexts calls;
  NumberedTexts communicators;
  NumberedTexts regions;
  std::vector<MessageWords> messages;

  bool is_point_to_point(const MessageWords& words) const { return words.collective == 0 && words.tag >= 0; }

  /// The name of the group of a message, which is the same for all messages of the group.
  std::string group_name(const MessageWords& words, WordGroup group) const;
  /// "MPI_Isend from rank 0 to rank 1, tag 7, MPI_COMM_WORLD, in solver".
  std::string text(const MessageWords& words) const;
};

} // namespace wormcast
