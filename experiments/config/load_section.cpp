#include "wormcast/experiments/config/load_section.hpp"

#include <algorithm>

namespace wormcast {

std::span<const Parameter> load_declarations()
{
  static const std::vector<Parameter> declarations = {
      {.name = "points",
       .type = ParameterType::numbers,
       .text =
           "loads that are measured, each as a fraction of a channel's rate; \"auto\": steps of a tenth of what the "
           "busiest channel can carry",
       .fallback = std::string("auto"),
       .maximum = 1000,
       .choices = {"auto"}},
      {.name = "saturation",
       .type = ParameterType::boolean,
       .text = "bisect between the largest stable and the smallest saturated point",
       .fallback = true},
      {.name = "precision",
       .type = ParameterType::number,
       .text = "how close these two points get, as a share of the load (default: traffic.precision)",
       .optional = true,
       .maximum = 1}};
  return declarations;
}

LoadParameters load_parameters(const ParameterValues& values)
{
  LoadParameters load;
  if (const auto* points = std::get_if<std::vector<double>>(&values.value("points"))) {
    load.points = *points;
    std::ranges::sort(load.points);
    load.points.erase(std::unique(load.points.begin(), load.points.end()), load.points.end());
  }
  load.saturation = values.boolean("saturation");
  if (values.has("precision")) {
    load.precision = values.number("precision");
  }
  return load;
}

} // namespace wormcast
