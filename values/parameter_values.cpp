#include "wormcast/values/parameter.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

template <typename Value> const Value& get_declared(const ParameterValues& values, std::string_view name)
{
  const Value* value = std::get_if<Value>(&values.value(name));
  if (value == nullptr) {
    throw std::logic_error(fmt::format("parameter \"{}\" was asked for as another type than it was declared", name));
  }
  return *value;
}

} // namespace

bool ParameterValues::has(std::string_view name) const
{
  return values_.find(name) != values_.end();
}

bool ParameterValues::boolean(std::string_view name) const
{
  return get_declared<bool>(*this, name);
}

std::int64_t ParameterValues::integer(std::string_view name) const
{
  return get_declared<std::int64_t>(*this, name);
}

const std::string& ParameterValues::text(std::string_view name) const
{
  return get_declared<std::string>(*this, name);
}

const std::vector<std::int64_t>& ParameterValues::integers(std::string_view name) const
{
  return get_declared<std::vector<std::int64_t>>(*this, name);
}

const std::vector<std::string>& ParameterValues::texts(std::string_view name) const
{
  return get_declared<std::vector<std::string>>(*this, name);
}

Time ParameterValues::time(std::string_view name) const
{
  return get_declared<Time>(*this, name);
}

double ParameterValues::number(std::string_view name) const
{
  return get_declared<double>(*this, name);
}

const ParameterValue& ParameterValues::value(std::string_view name) const
{
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw std::logic_error(fmt::format("parameter \"{}\" was asked for but has no value", name));
  }
  return found->second;
}

void ParameterValues::set(std::string name, ParameterValue value)
{
  values_.insert_or_assign(std::move(name), std::move(value));
}

} // namespace wormcast
