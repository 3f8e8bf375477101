#include "wormcast/experiments/config/load_section.hpp"

#include "wormcast/values/field.hpp"

#include <algorithm>

namespace wormcast {

namespace {

constexpr const char* automatic = "auto";

Field<LoadParameters> points_field()
{
  return {{.name = "points",
           .type = ParameterType::numbers,
           .text =
               "loads that are measured, each as a fraction of a channel's rate; \"auto\": steps of a tenth of what "
               "the busiest channel can carry",
           .fallback = std::string(automatic),
           .maximum = 1000,
           .choices = {automatic}},
          [](LoadParameters& load, const ParameterValue* value) {
            if (const auto* points = std::get_if<std::vector<double>>(value)) {
              load.points = *points;
              std::ranges::sort(load.points);
              load.points.erase(std::unique(load.points.begin(), load.points.end()), load.points.end());
            }
          },
          [](const LoadParameters& load) {
            return load.points.empty() ? ParameterValue(std::string(automatic)) : ParameterValue(load.points);
          }};
}

const Fields<LoadParameters>& load_fields()
{
  static const LoadParameters defaults;
  static const Fields<LoadParameters> fields({
      points_field(),
      field("saturation", &LoadParameters::saturation,
            "bisect between the largest stable and the smallest saturated point")
          .otherwise(defaults),
      field("precision", &LoadParameters::precision,
            "how close these two points get, as a share of the load (default: traffic.precision)")
          .at_most(1),
  });
  return fields;
}

} // namespace

std::span<const Parameter> load_declarations()
{
  static const std::vector<Parameter> declarations = load_fields().declarations();
  return declarations;
}

LoadParameters load_parameters(const ParameterValues& values)
{
  LoadParameters load;
  load_fields().read(load, values);
  return load;
}

} // namespace wormcast
