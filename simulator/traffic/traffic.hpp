#pragma once

#include "wormcast/simulator/traffic/message_lengths.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace wormcast {

/// The arrival process of messages at a node.
enum class Arrival {
  poisson,
  bernoulli, ///< with the same probability in each flit time
  periodic,  ///< at equal distances, with a random phase
  on_off     ///< Poisson in bursts
};

/// Values of traffic.arrival.
inline constexpr auto arrival_names = names<Arrival>({{Arrival::poisson, "poisson"},
                                                      {Arrival::bernoulli, "bernoulli"},
                                                      {Arrival::periodic, "periodic"},
                                                      {Arrival::on_off, "on_off"}});

/// Of what figures are reported under load, beside those of the whole network.
enum class TrafficFigures {
  network, ///< of nothing else
  nodes,   ///< of each node
  pairs    ///< of each node, and of each source and destination
};

/// Values of traffic.figures_of.
inline constexpr auto traffic_figures_names = names<TrafficFigures>(
    {{TrafficFigures::network, "network"}, {TrafficFigures::nodes, "nodes"}, {TrafficFigures::pairs, "pairs"}});

/// The length of a part of a run: automatic, a time, or a number of generated messages.
using Extent = std::variant<std::monostate, Time, std::uint64_t>;

/// Which nodes send to which.
struct PatternChoice {
  std::string pattern = "uniform";    ///< destinations of each node: one of traffic_patterns()
  ParameterValues pattern_parameters; ///< as declared by the pattern
  bool include_self = false;          ///< messages to the sender itself exist and go through its router
};

/// How messages are generated: for whom, when, and how long they are.
struct MessageGeneration : PatternChoice {
  Arrival arrival = Arrival::poisson;
  MessageLengths lengths;
  double burst = 0; ///< mean number of messages in a burst
  double duty = 1;  ///< fraction of time in bursts
};

/// A class of traffic: [traffic.classes.NAME] of a configuration.
struct TrafficClass : MessageGeneration {
  std::string name;
  double weight = 1;         ///< its bytes among those of all classes of a node that sends messages of all
  std::uint8_t priority = 0; ///< with FlitPriority::message: the highest comes first
};

/// The [traffic] section of a configuration.
struct TrafficParameters : MessageGeneration {
  std::optional<double> load;        ///< offered bytes per node and time, as a fraction of 1/T_c; of all classes
  std::vector<TrafficClass> classes; ///< empty: one, of the MessageGeneration above; else that is not used
  Extent warm_up;
  Extent measure;
  double precision = 0.02; ///< half the 95 % interval of the mean latency, as a fraction of the mean
  std::optional<Time> drain;
  TrafficFigures figures_of = TrafficFigures::network;
};

/// Returns the classes, or the one without a name, with weights that add up to 1.
std::vector<TrafficClass> classes_of(const TrafficParameters& traffic);

/// Returns the files that the patterns of all classes read.
std::vector<std::filesystem::path> pattern_files(const TrafficParameters& traffic);

/// Returns the declarations of `pattern` and of the keys of all patterns, which are optional here.
std::vector<Parameter> pattern_declarations();

/// Converts values read against these declarations. Throws InputError "KEY: ..." at a key of another pattern, or one
/// that the pattern needs.
PatternChoice pattern_choice(const ParameterValues& values);

/// Returns the declarations of the section's keys; the keys of patterns are optional here.
std::span<const Parameter> traffic_declarations();

/// Returns the declarations of the keys of a class.
std::span<const Parameter> class_declarations();

/// Converts values read against class_declarations(); `include_self` as in [traffic]. Throws as traffic_parameters().
TrafficClass traffic_class(std::string name, const ParameterValues& values, bool include_self);

/// Converts values read against traffic_declarations(). Throws InputError "KEY: ..." with the faulty key if keys do not
/// fit together.
TrafficParameters traffic_parameters(const ParameterValues& values);

/// The same with `classes` beside it: keys that classes have, too, are left out.
TrafficParameters traffic_parameters(const ParameterValues& values, std::vector<TrafficClass> classes);

} // namespace wormcast
