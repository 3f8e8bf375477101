#pragma once

#include "wormcast/values/work_progress.hpp"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace wormcast {

/// The progress of a command's tasks.
struct TaskProgress {
  std::size_t total = 0;
  std::size_t kept = 0;     ///< finished before this run
  std::size_t computed = 0; ///< finished in this run
  std::size_t running = 0;
  std::size_t jobs = 1;
  double elapsed_seconds = 0;       ///< of this run
  double computed_wall_seconds = 0; ///< sum over the tasks finished in this run
  std::string_view unit = "points"; ///< the name of the counted tasks
};

/// Time that is left if the tasks to come take as long as those of this run did on average; negative while none is
/// finished.
double seconds_left(const TaskProgress& progress);

/// "0:07", "12:34", "3:25:00".
std::string format_clock(double seconds);

/// "12/33 points, 2 running, 0:07 elapsed, about 0:13 left".
std::string progress_line(const TaskProgress& progress);

/// A line on stderr that is written again and again, when stderr is a terminal and progress is wanted; else nothing.
class ProgressLine {
public:
  explicit ProgressLine(bool wanted);
  /// Clears the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// At most five times a second.
  void show(const TaskProgress& progress);
  void clear();

  /// For work of one process, counted in `unit`s, that begins now.
  WorkProgress of_work(std::string_view unit);

private:
  bool active_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

} // namespace wormcast
