#pragma once

#include "wormcast/experiments/sweep/crossings.hpp"

#include <cstdint>
#include <string>

namespace wormcast {

/// A decimal number, read once: to compare and compute with, and to be shown as it was written.
class Decimal {
public:
  Decimal() = default; ///< 0
  /// A finite number as JSON writes it: "150", "0.09406857", "-2.5e3". Throws InputError of other texts.
  explicit Decimal(std::string text);

  const std::string& text() const { return text_; }
  const ExactNumber& exact() const { return exact_; }
  double nearest() const { return nearest_; }
  /// Its whole part; it is not negative, and below 2^64.
  std::uint64_t whole() const;

  friend bool operator==(const Decimal& a, const Decimal& b) { return a.exact_ == b.exact_; }
  friend bool operator<(const Decimal& a, const Decimal& b) { return a.exact_ < b.exact_; }

private:
  std::string text_ = "0";
  ExactNumber exact_ = 0;
  double nearest_ = 0;
};

} // namespace wormcast
