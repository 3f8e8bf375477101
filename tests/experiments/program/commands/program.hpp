#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast::testing {

/// What a run of the program left behind.
struct ProgramRun {
  int exit_code = -1; ///< -1: ended by a signal
  std::string out;
  std::string err;
};

/// Runs the built program as a user does: with `arguments`, in `directory`. Standard output goes to the file
/// `standard_output` where one is named (such as /dev/full), else into ProgramRun::out.
ProgramRun run_program(const std::vector<std::string>& arguments,
                       const std::filesystem::path& directory = std::filesystem::current_path(),
                       const std::filesystem::path& standard_output = {});

/// A new empty directory that is removed with all it holds.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in it and returns its path.
  std::filesystem::path write(std::string_view name, std::string_view text) const;
  /// Names of all that it holds, sorted.
  std::vector<std::string> names() const;

private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& file);

/// A complete small configuration: broadcast of 4 KiB on a 4 x 4 mesh.
extern const std::string small_config;

/// `message` with the names behind "expected one of" of an error in [topology] or [algorithm] as "...": tests of
/// messages hold when kinds or algorithms are added.
std::string elide_names(const std::string& message);

/// `text` with its only occurrence of `old` replaced.
std::string with(std::string text, std::string_view old, std::string_view replacement);

} // namespace wormcast::testing
