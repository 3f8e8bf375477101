#pragma once

#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/sweep/shared_part.hpp"

#include <nlohmann/json.hpp>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace wormcast {

/// Returns the key by which the outcome of a task is stored: a hash of the program's version, the form of reports, the
/// work's fingerprint and the task.
std::string task_key(const TaskWork& work, const nlohmann::ordered_json& parameters);

/// The counts of a work with stored outcomes.
struct KeptCounts {
  std::string work;                       ///< TaskWork::fingerprint
  std::size_t computed = 0;               ///< outcomes computed now,
  std::size_t kept = 0;                   ///< outcomes that were stored before,
  std::size_t total = 0;                  ///< 0: it is not known beforehand how many there are
  std::vector<std::string> left_out = {}; ///< and which tasks have none, for people
};

/// Workers that store the outcome of every task in a ResultStore: outcomes that are stored here or elsewhere are not
/// computed again; tasks outside of this process's part of the work are left out (Workers::left_out). The work has
/// units.
class KeptWorkers final : public Workers {
public:
  /// All of these must outlive this.
  KeptWorkers(const TaskWork& work, Workers& children, ResultStore& store, const SharedPart& part, KeptCounts& counts)
      : work_(work), children_(children), store_(store), part_(part), counts_(counts)
  {
    counts_.work = work.fingerprint;
  }

  bool start(const Task& task) override;
  /// None at once where no task runs.
  std::optional<TaskOutcome> wait(std::chrono::milliseconds timeout) override;
  std::size_t running() const override { return children_.running() + known_.size(); }
  std::size_t capacity() const override { return children_.capacity(); }
  std::size_t left_out() const override { return counts_.left_out.size(); }
  bool compute() const override { return part_.compute; }

private:
  bool owns(const Task& task) const;

  const TaskWork& work_;
  Workers& children_;
  ResultStore& store_;
  const SharedPart& part_;
  KeptCounts& counts_;
  std::map<std::size_t, Task> started_; ///< by number
  std::deque<TaskOutcome> known_;
};

} // namespace wormcast
