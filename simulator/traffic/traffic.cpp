#include "wormcast/simulator/traffic/traffic.hpp"

#include "wormcast/simulator/traffic/patterns.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace wormcast {

namespace {

// Longer messages cannot be simulated; their sums and products must fit 64 bits.
constexpr std::int64_t largest_length = std::int64_t{1} << 40;

std::vector<Parameter> declare_traffic_keys()
{
  std::vector<std::string> patterns;
  std::ranges::transform(traffic_patterns(), std::back_inserter(patterns), &TrafficPattern::name);
  std::vector<Parameter> all;
  all.push_back({.name = "pattern",
                 .type = ParameterType::choice,
                 .text = "where each node sends (wormcast list patterns)",
                 .fallback = std::string("uniform"),
                 .choices = patterns});
  all.push_back({.name = "load",
                 .type = ParameterType::number,
                 .text =
                     "offered bytes of a node and time, as a fraction of a channel's rate 1/per_byte: the one point "
                     "of a curve whose [load] gives none",
                 .optional = true,
                 .maximum = 1000});
  all.push_back({.name = "include_self",
                 .type = ParameterType::boolean,
                 .text = "a pattern's messages to the sender itself go "
                         "through the node's own router; else there are none",
                 .fallback = false});
  all.push_back({.name = "arrival",
                 .type = ParameterType::choice,
                 .text = "when messages come into being at a node: bernoulli in each flit time with the same "
                         "probability, periodic with random phases, on_off as Poisson in bursts",
                 .fallback = std::string(arrival_names.text(Arrival::poisson)),
                 .choices = arrival_names.texts()});
  const auto size = [&](std::string name, std::string text) {
    all.push_back({.name = std::move(name),
                   .type = ParameterType::bytes,
                   .text = std::move(text),
                   .optional = true,
                   .minimum = 1,
                   .maximum = largest_length});
  };
  size("bytes", "length of all messages; { from, to } uniform, { mean } geometric, or a list of { bytes, weight }");
  size("bytes.from", "shortest message; each length up to bytes.to as often as any other");
  size("bytes.to", "longest message");
  size("bytes.mean", "mean of a geometric distribution");
  all.push_back({.name = "bytes.bytes",
                 .type = ParameterType::integers,
                 .text = "lengths with a weight each",
                 .optional = true,
                 .minimum = 1,
                 .maximum = largest_length});
  all.push_back({.name = "bytes.weight",
                 .type = ParameterType::integers,
                 .text = "how often each of bytes.bytes is sent",
                 .optional = true,
                 .minimum = 1,
                 .maximum = 1'000'000'000});
  for (const TrafficPattern& pattern : traffic_patterns()) {
    for (Parameter parameter : pattern.parameters) {
      parameter.text = fmt::format("pattern \"{}\": {}", pattern.name, parameter.text);
      parameter.optional = true;
      parameter.fallback.reset();
      all.push_back(std::move(parameter));
    }
  }
  all.push_back({.name = "on_off.burst",
                 .type = ParameterType::number,
                 .text = "arrival \"on_off\": mean number of messages of a burst, at least 1",
                 .optional = true});
  all.push_back({.name = "on_off.duty",
                 .type = ParameterType::number,
                 .text = "arrival \"on_off\": share of time in bursts",
                 .optional = true,
                 .maximum = 1});
  all.push_back({.name = "warm_up",
                 .type = ParameterType::extent,
                 .text = "what is not measured in the beginning; \"auto\": until MSER-5 finds the latency stationary",
                 .fallback = std::string("auto"),
                 .choices = {"auto"}});
  all.push_back({.name = "measure",
                 .type = ParameterType::extent,
                 .text = "how long messages are measured, by when they come into being; "
                         "\"auto\": until `precision` is reached",
                 .fallback = std::string("auto"),
                 .minimum = 1000,
                 .choices = {"auto"}});
  all.push_back({.name = "precision",
                 .type = ParameterType::number,
                 .text =
                     "measure \"auto\" ends when half the 95 % interval of the mean latency is within this share of "
                     "it; the saturation is searched to this share, too, unless load.precision says another",
                 .fallback = 0.02,
                 .maximum = 1});
  all.push_back({.name = "drain",
                 .type = ParameterType::time,
                 .text = "how long to wait for the last measured messages, "
                         "while the load goes on (default: as long as was measured)",
                 .optional = true});
  return all;
}

MessageLengths lengths_of(const ParameterValues& values)
{
  const bool range = values.has("bytes.from") || values.has("bytes.to");
  const bool list = values.has("bytes.bytes") || values.has("bytes.weight");
  const int forms = int{values.has("bytes")} + int{range} + int{values.has("bytes.mean")} + int{list};
  if (forms != 1) {
    throw InputError(
        fmt::format("bytes: {}, expected a size, {{ from, to }}, {{ mean }}, or a list of {{ bytes, weight }}",
                    forms == 0 ? "missing" : "found several forms"));
  }
  const auto number = [&](const char* name) { return static_cast<std::uint64_t>(values.integer(name)); };
  if (values.has("bytes")) {
    return MessageLengths::fixed(number("bytes"));
  }
  if (values.has("bytes.mean")) {
    return MessageLengths::geometric(number("bytes.mean"));
  }
  if (range) {
    if (!values.has("bytes.from") || !values.has("bytes.to") || number("bytes.from") > number("bytes.to")) {
      throw InputError("bytes: expected { from, to } with from of at most to");
    }
    return MessageLengths::between(number("bytes.from"), number("bytes.to"));
  }
  if (!values.has("bytes.bytes") || !values.has("bytes.weight") ||
      values.integers("bytes.bytes").size() != values.integers("bytes.weight").size()) {
    throw InputError("bytes: expected a list of { bytes, weight } with both in each");
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lengths;
  for (std::size_t i = 0; i < values.integers("bytes.bytes").size(); ++i) {
    lengths.emplace_back(values.integers("bytes.bytes")[i], values.integers("bytes.weight")[i]);
  }
  return MessageLengths::weighted(std::move(lengths));
}

Extent extent_of(const ParameterValue& value)
{
  if (const Time* time = std::get_if<Time>(&value)) {
    return *time;
  }
  if (const auto* messages = std::get_if<std::int64_t>(&value)) {
    return static_cast<std::uint64_t>(*messages);
  }
  return {};
}

/// Takes a key that only one choice of another key has.
void take_key_of(const ParameterValues& values, const char* selector, const std::string& choice,
                 const Parameter& parameter, ParameterValues& taken)
{
  const bool given = values.has(parameter.name);
  if (values.text(selector) != choice) {
    if (given) {
      throw InputError(fmt::format("{}: found with {} \"{}\", only \"{}\" has it", parameter.name, selector,
                                   values.text(selector), choice));
    }
    return;
  }
  if (given) {
    taken.set(parameter.name, values.value(parameter.name));
  } else if (parameter.fallback) {
    taken.set(parameter.name, *parameter.fallback);
  } else if (!parameter.optional) {
    throw InputError(fmt::format("{}: missing, {} \"{}\" needs it", parameter.name, selector, choice));
  }
}

} // namespace

std::vector<std::filesystem::path> pattern_files(const TrafficParameters& traffic)
{
  std::vector<std::filesystem::path> files;
  for (const Parameter& parameter : find_pattern(traffic.pattern).parameters) {
    if (parameter.type == ParameterType::file && traffic.pattern_parameters.has(parameter.name)) {
      files.emplace_back(traffic.pattern_parameters.text(parameter.name));
    }
  }
  return files;
}

std::span<const Parameter> traffic_declarations()
{
  static const std::vector<Parameter> declarations = declare_traffic_keys();
  return declarations;
}

TrafficParameters traffic_parameters(const ParameterValues& values)
{
  TrafficParameters traffic;
  traffic.pattern = values.text("pattern");
  for (const TrafficPattern& pattern : traffic_patterns()) {
    for (const Parameter& parameter : pattern.parameters) {
      take_key_of(values, "pattern", pattern.name, parameter, traffic.pattern_parameters);
    }
  }
  ParameterValues bursts;
  for (const char* key : {"on_off.burst", "on_off.duty"}) {
    take_key_of(values, "arrival", std::string(arrival_names.text(Arrival::on_off)), {.name = key}, bursts);
  }
  if (values.has("load")) {
    traffic.load = values.number("load");
  }
  traffic.include_self = values.boolean("include_self");
  traffic.arrival = arrival_names.read(values.text("arrival"));
  traffic.lengths = lengths_of(values);
  if (traffic.arrival == Arrival::on_off) {
    traffic.burst = bursts.number("on_off.burst");
    traffic.duty = bursts.number("on_off.duty");
    if (traffic.burst < 1) {
      throw InputError(fmt::format("on_off.burst: found {}, expected at least 1", traffic.burst));
    }
  }
  traffic.warm_up = extent_of(values.value("warm_up"));
  traffic.measure = extent_of(values.value("measure"));
  traffic.precision = values.number("precision");
  if (values.has("drain")) {
    traffic.drain = values.time("drain");
  }
  return traffic;
}

} // namespace wormcast
