#include "wormcast/experiments/reproduction/bertsekas/printed_tables.hpp"

namespace wormcast::bertsekas {

const std::vector<std::vector<std::uint32_t>>& figure_6_columns()
{
  static const std::vector<std::vector<std::uint32_t>> columns = {
      {0b0001},
      {0b0011, 0b0010},
      {0b0101, 0b0111, 0b0110, 0b0100},
      {0b1001, 0b1011, 0b1101, 0b1010, 0b1111, 0b1110, 0b1100, 0b1000}};
  return columns;
}

} // namespace wormcast::bertsekas
