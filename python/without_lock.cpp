#include "wormcast/python/without_lock.hpp"

#include <atomic>
#include <pthread.h>
#include <thread>

namespace wormcast {

namespace {

using std::chrono::steady_clock;

// Atomic variables alone, no mutex: a fork would copy one that is locked.
std::atomic<int> threads_at_work = 0;
std::atomic<int> forks = 0; ///< that are being made
std::atomic<bool> ending = false;
thread_local int at_work = 0; ///< 1: this thread is among them

void sleep_shortly()
{
  std::this_thread::sleep_for(std::chrono::microseconds(100));
}

bool must_halt(bool is_main)
{
  return forks > 0 || (ending && !is_main);
}

void start_work()
{
  at_work = 1;
  ++threads_at_work;
}

void stop_work()
{
  at_work = 0;
  --threads_at_work;
}

// Work that does not look within this time is left alone: better a fork than none.
void wait_for_halt(steady_clock::duration longest)
{
  const auto end = steady_clock::now() + longest;
  while (threads_at_work > 0 && steady_clock::now() < end) {
    sleep_shortly();
  }
}

void before_fork()
{
  ++forks;
  threads_at_work -= at_work; // where work forks, it is halted itself
  wait_for_halt(std::chrono::seconds(2));
}

void after_fork_in_parent()
{
  threads_at_work += at_work;
  --forks;
}

void after_fork_in_child()
{
  threads_at_work = at_work;
  forks = 0;
}

void at_end()
{
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) {
    ending = true;
    wait_for_halt(std::chrono::seconds(10));
  }
}

} // namespace

ReleasedLock::ReleasedLock() : state_(PyEval_SaveThread()), watch_([this] { look(); })
{
  enter_work();
}

void ReleasedLock::take()
{
  stop_work();
  take_lock();
}

void ReleasedLock::look()
{
  constexpr std::chrono::milliseconds time_between(100);
  if (must_halt(is_main_)) {
    stop_work();
    enter_work();
  }
  const auto now = steady_clock::now();
  if (!is_main_ || now - last_ < time_between) { // Python runs its handlers of signals in the main thread alone
    return;
  }
  last_ = now;
  stop_work(); // a thread that forks holds the lock, and waits
  take_lock();
  const bool interrupted = PyErr_CheckSignals() != 0;
  PyEval_SaveThread();
  enter_work();
  if (interrupted) {
    throw Interrupted{};
  }
}

void ReleasedLock::enter_work() const
{
  for (;;) {
    while (must_halt(is_main_)) {
      sleep_shortly();
    }
    start_work();
    if (!must_halt(is_main_)) {
      return;
    }
    stop_work();
  }
}

void ReleasedLock::take_lock()
{
  try {
    PyEval_RestoreThread(state_);
  } catch (const abi::__forced_unwind&) {
    // Python ends the thread by pthread_exit. Objects of Python on the stack must not be destroyed without the lock.
    for (;;) {
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }
}

void halt_work_for_forks_and_the_end()
{
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(at_end));
}

} // namespace wormcast
