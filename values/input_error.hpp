#pragma once

#include <stdexcept>
#include <string>

namespace wormcast {

/// An error that a user can cause and can fix: a bad value, file or combination. The message states what was found and
/// what was expected; a caller that knows more (the file, the line, the key) catches it and adds that at the front. The
/// program reports it on stderr and ends with exit code 2.
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A file that cannot be read or written (missing, no permission, disk full). The message names the path and the
/// operating system's reason. The program ends with exit code 2 when it is an input, with 1 when it is an output.
class FileError : public InputError {
public:
  using InputError::InputError;
};

} // namespace wormcast
