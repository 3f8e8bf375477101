// What rank 0 does for each point when 10,000 ranks compute: the ranks are connections of one other process, which
// answers at once. The CPU time is rank 0's alone.
#include "wormcast/experiments/cluster/remote_workers.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace wormcast;

/// About what a point of a sweep sends: its result in JSON.
const std::string report(1200, 'x'); // NOLINT(cert-err58-cpp)

struct FakeRank {
  Descriptor socket;
  MessageStream received;
};

/// Connects `count` times and answers every task, for as long as the process lives.
[[noreturn]] void be_ranks(std::size_t count, std::uint16_t port)
{
  std::vector<FakeRank> ranks(count);
  const int poll = ::epoll_create1(0);
  for (std::size_t i = 0; i < count; ++i) {
    auto socket = connect_to_any({"127.0.0.1"}, port);
    if (!socket || !send_all(*socket, framed(Hello{.token = "t", .rank = i + 1}))) {
      std::abort();
    }
    epoll_event event = {.events = EPOLLIN, .data = {.u64 = i}};
    ::epoll_ctl(poll, EPOLL_CTL_ADD, socket->number(), &event);
    ranks[i].socket = std::move(*socket);
  }
  std::array<epoll_event, 1024> events = {};
  std::array<char, 65536> buffer = {};
  while (true) {
    const int ready = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < ready; ++i) {
      FakeRank& rank = ranks[events[static_cast<std::size_t>(i)].data.u64];
      const ssize_t size = ::recv(rank.socket.number(), buffer.data(), buffer.size(), 0);
      if (size <= 0) {
        ::_exit(0);
      }
      rank.received.append({buffer.data(), static_cast<std::size_t>(size)});
      while (const auto message = rank.received.next(1 << 20)) {
        const Task task = task_of(*message);
        send_all(rank.socket, framed(TaskOutcome{.task = task.number, .report = {0, report}}));
      }
    }
  }
}

void hand_out_to(benchmark::State& state, const std::function<void(const TaskOutcome&)>& record)
{
  const auto count = static_cast<std::size_t>(state.range(0));
  Listener listener = listen_for_ranks();
  const pid_t ranks = ::fork();
  if (ranks == 0) {
    be_ranks(count, listener.port);
  }
  {
    RemoteWorkers workers(std::move(listener), {.token = "t", .version = "", .ranks = count}, "", [](const auto&) {});
    while (workers.capacity() < count) {
      workers.wait(std::chrono::milliseconds(10));
    }
    std::size_t points = 0;
    for (auto _ : state) {
      std::deque<Task> waiting;
      for (std::size_t i = 0; i < 5 * count; ++i) {
        waiting.push_back({i, std::to_string(i)});
      }
      TaskProgress progress;
      hand_out(waiting, workers, progress, record);
      points += 5 * count;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(points));
  }
  ::kill(ranks, SIGKILL);
  ::waitpid(ranks, nullptr, 0);
}

void HandOutToRanks(benchmark::State& state)
{
  hand_out_to(state, [](const TaskOutcome&) {});
}
BENCHMARK(HandOutToRanks)->Arg(10)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

/// The same, and each point is kept as a sweep does it.
void HandOutToRanksAndKeep(benchmark::State& state)
{
  std::string folder = (std::filesystem::temp_directory_path() / "wormcast-benchmark-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    state.SkipWithError("no temporary folder");
    return;
  }
  {
    ResultStore store(folder, ResultStore::Opening::fresh);
    std::size_t number = 0;
    hand_out_to(state, [&](const TaskOutcome& ended) {
      store.put({.key = fmt::format("{:032}", number++), .config = report, .result = ended.report.text});
    });
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(HandOutToRanksAndKeep)->Arg(10000)->Unit(benchmark::kMillisecond);

} // namespace
