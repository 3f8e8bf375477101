#pragma once

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wormcast {

/// A parameter and the part of a `Struct` that holds its value: declared, read and written back in one place. It is
/// made by field(), or of functions if the value is more than one member.
template <typename Struct> class Field {
public:
  /// Stores a value; null: the parameter is optional and absent. Throws InputError without the parameter's name.
  using Read = std::function<void(Struct&, const ParameterValue*)>;
  /// The value that is in effect; nothing where it is that of no key.
  using Write = std::function<std::optional<ParameterValue>(const Struct&)>;

  Field(Parameter parameter, Read read, Write write)
      : parameter_(std::move(parameter)), read_(std::move(read)), write_(std::move(write))
  {}

  const Parameter& declaration() const { return parameter_; }

  /// Stores the parameter's value, or its fallback. Throws InputError "NAME: ..." if the value is invalid for it,
  /// std::logic_error if a required parameter has no value.
  void read(Struct& to, const ParameterValues& values) const
  {
    const ParameterValue* value = values.has(parameter_.name) ? &values.value(parameter_.name)
                                  : parameter_.fallback       ? &*parameter_.fallback
                                                              : nullptr;
    if (value == nullptr && !parameter_.optional) {
      throw std::logic_error("the required parameter \"" + parameter_.name + "\" has no value");
    }
    try {
      read_(to, value);
    } catch (const InputError& error) {
      throw InputError(parameter_.name + ": " + error.what());
    }
  }

  /// Sets the parameter's value to the one that is in effect.
  void write(const Struct& from, ParameterValues& values) const
  {
    if (std::optional<ParameterValue> value = write_(from)) {
      values.set(parameter_.name, *std::move(value));
    }
  }

  /// Returns the same field of a struct that has a `Struct` as member.
  template <typename Outer> Field<Outer> in(Struct Outer::* member) const
  {
    return {parameter_, [member, read = read_](Outer& to, const ParameterValue* value) { read(to.*member, value); },
            [member, write = write_](const Outer& from) { return write(from.*member); }};
  }

  /// Sets the smallest value, in the unit of the declaration (Parameter::minimum).
  Field at_least(std::int64_t minimum) const
  {
    Field field = *this;
    field.parameter_.minimum = minimum;
    return field;
  }

  /// Sets the largest value.
  Field at_most(std::int64_t maximum) const
  {
    Field field = *this;
    field.parameter_.maximum = maximum;
    return field;
  }

  /// Sets another type with the same values: a number of bytes or of ports instead of a whole number.
  Field as(ParameterType type) const
  {
    Field field = *this;
    field.parameter_.type = type;
    return field;
  }

  /// A text that is one of `choices`.
  Field among(std::vector<std::string> choices) const
  {
    Field field = as(ParameterType::choice);
    field.parameter_.choices = std::move(choices);
    return field;
  }

  /// If absent, it has the value of `defaults`.
  Field otherwise(const Struct& defaults) const
  {
    Field field = *this;
    field.parameter_.fallback = write_(defaults);
    return field;
  }

  /// It may be absent: then the member is not changed.
  Field optional() const
  {
    Field field = *this;
    field.parameter_.optional = true;
    return field;
  }

private:
  Parameter parameter_;
  Read read_;
  Write write_;
};

template <typename Value> inline constexpr bool is_optional_value = false;
template <typename Value> inline constexpr bool is_optional_value<std::optional<Value>> = true;

/// The declared type of a member's value, unless Field::as sets another.
template <typename Member> constexpr ParameterType parameter_type()
{
  if constexpr (is_optional_value<Member>) {
    return parameter_type<typename Member::value_type>();
  } else if constexpr (std::same_as<Member, bool>) {
    return ParameterType::boolean;
  } else if constexpr (std::integral<Member>) {
    return ParameterType::integer;
  } else if constexpr (std::same_as<Member, double>) {
    return ParameterType::number;
  } else if constexpr (std::same_as<Member, Time>) {
    return ParameterType::time;
  } else {
    static_assert(std::same_as<Member, std::string>);
    return ParameterType::text;
  }
}

/// The value of a member as that of a parameter; nothing where an optional member has none.
template <typename Member> std::optional<ParameterValue> parameter_value(const Member& member)
{
  if constexpr (is_optional_value<Member>) {
    return member ? parameter_value(*member) : std::nullopt;
  } else if constexpr (std::integral<Member> && !std::same_as<Member, bool>) {
    return static_cast<std::int64_t>(member);
  } else {
    return member;
  }
}

/// Stores the value of a parameter in a member of its type. Throws std::logic_error for another type.
template <typename Member> void take_value(Member& member, const ParameterValue& value)
{
  if constexpr (is_optional_value<Member>) {
    take_value(member.emplace(), value);
  } else {
    using Held = std::conditional_t<std::integral<Member> && !std::same_as<Member, bool>, std::int64_t, Member>;
    const Held* held = std::get_if<Held>(&value);
    if (held == nullptr) {
      throw std::logic_error("a parameter has a value of another type than what holds it");
    }
    if constexpr (std::same_as<Held, Member>) {
      member = *held;
    } else {
      if (!std::in_range<Member>(*held)) {
        throw std::logic_error("a parameter has a value that does not fit into what holds it");
      }
      member = static_cast<Member>(*held);
    }
  }
}

/// A field for a time, a truth value, a whole or decimal number or a text. An optional member makes it optional.
template <typename Struct, typename Member>
Field<Struct> field(const std::string& name, Member Struct::* member, const std::string& text)
{
  return {{.name = name, .type = parameter_type<Member>(), .text = text, .optional = is_optional_value<Member>},
          [member](Struct& to, const ParameterValue* value) {
            if (value != nullptr) {
              take_value(to.*member, *value);
            }
          },
          [member](const Struct& from) { return parameter_value(from.*member); }};
}

/// The text of a choice that is held as an enumerator, or as its text.
template <typename Member, typename Enum, std::size_t count>
ParameterValue choice_value(const Member& member, const Names<Enum, count>& names)
{
  if constexpr (std::same_as<Member, Enum>) {
    return std::string(names.text(member));
  } else {
    return member;
  }
}

/// A field for a choice among the texts of an enumeration. The member is an enumerator, or the text of one.
template <typename Struct, typename Member, typename Enum, std::size_t count>
Field<Struct> field(const std::string& name, Member Struct::* member, const Names<Enum, count>& names,
                    const std::string& text)
{
  static_assert(std::same_as<Member, Enum> || std::same_as<Member, std::string>);
  return {{.name = name, .type = ParameterType::choice, .text = text, .choices = names.texts()},
          [member, names](Struct& to, const ParameterValue* value) {
            if (value == nullptr) {
              return;
            }
            std::string chosen;
            take_value(chosen, *value);
            const Enum read = names.read(chosen);
            if constexpr (std::same_as<Member, Enum>) {
              to.*member = read;
            } else {
              to.*member = std::move(chosen);
            }
          },
          [member, names](const Struct& from) { return choice_value(from.*member, names); }};
}

/// All fields of a section of a configuration that are stored in one struct.
template <typename Struct> class Fields {
public:
  Fields(std::vector<Field<Struct>> all) : all_(std::move(all)) {}

  /// In the order of the fields.
  std::vector<Parameter> declarations() const
  {
    std::vector<Parameter> declarations;
    for (const Field<Struct>& field : all_) {
      declarations.push_back(field.declaration());
    }
    return declarations;
  }

  /// Stores the values of all fields, in their order. Throws as Field::read().
  void read(Struct& to, const ParameterValues& values) const
  {
    for (const Field<Struct>& field : all_) {
      field.read(to, values);
    }
  }

  /// Sets the values of all fields to those that are in effect.
  void write(const Struct& from, ParameterValues& values) const
  {
    for (const Field<Struct>& field : all_) {
      field.write(from, values);
    }
  }

private:
  std::vector<Field<Struct>> all_;
};

} // namespace wormcast
