#pragma once

#include "tests/equality/scenario.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast::testing {

/// Something made wrong on purpose, to see that it is noticed.
enum class Fault {
  none,
  worm_buffer,     ///< the worm engine is given one flit more room in each buffer
  flit_tie_break,  ///< the flit engine is given another order of those who ask at one instant
  picosecond_hold, ///< the third engine gives channels back at another time
  simgrid_startup, ///< on SimGrid's clock T_s is a picosecond longer
  lost_wait,       ///< the explanation is not told of the last wait
  lost_sharing     ///< the check of messages without records is not told of turns on a physical channel
};

/// By name: "worm_buffer". None on an unknown name.
std::optional<Fault> fault_named(std::string_view name);
std::span<const std::string_view> fault_names(); ///< in the order of Fault, "none" first

/// What is wrong, one line each.
using Mismatches = std::vector<std::string>;

/// How often what was checked.
using Tally = std::map<std::string, std::uint64_t>;

/// All that is wrong with the simulations of a scenario; empty: nothing.
Mismatches mismatches(const Scenario& scenario, Fault fault, Tally& tally);

} // namespace wormcast::testing
