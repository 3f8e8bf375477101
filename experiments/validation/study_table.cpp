#include "wormcast/experiments/validation/study_table.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace wormcast {

StudyTable::StudyTable(const std::filesystem::path& file, const toml::table& table, std::string name)
    : file_(&file), table_(&table), name_(std::move(name))
{}

void StudyTable::fail(std::string_view key, std::string_view text) const
{
  const toml::node* node = table_->get(key);
  fail(node == nullptr ? *table_ : *node, key, text);
}

Origin StudyTable::origin(std::string_view key) const
{
  const toml::node* node = table_->get(key);
  return toml_origin(*file_, (node == nullptr ? *table_ : *node).source());
}

void StudyTable::check_keys(std::initializer_list<std::string_view> known) const
{
  for (const auto& [key, node] : *table_) {
    if (std::ranges::find(known, key.str()) == known.end()) {
      throw_at(toml_origin(*file_, key.source()), full(key.str()),
               fmt::format("unknown key, expected one of {}", fmt::join(known, ", ")));
    }
  }
}

std::optional<std::string> StudyTable::text(std::string_view key) const
{
  const toml::node* node = table_->get(key);
  if (node == nullptr) {
    return std::nullopt;
  }
  if (!node->is_string() || node->as_string()->get().empty()) {
    fail(*node, key, fmt::format("found {}, expected a text", describe(*node)));
  }
  return node->as_string()->get();
}

std::string StudyTable::required_text(std::string_view key) const
{
  required(key, "a text");
  return *text(key);
}

bool StudyTable::flag(std::string_view key) const
{
  const toml::node* node = table_->get(key);
  if (node != nullptr && !node->is_boolean()) {
    fail(*node, key, fmt::format("found {}, expected true or false", describe(*node)));
  }
  return node != nullptr && node->as_boolean()->get();
}

std::uint64_t StudyTable::required_count(std::string_view key) const
{
  const toml::node& node = required(key, "a whole number");
  const std::optional<std::int64_t> number = node.value_exact<std::int64_t>();
  if (!number || *number < 1) {
    fail(node, key, fmt::format("found {}, expected a whole number of at least 1", describe(node)));
  }
  return static_cast<std::uint64_t>(*number);
}

std::uint64_t StudyTable::required_bytes(std::string_view key) const
{
  return bytes_of(required(key, "a number of bytes"), key);
}

std::vector<std::uint64_t> StudyTable::required_sizes(std::string_view key) const
{
  const toml::node& node = required(key, "a list of numbers of bytes");
  if (!node.is_array() || node.as_array()->empty()) {
    fail(node, key, fmt::format("found {}, expected a list of numbers of bytes", describe(node)));
  }
  std::vector<std::uint64_t> sizes;
  for (const toml::node& element : *node.as_array()) {
    sizes.push_back(bytes_of(element, key));
  }
  return sizes;
}

Time StudyTable::required_time(std::string_view key) const
{
  required(key, "a time");
  try {
    return parse_time(*text(key));
  } catch (const InputError& error) {
    fail(key, error.what());
  }
}

ByteTime StudyTable::required_byte_time(std::string_view key) const
{
  required(key, "a time");
  try {
    return parse_byte_time(*text(key));
  } catch (const InputError& error) {
    fail(key, error.what());
  }
}

std::vector<std::string> StudyTable::changes(std::string_view key) const
{
  return texts_of_kind(key, " KEY=VALUE", [](const std::string& text) { return text.find('=') != std::string::npos; });
}

std::vector<std::string> StudyTable::texts(std::string_view key) const
{
  return texts_of_kind(key, "", [](const std::string&) { return true; });
}

RowPattern StudyTable::pattern() const
{
  return {.collective = text("collective").value_or("*"),
          .shape = text("shape").value_or("*"),
          .algorithm = text("algorithm").value_or("*")};
}

std::optional<StudyTable> StudyTable::table(std::string_view key) const
{
  const toml::node* node = table_->get(key);
  if (node == nullptr) {
    return std::nullopt;
  }
  if (!node->is_table()) {
    fail(*node, key, fmt::format("found {}, expected a table [{}]", describe(*node), key));
  }
  return StudyTable(*file_, *node->as_table(), std::string(key));
}

std::vector<StudyTable> StudyTable::tables(std::string_view key, bool required) const
{
  std::vector<StudyTable> found;
  const toml::node* node = table_->get(key);
  if (node == nullptr && !required) {
    return found;
  }
  if (node == nullptr) {
    fail(*table_, key, fmt::format("missing, expected at least one table [[{}]]", key));
  }
  const toml::array* array = node->as_array();
  if (array == nullptr || array->empty() || !array->is_homogeneous(toml::node_type::table)) {
    fail(*node, key, fmt::format("found {}, expected tables [[{}]]", describe(*node), key));
  }
  for (const toml::node& element : *array) {
    found.emplace_back(*file_, *element.as_table(), std::string(key));
  }
  return found;
}

void StudyTable::fail(const toml::node& node, std::string_view key, std::string_view text) const
{
  throw_at(toml_origin(*file_, node.source()), full(key), text);
}

std::string StudyTable::full(std::string_view key) const
{
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

const toml::node& StudyTable::required(std::string_view key, std::string_view expected) const
{
  const toml::node* node = table_->get(key);
  if (node == nullptr) {
    fail(*table_, key, fmt::format("missing, expected {}", expected));
  }
  return *node;
}

std::vector<std::string> StudyTable::texts_of_kind(std::string_view key, std::string_view kind,
                                                   bool (*is_of_kind)(const std::string&)) const
{
  std::vector<std::string> found;
  const toml::node* node = table_->get(key);
  if (node == nullptr) {
    return found;
  }
  if (!node->is_array()) {
    fail(*node, key, fmt::format("found {}, expected a list of texts{}", describe(*node), kind));
  }
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string() || !is_of_kind(element.as_string()->get())) {
      fail(element, key, fmt::format("found {}, expected a text{}", describe(element), kind));
    }
    found.push_back(element.as_string()->get());
  }
  return found;
}

std::uint64_t StudyTable::bytes_of(const toml::node& node, std::string_view key) const
{
  if (const std::optional<std::int64_t> number = node.value_exact<std::int64_t>(); number && *number > 0) {
    return static_cast<std::uint64_t>(*number);
  }
  if (node.is_string()) {
    try {
      if (const std::uint64_t bytes = parse_bytes(node.as_string()->get()); bytes > 0) {
        return bytes;
      }
    } catch (const InputError& error) {
      fail(node, key, error.what());
    }
  }
  fail(node, key, fmt::format("found {}, expected a number of bytes", describe(node)));
}

} // namespace wormcast
