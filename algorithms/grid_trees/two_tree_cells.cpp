#include "wormcast/algorithms/grid_trees/two_tree_cells.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace wormcast {

namespace web {
extern const std::string_view two_tree_cells_1;
extern const std::string_view two_tree_cells_2;
} // namespace web

namespace {

[[noreturn]] void reject(std::string_view what)
{
  throw std::logic_error("a design of cells of two trees with " + std::string(what));
}

std::uint32_t digit(char character, std::string_view digits, std::string_view what)
{
  const auto value = digits.find(character);
  if (value == std::string_view::npos) {
    reject(what);
  }
  return static_cast<std::uint32_t>(value);
}

std::optional<Spot> parse_spot(std::string_view text)
{
  if (text == "--") {
    return std::nullopt;
  }
  constexpr std::string_view octal = "01234567";
  if (text.size() != 2) {
    reject("a node that is not YX");
  }
  return Spot{static_cast<std::int32_t>(digit(text[1], octal, "a bad node")),
              static_cast<std::int32_t>(digit(text[0], octal, "a bad node"))};
}

Spot require_spot(std::string_view text)
{
  const std::optional<Spot> spot = parse_spot(text);
  if (!spot) {
    reject("a node that is missing");
  }
  return *spot;
}

Spot spot_of_number(std::uint32_t number)
{
  return {static_cast<std::int32_t>(number % cell_side), static_cast<std::int32_t>(number / cell_side)};
}

std::vector<ColouredEdge> parse_edges(std::string_view text)
{
  constexpr std::string_view base_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 3 != 0) {
    reject("an edge that is not of three digits");
  }
  std::vector<ColouredEdge> edges;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t number = 0;
    for (const char character : text.substr(i, 3)) {
      number = 64 * number + digit(character, base_64, "an edge of other digits than those of base 64");
    }
    if (number >= 16384) {
      reject("an edge above the last one");
    }
    edges.push_back({spot_of_number(number % 64), spot_of_number(number / 64 % 64), number / 4096 % 2, number / 8192});
  }
  return edges;
}

Lanes parse_reserved(std::istream& line)
{
  Lanes lanes;
  for (std::string text; line >> text;) {
    if (text.size() != 4) {
      reject("a reserved channel that is not COLOUR DIRECTION Y X");
    }
    const std::uint32_t colour = digit(text[0], "01", "a reserved channel of no colour");
    const auto heading = static_cast<Heading>(digit(text[1], "><^v", "a reserved channel of no direction"));
    lanes.set(lane(colour, heading, require_spot(std::string_view(text).substr(2))));
  }
  return lanes;
}

TwoTreeCell parse_cell(std::string name, std::istream& line)
{
  std::array<std::string, 5> parts;
  for (std::string& part : parts) {
    line >> part;
  }
  return {.name = std::move(name),
          .root = {require_spot(parts[0]), require_spot(parts[1])},
          .source = parse_spot(parts[2]),
          .relay = parse_spot(parts[3]),
          .edges = parse_edges(parts[4])};
}

} // namespace

std::size_t lane(std::uint32_t colour, Heading heading, Spot node)
{
  return ((std::size_t{colour} * 4 + static_cast<std::size_t>(heading)) * cell_side +
          static_cast<std::size_t>(node.y)) *
             cell_side +
         static_cast<std::size_t>(node.x);
}

const TwoTreeCell* CellDesign::find(std::string_view name) const
{
  const auto found = std::ranges::find(cells, name, &TwoTreeCell::name);
  return found == cells.end() ? nullptr : &*found;
}

CellDesign parse_cell_design(std::string_view text)
{
  CellDesign design;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line);
    std::string name;
    parts >> name;
    if (name == "spares") {
      std::array<std::string, 2> spots;
      parts >> spots[0] >> spots[1];
      design.spare = {require_spot(spots[0]), require_spot(spots[1])};
    } else if (name == "colours") {
      parts >> design.root_colour[0] >> design.root_colour[1] >> design.spare_colour[0] >> design.spare_colour[1];
    } else if (name == "reserved") {
      design.reserved = parse_reserved(parts);
    } else {
      design.cells.push_back(parse_cell(std::move(name), parts));
    }
  }
  if (design.find("N") == nullptr) {
    reject("no normal cell");
  }
  return design;
}

std::span<const CellDesign> cell_designs()
{
  static const std::array<CellDesign, 2> designs = {parse_cell_design(web::two_tree_cells_1),
                                                    parse_cell_design(web::two_tree_cells_2)};
  return designs;
}

} // namespace wormcast
