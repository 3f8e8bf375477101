#pragma once

#include <cstdint>
#include <functional>

namespace wormcast {

/// Lets a caller end the long work of a thread. While this exists, builders, readers, the verifier and the engines call
/// `look` at intervals on the thread that made it (thousands of times a second); an exception of `look` ends the work,
/// and leaves the function that does it. Without a watch nothing is called. Watches of one thread nest: the innermost
/// one is called.
class WorkWatch {
public:
  explicit WorkWatch(std::function<void()> look);
  ~WorkWatch();
  WorkWatch(const WorkWatch&) = delete;
  WorkWatch& operator=(const WorkWatch&) = delete;

  /// Calls `look` of this thread's watch, if there is one.
  static void look();

private:
  std::function<void()> look_;
  WorkWatch* outer_; ///< of this thread before
};

/// A counter for the steps of long work, so that a step costs a subtraction: it calls WorkWatch::look() once in a few
/// thousand steps of some ten nanoseconds each.
class WorkSteps {
public:
  /// Counts one step, or `steps` steps for a longer one.
  void add(std::uint64_t steps = 1)
  {
    if (steps >= left_) {
      start_again();
    } else {
      left_ -= steps;
    }
  }

private:
  static constexpr std::uint64_t steps_between = 4096;

  void start_again();

  std::uint64_t left_ = steps_between;
};

} // namespace wormcast
