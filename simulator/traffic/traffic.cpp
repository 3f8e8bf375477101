#include "wormcast/simulator/traffic/traffic.hpp"

#include "wormcast/simulator/traffic/patterns.hpp"
#include "wormcast/values/field.hpp"
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

constexpr const char* automatic = "auto"; // value of warm_up and measure

// Keys on which others depend.
constexpr const char* pattern_key = "pattern";
constexpr const char* arrival_key = "arrival";
constexpr const char* burst_key = "on_off.burst";

// Keys of the forms of message lengths.
constexpr const char* bytes_key = "bytes";
constexpr const char* from_key = "bytes.from";
constexpr const char* to_key = "bytes.to";
constexpr const char* mean_key = "bytes.mean";
constexpr const char* list_key = "bytes.bytes";
constexpr const char* weight_key = "bytes.weight";

Field<PatternChoice> pattern_field()
{
  std::vector<std::string> patterns;
  std::ranges::transform(traffic_patterns(), std::back_inserter(patterns), &TrafficPattern::name);
  return field(pattern_key, &PatternChoice::pattern, "destinations of each node (wormcast list patterns)")
      .among(std::move(patterns))
      .otherwise({});
}

// The keys of all patterns, which are optional here.
void append_pattern_keys(std::vector<Parameter>& all)
{
  for (const TrafficPattern& pattern : traffic_patterns()) {
    for (Parameter parameter : pattern.parameters) {
      parameter.text = fmt::format("pattern \"{}\": {}", pattern.name, parameter.text);
      parameter.optional = true;
      parameter.fallback.reset();
      all.push_back(std::move(parameter));
    }
  }
}

// The key of a length of time: a time, at least this number of messages, or "auto".
Field<TrafficParameters> extent_field(std::string name, Extent TrafficParameters::* member, std::string text)
{
  return {{.name = std::move(name),
           .type = ParameterType::extent,
           .text = std::move(text),
           .fallback = std::string(automatic),
           .choices = {automatic}},
          [member](TrafficParameters& traffic, const ParameterValue* value) {
            if (const Time* time = std::get_if<Time>(value)) {
              traffic.*member = *time;
            } else if (const auto* messages = std::get_if<std::int64_t>(value)) {
              traffic.*member = static_cast<std::uint64_t>(*messages);
            } else {
              traffic.*member = std::monostate{};
            }
          },
          [member](const TrafficParameters& traffic) -> std::optional<ParameterValue> {
            if (const Time* time = std::get_if<Time>(&(traffic.*member))) {
              return *time;
            }
            if (const auto* messages = std::get_if<std::uint64_t>(&(traffic.*member))) {
              return parameter_value(*messages);
            }
            return std::string(automatic);
          }};
}

// Keys of the traffic as a whole.
const Fields<TrafficParameters>& load_fields()
{
  static const TrafficParameters defaults;
  static const Fields<TrafficParameters> fields({
      field("load", &TrafficParameters::load,
            "offered bytes of a node and time, as a fraction of a channel's rate 1/per_byte: the only point of a curve "
            "if [load] gives none")
          .at_most(1000),
      field<TrafficParameters, bool>(
          "include_self", &TrafficParameters::include_self,
          "a pattern's messages to the sender itself go through the node's own router; else there are none")
          .otherwise(defaults),
  });
  return fields;
}

// The key of the arrival process.
const Fields<MessageGeneration>& arrival_fields()
{
  static const MessageGeneration defaults;
  static const Fields<MessageGeneration> fields({
      field(arrival_key, &MessageGeneration::arrival, arrival_names,
            "when messages are generated at a node: bernoulli in each flit time with the same probability, periodic "
            "with random phases, on_off as Poisson in bursts")
          .otherwise(defaults),
  });
  return fields;
}

// Keys of arrival "on_off" only, which needs both.
const Fields<MessageGeneration>& burst_fields()
{
  static const Fields<MessageGeneration> fields({
      field(burst_key, &MessageGeneration::burst, "arrival \"on_off\": mean number of messages of a burst, at least 1")
          .optional(),
      field("on_off.duty", &MessageGeneration::duty, "arrival \"on_off\": share of time in bursts")
          .at_most(1)
          .optional(),
  });
  return fields;
}

// Keys of a class only.
const Fields<TrafficClass>& class_fields()
{
  static const TrafficClass defaults;
  static const Fields<TrafficClass> fields({
      field("weight", &TrafficClass::weight,
            "its part of the load of a node, in bytes: its weight divided by the weights of all classes")
          .otherwise(defaults),
      field("priority", &TrafficClass::priority,
            "with network.priority \"message\" the messages of the highest one come first")
          .at_most(255)
          .otherwise(defaults),
  });
  return fields;
}

const Fields<TrafficParameters>& measurement_fields()
{
  static const TrafficParameters defaults;
  static const Fields<TrafficParameters> fields({
      extent_field("warm_up", &TrafficParameters::warm_up,
                   "the beginning, which is not measured; \"auto\": until the latency is stationary by MSER-5"),
      extent_field("measure", &TrafficParameters::measure,
                   "the time in which measured messages are generated; \"auto\": until `precision` is reached")
          .at_least(1000),
      field("precision", &TrafficParameters::precision,
            "measure \"auto\" ends when half the 95 % interval of the mean latency is within this fraction of it; the "
            "saturation is searched to this fraction, too, unless load.precision is given")
          .at_most(1)
          .otherwise(defaults),
      field("drain", &TrafficParameters::drain,
            "how long to wait for the last measured messages, while the load goes on (default: as long as was "
            "measured)"),
      field(
          "figures_of", &TrafficParameters::figures_of, traffic_figures_names,
          "\"nodes\": latency and accepted load of each node are reported, too; \"pairs\": also those of each source and "
          "destination; without it \"network\", of the whole network alone")
          .optional(),
  });
  return fields;
}

void append(std::vector<Parameter> declarations, std::vector<Parameter>& all)
{
  std::ranges::move(declarations, std::back_inserter(all));
}

// The keys of the forms of message lengths.
void append_length_keys(std::vector<Parameter>& all)
{
  const auto size = [&](std::string name, std::string text) {
    all.push_back({.name = std::move(name),
                   .type = ParameterType::bytes,
                   .text = std::move(text),
                   .optional = true,
                   .minimum = 1,
                   .maximum = largest_length});
  };
  size(bytes_key, "length of all messages; { from, to } uniform, { mean } geometric, or a list of { bytes, weight }");
  size(from_key, "shortest message; all lengths up to bytes.to are equally likely");
  size(to_key, "longest message");
  size(mean_key, "mean of a geometric distribution");
  all.push_back({.name = list_key,
                 .type = ParameterType::integers,
                 .text = "lengths with a weight each",
                 .optional = true,
                 .minimum = 1,
                 .maximum = largest_length});
  all.push_back({.name = weight_key,
                 .type = ParameterType::integers,
                 .text = "how often each of bytes.bytes is sent",
                 .optional = true,
                 .minimum = 1,
                 .maximum = 1'000'000'000});
}

// The keys of MessageGeneration but for the pattern.
void append_generation_keys(std::vector<Parameter>& all)
{
  append(arrival_fields().declarations(), all);
  append_length_keys(all);
  append_pattern_keys(all);
  append(burst_fields().declarations(), all);
}

std::vector<Parameter> declare_traffic_keys()
{
  std::vector<Parameter> all = {pattern_field().declaration()};
  append(load_fields().declarations(), all);
  append_generation_keys(all);
  append(measurement_fields().declarations(), all);
  return all;
}

std::vector<Parameter> declare_class_keys()
{
  std::vector<Parameter> all = {pattern_field().declaration()};
  append(class_fields().declarations(), all);
  append_generation_keys(all);
  return all;
}

MessageLengths lengths_of(const ParameterValues& values)
{
  const bool range = values.has(from_key) || values.has(to_key);
  const bool list = values.has(list_key) || values.has(weight_key);
  const int forms = int{values.has(bytes_key)} + int{range} + int{values.has(mean_key)} + int{list};
  if (forms != 1) {
    throw InputError(
        fmt::format("bytes: {}, expected a size, {{ from, to }}, {{ mean }}, or a list of {{ bytes, weight }}",
                    forms == 0 ? "missing" : "found several forms"));
  }
  const auto number = [&](const char* name) { return static_cast<std::uint64_t>(values.integer(name)); };
  if (values.has(bytes_key)) {
    return MessageLengths::fixed(number(bytes_key));
  }
  if (values.has(mean_key)) {
    return MessageLengths::geometric(number(mean_key));
  }
  if (range) {
    if (!values.has(from_key) || !values.has(to_key) || number(from_key) > number(to_key)) {
      throw InputError("bytes: expected { from, to } with from of at most to");
    }
    return MessageLengths::between(number(from_key), number(to_key));
  }
  if (!values.has(list_key) || !values.has(weight_key) ||
      values.integers(list_key).size() != values.integers(weight_key).size()) {
    throw InputError("bytes: expected a list of { bytes, weight } with both in each");
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lengths;
  for (std::size_t i = 0; i < values.integers(list_key).size(); ++i) {
    lengths.emplace_back(values.integers(list_key)[i], values.integers(weight_key)[i]);
  }
  return MessageLengths::weighted(std::move(lengths));
}

/// Reads a key that only one choice of another key has.
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

void read_generation(const ParameterValues& values, MessageGeneration& generation)
{
  static_cast<PatternChoice&>(generation) = pattern_choice(values);
  arrival_fields().read(generation, values);
  ParameterValues bursts;
  for (Parameter key : burst_fields().declarations()) {
    key.optional = false;
    take_key_of(values, arrival_key, std::string(arrival_names.text(Arrival::on_off)), key, bursts);
  }
  generation.lengths = lengths_of(values);
  burst_fields().read(generation, bursts);
  if (generation.arrival == Arrival::on_off && generation.burst < 1) {
    throw InputError(fmt::format("{}: found {}, expected at least 1", burst_key, generation.burst));
  }
}

} // namespace

std::vector<TrafficClass> classes_of(const TrafficParameters& traffic)
{
  if (traffic.classes.empty()) {
    return {{static_cast<const MessageGeneration&>(traffic), {}}};
  }
  std::vector<TrafficClass> classes = traffic.classes;
  double all = 0;
  for (const TrafficClass& one : classes) {
    all += one.weight;
  }
  for (TrafficClass& one : classes) {
    one.weight /= all;
  }
  return classes;
}

std::vector<std::filesystem::path> pattern_files(const TrafficParameters& traffic)
{
  std::vector<std::filesystem::path> files;
  for (const TrafficClass& one : classes_of(traffic)) {
    for (const Parameter& parameter : find_pattern(one.pattern).parameters) {
      if (parameter.type == ParameterType::file && one.pattern_parameters.has(parameter.name)) {
        files.emplace_back(one.pattern_parameters.text(parameter.name));
      }
    }
  }
  return files;
}

std::vector<Parameter> pattern_declarations()
{
  std::vector<Parameter> all = {pattern_field().declaration()};
  append_pattern_keys(all);
  return all;
}

PatternChoice pattern_choice(const ParameterValues& values)
{
  PatternChoice choice;
  pattern_field().read(choice, values);
  for (const TrafficPattern& pattern : traffic_patterns()) {
    for (const Parameter& parameter : pattern.parameters) {
      take_key_of(values, pattern_key, pattern.name, parameter, choice.pattern_parameters);
    }
  }
  return choice;
}

std::span<const Parameter> traffic_declarations()
{
  static const std::vector<Parameter> declarations = declare_traffic_keys();
  return declarations;
}

std::span<const Parameter> class_declarations()
{
  static const std::vector<Parameter> declarations = declare_class_keys();
  return declarations;
}

TrafficClass traffic_class(std::string name, const ParameterValues& values, bool include_self)
{
  TrafficClass read;
  read_generation(values, read);
  read.name = std::move(name);
  read.include_self = include_self;
  class_fields().read(read, values);
  return read;
}

TrafficParameters traffic_parameters(const ParameterValues& values)
{
  TrafficParameters traffic;
  read_generation(values, traffic);
  load_fields().read(traffic, values);
  measurement_fields().read(traffic, values);
  return traffic;
}

TrafficParameters traffic_parameters(const ParameterValues& values, std::vector<TrafficClass> classes)
{
  TrafficParameters traffic;
  load_fields().read(traffic, values);
  measurement_fields().read(traffic, values);
  traffic.classes = std::move(classes);
  return traffic;
}

} // namespace wormcast
