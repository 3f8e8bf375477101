#include "wormcast/experiments/playground/library_gaps.hpp"

#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>

template class std::basic_filebuf<char>;
template class std::basic_ifstream<char>;
template class std::basic_ofstream<char>;

_LIBCPP_BEGIN_NAMESPACE_STD

// As the standard's: no blank, no plus and no "0x" may stand before the digits.
from_chars_result from_chars(const char* first, const char* last, double& value)
{
  const std::string text(first, last);
  const std::size_t digits = text.starts_with('-') ? 1 : 0;
  const bool starts =
      digits < text.size() && (std::isalnum(static_cast<unsigned char>(text[digits])) != 0 || text[digits] == '.');
  if (!starts || text.compare(digits, 2, "0x") == 0 || text.compare(digits, 2, "0X") == 0) {
    return {first, errc::invalid_argument};
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) {
    return {first, errc::invalid_argument};
  }
  const char* const read_to = first + (end - text.c_str());
  const bool is_digit = std::isalpha(static_cast<unsigned char>(text[digits])) == 0;
  if (is_digit && std::isinf(number)) {
    return {read_to, errc::result_out_of_range};
  }
  value = number;
  return {read_to, errc{}};
}

namespace filesystem {

path __absolute(const path& file, error_code*)
{
  return file;
}

file_status __status(const path&, error_code*)
{
  return file_status(file_type::not_found);
}

} // namespace filesystem

_LIBCPP_END_NAMESPACE_STD

void* operator new(std::size_t size)
{
  if (void* memory = std::malloc(size == 0 ? 1 : size)) {
    return memory;
  }
  throw std::bad_alloc();
}

// What Debian's compiler-rt for WebAssembly, which is compiled with -fstack-protector, expects of the C library.
extern "C" {
std::uintptr_t __stack_chk_guard = 0x57ac4c4e;

[[noreturn]] void __stack_chk_fail()
{
  std::abort();
}
}
