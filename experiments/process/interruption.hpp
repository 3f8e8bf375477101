#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <filesystem>

namespace wormcast {

/// The signals with which a user or a machine ends a program that can still put things in order.
inline constexpr std::array interrupting_signals = {SIGINT, SIGTERM, SIGHUP};

/// Makes `action` the handler of a signal, unless the caller of the program has it ignored (nohup). Returns the handler
/// before.
struct sigaction answer_unless_ignored(int signal, const struct sigaction& action);

/// What a program does first, before it opens anything: descriptors 0 to 2 that its caller closed are taken, so that no
/// other file gets one of them (writing to them fails as before); SIGPIPE and SIGXFSZ become errors of writing; SIGINT,
/// SIGTERM, SIGHUP and SIGXCPU (the limit of processor time), unless the caller ignores them, end the program with exit
/// code 1 and one line on stderr, after everything that a TemporaryPath names is removed.
void settle_process();

/// A file, or a folder with nothing but files in it, that must not stay behind where the program is interrupted.
class TemporaryPath {
public:
  TemporaryPath() = default;
  explicit TemporaryPath(std::filesystem::path path);
  /// Removes it, unless it was given up.
  ~TemporaryPath();
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

  /// Names another path; the path named before is no longer removed.
  void reset(std::filesystem::path path);

  /// It is to stay, or has another name by now.
  void give_up();

  const std::filesystem::path& path() const { return path_; }

private:
  void forget();

  std::filesystem::path path_; ///< empty: none
  std::size_t place_ = 0;      ///< among those that an interruption removes
};

} // namespace wormcast
