#pragma once

#include "wormcast/experiments/load/measure_curves.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace wormcast {

/// The key of a curve that has what is known of its saturation, and keys in it.
namespace saturation_key {
inline constexpr std::string_view saturation = "saturation";
inline constexpr std::string_view bracketed = "bracketed";
} // namespace saturation_key

/// An end of the bracket around a saturation with its key in a curve's saturation.
struct SaturationEnd {
  std::string_view key;
  std::optional<double> SaturationBracket::* load;
};
inline constexpr std::array saturation_ends = {SaturationEnd{"offered", &SaturationBracket::stable},
                                               SaturationEnd{"unstable_at", &SaturationBracket::saturated}};

/// "saturation" of a curve in `wormcast load --json`.
nlohmann::ordered_json saturation_json(const LoadCurve& curve);

/// What is known of the saturation of a curve that was measured with one seed, for people: the two loads between which
/// it lies, or that it is not bracketed and where it lies, or that the verdicts are not monotone in the load; then what
/// undecided points need. Lines with their ends.
std::string saturation_text(const LoadCurve& curve);

} // namespace wormcast
