#pragma once

#include "wormcast/topologies/work_watch.hpp"

#include <chrono>
#include <cxxabi.h>
#include <exception>
#include <optional>
#include <pybind11/pybind11.h>
#include <utility>

namespace wormcast {

/// What ends work that Ctrl-C has interrupted; Python's own exception is set. It is no std::exception, so that nobody
/// takes it for a failure of the work.
struct Interrupted {};

/// The interpreter's lock, given up by a thread that works for long. Work looks for Ctrl-C ten times a second.
class ReleasedLock {
public:
  ReleasedLock() : state_(PyEval_SaveThread()), watch_([this] { look(); }) {}

  /// Takes the lock again. Where the interpreter is at its end, the thread ends here and does not return: nothing but
  /// pthread_exit must be on its way, so that this is no destructor.
  void take() { PyEval_RestoreThread(state_); }

private:
  void look()
  {
    constexpr std::chrono::milliseconds time_between(100);
    const auto now = std::chrono::steady_clock::now();
    if (!is_main_ || now - last_ < time_between) { // Python runs its handlers of signals in the main thread alone
      return;
    }
    last_ = now;
    PyEval_RestoreThread(state_);
    const bool interrupted = PyErr_CheckSignals() != 0;
    PyEval_SaveThread();
    if (interrupted) {
      throw Interrupted{};
    }
  }

  bool is_main_ = _PyOS_IsMainThread() != 0; // asked with the lock
  PyThreadState* state_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  WorkWatch watch_;
};

/// Does `work`, which touches nothing of Python's, without the interpreter's lock, and returns its result. What it
/// throws is thrown; Ctrl-C during the work of the main thread is an exception of Python.
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
  } catch (const abi::__forced_unwind&) { // the thread is being ended
    throw;
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
