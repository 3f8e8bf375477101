#pragma once

#include "wormcast/experiments/program/commands/command.hpp"
#include "wormcast/experiments/shards/kept_workers.hpp"
#include "wormcast/experiments/sweep/shared_part.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace wormcast {

/// The options of work whose results are stored in a folder, and that several processes can share.
struct SharingArguments {
  std::string out;     ///< the folder; empty: the command's own, if it has one
  std::string shard;   ///< "3/64"; empty: none
  bool no_run = false; ///< compute nothing
  bool resume = false; ///< go on with what is in the folder
};

/// The option --out with `text`, and --shard, --no-run and --resume.
std::vector<CommandOption> sharing_options(SharingArguments& arguments, const std::string& text);

/// For --out of commands that print their results.
inline constexpr const char* kept_runs_text = "folder that keeps the results of all runs (results.sqlite), so that "
                                              "--resume and --shard can take them";

/// `options`, then those of sharing_options().
std::vector<CommandOption> with_sharing(std::vector<CommandOption> options, SharingArguments& arguments,
                                        const std::string& text);

/// One pass over the work of a command.
struct WorkPass {
  ResultStore* store = nullptr; ///< of the results; none: nothing is stored
  SharedPart part = {};
  bool is_shard = false; ///< what is left out is done by others, and nothing is reported
};

/// The outcome of a pass.
struct PassOutcome {
  int interrupted_by = 0;           ///< a signal, or 0
  KeptCounts counts = {};           ///< what was computed, and what is missing
  std::function<int()> report = {}; ///< writes and prints the results of complete work; returns the exit code
};

/// Whether results of an earlier run may lie where this one begins.
enum class EarlierResults {
  refused, ///< not without --resume
  removed  ///< without --resume they are removed
};

/// The work of a command.
struct SharedCommand {
  std::filesystem::path folder; ///< empty: nothing is stored, so that nothing can be shared
  std::string things;           ///< what is computed, for people: "points"
  EarlierResults earlier = EarlierResults::refused;
  /// The keys of all results of a shard, where they are known beforehand: no others are read.
  std::function<std::unordered_set<std::string>(const Shard& shard)> keys_of = {};
  std::function<PassOutcome(const WorkPass& pass)> pass = {};
};

/// Does the work of a command: all of it, with what shards have computed; or, with --shard, or as one of several ranks,
/// a part, and as the rank that is complete last the rest. Signals are watched (InterruptGuard). Returns the exit code.
/// Throws InputError where the options do not fit, where earlier results are in the way, and where another process
/// does the same.
int share_work(const SharingArguments& arguments, const SharedCommand& command);

} // namespace wormcast
