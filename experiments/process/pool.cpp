#include "wormcast/experiments/process/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace wormcast {

namespace {

constexpr std::size_t talk_limit = 4096;

volatile std::sig_atomic_t received_signal = 0;
bool guard_lives = false;

void note_signal(int signal)
{
  received_signal = signal;
}

sigset_t watched_set()
{
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : interrupting_signals) {
    sigaddset(&set, signal);
  }
  return set;
}

void close_descriptor(int& descriptor)
{
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  descriptor = -1;
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  bool open()
  {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      return false;
    }
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  ~Pipe()
  {
    close_descriptor(read_end);
    close_descriptor(write_end);
  }
};

void write_all(int descriptor, const std::string& text)
{
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) {
      std::abort(); // the parent is gone
    }
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    }
  }
}

/// The first actions of every child: it dies with its parent, ignores the signals that its parent handles, and writes
/// into `captured_output`.
void settle_in_child(pid_t parent, int captured_output)
{
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) { // it died before the line above
    ::_exit(1);
  }
  for (const int signal : interrupting_signals) {
    std::signal(signal, SIG_IGN);
  }
  std::signal(SIGXCPU, SIG_DFL); // the answer of the parent would remove the parent's files
  const sigset_t set = watched_set();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(captured_output, STDOUT_FILENO);
  ::dup2(captured_output, STDERR_FILENO);
}

/// Reads the available data; closes the descriptor at its end.
void drain(int& descriptor, std::string& text)
{
  std::array<char, 16384> buffer = {};
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    close_descriptor(descriptor);
  }
}

void keep_end(std::string& text)
{
  if (text.size() > talk_limit) {
    text.erase(0, text.size() - talk_limit);
  }
}

std::string last_line(const std::string& text)
{
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) {
    return {};
  }
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

/// Of the signals that the system sends.
std::string likely_cause(const ProcessOutcome& outcome)
{
  rlimit limit = {};
  ::getrlimit(RLIMIT_CPU, &limit);
  const bool limited = limit.rlim_max != RLIM_INFINITY;
  if (outcome.signal == SIGXCPU ||
      (outcome.signal == SIGKILL && limited && outcome.processor_seconds + 1 > static_cast<double>(limit.rlim_max))) {
    return "; it had used up its processor time (ulimit -t)";
  }
  return outcome.signal == SIGKILL ? "; out of memory?" : "";
}

} // namespace

std::string describe_death(const ProcessOutcome& outcome)
{
  std::string text = outcome.signal == 0 ? fmt::format("its process ended with exit code {}", outcome.report.code)
                                         : fmt::format("its process was ended by signal {} ({}){}", outcome.signal,
                                                       ::strsignal(outcome.signal), likely_cause(outcome));
  if (const std::string said = last_line(outcome.captured_output); !said.empty()) {
    text += ": " + said;
  }
  return text;
}

InterruptGuard::InterruptGuard()
{
  if (guard_lives) {
    throw std::logic_error("two interrupt guards at a time");
  }
  guard_lives = true;
  received_signal = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < interrupting_signals.size(); ++i) {
    previous_[i] = answer_unless_ignored(interrupting_signals[i], action);
  }
}

InterruptGuard::~InterruptGuard()
{
  for (std::size_t i = 0; i < interrupting_signals.size(); ++i) {
    ::sigaction(interrupting_signals[i], &previous_[i], nullptr);
  }
  received_signal = 0;
  guard_lives = false;
}

int InterruptGuard::received()
{
  return received_signal;
}

bool ProcessPool::Child::has_ended(bool wait)
{
  int ended_as = 0;
  rusage used = {};
  if (!status && ::wait4(pid, &ended_as, wait ? 0 : WNOHANG, &used) == pid) {
    status = ended_as;
    for (const timeval& time : {used.ru_utime, used.ru_stime}) {
      processor_seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return status.has_value();
}

ProcessPool::~ProcessPool()
{
  for (const Child& child : children_) {
    ::kill(child.is_group ? -child.pid : child.pid, SIGKILL);
  }
  for (Child& child : children_) {
    while (!child.has_ended(true)) {
    }
    close_descriptor(child.report_pipe);
    close_descriptor(child.output_pipe);
  }
}

bool ProcessPool::start(std::size_t task, const std::function<ProcessReport()>& work, bool as_group)
{
  const auto out_of_resources = [this](const char* what) {
    const std::error_code error(errno, std::generic_category());
    if (children_.empty()) {
      throw std::system_error(error, what);
    }
    return false;
  };
  Pipe report;
  Pipe captured_output;
  if (!report.open() || !captured_output.open()) {
    return out_of_resources("cannot make a pipe to a child process");
  }
  std::fflush(nullptr); // else the child would write it a second time
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return out_of_resources("cannot start a child process");
  }
  if (as_group) {
    ::setpgid(pid, 0); // by both, whichever is first
  }
  if (pid == 0) {
    settle_in_child(parent, captured_output.write_end);
    try {
      const ProcessReport result = work();
      std::fflush(nullptr);
      write_all(report.write_end, result.text);
      ::_exit(result.code);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    } catch (...) {
      std::fputs("unknown exception\n", stderr);
    }
    std::fflush(nullptr);
    std::abort();
  }
  Child child;
  child.task = task;
  child.pid = pid;
  child.started = std::chrono::steady_clock::now();
  child.is_group = as_group;
  std::swap(child.report_pipe, report.read_end);
  std::swap(child.output_pipe, captured_output.read_end);
  children_.push_back(std::move(child));
  return true;
}

std::optional<ProcessOutcome> ProcessPool::wait(std::chrono::milliseconds timeout)
{
  if (children_.empty()) {
    throw std::logic_error("no child to wait for");
  }
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  // Signals are let in only while ppoll sleeps, so that none falls between the look at it and the sleep.
  const sigset_t watched = watched_set();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  std::optional<ProcessOutcome> outcome;
  while (!outcome && received_signal == 0) {
    std::vector<pollfd> descriptors;
    bool closed_too_early = false;
    for (std::size_t i = 0; i < children_.size(); ++i) {
      Child& child = children_[i];
      if (child.is_silent() && child.has_ended()) {
        outcome = reap(i);
        break;
      }
      closed_too_early = closed_too_early || child.is_silent();
      for (const int descriptor : {child.report_pipe, child.output_pipe}) {
        descriptors.push_back({descriptor, POLLIN, 0}); // poll skips -1
      }
    }
    if (outcome) {
      break;
    }
    constexpr std::chrono::steady_clock::duration until_it_ends = std::chrono::milliseconds(2);
    const auto to_deadline =
        std::max(deadline - std::chrono::steady_clock::now(), std::chrono::steady_clock::duration::zero());
    const auto left = closed_too_early ? std::min(to_deadline, until_it_ends) : to_deadline;
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    const timespec remaining = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    const int ready = ::ppoll(descriptors.data(), descriptors.size(), &remaining, &before);
    if (ready == 0 && left == to_deadline) {
      break;
    }
    if (ready <= 0) {
      continue;
    }
    for (std::size_t i = 0; i < children_.size(); ++i) {
      Child& child = children_[i];
      if (child.report_pipe >= 0 && descriptors[2 * i].revents != 0) {
        drain(child.report_pipe, child.report);
      }
      if (child.output_pipe >= 0 && descriptors[2 * i + 1].revents != 0) {
        drain(child.output_pipe, child.captured_output);
      }
      keep_end(child.captured_output);
    }
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return outcome;
}

ProcessOutcome ProcessPool::reap(std::size_t position)
{
  Child child = std::move(children_[position]);
  children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(position));
  const int status = *child.status;
  ProcessOutcome outcome;
  outcome.task = child.task;
  outcome.captured_output = std::move(child.captured_output);
  outcome.processor_seconds = child.processor_seconds;
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - child.started).count();
  if (WIFSIGNALED(status)) {
    outcome.signal = WTERMSIG(status);
  } else {
    outcome.report = {WEXITSTATUS(status), std::move(child.report)};
  }
  return outcome;
}

namespace {

/// In a child: opens `file` as one of the standard descriptors.
void redirect(const std::filesystem::path& file, int flags, int target)
{
  const int descriptor = file.empty() ? target : ::open(file.c_str(), flags | O_CLOEXEC, 0600);
  if (descriptor < 0 || (descriptor != target && ::dup2(descriptor, target) < 0)) {
    throw std::system_error(errno, std::generic_category(), file);
  }
}

} // namespace

ProcessOutcome execute_program(std::span<const std::string> arguments, const std::string& folder)
{
  return *execute_program(arguments, folder, {});
}

std::optional<ProcessOutcome> execute_program(std::span<const std::string> arguments, const std::string& folder,
                                              const ProgramLimits& limits)
{
  const auto started = std::chrono::steady_clock::now();
  ProcessPool pool;
  pool.start(
      0,
      [&]() -> ProcessReport {
        redirect(limits.input, O_RDONLY, STDIN_FILENO);
        redirect(limits.output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        if (::chdir(folder.c_str()) != 0) {
          throw std::system_error(errno, std::generic_category(), folder);
        }
        std::vector<char*> pointers;
        for (const std::string& argument : arguments) {
          pointers.push_back(const_cast<char*>(argument.c_str()));
        }
        pointers.push_back(nullptr);
        if (limits.file_bytes) {
          const rlimit most = {*limits.file_bytes, *limits.file_bytes};
          ::setrlimit(RLIMIT_FSIZE, &most);
        }
        for (const std::string& variable : limits.environment) {
          ::putenv(const_cast<char*>(variable.c_str()));
        }
        ::execvp(pointers[0], pointers.data());
        return {127, std::strerror(errno)};
      },
      true);
  while (true) {
    const auto taken =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started);
    const auto timeout = limits.limit ? *limits.limit - taken : std::chrono::milliseconds(std::chrono::hours(1));
    if (timeout <= std::chrono::milliseconds::zero()) {
      return std::nullopt; // the pool ends it
    }
    if (std::optional<ProcessOutcome> outcome = pool.wait(timeout)) {
      return outcome;
    } else if (InterruptGuard::received() != 0) {
      return ProcessOutcome{
          .task = 0, .report = {}, .signal = InterruptGuard::received(), .captured_output = {}, .wall_seconds = 0};
    }
  }
}

} // namespace wormcast
