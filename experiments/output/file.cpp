#include "wormcast/experiments/output/file.hpp"

#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace wormcast {

namespace {

constexpr std::size_t buffer_size = 1 << 16;

} // namespace

OutputFile::DescriptorBuffer::~DescriptorBuffer()
{
  close(descriptor_ == STDOUT_FILENO);
}

void OutputFile::DescriptorBuffer::open(int descriptor)
{
  descriptor_ = descriptor;
  buffer_ = std::make_unique<char[]>(buffer_size);
  setp(buffer_.get(), buffer_.get() + buffer_size);
}

int OutputFile::DescriptorBuffer::close(bool keep_open)
{
  if (descriptor_ >= 0) {
    flush();
    if (!keep_open && ::close(descriptor_) != 0 && error_ == 0) {
      error_ = errno;
    }
    descriptor_ = -1;
  }
  return error_;
}

bool OutputFile::DescriptorBuffer::write(const char* text, std::size_t size)
{
  while (error_ == 0 && size > 0) {
    const ssize_t written = ::write(descriptor_, text, size);
    if (written >= 0) {
      text += written;
      size -= static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  return error_ == 0;
}

bool OutputFile::DescriptorBuffer::flush()
{
  const bool good = write(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  setp(buffer_.get(), buffer_.get() + buffer_size);
  return good;
}

OutputFile::DescriptorBuffer::int_type OutputFile::DescriptorBuffer::overflow(int_type character)
{
  if (descriptor_ < 0 || !flush()) {
    return traits_type::eof();
  }
  if (!traits_type::eq_int_type(character, traits_type::eof())) {
    sputc(traits_type::to_char_type(character));
  }
  return traits_type::not_eof(character);
}

std::streamsize OutputFile::DescriptorBuffer::xsputn(const char* text, std::streamsize size)
{
  if (size <= epptr() - pptr()) {
    std::memcpy(pptr(), text, static_cast<std::size_t>(size));
    pbump(static_cast<int>(size));
    return size;
  }
  if (descriptor_ < 0 || !flush()) {
    return 0;
  }
  if (size < static_cast<std::streamsize>(buffer_size)) {
    return xsputn(text, size);
  }
  return write(text, static_cast<std::size_t>(size)) ? size : 0;
}

int OutputFile::DescriptorBuffer::sync()
{
  return descriptor_ >= 0 && flush() ? 0 : -1;
}

OutputFile::OutputFile(const std::filesystem::path& file) : target_(file), stream_(&buffer_)
{
  if (file == "-") {
    standard_output_ = true;
    buffer_.open(STDOUT_FILENO);
    return;
  }
  std::error_code ignored;
  const auto resolved = std::filesystem::canonical(file, ignored); // a symbolic link stays, what it names is replaced
  if (!resolved.empty()) {
    target_ = resolved;
  }
  struct stat status = {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    fail(EISDIR);
  }
  const bool direct = exists && !S_ISREG(status.st_mode);
  const int descriptor =
      direct ? ::open(target_.c_str(), O_WRONLY | O_CLOEXEC) : open_temporary(exists ? status.st_mode & 0777 : 0666);
  if (descriptor < 0) {
    fail(errno);
  }
  buffer_.open(descriptor);
}

/// A name that nobody can foresee, and that does not follow a link that somebody else has put there.
int OutputFile::open_temporary(unsigned mode)
{
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::filesystem::path name = target_.parent_path() / fmt::format(".wormcast-{:08x}.tmp", random());
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (descriptor >= 0) {
      temporary_.reset(name);
      return descriptor;
    }
    if (errno != EEXIST) {
      return -1;
    }
  }
  return -1;
}

OutputFile::~OutputFile()
{
  if (!committed_) {
    buffer_.close(standard_output_);
  }
}

void OutputFile::commit()
{
  const int error = buffer_.close(standard_output_);
  if (error != 0) {
    fail(error);
  }
  if (!temporary_.path().empty()) {
    if (::rename(temporary_.path().c_str(), target_.c_str()) != 0) {
      fail(errno);
    }
    temporary_.give_up();
  }
  committed_ = true;
}

void OutputFile::fail(int error) const
{
  const std::string name = standard_output_ ? std::string("standard output") : target_.string();
  if (standard_output_ && error == EPIPE) {
    throw ClosedPipe(fmt::format("{} is closed", name));
  }
  throw OutputError(fmt::format("cannot write {}: {}", name, std::generic_category().message(error)));
}

ScratchFolder::ScratchFolder()
{
  const char* given = std::getenv("TMPDIR");
  const std::filesystem::path parent = given != nullptr && *given != '\0' ? given : "/tmp";
  std::string name = (parent / "wormcast-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw OutputError(fmt::format("{}: cannot make a folder there (TMPDIR can name another one): {}", parent.string(),
                                  std::strerror(errno)));
  }
  path_.reset(name);
}

void make_folder(const std::filesystem::path& folder)
{
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw OutputError(fmt::format("{}: cannot make the folder: {}", folder.string(), error.message()));
  }
}

void say_written(const std::filesystem::path& file)
{
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (file != "-" && !error) {
    spdlog::info("{}, {}", file.string(), format_bytes(bytes));
  }
}

std::string read_written(const std::filesystem::path& file)
{
  try {
    return read_whole_file(file, any_length);
  } catch (const FileError& error) {
    throw OutputError(error.what());
  }
}

void write_standard_output(std::string_view text)
{
  write_output("-", text);
}

void write_output(const std::filesystem::path& file, std::string_view text)
{
  OutputFile output(file);
  output.stream() << text;
  output.commit();
}

} // namespace wormcast
