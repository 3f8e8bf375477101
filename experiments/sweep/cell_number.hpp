#pragma once

#include "wormcast/values/names.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

/// A cell of a table: a text and its type. The digits of a number are those of its source: nothing is rounded.
class Cell {
public:
  enum class Type { none, truth, number, text };

  Cell() = default; ///< none
  Cell(Type type, std::string text) : type_(type), text_(std::move(text)) {}
  /// A number where the text is one, else a text; none where it is empty.
  static Cell read(std::string text);

  Type type() const { return type_; }
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

  std::optional<CellNumber> number() const { return read_cell(text_); }
  std::optional<std::string> decimal() const { return cell_number(text_); }
  std::optional<double> value() const { return cell_value(text_); }

  friend bool operator==(const Cell&, const Cell&) = default;

private:
  Type type_ = Type::none;
  std::string text_;
};

} // namespace wormcast
