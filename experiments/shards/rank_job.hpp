#pragma once

#include "wormcast/experiments/output/folder_lock.hpp"
#include "wormcast/experiments/shards/shard_stores.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace wormcast {

/// How long a rank that could merge waits for others.
struct RankTimeouts {
  std::chrono::milliseconds absent{30'000}; ///< for one that has not begun in this launch
  std::chrono::milliseconds ended{1'000};   ///< for one that has begun, does not run, and was not complete
};

/// The ranks of one launch (mpirun, srun), each with the shard of its number. The rank that is complete last merges.
/// They communicate by files and locks in FOLDER/shards only, so that a rank that dies blocks none.
class RankJob {
public:
  /// The next action of a rank that has completed its shard.
  enum class Ending {
    others_run,    ///< it ends: another rank merges, or reports the missing part
    merge,         ///< all are complete, it merges; until its end no other rank can
    shards_missing ///< none runs, and some were not completed
  };

  /// `launch` is Launch::id.
  RankJob(std::filesystem::path out, const Shard& shard, const std::string& launch, RankTimeouts timeouts = {});

  /// Notes that this rank has begun. The shard's lock must be held, from here to end().
  void begin() const;

  /// Records that this rank has done all of `work` (TaskWork::fingerprint) that it can do. Throws OutputError.
  Ending end(const std::string& work);

  /// After Ending::shards_missing: which, for people.
  const std::vector<std::string>& missing() const { return missing_; }

private:
  /// The states of the other ranks while the job's lock is held.
  enum class Others { complete, running, ended, absent };
  Others look_at_others(const std::string& work);

  std::filesystem::path out_;
  Shard shard_;
  std::string launch_;
  RankTimeouts timeouts_;
  FolderLock job_lock_;   ///< FOLDER/shards: held while looking, and while merging
  FolderLock watch_lock_; ///< FOLDER/shards/watch: of the one rank that waits for others
  std::vector<std::string> missing_;
};

} // namespace wormcast
