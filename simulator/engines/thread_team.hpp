#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace wormcast {

/// Threads that do equal parts of the same work many times in turn, such as the cycles of a network. Between two turns
/// they wait actively for a short time, if the machine has a core for each, so that a turn costs about a microsecond.
class ThreadTeam {
public:
  /// `threads` includes the calling thread; at least 1. Throws InputError if the system does not give so many.
  explicit ThreadTeam(std::uint32_t threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  std::uint32_t size() const { return static_cast<std::uint32_t>(workers_.size()) + 1; }

  /// Calls work(k) for all k below size(), each by a thread of its own, 0 by the calling one, and returns when all have
  /// returned. What is written before a call is visible in the next one to all threads. Throws what the work of the
  /// lowest k threw.
  void run(const std::function<void(std::uint32_t)>& work);

private:
  void end_workers();
  void serve(std::uint32_t number);
  void call(std::uint32_t number);
  void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) const;

  std::uint32_t spins_;
  const std::function<void(std::uint32_t)>* work_ = nullptr; // null: the workers end
  std::vector<std::exception_ptr> thrown_;                   // by thread
  alignas(64) std::atomic<std::uint32_t> turn_ = 0;
  alignas(64) std::atomic<std::uint32_t> working_ = 0; // workers that have not finished the turn
  std::vector<std::thread> workers_;
};

} // namespace wormcast
