#include "wormcast/topologies/lattice/lattice_box.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

using Matrix = std::vector<LatticeVector>; // by row

constexpr std::int64_t largest_entry = std::int64_t{1} << 24;

std::int64_t read_entry(std::string_view text, std::size_t row)
{
  std::int64_t entry = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, entry);
  if (error != std::errc{} || stop != end || entry < -largest_entry || entry > largest_entry) {
    throw InputError(fmt::format("matrix: row {} of the lattice has the entry \"{}\", expected a whole number from {} "
                                 "to {}",
                                 row + 1, text, -largest_entry, largest_entry));
  }
  return entry;
}

std::vector<std::int64_t> read_row(std::string_view text, std::size_t row)
{
  constexpr std::string_view blanks = " \t";
  std::vector<std::int64_t> entries;
  for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    entries.push_back(read_entry(text.substr(begin, end - begin), row));
    begin = text.find_first_not_of(blanks, end);
  }
  return entries;
}

Matrix read_matrix(std::span<const std::string> rows)
{
  if (rows.empty() || rows.size() > most_lattice_dimensions) {
    throw InputError(
        fmt::format("matrix: a lattice of {} rows, expected 1 to {}", rows.size(), most_lattice_dimensions));
  }
  Matrix matrix(rows.size(), LatticeVector{});
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::vector<std::int64_t> entries = read_row(rows[row], row);
    if (entries.size() != rows.size()) {
      throw InputError(fmt::format("matrix: row {} of the lattice has {} entries, expected {}, as there are {} rows",
                                   row + 1, entries.size(), rows.size(), rows.size()));
    }
    std::ranges::copy(entries, matrix[row].begin());
  }
  return matrix;
}

std::int64_t floor_division(std::int64_t number, std::int64_t divisor)
{
  const std::int64_t quotient = number / divisor;
  return number % divisor != 0 && (number < 0) != (divisor < 0) ? quotient - 1 : quotient;
}

/// row -= factor * other. Numbers stay far below 2^63 / 8, so that sums of a few of them fit.
void subtract(LatticeVector& row, std::int64_t factor, const LatticeVector& other)
{
  constexpr std::int64_t largest = std::int64_t{1} << 56;
  for (std::size_t column = 0; column < row.size(); ++column) {
    std::int64_t product = 0;
    const bool overflows = __builtin_mul_overflow(factor, other[column], &product) ||
                           __builtin_sub_overflow(row[column], product, &row[column]);
    if (overflows || row[column] < -largest || row[column] > largest) {
      throw InputError("matrix: the Hermite normal form of the lattice has numbers beyond 2^56 on the way; expected a "
                       "matrix of smaller numbers");
    }
  }
}

/// Leaves at most one row from `column` on whose entry in `column` is not 0, by Euclid's algorithm, and moves it there.
void clear_column(Matrix& matrix, std::size_t column)
{
  const auto first = matrix.begin() + static_cast<std::ptrdiff_t>(column);
  while (true) {
    // The row of the smallest entry that is not 0.
    auto smallest = matrix.end();
    bool others = false;
    for (auto row = first; row != matrix.end(); ++row) {
      if ((*row)[column] == 0) {
        continue;
      }
      others = others || smallest != matrix.end();
      if (smallest == matrix.end() || std::abs((*row)[column]) < std::abs((*smallest)[column])) {
        smallest = row;
      }
    }
    if (smallest == matrix.end()) {
      throw InputError("matrix: the lattice has linearly dependent rows, so that its network would be infinite; "
                       "expected a matrix whose determinant is not 0");
    }
    std::iter_swap(first, smallest);
    if (!others) {
      return;
    }
    for (auto row = first + 1; row != matrix.end(); ++row) {
      subtract(*row, (*row)[column] / (*first)[column], *first);
    }
  }
}

Matrix hermite_normal_form(Matrix matrix)
{
  for (std::size_t column = 0; column < matrix.size(); ++column) {
    clear_column(matrix, column);
    LatticeVector& pivot = matrix[column];
    if (pivot[column] < 0) {
      std::ranges::transform(pivot, pivot.begin(), [](std::int64_t entry) { return -entry; });
    }
    for (std::size_t row = 0; row < column; ++row) {
      subtract(matrix[row], floor_division(matrix[row][column], pivot[column]), pivot);
    }
  }
  return matrix;
}

} // namespace

LatticeBox::LatticeBox(std::span<const std::string> rows) : normal_form_(hermite_normal_form(read_matrix(rows)))
{
  std::int64_t points = 1;
  for (std::size_t dimension = 0; dimension < normal_form_.size(); ++dimension) {
    sizes_.push_back(normal_form_[dimension][dimension]);
    strides_.push_back(points);
    if (sizes_.back() > most_lattice_nodes / points) {
      throw InputError(fmt::format("matrix: a lattice of more than {} nodes, the absolute value of the determinant",
                                   most_lattice_nodes));
    }
    points *= sizes_.back();
  }
  points_ = static_cast<std::uint32_t>(points);
}

std::uint32_t LatticeBox::number_of(LatticeVector point) const
{
  std::int64_t number = 0;
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    const std::int64_t factor = floor_division(point[dimension], sizes_[dimension]);
    if (factor != 0) {
      for (std::size_t column = dimension; column < sizes_.size(); ++column) {
        point[column] -= factor * normal_form_[dimension][column];
      }
    }
    number += point[dimension] * strides_[dimension];
  }
  return static_cast<std::uint32_t>(number);
}

LatticeVector LatticeBox::point(std::uint32_t number) const
{
  LatticeVector point{};
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    point[dimension] = number / strides_[dimension] % sizes_[dimension];
  }
  return point;
}

} // namespace wormcast
