#include "wormcast/simulator/engines/thread_team.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace wormcast {

namespace {

// How often a thread looks before it lets the system suspend it: some hundreds of microseconds.
constexpr std::uint32_t most_spins = 20000;

void pause()
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

} // namespace

ThreadTeam::ThreadTeam(std::uint32_t threads)
    : spins_(threads <= std::thread::hardware_concurrency() ? most_spins : 0), thrown_(threads)
{
  workers_.reserve(threads - 1);
  try {
    for (std::uint32_t number = 1; number < threads; ++number) {
      workers_.emplace_back([this, number] { serve(number); });
    }
  } catch (const std::system_error& error) {
    end_workers();
    throw InputError(fmt::format("run.threads: found {}, but the system gives {}: {}", threads, workers_.size() + 1,
                                 error.code().message()));
  }
}

ThreadTeam::~ThreadTeam()
{
  end_workers();
}

void ThreadTeam::end_workers()
{
  work_ = nullptr;
  turn_.fetch_add(1, std::memory_order_release);
  turn_.notify_all();
  for (std::thread& worker : workers_) {
    worker.join();
  }
}

void ThreadTeam::run(const std::function<void(std::uint32_t)>& work)
{
  work_ = &work;
  working_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  turn_.fetch_add(1, std::memory_order_release);
  turn_.notify_all();
  call(0);
  for (std::uint32_t left = working_.load(std::memory_order_acquire); left != 0;
       left = working_.load(std::memory_order_acquire)) {
    wait_while(working_, left);
  }
  const auto thrown = std::ranges::find_if(thrown_, [](const std::exception_ptr& error) { return error != nullptr; });
  if (thrown != thrown_.end()) {
    const std::exception_ptr error = std::exchange(*thrown, nullptr);
    std::ranges::fill(thrown_, nullptr);
    std::rethrow_exception(error);
  }
}

void ThreadTeam::serve(std::uint32_t number)
{
  for (std::uint32_t turn = 0;; ++turn) {
    wait_while(turn_, turn);
    if (work_ == nullptr) {
      return;
    }
    call(number);
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      working_.notify_one();
    }
  }
}

void ThreadTeam::call(std::uint32_t number)
{
  try {
    (*work_)(number);
  } catch (...) {
    thrown_[number] = std::current_exception();
  }
}

void ThreadTeam::wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) const
{
  for (std::uint32_t i = 0; i < spins_; ++i) {
    if (value.load(std::memory_order_acquire) != old) {
      return;
    }
    pause();
  }
  value.wait(old, std::memory_order_acquire);
}

} // namespace wormcast
