#include "wormcast/experiments/cluster/remote_workers.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <sys/socket.h>

namespace wormcast {

namespace {

constexpr std::chrono::hours as_long_as_it_takes(1);

/// Reads what has come, and waits where nothing has and `wait` is set. Returns false at the end.
bool receive(const Descriptor& socket, MessageStream& stream, bool wait)
{
  std::array<char, 65536> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): as much as is read is set
  const ssize_t count = ::recv(socket.number(), buffer.data(), buffer.size(), wait ? 0 : MSG_DONTWAIT);
  if (count < 0) {
    return errno == EAGAIN || errno == EINTR;
  }
  stream.append({buffer.data(), static_cast<std::size_t>(count)});
  return count > 0;
}

} // namespace

void compute_for(const Descriptor& socket, const TaskWork& work, std::size_t places)
{
  ProcessPool pool;
  MessageStream stream;
  std::deque<Task> waiting;
  while (receive(socket, stream, pool.running() == 0 && waiting.empty())) {
    while (const std::optional<std::string> message = stream.next(std::numeric_limits<std::size_t>::max())) {
      waiting.push_back(task_of(*message));
    }
    while (!waiting.empty() && pool.running() < places &&
           pool.start(waiting.front().number, [&] { return work.compute(waiting.front().text); })) {
      waiting.pop_front();
    }
    if (pool.running() > 0) {
      if (const std::optional<TaskOutcome> ended = pool.wait(as_long_as_it_takes, socket.number());
          ended && !send_all(socket, framed(*ended))) {
        return;
      }
    }
  }
}

} // namespace wormcast
