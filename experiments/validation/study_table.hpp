#pragma once

#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/experiments/validation/study.hpp"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A table of a study, whose keys are read by their names. Each function throws InputError with file, line and key
/// where the value is of another type. The file's name and the table must outlive it.
class StudyTable {
public:
  StudyTable(const std::filesystem::path& file, const toml::table& table, std::string name);

  /// Throws InputError that says where `key` is, or where it is missing the table, and `text`.
  [[noreturn]] void fail(std::string_view key, std::string_view text) const;

  /// Where `key` is, or where it is missing the table.
  Origin origin(std::string_view key) const;

  void check_keys(std::initializer_list<std::string_view> known) const;

  std::optional<std::string> text(std::string_view key) const;
  std::string required_text(std::string_view key) const;
  bool flag(std::string_view key) const;

  /// A whole number of at least 1.
  std::uint64_t required_count(std::string_view key) const;

  /// Bytes, as a number or a text with a unit.
  std::uint64_t required_bytes(std::string_view key) const;

  /// A list of at least one of such sizes.
  std::vector<std::uint64_t> required_sizes(std::string_view key) const;

  /// A time with a unit.
  Time required_time(std::string_view key) const;

  /// The same with decimals of a picosecond: the time of a byte.
  ByteTime required_byte_time(std::string_view key) const;

  /// A list of texts KEY=VALUE, empty where it is missing.
  std::vector<std::string> changes(std::string_view key) const;

  /// A list of texts, empty where it is missing.
  std::vector<std::string> texts(std::string_view key) const;

  RowPattern pattern() const;

  /// The table [key]; none where it is missing.
  std::optional<StudyTable> table(std::string_view key) const;

  /// The tables [[key]]; with `required` at least one.
  std::vector<StudyTable> tables(std::string_view key, bool required = true) const;

private:
  [[noreturn]] void fail(const toml::node& node, std::string_view key, std::string_view text) const;
  std::string full(std::string_view key) const;
  const toml::node& required(std::string_view key, std::string_view expected) const;
  std::vector<std::string> texts_of_kind(std::string_view key, std::string_view kind,
                                         bool (*is_of_kind)(const std::string&)) const;
  std::uint64_t bytes_of(const toml::node& node, std::string_view key) const;

  const std::filesystem::path* file_;
  const toml::table* table_;
  std::string name_;
};

} // namespace wormcast
