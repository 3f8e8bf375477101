#pragma once

#include "wormcast/values/input_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace wormcast {

/// The text is not JSON, or not supported here. The message begins with file, line and column.
class SyntaxError : public InputError {
public:
  using InputError::InputError;
};

/// Reads JSON (RFC 8259) from a stream, value by value in the order of the text, of which only a window is in memory. A
/// number is either read as a whole number or stored as text: none is rounded. Malformed text, a key that occurs twice
/// in one object and too deep nesting throw SyntaxError with the stream's name, line and column (in bytes).
///
/// An object is read by enter_object(), then next_key() and a value until there is no next key; a list likewise by
/// enter_list() and next_item().
class JsonReader {
public:
  enum class Kind { object, list, text, number, word };

  /// `name` denotes the stream in errors; `deepest` is the largest depth of nested lists and objects.
  JsonReader(std::istream& in, std::string_view name, std::size_t deepest);

  /// Returns the type of the next value.
  Kind kind();

  void enter_object() { enter('{'); }
  void enter_list() { enter('['); }
  /// Returns the next key of the object, or none at its end. The key is valid until the reader is used again.
  /// Duplicates must be detected by the caller, which knows the possible keys, and reported by refuse_repeated().
  std::optional<std::string_view> next_key();
  /// Returns whether the list has another item.
  bool next_item();

  /// The next value if it is a whole number without sign of at most 19 digits; else nothing is read. Any other value
  /// can be read by value().
  std::optional<std::uint64_t> whole_number();
  /// The next value if it is a number "12" or "12.5" of at most `longest` (below 64) characters; else nothing is read.
  /// Valid until the reader is used again.
  std::optional<std::string_view> plain_decimal(std::size_t longest);
  /// The next value if it is a list of two whole_number(); else nothing is read.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> pair_of_whole_numbers();

  /// Reads the next value of any type. A number that is not a whole number of 64 bits is stored as its text, in the
  /// type binary, which JSON text cannot have.
  nlohmann::json value();

  /// The text from the next value on: at least `size` (below 2^17) characters, or all that are left. Valid until the
  /// reader is used again.
  std::string_view ahead(std::size_t size);
  /// Skips the next value and returns its number of characters.
  void skip_value(std::size_t size) { at_ += size; }
  /// Returns the number of characters read.
  std::uint64_t offset() const { return dropped_ + static_cast<std::uint64_t>(at_ - window_.get()); }
  /// Returns the text read since offset() was `offset`, if it is still in the window.
  std::optional<std::string_view> since(std::uint64_t offset) const;

  /// Throws where anything but white space follows.
  void finish();

  /// Throws SyntaxError: `key` occurs twice.
  [[noreturn]] void refuse_repeated(std::string_view key);

private:
  static constexpr int no_character = -1; ///< the text ends

  bool refill();
  void require(std::size_t size);
  int peek();
  int peek_value();
  void skip_space();
  const char* skip_digits(const char* from) const;
  bool in_window(const char* at) const { return at < end_; }
  std::optional<std::uint64_t> whole_number_at(const char*& at) const;

  void enter(char opening);
  void leave();
  std::string text();
  void append_escaped(std::string& text);
  void append_utf8(std::string& text);
  unsigned hexadecimal();
  std::string number();
  void digits(std::string& text);
  void word(std::string_view expected);

  std::uint64_t line_begin() const;
  std::string position() const;
  [[noreturn]] void malformed(std::string_view expected);

  std::istream& in_;
  std::string name_;
  std::size_t deepest_;
  std::size_t depth_ = 0;
  bool first_ = true; ///< nothing of the innermost object or list was read
  std::string key_;

  std::unique_ptr<char[]> window_;
  const char* at_;              ///< the next character
  char* end_;                   ///< end of the window's text, where a 0 is stored
  std::uint64_t dropped_ = 0;   ///< characters before the window
  std::uint64_t lines_ = 0;     ///< line ends before the window
  std::uint64_t line_ = 0;      ///< where the line begins in which the window begins
  bool at_end_of_file_ = false; ///< there is no text after the window
};

} // namespace wormcast
