#include "wormcast/experiments/config/broadcast_section.hpp"

#include "wormcast/values/field.hpp"

#include <vector>

namespace wormcast {

namespace {

/// Values of broadcast.source: whether sources are drawn.
constexpr auto series_source_names = names<bool>({{false, "configured"}, {true, "random"}});

const Fields<SeriesParameters>& series_fields()
{
  static const Fields<SeriesParameters> fields({
      field("repeat", &SeriesParameters::rounds,
            "rounds, one after the other; the first one starts when the load is stationary")
          .at_least(1)
          .at_most(1'000'000)
          .otherwise({}),
      field("pause", &SeriesParameters::pause, "from the end of a round to the beginning of the next")
          .at_most(largest_time / 2)
          .otherwise({}),
      field("count", &SeriesParameters::count, "broadcasts of a round, which start together from different sources")
          .at_least(1)
          .at_most(1'000'000)
          .otherwise({}),
      field("source", &SeriesParameters::random_sources, series_source_names,
            "the first broadcast of each round comes from algorithm.source, the others of it from nodes drawn by "
            "run.seed, or all of them do")
          .otherwise({}),
  });
  return fields;
}

} // namespace

std::span<const Parameter> broadcast_declarations()
{
  static const std::vector<Parameter> declarations = series_fields().declarations();
  return declarations;
}

SeriesParameters series_parameters(const ParameterValues& values)
{
  SeriesParameters series;
  series_fields().read(series, values);
  return series;
}

} // namespace wormcast
