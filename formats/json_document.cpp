#include "wormcast/formats/json_document.hpp"

#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Builds a document from the parts of a text.
class DocumentBuilder : public nlohmann::json_sax<Json> {
public:
  explicit DocumentBuilder(std::string_view text) : text_(text) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& digits) override
  {
    Json number(value);
    return add(number.dump() == digits ? std::move(number) : exact_number(digits));
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool key(string_t& name) override
  {
    key_ = std::move(name);
    return true;
  }
  bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override
  {
    throw_malformed_json(position, text_);
  }

  Json take() { return std::move(document_); }

private:
  bool add(Json value)
  {
    place(std::move(value));
    return true;
  }

  bool open(Json container)
  {
    open_.push_back(&place(std::move(container)));
    return true;
  }

  bool close()
  {
    open_.pop_back();
    return true;
  }

  /// Only the last value of an open container can be open itself, so that no open container moves when another value is
  /// added.
  Json& place(Json value)
  {
    if (open_.empty()) {
      document_ = std::move(value);
      return document_;
    }
    Json& around = *open_.back();
    if (around.is_array()) {
      around.push_back(std::move(value));
      return around.back();
    }
    Json& member = around[key_];
    member = std::move(value);
    return member;
  }

  std::string_view text_;
  Json document_;
  std::vector<Json*> open_; ///< objects and lists around the next value, the innermost one last
  std::string key_;         ///< of the next member
};

} // namespace

nlohmann::ordered_json read_json(std::string_view text)
{
  DocumentBuilder builder(text);
  Json::sax_parse(text, &builder);
  return builder.take();
}

void throw_malformed_json(std::size_t column, std::string_view text)
{
  throw InputError(column > text.size()
                       ? fmt::format("the JSON text ends at column {} in the middle of a value", text.size())
                       : fmt::format("malformed JSON at column {}", column));
}

} // namespace wormcast
