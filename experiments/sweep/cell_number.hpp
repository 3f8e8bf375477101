#pragma once

#include "wormcast/values/names.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace wormcast {

/// In what the number of a cell counts.
enum class CellUnit { none, bytes, microseconds };

/// "" (none), "bytes", "us".
inline constexpr auto cell_unit_names =
    names<CellUnit>({{CellUnit::none, ""}, {CellUnit::bytes, "bytes"}, {CellUnit::microseconds, "us"}});

/// The number that a cell of a table means.
struct CellNumber {
  std::string decimal; ///< its digits
  CellUnit unit = CellUnit::none;
};

/// Of a number itself, of a fraction ("39/16") its decimals, of a size ("4KiB") its bytes, of a time ("150us") its
/// microseconds. None of other texts.
std::optional<CellNumber> read_cell(std::string_view cell);

/// The decimal of read_cell.
std::optional<std::string> cell_number(std::string_view cell);

/// The same as a binary fraction.
std::optional<double> cell_value(std::string_view cell);

/// The double nearest to a decimal.
double decimal_value(const std::string& decimal);

} // namespace wormcast
