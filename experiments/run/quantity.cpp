#include "wormcast/experiments/run/quantity.hpp"

#include "wormcast/formats/json_text.hpp"

#include <stdexcept>
#include <type_traits>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json decimal_json(QuantityType type, double value)
{
  switch (type) {
  case QuantityType::mean_time:
    return measured_microseconds(value);
  case QuantityType::number:
    return measured_number(value);
  case QuantityType::setting:
    return value;
  case QuantityType::truth:
  case QuantityType::count:
  case QuantityType::fraction:
  case QuantityType::time:
  case QuantityType::text:
    break;
  }
  throw std::logic_error("a quantity that is no decimal number has one as its value");
}

} // namespace

Json quantity_json(const Quantity& quantity, const QuantityValue& value)
{
  return std::visit(
      [&](const auto& found) -> Json {
        using Value = std::remove_cvref_t<decltype(found)>;
        if constexpr (std::same_as<Value, std::monostate>) {
          return nullptr;
        } else if constexpr (std::same_as<Value, Fraction>) {
          return format_fraction(found);
        } else if constexpr (std::same_as<Value, Time> || std::same_as<Value, TotalTime>) {
          return exact_microseconds(found);
        } else if constexpr (std::same_as<Value, double>) {
          return decimal_json(quantity.type, found);
        } else {
          return found;
        }
      },
      value);
}

void put_quantity(Json& result, const Quantity& quantity, const QuantityValue& value)
{
  if (quantity.left_out && std::holds_alternative<std::monostate>(value)) {
    return;
  }
  Json* object = &result;
  std::string_view name = quantity.name;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    object = &(*object)[std::string(name.substr(0, dot))];
    name.remove_prefix(dot + 1);
  }
  (*object)[std::string(name)] = quantity_json(quantity, value);
}

std::string_view object_of(const Quantity& quantity)
{
  const std::size_t dot = quantity.name.find('.');
  return std::string_view(quantity.name).substr(0, dot == std::string::npos ? 0 : dot);
}

} // namespace wormcast
