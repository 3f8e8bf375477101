#include "wormcast/experiments/process/interruption.hpp"

#include <climits>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace wormcast {

namespace {

/// Paths that a signal handler can read at any moment: the content of a slot is set before the slot counts as used.
struct TemporarySlot {
  volatile std::sig_atomic_t used = 0;
  std::array<char, PATH_MAX> path = {};
};
std::array<TemporarySlot, 16> temporary_slots;
constexpr std::size_t no_slot = temporary_slots.size();

/// An entry of a folder as the system call gives it.
struct FolderEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

/// opendir allocates memory, which a signal handler must not.
void remove_files_in(const char* path)
{
  const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    return;
  }
  alignas(FolderEntry) std::array<char, 4096> entries = {};
  for (long size = 0; (size = ::syscall(SYS_getdents64, folder, entries.data(), entries.size())) > 0;) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const FolderEntry*>(entries.data() + at);
      ::unlinkat(folder, entry->name, 0);
      at += entry->length;
    }
  }
  ::close(folder);
}

void remove_temporaries()
{
  for (const TemporarySlot& slot : temporary_slots) {
    if (slot.used != 0 && ::unlink(slot.path.data()) != 0) {
      remove_files_in(slot.path.data());
      ::rmdir(slot.path.data());
    }
  }
}

std::string_view interruption_text(int signal)
{
  switch (signal) {
  case SIGINT:
    return "wormcast: error: interrupted (Interrupt)\n";
  case SIGTERM:
    return "wormcast: error: interrupted (Terminated)\n";
  case SIGXCPU:
    return "wormcast: error: interrupted (the limit of processor time, ulimit -t, is reached)\n";
  default:
    return "wormcast: error: interrupted (Hangup)\n";
  }
}

void write_now(std::string_view text)
{
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

void end_interrupted(int signal)
{
  remove_temporaries();
  if (::isatty(STDERR_FILENO) == 1) {
    write_now("\r\033[K"); // a progress line
  }
  write_now(interruption_text(signal));
  ::_exit(1);
}

/// Where both limits of processor time are the same (ulimit -t) the system kills at once. A second before it there is
/// the signal that can be answered.
void separate_limits_of_processor_time()
{
  rlimit limit = {};
  if (::getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_max != RLIM_INFINITY && limit.rlim_max > 1 &&
      limit.rlim_cur >= limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max - 1;
    ::setrlimit(RLIMIT_CPU, &limit);
  }
}

} // namespace

struct sigaction answer_unless_ignored(int signal, const struct sigaction& action)
{
  struct sigaction before = {};
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) {
    ::sigaction(signal, &action, nullptr);
  }
  return before;
}

void settle_process()
{
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      // The lowest free descriptor is this one. Opened in the other order, reading and writing fail.
      ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction end = {};
  end.sa_handler = end_interrupted;
  sigfillset(&end.sa_mask);
  for (const int signal : interrupting_signals) {
    answer_unless_ignored(signal, end);
  }
  separate_limits_of_processor_time();
  answer_unless_ignored(SIGXCPU, end); // no interrupting signal: each process has its own processor time
}

TemporaryPath::TemporaryPath(std::filesystem::path path)
{
  reset(std::move(path));
}

TemporaryPath::~TemporaryPath()
{
  if (!path_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    forget();
  }
}

void TemporaryPath::reset(std::filesystem::path path)
{
  give_up();
  path_ = std::move(path);
  place_ = no_slot;
  const std::string& name = path_.native();
  for (std::size_t place = 0; place < temporary_slots.size() && place_ == no_slot; ++place) {
    TemporarySlot& slot = temporary_slots[place];
    if (slot.used == 0 && name.size() < slot.path.size()) {
      std::memcpy(slot.path.data(), name.c_str(), name.size() + 1);
      slot.used = 1;
      place_ = place;
    }
  }
}

void TemporaryPath::give_up()
{
  if (!path_.empty()) {
    forget();
  }
}

void TemporaryPath::forget()
{
  if (place_ < temporary_slots.size()) {
    temporary_slots[place_].used = 0;
  }
  path_.clear();
}

} // namespace wormcast
