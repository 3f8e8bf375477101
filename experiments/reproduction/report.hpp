#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace wormcast {

/// A page about a reproduction (format wormcast-reproduction/1) that needs nothing besides itself: verdicts, filters,
/// plots, heat maps, and for each claim the command that repeats it.
std::string report_html(const nlohmann::ordered_json& reproduction);

/// The picture of a claim's figure on a page, without the ending.
std::string picture_name(const std::string& claim, std::size_t figure);

/// What a paper says and what was found of it, as Markdown: its claims with verdicts, those refuted with what is true
/// instead; with an introduction also their tables and pictures (picture_name).
std::string paper_page(const nlohmann::ordered_json& reproduction, std::string_view paper);

} // namespace wormcast
