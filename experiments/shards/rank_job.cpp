#include "wormcast/experiments/shards/rank_job.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

namespace wormcast {

namespace {

/// The time of others' actions under the lock of a job, which is short except for a merge.
constexpr std::chrono::minutes until_others_have_merged(10);
constexpr std::chrono::milliseconds between_looks(100);

} // namespace

RankJob::RankJob(std::filesystem::path out, const Shard& shard, const std::string& launch, RankTimeouts timeouts)
    : out_(std::move(out)), shard_(shard), launch_(text_hash(launch)), timeouts_(timeouts)
{}

void RankJob::begin() const
{
  write_shard_state(shard_folder(out_, shard_), {.complete = false, .launch = launch_, .work = {}});
}

RankJob::Others RankJob::look_at_others(const std::string& work)
{
  missing_.clear();
  Others others = Others::complete;
  for (std::size_t index = 0; index < shard_.count; ++index) {
    const Shard other{.index = index, .count = shard_.count};
    if (index == shard_.index) {
      continue;
    }
    const std::filesystem::path folder = shard_folder(out_, other);
    const auto state = read_shard_state(folder);
    const bool of_launch = state && state->launch == launch_;
    if (of_launch && state->complete && state->work == text_hash(work)) {
      continue;
    }
    std::error_code ignored;
    FolderLock lock;
    if (std::filesystem::exists(folder / "lock", ignored) && !lock.acquire(folder, std::chrono::milliseconds(0))) {
      return Others::running;
    }
    if (of_launch && state->complete) {
      missing_.push_back(
          fmt::format("{} (it has read another configuration, or files with other contents)", shard_text(other)));
    } else {
      missing_.push_back(shard_text(other));
    }
    others = std::max(others, of_launch ? Others::ended : Others::absent);
  }
  return others;
}

RankJob::Ending RankJob::end(const std::string& work)
{
  const std::filesystem::path shards = shards_folder(out_);
  std::chrono::steady_clock::time_point waiting_since = std::chrono::steady_clock::now();
  for (bool first = true;; first = false) {
    if (!job_lock_.acquire(shards, until_others_have_merged)) {
      if (InterruptGuard::received() != 0) {
        return Ending::others_run;
      }
      throw OutputError(fmt::format("{}: another process has held its lock for ten minutes", shards.string()));
    }
    if (first) { // under the lock: of two that end at the same time the second one sees the first
      write_shard_state(shard_folder(out_, shard_), {.complete = true, .launch = launch_, .work = text_hash(work)});
      waiting_since = std::chrono::steady_clock::now();
    }
    const Others others = look_at_others(work);
    if (others == Others::complete && first) {
      return Ending::merge;
    }
    job_lock_.release();
    // Complete, but not at first: the one that was last has seen it, and merges.
    if (others == Others::complete || others == Others::running || InterruptGuard::received() != 0 ||
        (!watch_lock_.held() && !watch_lock_.acquire(shards / "watch", std::chrono::milliseconds(0)))) {
      return Ending::others_run;
    }
    if (std::chrono::steady_clock::now() - waiting_since >
        (others == Others::ended ? timeouts_.ended : timeouts_.absent)) {
      return Ending::shards_missing;
    }
    std::this_thread::sleep_for(between_looks);
  }
}

} // namespace wormcast
