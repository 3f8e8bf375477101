#include "wormcast/experiments/output/folder_lock.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace wormcast {

bool FolderLock::acquire(const std::filesystem::path& folder, std::chrono::milliseconds timeout, const char* name)
{
  release();
  make_folder(folder);
  const std::filesystem::path file = folder / name;
  // NFS locks a file only for those who may write it.
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) {
    throw OutputError(fmt::format("{}: cannot open it: {}", file.string(), std::strerror(errno)));
  }
  const Waiting waiting = wait_for(descriptor, timeout);
  if (waiting == Waiting::no_locks) {
    throw OutputError(fmt::format("{}: cannot lock it: {}; shards need a file system that has locks (flock)",
                                  file.string(), std::strerror(errno)));
  }
  return waiting == Waiting::acquired;
}

bool FolderLock::acquire_folder(const std::filesystem::path& folder, std::chrono::milliseconds timeout)
{
  release();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    throw OutputError(fmt::format("{}: cannot open the folder: {}", folder.string(), std::strerror(errno)));
  }
  return wait_for(descriptor, timeout) != Waiting::held_by_another;
}

FolderLock::Waiting FolderLock::wait_for(int descriptor, std::chrono::milliseconds timeout)
{
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) {
      continue;
    }
    if (errno != EWOULDBLOCK) {
      const int reason = errno;
      ::close(descriptor);
      errno = reason;
      return Waiting::no_locks;
    }
    if (std::chrono::steady_clock::now() >= deadline || InterruptGuard::received() != 0) {
      ::close(descriptor);
      return Waiting::held_by_another;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  descriptor_ = descriptor;
  return Waiting::acquired;
}

void FolderLock::release()
{
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
  descriptor_ = -1;
}

} // namespace wormcast
