#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/values/names.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The name of the algorithm for a schedule read from a file.
inline constexpr std::string_view schedule_algorithm = "schedule";

/// The name of the algorithm for requests and replies in a closed loop (request_declarations()).
inline constexpr std::string_view requests_algorithm = "requests";

/// The algorithms of [algorithm] that are not of the registry.
struct UnregisteredAlgorithm {
  std::string_view name;
  std::string_view text; ///< for people, without a full stop
  std::span<const Parameter> parameters;
};
std::span<const UnregisteredAlgorithm> unregistered_algorithms();

/// [traffic.classes], whose tables are sections: [traffic.classes.NAME] is "traffic.classes.NAME".
inline constexpr std::string_view traffic_classes_table = "traffic.classes";

/// Sections of a configuration with parameters, in the order of the effective configuration; those of classes of
/// traffic, whose names are free, are not among them.
std::span<const std::string> config_sections();

/// Returns the section of a dotted key, without the last dot; the whole key where it has no dot.
std::string_view section_of(std::string_view key);

/// Declarations of the keys that always belong to a section: topology.kind, algorithm.name and algorithm.source,
/// message.bytes, network.router and the keys of all routers, those of [ranks] but for its topology, and all of
/// [program], [run], [mpi], [traffic] and [load], and of a class of traffic.
std::span<const Parameter> fixed_parameters(std::string_view section);

/// Parameters of algorithm "schedule", the first one `file`, the last one `text`.
std::span<const Parameter> schedule_parameters();

/// Parameters of the algorithm, of the kind of topology or of the router called `name`; `selector` is "algorithm.name",
/// "topology.kind", "ranks.kind" or "network.router". Throws InputError on an unknown name.
std::span<const Parameter> selected_parameters(std::string_view selector, std::string_view name);

/// Returns the names of all keys of a section, of every kind and algorithm, each once.
std::vector<std::string> key_names(std::string_view section);

/// All declarations that a dotted key can have: several where algorithms (kinds of topologies) have a parameter of the
/// same name; none for an unknown key.
std::vector<const Parameter*> declarations(std::string_view key);

/// Whether the values of a key, which must be known, are decimals.
bool takes_decimals(std::string_view key);

/// Adds a declaration. If `all` has one of its name, its missing choices are added to that.
void add_declaration(std::vector<Parameter>& all, const Parameter& added);

/// Throws InputError with `origin` and the nearest valid key unless `key` is known.
void check_key(const Origin& origin, std::string_view key);

/// "; did you mean \"startup\"?" or nothing.
std::string suggestion(std::string_view found, std::span<const std::string> known);

} // namespace wormcast
