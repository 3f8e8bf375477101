#pragma once

#include "wormcast/values/parameter.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace wormcast {

/// A checked value as JSON, in the form in which a configuration gives it: times as text with a unit, ports 0 as "all".
nlohmann::ordered_json parameter_json(const Parameter& parameter, const ParameterValue& value);

/// A declaration for those who offer its parameter: name, text, what is expected, whether it is required, its default.
nlohmann::ordered_json declaration_json(const Parameter& parameter);

/// The values of all declared parameters that have a value, in the order of the declarations.
nlohmann::ordered_json parameters_json(std::span<const Parameter> parameters, const ParameterValues& values);

/// Numbers and texts that an algorithm chose (Schedule::chosen), by name.
nlohmann::ordered_json chosen_json(const ParameterValues& chosen);

/// The same for people: "depth = 3, block = 0".
std::string chosen_text(const ParameterValues& chosen);

} // namespace wormcast
