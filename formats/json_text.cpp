#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

std::string plain_text(const Json& value)
{
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Writer {
public:
  explicit Writer(JsonLayout layout) : indented_(layout == JsonLayout::indented) {}

  void write(const Json& value, std::size_t level)
  {
    if (value.is_object()) {
      write_object(value, level);
    } else if (value.is_array()) {
      write_array(value, level);
    } else if (value.is_binary()) {
      const auto& digits = value.get_binary();
      text_.append(digits.begin(), digits.end());
    } else {
      text_ += plain_text(value);
    }
  }

  std::string take() { return std::move(text_); }

private:
  void write_object(const Json& object, std::size_t level)
  {
    text_ += '{';
    bool first = true;
    for (const auto& [name, member] : object.items()) {
      separate(first, indented_, level + 1);
      text_ += json_quoted(name);
      text_ += indented_ ? ": " : ":";
      write(member, level + 1);
    }
    close('}', indented_ && !first, level);
  }

  void write_array(const Json& array, std::size_t level)
  {
    const bool lines = indented_ && std::any_of(array.begin(), array.end(),
                                                [](const Json& element) { return element.is_structured(); });
    text_ += '[';
    bool first = true;
    for (const Json& element : array) {
      separate(first, lines, level + 1);
      write(element, level + 1);
    }
    close(']', lines && !first, level);
  }

  void separate(bool& first, bool line, std::size_t level)
  {
    if (!first) {
      text_ += indented_ && !line ? ", " : ",";
    }
    first = false;
    if (line) {
      break_line(level);
    }
  }

  void close(char bracket, bool line, std::size_t level)
  {
    if (line) {
      break_line(level);
    }
    text_ += bracket;
  }

  void break_line(std::size_t level)
  {
    text_ += '\n';
    text_.append(2 * level, ' ');
  }

  bool indented_;
  std::string text_;
};

} // namespace

Json exact_number(std::string digits)
{
  return Json::binary(std::vector<std::uint8_t>(digits.begin(), digits.end()));
}

Json exact_microseconds(Time time)
{
  return exact_number(format_microseconds(time));
}

Json exact_microseconds(TotalTime time)
{
  return exact_number(format_microseconds(time));
}

std::string json_quoted(std::string_view text)
{
  return plain_text(Json(text));
}

std::string json_text(const Json& value, JsonLayout layout)
{
  Writer writer(layout);
  writer.write(value, 0);
  return writer.take();
}

nlohmann::ordered_json measured_number(double value)
{
  return std::isfinite(value) ? Json(std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr)) : Json(nullptr);
}

nlohmann::ordered_json measured_microseconds(double picoseconds)
{
  constexpr double picoseconds_of_microsecond = 1e6;
  return measured_number(picoseconds / picoseconds_of_microsecond);
}

} // namespace wormcast
