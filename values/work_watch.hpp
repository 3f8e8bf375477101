#pragma once

#include <cstdint>
#include <functional>

namespace wormcast {

/// Lets somebody end the long work of a thread. While this exists, builders, readers, the verifier and the engines call
/// `look` now and then on the thread that made it (thousands of times a second); what `look` throws ends the work, and
/// comes out of the function that does it. Without one nothing is called. Watches of one thread nest: the innermost one
/// is called.
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

/// What long work counts its steps with, so that a step costs a subtraction: WorkWatch::look() once in a few thousand
/// steps of some ten nanoseconds each.
class WorkSteps {
public:
  /// Counts one step, or a longer one as so many.
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
