#include "wormcast/experiments/reproduction/report.hpp"

#include "wormcast/experiments/output/web_page.hpp"
#include "wormcast/experiments/reproduction/reproduce.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace wormcast {

/// Texts that cmake/WormcastEmbedTexts.cmake puts into the program: those of experiments/reproduction/web, and
/// Chart.js.
namespace web {
extern const std::string_view chart_min_js;
extern const std::string_view report_css;
extern const std::string_view report_html;
extern const std::string_view report_js;
} // namespace web

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

/// "12 confirmed, 3 refuted, 1 error"
std::string counts_text(const Json& counts, std::ptrdiff_t errors)
{
  const std::string verdicts = verdict_counts(counts);
  return errors == 0 ? verdicts : fmt::format("{}{}{} error", verdicts, verdicts.empty() ? "" : ", ", errors);
}

/// How many claims there are, how many distinct findings, and how many statements are not the paper's.
std::string counts_of(const std::vector<const Json*>& claims)
{
  const Json summary = verdict_summary(claims);
  const auto repeats =
      std::ranges::count_if(claims, [](const Json* claim) { return !(*claim)["repeats"].get<std::string>().empty(); });
  std::string text = fmt::format("{} claims ({}).", claims.size(), counts_text(summary, summary["errors"]));
  if (repeats > 0) {
    const std::ptrdiff_t distinct = std::ssize(claims) - repeats;
    const std::ptrdiff_t errors = distinct - summary["distinct"]["claims"].get<std::ptrdiff_t>();
    text += fmt::format(" Without those that repeat another claim's finding: {} ({}).", distinct,
                        counts_text(summary["distinct"], errors));
  }
  const auto ours = std::ranges::count_if(claims, [](const Json* claim) { return (*claim)["kind"] == "ours"; });
  if (ours > 0 && ours < std::ssize(claims)) {
    text += fmt::format(" {} of the claims are ours, not the paper's.", ours);
  }
  return text;
}

std::string claim_row(const Json& claim)
{
  return fmt::format("| {} | {} | {} | {} | {} |\n", found_verdict(claim), claim["kind"].get<std::string>(),
                     markdown(claim["place"]), markdown(claim["statement"]), markdown(claim["claimed"]));
}

void append_line(std::string& text, std::string_view name, const std::string& value)
{
  if (!value.empty()) {
    text += fmt::format("- {}: {}\n", name, markdown(value));
  }
}

std::string table_text(const Json& table)
{
  std::string text = fmt::format("\n{}:\n\n|", markdown(table["title"]));
  std::string rule = "|";
  for (const Json& name : table["header"]) {
    text += fmt::format(" {} |", markdown(name));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const Json& row : table["rows"]) {
    text += "|";
    for (const Json& cell : row) {
      text += fmt::format(" {} |", markdown(cell));
    }
    text += "\n";
  }
  return text;
}

std::string exhibits_text(const Json& claim)
{
  std::string text;
  const Json& evidence = claim["evidence"];
  for (std::size_t i = 0; i < evidence["figures"].size(); ++i) {
    text += fmt::format("\n![{}]({}.svg)\n", markdown(evidence["figures"][i]["title"]), picture_name(claim["name"], i));
  }
  for (const Json& table : evidence["tables"]) {
    text += table_text(table);
  }
  return text;
}

std::string claim_section(const Json& claim, bool with_exhibits)
{
  std::string text =
      fmt::format("\n### `{}`\n\n{}\n\n", claim["name"].get<std::string>(), markdown(claim["statement"]));
  append_line(text, "place", claim["place"]);
  append_line(text, "kind", claim["kind"]);
  append_line(text, "claimed", claim["claimed"]);
  append_line(text, "reading", claim["reading"]);
  append_line(text, "verdict", found_verdict(claim));
  if (!claim["error"].is_null()) {
    append_line(text, "error", claim["error"]);
    return text;
  }
  const Json& evidence = claim["evidence"];
  append_line(text, "found", evidence["measured"]);
  for (const Json& reading : evidence["readings"]) {
    append_line(text, "read as",
                fmt::format("{}: {}", reading["text"].get<std::string>(), reading["verdict"].get<std::string>()));
  }
  append_line(text, "instead", evidence["correction"]);
  if (!evidence["counterexample"].is_null()) {
    append_line(text, "counterexample", evidence["counterexample"]["text"]);
  }
  append_line(text, "the same finding as", claim["repeats"]);
  if (claim.contains("turned_by")) {
    append_line(text, fmt::format("the verdict turns to {} with", claim["turns_to"].get<std::string>()),
                claim["turned_by"]);
  }
  text += fmt::format("- repeat it: `{}`\n", claim["repeat"].get<std::string>());
  if (with_exhibits) {
    text += exhibits_text(claim);
  }
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

std::string picture_name(const std::string& claim, std::size_t figure)
{
  return figure == 0 ? claim : fmt::format("{}-{}", claim, figure + 1);
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
  const std::string introduction = (*found)["introduction"];
  text += introduction;
  text += fmt::format(
      "What {} and what was found: {} This page is written by `wormcast reproduce {} --out DIR`,\n"
      "which measures all of it again.\n\n"
      "Confirmed: holds as printed in everything that was tested. "
      "Refuted: fails, and something is lost by it. Misprint:\n"
      "fails as printed, what was meant holds, and nothing else "
      "depends on the slip. Ambiguous: readings of it differ in\n"
      "their outcome. Not testable: the figure or schedule is not legible in the copies that exist or not at hand, and what was tested instead is reported.\n\n",
      introduction.empty() ? "the paper says" : "is claimed", counts_of(claims), paper);
  text += "| verdict | kind | place | claim | claimed |\n|---|---|---|---|---|\n";
  for (const Json* claim : claims) {
    text += claim_row(*claim);
  }
  text += "\n## What was found\n";
  for (const Json* claim : claims) {
    text += claim_section(*claim, !introduction.empty());
  }
  return text;
}

} // namespace wormcast
