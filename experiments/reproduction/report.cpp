#include "wormcast/experiments/reproduction/report.hpp"

#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/web_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Text that Markdown shows as it is, also within a table.
std::string markdown(const std::string& text)
{
  std::string escaped;
  for (const char letter : text) {
    if (std::string_view("\\`*_{}[]<>|").find(letter) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += letter;
  }
  return escaped;
}

std::string verdict_of(const Json& claim)
{
  return claim["error"].is_null() ? claim["evidence"]["verdict"].get<std::string>() : "error";
}

std::string count_text(const std::vector<const Json*>& claims)
{
  std::string text = fmt::format("{} claims", claims.size());
  std::string_view separator = ": ";
  for (const char* verdict : {"confirmed", "refuted", "ambiguous", "error"}) {
    const auto count = std::ranges::count_if(claims, [&](const Json* claim) { return verdict_of(*claim) == verdict; });
    if (count > 0) {
      text += fmt::format("{}{} {}", separator, count, verdict);
      separator = ", ";
    }
  }
  return text;
}

std::string claim_row(const Json& claim)
{
  return fmt::format("| {} | {} | {} | {} |\n", verdict_of(claim), markdown(claim["place"]),
                     markdown(claim["statement"]), markdown(claim["claimed"]));
}

void append_line(std::string& text, std::string_view name, const std::string& value)
{
  if (!value.empty()) {
    text += fmt::format("- {}: {}\n", name, markdown(value));
  }
}

std::string claim_section(const Json& claim)
{
  std::string text =
      fmt::format("\n### `{}`\n\n{}\n\n", claim["name"].get<std::string>(), markdown(claim["statement"]));
  append_line(text, "place", claim["place"]);
  append_line(text, "claimed", claim["claimed"]);
  append_line(text, "reading", claim["reading"]);
  append_line(text, "verdict", verdict_of(claim));
  if (!claim["error"].is_null()) {
    append_line(text, "error", claim["error"]);
    return text;
  }
  const Json& evidence = claim["evidence"];
  append_line(text, "found", evidence["measured"]);
  append_line(text, "instead", evidence["correction"]);
  if (!evidence["counterexample"].is_null()) {
    append_line(text, "counterexample", evidence["counterexample"]["text"]);
  }
  text += fmt::format("- repeat it: `{}`\n", claim["repeat"].get<std::string>());
  return text;
}

} // namespace

std::string report_html(const Json& reproduction)
{
  const std::string data = json_for_script(json_text(reproduction, JsonLayout::one_line));
  const std::array parts = {PagePart{"style", web::report_css}, PagePart{"data", data},
                            PagePart{"chart", web::chart_min_js}, PagePart{"script", web::report_js}};
  std::ostringstream page;
  write_page(page, web::report_html, parts);
  return page.str();
}

std::string paper_page(const Json& reproduction, std::string_view paper)
{
  const auto& papers = reproduction["papers"];
  const auto found = std::ranges::find_if(papers, [&](const Json& one) { return one["name"] == paper; });
  if (found == papers.end()) {
    throw std::logic_error(fmt::format("the reproduction has no paper {}", paper));
  }
  std::vector<const Json*> claims;
  for (const Json& claim : reproduction["claims"]) {
    if (claim["paper"] == paper) {
      claims.push_back(&claim);
    }
  }
  std::string text = fmt::format("# {}: {}\n\n", markdown((*found)["source"]), markdown((*found)["title"]));
  text += fmt::format(
      "What the paper says and what was found: {}. This page is written by `wormcast reproduce {} --out DIR`,\n"
      "which measures all of it again.\n\n",
      count_text(claims), paper);
  text += "| verdict | place | claim | claimed |\n|---|---|---|---|\n";
  for (const Json* claim : claims) {
    text += claim_row(*claim);
  }
  text += "\n## What was found\n";
  for (const Json* claim : claims) {
    text += claim_section(*claim);
  }
  return text;
}

} // namespace wormcast
