#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace wormcast {

/// The object "mpi" of a message in wormcast-schedule/1 (docs/formats.md).
std::string message_words_json(const ProgramWords& program, const MessageWords& words);

/// Reads it; new texts are added to `program`. Throws InputError with the key.
MessageWords read_message_words(const nlohmann::json& object, ProgramWords& program);

} // namespace wormcast
