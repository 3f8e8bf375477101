#include "wormcast/experiments/config/plot_section.hpp"

#include "wormcast/experiments/config/trimmed.hpp"
#include "wormcast/experiments/output/output_name.hpp"
#include "wormcast/values/field.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr auto scale_names = names<PlotScale>({{PlotScale::automatic, "auto"},
                                               {PlotScale::linear, "linear"},
                                               {PlotScale::log_x, "log_x"},
                                               {PlotScale::log_y, "log_y"},
                                               {PlotScale::log, "log"}});
constexpr auto spread_names =
    names<PlotSpread>({{PlotSpread::bars, "bars"}, {PlotSpread::band, "band"}, {PlotSpread::none, "none"}});

/// The parts of a text between separators, without blanks around them.
std::vector<std::string> parts(std::string_view text, char separator)
{
  std::vector<std::string> found;
  while (!trimmed(text).empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    found.emplace_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

Field<PlotRequest> group_field()
{
  return {{.name = "group",
           .type = ParameterType::text,
           .text = "columns whose values are curves of their own, joined by \"+\"; empty: all axes that are not on x",
           .fallback = std::string()},
          [](PlotRequest& plot, const ParameterValue* value) {
            std::string columns;
            take_value(columns, *value);
            plot.group = parts(columns, '+');
          },
          [](const PlotRequest& plot) { return fmt::format("{}", fmt::join(plot.group, "+")); }};
}

const Fields<PlotRequest>& plot_fields()
{
  static const PlotRequest defaults = [] {
    PlotRequest plot;
    plot.y = default_plot_quantity;
    return plot;
  }();
  static const Fields<PlotRequest> fields({
      field("x", &PlotRequest::x,
            "column on the x axis, or the quotient of two (\"latency_us/bounds.latency_us\"); of names each value "
            "has its place; empty: message.bytes, else the first axis with numbers, else nodes; of load curves: "
            "offered")
          .otherwise(defaults),
      field("y", &PlotRequest::y,
            "column on the y axis, or the quotient of two; of load curves: latency_us.mean unless it is set")
          .otherwise(defaults),
      group_field(),
      field("facet", &PlotRequest::facet,
            "column whose values are panels of their own; empty: panels only where one would have more than 12 curves; "
            "of more the 12 nearest to the lowest are drawn, and a note names the others")
          .otherwise(defaults),
      field("scale", &PlotRequest::scale, scale_names,
            "which axes are logarithmic; \"auto\": those of message lengths and of values spread like powers")
          .otherwise(defaults),
      field("spread", &PlotRequest::spread, spread_names, "how the 95 % interval of the mean of several seeds is drawn")
          .otherwise(defaults),
      field("predicted", &PlotRequest::predicted,
            "for latencies over message.bytes: lines alpha*T_s + beta*L*T_c where that formula is proved")
          .otherwise(defaults),
      field("bounds", &PlotRequest::bounds, "lower bounds as lines, where y is a latency, alpha or beta_decimal")
          .otherwise(defaults),
      field("title", &PlotRequest::title, "the title; empty: what all runs have in common").otherwise(defaults),
      field("name", &PlotRequest::name,
            "name of the files NAME.svg, NAME.png, NAME.pdf and NAME.gnuplot, of letters, digits, \"_\", \"-\", \"+\" "
            "and \".\"; empty: made of y and x")
          .otherwise(defaults),
  });
  return fields;
}

/// The value of a key as it is typed in a shell.
RawValue plot_value(const std::string& key, const std::string& value)
{
  const bool truth = value == "true" || value == "false";
  const auto declared = std::ranges::find(plot_declarations(), key, &Parameter::name);
  const bool wants_truth = declared != plot_declarations().end() && declared->type == ParameterType::boolean;
  return truth && wants_truth ? RawValue(value == "true") : RawValue(value);
}

/// A key within the value of another one, because a comma is missing: "a y=b". Empty: there is none.
std::string second_key(const std::string& value)
{
  for (const Parameter& parameter : plot_declarations()) {
    if (value.find(" " + parameter.name + "=") != std::string::npos) {
      return parameter.name;
    }
  }
  return {};
}

} // namespace

std::span<const Parameter> plot_declarations()
{
  static const std::vector<Parameter> declarations = plot_fields().declarations();
  return declarations;
}

PlotRequest plot_request(std::map<std::string, RawValue, std::less<>> given, const std::string& where)
{
  ParameterValues values;
  try {
    values = read_parameters(plot_declarations(), given);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: [plot]: {}", where, error.what()));
  }
  PlotRequest plot;
  plot_fields().read(plot, values);
  plot.where = where;
  plot.given = std::move(given);
  if (plot.y.empty()) {
    throw InputError(fmt::format("{}: plot.y: found an empty text, expected a column", where));
  }
  if (!plot.name.empty()) {
    check_output_name(plot.name, where + ": plot.name");
  }
  return plot;
}

PlotRequest changed_plot(const PlotRequest& plot, const std::string& key, const std::string& value,
                         const std::string& where)
{
  std::map<std::string, RawValue, std::less<>> given = plot.given;
  given.insert_or_assign(key, plot_value(key, value));
  return plot_request(std::move(given), where);
}

PlotRequest parse_plot_request(std::string_view text)
{
  std::map<std::string, RawValue, std::less<>> given;
  for (const std::string& part : parts(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError(fmt::format("--plot: found \"{}\", expected KEY=VALUE, such as x=nodes", part));
    }
    const std::string key(trimmed(std::string_view(part).substr(0, equals)));
    const std::string value(trimmed(std::string_view(part).substr(equals + 1)));
    if (const std::string second = second_key(value); !second.empty()) {
      throw InputError(fmt::format("--plot: found \"{}\", expected a comma before \"{}=\"", part, second));
    }
    if (!given.emplace(key, plot_value(key, value)).second) {
      throw InputError(fmt::format("--plot: found \"{}\" a second time, expected each key once", key));
    }
  }
  return plot_request(std::move(given), "--plot");
}

} // namespace wormcast
