#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// The options of a BookSim2 configuration, those that are not in the file with BookSim2's defaults. What is wrong is
/// collected, so that one message names all of it: check() throws it.
class BookSimOptions {
public:
  /// Reads "name = value;", comments from // on. `file` is named in errors.
  BookSimOptions(std::string_view text, std::string file);

  /// Whether the file has it.
  bool given(std::string_view name) const { return options_.find(name)->second.line != 0; }

  const std::string& text(std::string_view name) const { return options_.find(name)->second.value; }

  /// A whole number in [least, most]; `least`, and an error for check(), where it is anything else.
  std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most);

  /// The same of an option that BookSim2 reads as a real number: "2.0" is 2.
  std::int64_t whole_number(std::string_view name, std::int64_t least, std::int64_t most);

  /// An error for check(): the option has a value that router "input_queued" does not cover; `expected` says which do.
  void refuse(std::string_view name, std::string_view expected);

  /// Options of the file that are not taken over: "print_activity, watch_out (output)", one text for each reason.
  std::vector<std::string> left_out() const;

  /// Throws InputError with all errors, if there are any: with file and line for text that is no configuration and for
  /// unknown options, by name for what is not covered.
  void check() const;

private:
  struct Option {
    std::string value;
    std::uint32_t line = 0; ///< 0: not in the file
  };

  void read(std::string_view text);
  void read_statement(std::string_view statement, std::uint32_t line, bool ended);
  void look_at_names();
  void fail(std::uint32_t line, std::string_view text);

  std::string file_;
  std::map<std::string, Option, std::less<>> options_;
  std::vector<std::pair<std::uint32_t, std::string>> errors_; ///< with their lines
  std::vector<std::string> refused_;
};

} // namespace wormcast
