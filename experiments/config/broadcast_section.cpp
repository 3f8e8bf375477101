#include "wormcast/experiments/config/broadcast_section.hpp"

#include "wormcast/values/names.hpp"

#include <vector>

namespace wormcast {

namespace {

/// Values of broadcast.source: whether sources are drawn.
constexpr auto series_source_names = names<bool>({{false, "configured"}, {true, "random"}});

} // namespace

std::span<const Parameter> broadcast_declarations()
{
  static const std::vector<Parameter> declarations = {
      {.name = "repeat",
       .type = ParameterType::integer,
       .text = "rounds, one after the other; the first one starts when the load is stationary",
       .fallback = std::int64_t{30},
       .minimum = 1,
       .maximum = 1'000'000},
      {.name = "pause",
       .type = ParameterType::time,
       .text = "from the end of a round to the beginning of the next",
       .fallback = Time{0},
       .maximum = last_instant / 2},
      {.name = "count",
       .type = ParameterType::integer,
       .text = "broadcasts of a round, which start together from different sources",
       .fallback = std::int64_t{1},
       .minimum = 1,
       .maximum = 1'000'000},
      {.name = "source",
       .type = ParameterType::choice,
       .text = "the first broadcast of each round comes from algorithm.source, the others of it from nodes drawn by "
               "run.seed, or all of them do",
       .fallback = std::string(series_source_names.text(false)),
       .choices = series_source_names.texts()}};
  return declarations;
}

SeriesParameters series_parameters(const ParameterValues& values)
{
  return {.rounds = static_cast<std::uint32_t>(values.integer("repeat")),
          .pause = values.time("pause"),
          .count = static_cast<std::uint32_t>(values.integer("count")),
          .random_sources = series_source_names.read(values.text("source"))};
}

} // namespace wormcast
