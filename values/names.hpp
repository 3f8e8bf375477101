#pragma once

#include "wormcast/values/input_error.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wormcast {

/// An enumerator and its text.
template <typename Enum> struct Named {
  Enum value{};
  std::string_view text;
};

/// Whether `value` is an enumerator of its type, rather than a number that none of them has. Compilers print the one by
/// its name, "Duplex::half", the other as "(Duplex)2".
template <auto value> constexpr bool is_enumerator()
{
  const std::string_view printed = std::source_location::current().function_name();
  const std::size_t cast = printed.rfind(')');
  return cast + 1 >= printed.size() || printed[cast + 1] < '0' || printed[cast + 1] > '9';
}

/// Whether `entries` are all enumerators 0, 1, ... of an enumeration in the order of their values, with different
/// texts. A bool is an enumeration of two.
template <typename Enum, std::size_t count> constexpr bool names_all(const Named<Enum> (&entries)[count])
{
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<std::size_t>(entries[i].value) != i) {
      return false;
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (entries[j].text == entries[i].text) {
        return false;
      }
    }
  }
  if constexpr (std::is_same_v<Enum, bool>) {
    return count == 2;
  } else {
    return !is_enumerator<static_cast<Enum>(count)>();
  }
}

/// The texts of an enumeration, from which they are written, read back, and offered as choices. Made by names().
template <typename Enum, std::size_t count> class Names {
public:
  constexpr explicit Names(const Named<Enum> (&entries)[count])
  {
    for (std::size_t i = 0; i < count; ++i) {
      texts_[i] = entries[i].text;
    }
  }

  /// The number of enumerators.
  static constexpr std::size_t size() { return count; }

  /// Returns all enumerators, in the order of their values.
  static constexpr std::array<Enum, count> all()
  {
    std::array<Enum, count> values{};
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<Enum>(i);
    }
    return values;
  }

  /// The text of an enumerator. Throws std::logic_error for a number that is none.
  constexpr std::string_view text(Enum value) const
  {
    const auto position = static_cast<std::size_t>(value);
    if (position >= count) {
      throw std::logic_error("an enumerator that does not exist");
    }
    return texts_[position];
  }

  /// The enumerator of a text; nothing for any other text.
  constexpr std::optional<Enum> find(std::string_view text) const
  {
    for (std::size_t i = 0; i < count; ++i) {
      if (texts_[i] == text) {
        return static_cast<Enum>(i);
      }
    }
    return std::nullopt;
  }

  /// The enumerator of a text. Throws InputError with all texts for any other.
  Enum read(std::string_view text) const
  {
    if (const std::optional<Enum> found = find(text)) {
      return *found;
    }
    throw InputError("found \"" + std::string(text) + "\", expected " + expectation());
  }

  /// Returns "one of \"full\", \"half\"" for error messages.
  std::string expectation() const
  {
    std::string known;
    for (const std::string_view one : texts_) {
      known += (known.empty() ? "one of \"" : ", \"") + std::string(one) + "\"";
    }
    return known;
  }

  /// Returns all texts, in the order of the enumerators: the choices of a Parameter.
  std::vector<std::string> texts() const { return {texts_.begin(), texts_.end()}; }

private:
  std::array<std::string_view, count> texts_{};
};

/// The table of an enumeration: names<Duplex>({{Duplex::full, "full"}, {Duplex::half, "half"}}). It does not compile
/// unless names_all(): an enumerator that is added later needs its text here.
template <typename Enum, std::size_t count> consteval Names<Enum, count> names(const Named<Enum> (&entries)[count])
{
  if (!names_all<Enum>(entries)) {
    throw std::logic_error("the table lacks an enumerator, has one twice or in another order, or a text twice");
  }
  return Names<Enum, count>(entries);
}

} // namespace wormcast
