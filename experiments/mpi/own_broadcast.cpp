#include "wormcast/experiments/mpi/own_broadcast.hpp"

#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

namespace wormcast {

namespace {

/// The texts of the parameters by name.
std::map<std::string, std::string> parameter_texts(std::istringstream& tokens)
{
  std::map<std::string, std::string> texts;
  auto last = texts.end();
  for (std::string token; tokens >> token;) {
    const std::size_t equals = token.find('=');
    if (equals == std::string::npos && last != texts.end()) {
      last->second += " " + token;
      continue;
    }
    if (equals == std::string::npos || equals == 0) {
      throw InputError(fmt::format("found \"{}\", expected PARAMETER=VALUE", token));
    }
    bool is_new = false;
    std::tie(last, is_new) = texts.emplace(token.substr(0, equals), token.substr(equals + 1));
    if (!is_new) {
      throw InputError(fmt::format("found \"{}\" a second time, expected each parameter once", last->first));
    }
  }
  return texts;
}

/// Texts as they are where the parameter is one, as of --set.
std::map<std::string, RawValue, std::less<>> raw_values(const Algorithm& algorithm,
                                                        const std::map<std::string, std::string>& texts)
{
  std::map<std::string, RawValue, std::less<>> values;
  for (const auto& [name, text] : texts) {
    const auto known = std::ranges::find(algorithm.parameters, name, &Parameter::name);
    const bool is_text = known != algorithm.parameters.end() &&
                         (known->type == ParameterType::text || known->type == ParameterType::file ||
                          known->type == ParameterType::choice);
    values.emplace(name, is_text ? RawValue(text) : parse_override_value(text));
  }
  return values;
}

} // namespace

OwnBroadcast read_own_broadcast(const std::string& text)
{
  std::istringstream tokens(text);
  OwnBroadcast broadcast;
  tokens >> broadcast.algorithm;
  try {
    const Algorithm& algorithm = find_algorithm(broadcast.algorithm);
    try {
      broadcast.parameters = read_parameters(algorithm.parameters, raw_values(algorithm, parameter_texts(tokens)));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", algorithm.name, error.what()));
    }
    if (requested_operation(algorithm, broadcast.parameters) != Operation::broadcast) {
      throw InputError(fmt::format("{} does not broadcast, expected an algorithm that does", algorithm.name));
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("mpi.bcast: {}", error.what()));
  }
  return broadcast;
}

} // namespace wormcast
