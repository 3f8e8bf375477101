#pragma once

#include "wormcast/experiments/cluster/assignments.hpp"
#include "wormcast/experiments/cluster/messages.hpp"
#include "wormcast/experiments/cluster/sockets.hpp"
#include "wormcast/experiments/process/workers.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

namespace wormcast {

/// What those who hand out tasks and those who compute them have in common.
struct JobTerms {
  std::string token;
  std::string version;   ///< build_description
  std::size_t ranks = 0; ///< that compute
};

/// Processes that connect to this one, on any node, and compute tasks (compute_for). One whose connection breaks costs
/// nothing: its tasks go to others.
class RemoteWorkers final : public Workers {
public:
  /// `warn` is told of every rank that is lost.
  RemoteWorkers(Listener listener, JobTerms terms, std::string basis, std::function<void(const std::string&)> warn);

  bool start(const Task& task) override;

  /// Throws InputError where a rank cannot compute these tasks (another version of the program or other input), and
  /// std::runtime_error where all ranks are lost, or there has been none for a minute.
  std::optional<TaskOutcome> wait(std::chrono::milliseconds patience) override;

  std::size_t running() const override { return assignments_.running() + ended_.size(); }
  std::size_t capacity() const override { return assignments_.capacity(); }

private:
  struct Connection {
    Descriptor socket;
    MessageStream received;
    std::string unsent;
    std::optional<Hello> hello; ///< none: it has not said who it is
    bool waits_to_write = false;
  };

  void accept_all();
  void serve(WorkerId worker, std::uint32_t events);
  void receive(WorkerId worker);
  void take(WorkerId worker, const std::string& message);
  void welcome(WorkerId worker, Hello hello);
  void send(const Assignments::Assignment& assignment);
  void flush(WorkerId worker);
  void watch(WorkerId worker, bool for_writing);
  void lose(WorkerId worker);
  void check_that_some_are_left();

  Listener listener_;
  JobTerms terms_;
  std::string basis_;
  std::function<void(const std::string&)> warn_;
  Descriptor poll_;
  WorkerId next_ = 1; ///< 0 is the listener
  std::unordered_map<WorkerId, Connection> connections_;
  Assignments assignments_;
  std::deque<TaskOutcome> ended_;
  std::size_t joined_ = 0; ///< ranks that have come, also those that are lost
  std::chrono::steady_clock::time_point last_seen_ = std::chrono::steady_clock::now(); ///< when there was a worker
};

/// Computes tasks that come on `socket`, at most `places` at a time, each in a child of this process, and sends back
/// what they came to, until the other end closes it. Interrupts are left to the other end.
void compute_for(const Descriptor& socket, const TaskWork& work, std::size_t places);

} // namespace wormcast
