#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>

namespace wormcast {

/// Reads a TOML file. Throws InputError with line and column where it is not valid TOML, FileError where it cannot be
/// read.
toml::table parse_toml_file(const std::filesystem::path& file);

/// The same for a text; `file` is the name in errors.
toml::table parse_toml(std::string_view text, const std::filesystem::path& file);

/// Where a node or key of `file` begins.
Origin toml_origin(const std::filesystem::path& file, const toml::source_region& source);

/// The value of a node; nothing where a parameter cannot have such a value (dates, tables, lists of anything but whole
/// numbers, with `decimals` of any numbers).
std::optional<RawValue> raw_value(const toml::node& node, bool decimals = false);

/// The part of a node to blame when raw_value gives nothing: the first element of a list that is no whole number, else
/// the node itself.
const toml::node& offending_node(const toml::node& node);

/// Returns a description of a node, for error messages: "a table", "a date", "150", "\"half\"".
std::string describe(const toml::node& node);

/// A value as --set gives it: any TOML value that a parameter can have ("[8, 8]", "true", "\"150us\""); everything else
/// is a text without its quotes ("150us"). `decimals` as in raw_value.
RawValue parse_override_value(std::string_view text, bool decimals = false);

} // namespace wormcast
