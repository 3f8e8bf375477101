#pragma once

#include "wormcast/values/work_watch.hpp"

#include <chrono>
#include <cxxabi.h>
#include <exception>
#include <optional>
#include <pybind11/pybind11.h>
#include <utility>

namespace wormcast {

/// Thrown to end work that Ctrl-C has interrupted; Python's own exception is set. It is not a std::exception, so that
/// it is never treated as a failure of the work.
struct Interrupted {};

/// The interpreter's lock, released by a thread that works for long. Work polls ten times a second for Ctrl-C, and at
/// once when it must halt: while another thread forks the process, so that the child finds nothing incomplete (no held
/// lock, no static variable under construction), and for good when the program ends, because the variables of the work
/// are destroyed then.
class ReleasedLock {
public:
  ReleasedLock();

  /// Acquires the lock again. If the interpreter has ended, the thread sleeps here until the process ends.
  void take();

private:
  void look();
  void enter_work() const; ///< waits for its end where work must halt
  void take_lock();

  bool is_main_ = _PyOS_IsMainThread() != 0; // asked with the lock
  PyThreadState* state_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  WorkWatch watch_;
};

/// Registers what halts the work of other threads, for each fork of the process and for the interpreter's end. Call it
/// once, when the module is made.
void halt_work_for_forks_and_the_end();

/// Executes `work`, which uses no object of Python, without the interpreter's lock, and returns its result. Its
/// exceptions are passed on; Ctrl-C during the work of the main thread is an exception of Python.
template <typename Work> auto without_lock(Work&& work)
{
  std::optional<decltype(work())> result;
  std::exception_ptr thrown;
  bool interrupted = false;
  ReleasedLock lock;
  try {
    result.emplace(work());
  } catch (const Interrupted&) {
    interrupted = true;
  } catch (...) {
    thrown = std::current_exception();
  }
  lock.take();
  if (interrupted) {
    throw pybind11::error_already_set();
  }
  if (thrown) {
    std::rethrow_exception(thrown);
  }
  return *std::move(result);
}

} // namespace wormcast
