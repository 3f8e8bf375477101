#pragma once

#include <chrono>
#include <filesystem>

namespace wormcast {

/// The exclusive right of a process to an action in a folder: flock on a file in it, which is not removed, or on the
/// folder. It ends with the process, whatever ends that. On network file systems it holds for all machines, if they
/// support flock at all (NFS from version 4 on, Lustre with -o flock).
class FolderLock {
public:
  FolderLock() = default;
  ~FolderLock() { release(); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Makes the folder where it is missing. Returns false where another process holds the lock for longer than
  /// `timeout`, or until a signal that an InterruptGuard watches. Throws OutputError where the folder or the file
  /// cannot be made, and where the file system has no locks.
  bool acquire(const std::filesystem::path& folder, std::chrono::milliseconds timeout, const char* name = work_lock);

  /// The same on the folder itself, which must be there, with no file in it. A file system without locks has nobody who
  /// holds one. Throws OutputError where the folder cannot be opened.
  bool acquire_folder(const std::filesystem::path& folder, std::chrono::milliseconds timeout);

  static constexpr const char* work_lock = "lock"; ///< of the process that works on a shard, or merges shards
  static constexpr const char* reading_lock =
      "reading"; ///< in addition to work_lock, of processes that read a shard's results

  void release();
  bool held() const { return descriptor_ >= 0; }

private:
  /// How waiting for a lock ended.
  enum class Waiting { acquired, held_by_another, no_locks };
  Waiting wait_for(int descriptor, std::chrono::milliseconds timeout);

  int descriptor_ = -1;
};

} // namespace wormcast
