#pragma once

#include "wormcast/experiments/process/interruption.hpp"
#include "wormcast/values/input_error.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace wormcast {

/// An output that cannot be written: unwritable directory, full disk, closed pipe. The program ends with exit code 1.
class OutputError : public FileError {
public:
  using FileError::FileError;
};

/// The reader of standard output has closed it, as with `| head`: no message is printed. Exit code 1 as well.
class ClosedPipe : public OutputError {
public:
  using OutputError::OutputError;
};

/// The destination of a command's results: standard output, or a file that appears under its name only when it is
/// complete. A regular file is written next to its target under a new temporary name and renamed by commit(); any other
/// file (a device, a pipe) is written directly.
class OutputFile {
public:
  /// "-" means standard output. Throws OutputError if the file cannot be opened.
  explicit OutputFile(const std::filesystem::path& file);
  /// Without commit(), removes the written file.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Errors of writing are reported by commit().
  std::ostream& stream() { return stream_; }

  /// Writes the rest and gives the file its name. Throws OutputError with the path and the system's reason.
  void commit();

private:
  /// Buffered output to a file descriptor that remembers the first error's reason.
  class DescriptorBuffer : public std::streambuf {
  public:
    ~DescriptorBuffer() override;
    void open(int descriptor);
    /// The first error of all writes and of closing; 0 if none.
    int close(bool keep_open);

  protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

  private:
    bool write(const char* text, std::size_t size);
    bool flush();

    std::unique_ptr<char[]> buffer_;
    int descriptor_ = -1;
    int error_ = 0;
  };

  int open_temporary(unsigned mode);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path target_;
  TemporaryPath temporary_; ///< none: written directly
  bool standard_output_ = false;
  bool committed_ = false;
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

/// Makes a folder, and those above it, where they are not there. Throws OutputError.
void make_folder(const std::filesystem::path& folder);

/// Reports that `file` was written, and its length; nothing for standard output.
void say_written(const std::filesystem::path& file);

/// A new folder for files that are not wanted in the end, under TMPDIR; removed with all it holds. Throws OutputError.
class ScratchFolder {
public:
  ScratchFolder();

  const std::filesystem::path& path() const { return path_.path(); }

private:
  TemporaryPath path_;
};

/// The whole of a file that another program, such as gnuplot, has written. Throws OutputError.
std::string read_written(const std::filesystem::path& file);

/// Writes `text` to standard output. Throws OutputError.
void write_standard_output(std::string_view text);

/// Writes `text` as the whole of `file` ("-": standard output). Throws OutputError.
void write_output(const std::filesystem::path& file, std::string_view text);

} // namespace wormcast
