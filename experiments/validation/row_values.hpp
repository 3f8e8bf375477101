#pragma once

#include "wormcast/experiments/validation/measured_rows.hpp"
#include "wormcast/simulator/model/computation.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace wormcast {

/// Constants of a machine that were found from measured rows, by name.
struct FittedValues {
  std::map<std::string, Time> times;
  ByteTime per_byte; ///< {per_byte} where it is one of `times`, which have it rounded up to a picosecond
  std::map<std::string, std::map<std::uint64_t, Time>> tables; ///< by name, by bytes
};

/// The table of this name as TimeTable's text ("2048 0us, 16384 11.3us").
std::string fitted_table_text(const std::map<std::uint64_t, Time>& table);

/// Returns the text with the row's values in the place of {bytes}, {ports}, {nodes}, {log2_nodes} (rounded up), {dims}
/// ("[4,4,4]": the shape's sizes in their order) and {reversed_dims}, and of the names of constants; numbers can be
/// divided and multiplied ("{bytes/ports/64}", from the left, quotients rounded up), times added and multiplied by
/// numbers ("{call+peer*log2_nodes}"), tables also divided ("{copy*2+copy*log2_nodes}", "{copy/ports}"). Braces in
/// braces are replaced first ("{threads_of_{ports}}"). Braces around something else, as of TOML's tables, stay. Throws
/// InputError where a value is needed that the row does not have: ports that are not known, a shape that is no list of
/// sizes with an x between them.
std::string with_row_values(const std::string& text, const MeasuredRow& row, const FittedValues& fitted);

} // namespace wormcast
