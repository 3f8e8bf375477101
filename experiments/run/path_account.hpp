#pragma once

#include "wormcast/experiments/run/path_names.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace wormcast {

struct ProgramWords;

/// A way to divide the time of a critical path: all messages of one name are added up.
struct PathGrouping {
  std::string title;                               ///< "by sender"
  std::function<std::string(MessageId)> name = {}; ///< the name of a message's group, by its id in the schedule
};

/// The time of one group on the path.
struct PathGroup {
  std::string name;
  Time time;
  Time startup;             ///< the part of it that is start-ups
  std::size_t messages = 0; ///< messages on the path that have time in it, those that only held a port included
};

/// Returns the groups by descending time, of equal ones in the order of the path; their times add up to the latency.
/// Time while a port is held belongs to the message that holds it. Time that belongs to no message is in the group of
/// its cause: late starts, the program between messages, computing of nodes.
std::vector<PathGroup> path_groups(const CriticalPath& path, const PathGrouping& grouping);

/// What an MPI program says of the messages: by rank that sends, pair of ranks, MPI function, and by region where there
/// are any. Empty where no functions are known, as of replays. `words` must outlive the groupings.
std::vector<PathGrouping> word_groupings(const ProgramWords& words);

/// "by sender" and "by sender and receiver".
std::vector<PathGrouping> node_groupings(const PathNames& names);

/// Means over several paths, by PathCause, in picoseconds.
using PathMeans = std::array<double, path_cause_count>;

/// Returns the sums by cause as lines of text, which add up to the latency; with `means` a second column. Waits for the
/// port of the sender are one line with parts below it.
std::string sums_text(const CriticalPath& path, const PathMeans* means, std::size_t width);

/// Returns a block of lines for each grouping that has more than one group: the longest groups, and the sum of the
/// others.
std::string groups_text(const CriticalPath& path, const std::vector<PathGrouping>& groupings);

/// Returns the longest segments of the path as lines of text, each with its message.
std::string longest_text(const PathNames& names, const CriticalPath& path, std::size_t width);

/// "12.3": `part` in percent of `whole`.
std::string percentage(Time part, Time whole);

} // namespace wormcast
