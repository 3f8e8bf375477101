#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/work_progress.hpp"

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace wormcast {

/// Reads a schedule in the format wormcast-schedule/1 (docs/formats.md), message by message, so that memory is the
/// schedule's own. Checks that the topology can be made, that nodes, blocks, ids and `after` exist, that no message
/// goes from a node to itself, that sizes are at least one byte, and that `after` has no cycle. Unknown keys are
/// errors. Throws InputError with file, line and column (malformed or truncated JSON) or message id and key; FileError
/// if it cannot be read.
Schedule read_schedule(const std::filesystem::path& file);

/// The same from a stream; `name` is the file's name in errors.
Schedule read_schedule(std::istream& in, std::string_view name);

/// Writes format wormcast-schedule/1, one message a line. The stream's state shows whether writing failed.
void write_schedule(const Schedule& schedule, std::ostream& out, const WorkProgress& progress = {});

} // namespace wormcast
