#include "wormcast/experiments/cluster/remote_workers.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <system_error>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr WorkerId listener_id = 0;
constexpr std::size_t longest_hello = std::size_t{1} << 16;
constexpr std::size_t longest_outcome = std::size_t{1} << 32;
constexpr std::chrono::seconds patience_for_workers(60);

std::string name_of(const Hello& hello)
{
  return fmt::format("rank {} on {}", hello.rank, hello.host);
}

} // namespace

RemoteWorkers::RemoteWorkers(Listener listener, JobTerms terms, std::string basis,
                             std::function<void(const std::string&)> warn)
    : listener_(std::move(listener)), terms_(std::move(terms)), basis_(std::move(basis)), warn_(std::move(warn)),
      poll_(::epoll_create1(EPOLL_CLOEXEC))
{
  epoll_event event = {.events = EPOLLIN, .data = {.u64 = listener_id}};
  if (!poll_.is_open() || ::epoll_ctl(poll_.number(), EPOLL_CTL_ADD, listener_.socket.number(), &event) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot wait for other ranks");
  }
}

bool RemoteWorkers::start(const Task& task)
{
  const std::optional<Assignments::Assignment> assignment = assignments_.assign(task);
  if (assignment) {
    send(*assignment);
  }
  return assignment.has_value();
}

std::optional<TaskOutcome> RemoteWorkers::wait(std::chrono::milliseconds patience)
{
  if (ended_.empty()) {
    std::array<epoll_event, 1024> events = {};
    const int count = ::epoll_wait(poll_.number(), events.data(), static_cast<int>(events.size()),
                                   static_cast<int>(patience.count()));
    for (int i = 0; i < count; ++i) {
      serve(events[static_cast<std::size_t>(i)].data.u64, events[static_cast<std::size_t>(i)].events);
    }
    while (const std::optional<Assignments::Assignment> assignment = assignments_.assign_again()) {
      send(*assignment);
    }
  }
  if (ended_.empty()) {
    check_that_some_are_left();
    return std::nullopt;
  }
  TaskOutcome outcome = std::move(ended_.front());
  ended_.pop_front();
  return outcome;
}

void RemoteWorkers::check_that_some_are_left()
{
  const auto now = std::chrono::steady_clock::now();
  if (assignments_.workers() > 0 || InterruptGuard::received() != 0) {
    last_seen_ = now;
  } else if (joined_ == terms_.ranks) {
    throw std::runtime_error(fmt::format("all {} ranks that computed are lost", joined_));
  } else if (now - last_seen_ > patience_for_workers) {
    throw std::runtime_error(fmt::format("no rank has come to port {} of {} for {} seconds, {} of {} are lost",
                                         listener_.port, own_host(), patience_for_workers.count(), joined_,
                                         terms_.ranks));
  }
}

void RemoteWorkers::serve(WorkerId worker, std::uint32_t events)
{
  if (worker == listener_id) {
    accept_all();
    return;
  }
  if ((events & EPOLLOUT) != 0 && connections_.contains(worker)) {
    flush(worker);
  }
  if ((events & ~std::uint32_t{EPOLLOUT}) != 0 && connections_.contains(worker)) {
    receive(worker);
  }
}

void RemoteWorkers::accept_all()
{
  while (std::optional<Descriptor> socket = accept_connection(listener_)) {
    const WorkerId worker = next_++;
    epoll_event event = {.events = EPOLLIN, .data = {.u64 = worker}};
    if (::epoll_ctl(poll_.number(), EPOLL_CTL_ADD, socket->number(), &event) == 0) {
      connections_[worker].socket = std::move(*socket);
    }
  }
}

void RemoteWorkers::receive(WorkerId worker)
{
  Connection& connection = connections_.at(worker);
  std::array<char, 65536> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): as much as is read is set
  const ssize_t count = ::recv(connection.socket.number(), buffer.data(), buffer.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (count <= 0) {
    lose(worker);
    return;
  }
  connection.received.append({buffer.data(), static_cast<std::size_t>(count)});
  try {
    while (connections_.contains(worker)) {
      const std::optional<std::string> message =
          connection.received.next(connection.hello ? longest_outcome : longest_hello);
      if (!message) {
        break;
      }
      take(worker, *message);
    }
  } catch (const MessageError&) { // no rank of this program
    lose(worker);
  }
}

void RemoteWorkers::take(WorkerId worker, const std::string& message)
{
  if (!connections_.at(worker).hello) {
    welcome(worker, hello_of(message));
    return;
  }
  TaskOutcome outcome = outcome_of(message);
  if (assignments_.finish(worker, outcome.task)) {
    ended_.push_back(std::move(outcome));
  }
}

void RemoteWorkers::welcome(WorkerId worker, Hello hello)
{
  if (hello.token != terms_.token) {
    lose(worker);
    return;
  }
  if (!hello.error.empty()) {
    throw InputError(fmt::format("{}: {}", name_of(hello), hello.error));
  }
  if (hello.version != terms_.version) {
    throw InputError(fmt::format("{} runs another wormcast, expected the same on all nodes. It runs {}. This is {}",
                                 name_of(hello), hello.version, terms_.version));
  }
  if (hello.basis != basis_) {
    throw InputError(fmt::format("{} found other input than rank 0, expected the same configuration and files on all "
                                 "nodes (a shared file system)",
                                 name_of(hello)));
  }
  ++joined_;
  assignments_.join(worker, std::max<std::size_t>(1, hello.places));
  connections_.at(worker).hello = std::move(hello);
}

void RemoteWorkers::send(const Assignments::Assignment& assignment)
{
  connections_.at(assignment.worker).unsent += framed(*assignment.task);
  flush(assignment.worker);
}

void RemoteWorkers::flush(WorkerId worker)
{
  Connection& connection = connections_.at(worker);
  while (!connection.unsent.empty()) {
    const ssize_t sent =
        ::send(connection.socket.number(), connection.unsent.data(), connection.unsent.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EAGAIN) {
      watch(worker, true);
      return;
    }
    if (sent < 0 && errno != EINTR) {
      return; // reading finds the connection broken, too, and the worker is lost there
    }
    connection.unsent.erase(0, sent > 0 ? static_cast<std::size_t>(sent) : 0);
  }
  watch(worker, false);
}

void RemoteWorkers::watch(WorkerId worker, bool for_writing)
{
  Connection& connection = connections_.at(worker);
  if (connection.waits_to_write != for_writing) {
    connection.waits_to_write = for_writing;
    epoll_event event = {.events = for_writing ? EPOLLIN | EPOLLOUT : EPOLLIN, .data = {.u64 = worker}};
    ::epoll_ctl(poll_.number(), EPOLL_CTL_MOD, connection.socket.number(), &event);
  }
}

void RemoteWorkers::lose(WorkerId worker)
{
  const Connection lost = std::move(connections_.at(worker));
  connections_.erase(worker);
  const std::vector<std::size_t> given_up = assignments_.lose(worker);
  for (const std::size_t task : given_up) {
    ended_.push_back({.task = task,
                      .report = {},
                      .signal = SIGKILL,
                      .talk = fmt::format("{} ranks were lost while they computed it", Assignments::most_losses),
                      .wall_seconds = 0});
  }
  if (lost.hello) {
    warn_(fmt::format("{} is lost; what it computed is given to others", name_of(*lost.hello)));
  }
}

} // namespace wormcast
