#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/work_progress.hpp"

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string_view>

namespace wormcast {

/// A plain message list with what an MPI program says of its messages.
struct SpokenSchedule {
  Schedule schedule;
  std::shared_ptr<const ProgramWords> words = {}; ///< of all messages; null: the list has none
};

/// As read_schedule(), with the words. Throws InputError also where some messages have words, and others none.
SpokenSchedule read_spoken_schedule(const std::filesystem::path& file);
SpokenSchedule read_spoken_schedule(std::istream& in, std::string_view name);

/// As write_schedule(), with the words of each message; null: there are none.
void write_schedule(const Schedule& schedule, const ProgramWords* words, std::ostream& out,
                    const WorkProgress& progress = {});

} // namespace wormcast
