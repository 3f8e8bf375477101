#pragma once

#include "wormcast/experiments/process/workers.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wormcast {

/// What a rank says first to the one that hands out tasks.
struct Hello {
  std::string token; ///< of the job: who does not know it does not belong to it
  std::size_t rank = 0;
  std::string host;       ///< name of the node
  std::string version;    ///< build_description
  std::string basis;      ///< TaskWork's
  std::size_t places = 1; ///< tasks at a time
  std::string error;      ///< why it cannot compute anything; empty: it can
};

/// Bytes that are no message.
class MessageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A message with its length before it, as it is sent. Messages are lists in CBOR; numbers of bytes are eight, the
/// least significant first.
std::string framed(const Hello& hello);
std::string framed(const Task& task);
std::string framed(const TaskOutcome& outcome);

/// The messages without their lengths. Throw MessageError.
Hello hello_of(std::string_view message);
Task task_of(std::string_view message);
TaskOutcome outcome_of(std::string_view message);

/// Cuts a stream of bytes into messages.
class MessageStream {
public:
  void append(std::string_view bytes) { bytes_.append(bytes); }

  /// The next message that is there as a whole. Throws MessageError where one is to be longer than `most`.
  std::optional<std::string> next(std::size_t most);

private:
  std::string bytes_;
  std::size_t begin_ = 0; ///< of what was not returned
};

} // namespace wormcast
