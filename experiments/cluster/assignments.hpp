#pragma once

#include "wormcast/experiments/process/workers.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// A worker as Assignments knows it.
using WorkerId = std::uint64_t;

/// Which worker computes which task: whoever has been free for the longest time gets the next one. What a lost worker
/// had goes to others, before anything that was not begun.
///
/// | operation | cost |
/// |---|---|
/// | join, assign, finish | O(log tasks of the worker) on average |
/// | lose | O(free places + tasks of the worker) |
class Assignments {
public:
  /// So many workers may be lost with the same task; then the task itself is to blame.
  static constexpr int most_losses = 3;

  /// What a worker is given.
  struct Assignment {
    WorkerId worker = 0;
    const Task* task = nullptr; ///< as long as it runs
  };

  /// A worker that computes `places` tasks at a time. An id is never used again.
  void join(WorkerId worker, std::size_t places);

  /// Gives a task to a worker; none where nobody is free.
  std::optional<Assignment> assign(const Task& task);

  /// The next of the tasks that lost workers left behind, given to another one; none where there is none or nobody is
  /// free.
  std::optional<Assignment> assign_again();

  /// A task has ended, and its worker is free. Returns false where the worker has no such task.
  bool finish(WorkerId worker, std::size_t task);

  /// Forgets a worker. Returns the numbers of those of its tasks that are given up, since too many were lost with them.
  std::vector<std::size_t> lose(WorkerId worker);

  std::size_t workers() const { return workers_.size(); }
  /// Tasks at a time.
  std::size_t capacity() const { return capacity_; }
  /// Tasks given out, or left behind by lost workers.
  std::size_t running() const { return capacity_ - free_.size() + left_behind_.size(); }
  bool has_free() const { return !free_.empty(); }

private:
  struct Running {
    Task task;
    int losses = 0;
  };
  struct Worker {
    std::size_t places = 0;
    std::map<std::size_t, Running> tasks; ///< by number
  };

  Assignment give(Running running);

  std::unordered_map<WorkerId, Worker> workers_;
  std::deque<WorkerId> free_; ///< a worker once for each free place
  std::deque<Running> left_behind_;
  std::size_t capacity_ = 0;
};

} // namespace wormcast
