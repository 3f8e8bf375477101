#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

class MadeTopologies;

/// Entries of a configuration that a point of its sweep replaces.
using Replaced = std::span<const std::pair<std::string, RawValue>>;

/// The values of one configuration, one point of its sweep applied, read section by section. Errors are InputErrors
/// with the origin of the faulty value.
class ConfigReader {
public:
  /// `config` must outlive the reader, and `made`, where topologies are looked up and added; null: each is made anew.
  ConfigReader(const RawConfig& config, Replaced replaced, MadeTopologies* made = nullptr);

  /// make_topology(), unless the topology was made before.
  std::shared_ptr<const Topology> topology(const TopologyDescription& description, const RoutingChoice& routing) const;

  bool has(std::string_view key) const { return entries_.find(key) != entries_.end(); }

  bool has_section(std::string_view section) const { return section_origin(section).has_value(); }

  /// Returns the position of the first key of a section; none if it has no keys.
  std::optional<Origin> section_origin(std::string_view section) const;

  /// The same, or the whole file.
  Origin section_or_file(std::string_view section) const { return section_origin(section).value_or(whole_file()); }

  /// Returns the names of the tables in a table, ascending: NAME of each key "TABLE.NAME.KEY".
  std::vector<std::string> tables_of(std::string_view table) const;

  /// Returns the position of `key`, or the whole file if it is absent.
  Origin origin(std::string_view key) const;

  Origin whole_file() const { return {.file = config_.file.string()}; }

  /// One key; its fallback, or an error, where it is absent.
  ParameterValue read(std::string_view section, const Parameter& parameter) const;

  std::string read_text(std::string_view section, const Parameter& parameter) const;

  /// Reads a whole section. `selector` ("algorithm.name") and `selected` determine the parameters that are valid in
  /// addition to the section's fixed ones, which are left out of the result.
  ParameterValues read_selected(std::string_view section, std::string_view selector, const std::string& selected) const;

  ParameterValues read_all(std::string_view section, std::span<const Parameter> parameters) const;

  /// The same without an error for required keys that are absent.
  ParameterValues read_given(std::string_view section, std::span<const Parameter> parameters) const;

  /// A path of the configuration as it is to be opened.
  std::filesystem::path resolve(const std::filesystem::path& path) const;

  /// [network]: which router, and the keys that it has.
  const RouterModel& read_router() const;
  ParameterValues read_network(const RouterModel& router) const;
  ParameterValues read_given_network(const RouterModel& router) const;

private:
  Origin origin_in_sweep(const std::string& key, const RawValue& value) const;
  ParameterValues read_section(std::string_view section, std::span<const Parameter> parameters, bool whole) const;
  void reject_others(std::string_view section, std::string_view selector, const std::string& selected,
                     std::span<const Parameter> parameters) const;
  void reject_keys_of_other_routers(const RouterModel& router) const;
  bool swept_has(std::string_view selector, std::string_view name) const;

  const RawConfig& config_;
  MadeTopologies* made_;
  std::map<std::string, ConfigEntry, std::less<>> entries_;
};

} // namespace wormcast
