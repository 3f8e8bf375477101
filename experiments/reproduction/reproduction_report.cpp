#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/reproduction/report.hpp"
#include "wormcast/experiments/reproduction/reproduce.hpp"
#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view config_folder = "configs/";

/// The file's name as the command has it, and the text to write into it (empty: it is there already).
std::pair<std::string, std::string> config_file(const Claim& claim)
{
  const std::string& config = claim.demonstration.config;
  if (config.empty() || config.starts_with(config_folder)) {
    return {config, {}};
  }
  return {claim.name + ".toml", config};
}

std::string command_text(const Claim& claim, const std::string& file)
{
  std::string command = claim.demonstration.command;
  constexpr std::string_view placeholder = "CONFIG";
  if (const std::size_t at = command.find(placeholder); at != std::string::npos) {
    command.replace(at, placeholder.size(), file);
  }
  return command;
}

Json claim_json(const Claim& claim, const ClaimOutcome& outcome)
{
  const auto [file, text] = config_file(claim);
  Json json;
  json["name"] = claim.name;
  json["paper"] = claim.name.substr(0, claim.name.find('.'));
  json["place"] = claim.place;
  json["statement"] = claim.statement;
  json["claimed"] = claim.claimed;
  json["recorded"] = verdict_name(claim.recorded);
  json["reading"] = claim.reading;
  json["repeat"] = fmt::format("wormcast reproduce {}", claim.name);
  json["command"] = command_text(claim, file);
  json["config_file"] = file;
  json["config"] = text;
  json["agrees"] = outcome.agrees(claim);
  json["error"] = outcome.error.empty() ? Json(nullptr) : Json(outcome.error);
  json["evidence"] = outcome.error.empty() ? evidence_json(outcome.evidence) : Json(nullptr);
  return json;
}

Json summary_json(const Json& claims)
{
  Json summary = {{"claims", claims.size()}, {"confirmed", 0}, {"refuted", 0},
                  {"ambiguous", 0},          {"errors", 0},    {"differing", 0}};
  const auto count = [&](const std::string& key) { summary[key] = summary[key].get<int>() + 1; };
  for (const Json& claim : claims) {
    count(claim["error"].is_null() ? claim["evidence"]["verdict"].get<std::string>() : "errors");
    if (!claim["agrees"]) {
      count("differing");
    }
  }
  return summary;
}

/// What came out, in one word.
std::string found_text(const Json& claim)
{
  return claim["error"].is_null() ? claim["evidence"]["verdict"].get<std::string>() : "error";
}

std::string claims_csv(const Json& reproduction)
{
  const std::vector<std::string> header = {"name",     "paper",   "place",      "statement", "claimed", "measured",
                                           "recorded", "verdict", "correction", "reading",   "command"};
  std::string csv = csv_line(header);
  for (const Json& claim : reproduction["claims"]) {
    const bool failed = !claim["error"].is_null();
    const std::vector<std::string> cells = {
        claim["name"],      claim["paper"],    claim["place"],
        claim["statement"], claim["claimed"],  failed ? claim["error"] : claim["evidence"]["measured"],
        claim["recorded"],  found_text(claim), failed ? "" : claim["evidence"]["correction"],
        claim["reading"],   claim["command"]};
    csv += csv_line(cells);
  }
  return csv;
}

} // namespace

Json reproduction_json(std::span<const Claim> claims, std::span<const ClaimOutcome> outcomes)
{
  Json papers_json = Json::array();
  Json claims_json = Json::array();
  std::string last;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    claims_json.push_back(claim_json(claims[i], outcomes[i]));
    const std::string name = claims_json.back()["paper"];
    if (name != last) {
      last = name;
      const auto paper = std::ranges::find(papers(), name, &Paper::name);
      papers_json.push_back({{"name", name},
                             {"title", paper == papers().end() ? "" : paper->title},
                             {"source", paper == papers().end() ? "" : paper->source}});
    }
  }
  Json json;
  json["format"] = "wormcast-reproduction/1";
  json["version"] = program_version();
  json["summary"] = summary_json(claims_json);
  json["papers"] = std::move(papers_json);
  json["claims"] = std::move(claims_json);
  return json;
}

std::vector<ReproductionFile> reproduction_files()
{
  return {
      {"reproduction.json",
       [](const Json& reproduction) { return json_text(reproduction, JsonLayout::indented) + "\n"; }},
      {"claims.csv", claims_csv},
      {"report.html", report_html},
  };
}

std::vector<std::filesystem::path> write_reproduction(const Json& reproduction, const std::filesystem::path& folder)
{
  std::filesystem::create_directories(folder);
  std::vector<std::filesystem::path> written;
  const auto write = [&](const std::string& name, const std::string& text) {
    written.push_back(folder / name);
    write_output(written.back(), text);
  };
  for (const ReproductionFile& file : reproduction_files()) {
    write(file.name, file.text(reproduction));
  }
  for (const Json& paper : reproduction["papers"]) {
    const std::string name = paper["name"];
    write(name + ".md", paper_page(reproduction, name));
  }
  for (const Json& claim : reproduction["claims"]) {
    const std::string name = claim["name"];
    if (const std::string config = claim["config"]; !config.empty()) {
      write(claim["config_file"], config);
    }
    if (!claim["error"].is_null()) {
      continue;
    }
    const Evidence evidence = evidence_from_json(claim["evidence"]);
    for (const auto& [suffix, text] : exhibit_csvs(evidence)) {
      write(name + suffix, text);
    }
    if (evidence.counterexample && !evidence.counterexample->schedule.is_null()) {
      write(name + ".counterexample.json", json_text(evidence.counterexample->schedule, JsonLayout::indented) + "\n");
    }
  }
  return written;
}

std::string verdict_table(const Json& reproduction)
{
  std::size_t width = 0;
  for (const Json& claim : reproduction["claims"]) {
    width = std::max(width, claim["name"].get<std::string>().size());
  }
  std::string text;
  for (const Json& claim : reproduction["claims"]) {
    text += fmt::format("{:<10} {:<{}}  {}\n", found_text(claim), claim["name"].get<std::string>(), width,
                        claim["place"].get<std::string>());
    if (!claim["error"].is_null()) {
      text += fmt::format("{:>10} failed: {}\n", "", claim["error"].get<std::string>());
    } else if (!claim["agrees"]) {
      text += fmt::format("{:>10} DIFFERS from the recorded verdict, {}: {}\n", "",
                          claim["recorded"].get<std::string>(), claim["evidence"]["measured"].get<std::string>());
    }
  }
  const Json& summary = reproduction["summary"];
  text += fmt::format("\n{} claims: {} confirmed, {} refuted, {} ambiguous", summary["claims"].get<int>(),
                      summary["confirmed"].get<int>(), summary["refuted"].get<int>(), summary["ambiguous"].get<int>());
  if (const int errors = summary["errors"]; errors != 0) {
    text += fmt::format(", {} failed", errors);
  }
  const int differing = summary["differing"];
  text += differing == 0 ? "; all as recorded\n" : fmt::format("; {} NOT as recorded\n", differing);
  return text;
}

std::string claim_details(const Json& reproduction)
{
  std::string text;
  const auto row = [&](std::string_view heading, const std::string& value) {
    if (!value.empty()) {
      text += fmt::format("  {:<15}{}\n", heading, value);
    }
  };
  for (const Json& claim : reproduction["claims"]) {
    text += fmt::format("{}\n", claim["name"].get<std::string>());
    row("place", claim["place"]);
    row("statement", claim["statement"]);
    row("claimed", claim["claimed"]);
    row("reading", claim["reading"]);
    if (claim["error"].is_null()) {
      const Json& evidence = claim["evidence"];
      row("measured", evidence["measured"]);
      row("verdict", evidence["verdict"]);
      row("correction", evidence["correction"]);
      if (!evidence["counterexample"].is_null()) {
        row("counterexample", evidence["counterexample"]["text"]);
      }
    } else {
      row("error", claim["error"]);
    }
    row("see it", claim["command"]);
    text += "\n";
  }
  return text;
}

} // namespace wormcast
