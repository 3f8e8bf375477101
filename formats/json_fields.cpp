#include "wormcast/formats/json_fields.hpp"

#include "wormcast/formats/json_document.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wormcast {

namespace {

class FieldReader : public nlohmann::json_sax<nlohmann::json> {
public:
  FieldReader(std::string_view json, std::vector<JsonField>& fields) : json_(json), fields_(fields) {}

  bool null() override { return add(JsonField::Kind::null, {}); }
  bool boolean(bool value) override { return add(JsonField::Kind::boolean, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override
  {
    return add(JsonField::Kind::number, fmt::format("{}", value));
  }
  bool number_unsigned(number_unsigned_t value) override
  {
    return add(JsonField::Kind::number, fmt::format("{}", value));
  }
  bool number_float(number_float_t, const string_t& text) override { return add(JsonField::Kind::number, text); }
  bool string(string_t& value) override { return add(JsonField::Kind::text, value); }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& name) override
  {
    path_.resize(lengths_.back());
    path_ += path_.empty() ? "" : ".";
    path_ += name;
    return true;
  }
  bool start_object(std::size_t) override
  {
    lengths_.push_back(path_.size());
    return true;
  }
  bool end_object() override
  {
    path_.resize(lengths_.back());
    lengths_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return !lengths_.empty() || not_an_object(); }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
  {
    throw_malformed_json(position, json_);
  }

private:
  [[noreturn]] static bool not_an_object() { throw InputError("found a JSON value, expected an object"); }

  bool add(JsonField::Kind kind, std::string text)
  {
    if (lengths_.empty()) {
      not_an_object();
    }
    fields_.push_back({path_, std::move(text), kind});
    return true;
  }

  std::string_view json_;
  std::vector<JsonField>& fields_;
  std::string path_;                 ///< name of the next value
  std::vector<std::size_t> lengths_; ///< of the path outside each open object
};

} // namespace

std::vector<JsonField> read_json_fields(std::string_view json)
{
  std::vector<JsonField> fields;
  FieldReader reader(json, fields);
  nlohmann::json::sax_parse(json, &reader);
  return fields;
}

void check_json(std::string_view json)
{
  if (!nlohmann::json::accept(json)) {
    read_json_fields(json); // says where
  }
}

} // namespace wormcast
