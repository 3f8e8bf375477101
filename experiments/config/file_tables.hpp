#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The key of [sweep] that repeats everything with several seeds.
inline constexpr std::string_view repeat_key = "repeat";

/// Whether it is a section of a configuration, other than [sweep], [[case]] and [plot].
bool is_section(std::string_view name);

/// The keys of one section: each must be known and have a value that some parameter can have. What a table gives for
/// the parts of a key is the same as dotted keys.
KeySet read_keys(const std::filesystem::path& file, const std::string& section, const toml::table& table);

/// `[[case]]`: an axis whose values are named and set keys of several sections.
SweepAxis read_cases(const std::filesystem::path& file, const toml::node& node);

/// A section in [sweep]: an axis whose values set keys of that section.
SweepAxis read_section_axis(const std::filesystem::path& file, const std::string& section, const toml::node& node);

/// `[plot]`, or several `[[plot]]`.
std::vector<PlotRequest> read_plots(const std::filesystem::path& file, const toml::node& node);

/// A key of [sweep] and its value.
struct AxisNode {
  std::string key;
  toml::source_region place;
  const toml::node* node = nullptr;
  bool repeats = false; ///< `repeat`: a number of seeds
  bool tables = false;  ///< a section: a list of tables
};

/// The keys of [sweep] in the order of the file. A key may be quoted ("message.bytes" = ...) or dotted.
std::vector<AxisNode> axis_nodes(const std::filesystem::path& file, const toml::table& sweep);

} // namespace wormcast
