#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The note on every page of the reference.
inline constexpr std::string_view made_from =
    "<!-- Written by `wormcast reference --out docs/reference` from the program's declarations. -->\n\n";

/// A file of the reference.
struct ReferencePage {
  std::string name; ///< "configuration.md"
  std::string text;
};

/// Returns the reference of configurations, sweeps and their results, made from the declarations: pages in Markdown,
/// and the schema. docs/reference/ is its output.
std::vector<ReferencePage> reference_pages();

/// The pages of it: every section and key of a configuration; [sweep], [[case]] and [plot]; the files of a sweep.
std::string configuration_page();
std::string sweep_page();
std::string results_page();

/// A JSON schema (draft 2020-12) of configurations, for editors that check and complete TOML. It is no stricter than
/// the program, but does not know which parameters belong to which algorithm.
std::string config_schema();

} // namespace wormcast
