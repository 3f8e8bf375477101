#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/reproduction/papers.hpp"
#include "wormcast/experiments/reproduction/report.hpp"
#include "wormcast/experiments/reproduction/reproduce.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
  json["kind"] = statement_kind_names.text(claim.kind);
  json["recorded"] = verdict_names.text(claim.recorded);
  json["repeats"] = claim.repeats;
  if (claim.turned_by != Mutation::none) {
    json["turned_by"] = turning_text(claim);
    json["turns_to"] = verdict_names.text(turned_verdict(claim));
  }
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

std::string claims_csv(const Json& reproduction)
{
  const std::vector<std::string> header = {"name",       "paper",    "place",    "kind",    "statement",
                                           "claimed",    "measured", "recorded", "verdict", "repeats",
                                           "correction", "reading",  "command"};
  std::string csv = csv_line(header);
  for (const Json& claim : reproduction["claims"]) {
    const bool failed = !claim["error"].is_null();
    const std::vector<std::string> cells = {claim["name"],
                                            claim["paper"],
                                            claim["place"],
                                            claim["kind"],
                                            claim["statement"],
                                            claim["claimed"],
                                            failed ? claim["error"] : claim["evidence"]["measured"],
                                            claim["recorded"],
                                            found_verdict(claim),
                                            claim["repeats"],
                                            failed ? "" : claim["evidence"]["correction"],
                                            claim["reading"],
                                            claim["command"]};
    csv += csv_line(cells);
  }
  return csv;
}

PlotAxis axis_of(const std::string& label, bool log)
{
  constexpr std::string_view in_bytes = " (bytes)";
  const bool bytes = label.ends_with(in_bytes);
  return {.label = label.substr(0, label.size() - (bytes ? in_bytes.size() : 0)),
          .log = log,
          .unit = bytes ? AxisUnit::bytes : AxisUnit::number};
}

/// Lines for what is predicted and points for what is measured; series of one title have one colour.
Figure picture_of(const ExhibitFigure& figure)
{
  Figure picture{.title = figure.title,
                 .x = axis_of(figure.x_label, figure.log_x),
                 .y = axis_of(figure.y_label, figure.log_y),
                 .panels = {PlotPanel{}}};
  std::vector<std::string> titles;
  for (const ExhibitSeries& series : figure.series) {
    const auto found = std::ranges::find(titles, series.title);
    PlotSeries drawn{.title = series.title,
                     .look = series.kind == ExhibitSeries::Kind::measured ? PlotSeries::Look::points
                                                                          : PlotSeries::Look::line,
                     .style = static_cast<unsigned>(found - titles.begin())};
    if (found == titles.end()) {
      titles.push_back(series.title);
    }
    for (const ExhibitPoint& point : series.points) {
      drawn.points.push_back({.x = point.x, .y = point.y});
    }
    picture.panels.front().series.push_back(std::move(drawn));
  }
  return picture;
}

/// The pictures that a page with exhibits shows.
std::vector<std::filesystem::path> write_claim_pictures(const std::string& name, const Evidence& evidence,
                                                        const std::filesystem::path& folder)
{
  std::vector<std::filesystem::path> written;
  for (std::size_t i = 0; i < evidence.figures.size(); ++i) {
    const std::string picture = picture_name(name, i);
    const std::vector<std::string> files = {(folder / (picture + ".svg")).string()};
    write_pictures(
        [&](const std::string& script_name) { return gnuplot_script(picture_of(evidence.figures[i]), script_name); },
        files);
    written.emplace_back(files.front());
  }
  return written;
}

bool has_exhibits(const Json& reproduction, const std::string& paper)
{
  return std::ranges::any_of(reproduction["papers"], [&](const Json& one) {
    return one["name"] == paper && !one["introduction"].get<std::string>().empty();
  });
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
                             {"source", paper == papers().end() ? "" : paper->source},
                             {"introduction", paper == papers().end() ? "" : paper->introduction}});
    }
  }
  Json json;
  json["format"] = "wormcast-reproduction/1";
  json["version"] = program_version();
  std::vector<const Json*> all;
  for (const Json& claim : claims_json) {
    all.push_back(&claim);
  }
  json["summary"] = verdict_summary(all);
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
    if (has_exhibits(reproduction, claim["paper"])) {
      std::ranges::move(write_claim_pictures(name, evidence, folder), std::back_inserter(written));
    }
    if (evidence.counterexample && !evidence.counterexample->schedule.is_null()) {
      write(name + ".counterexample.json", json_text(evidence.counterexample->schedule, JsonLayout::indented) + "\n");
    }
  }
  return written;
}

std::string found_verdict(const Json& claim)
{
  return claim["error"].is_null() ? claim["evidence"]["verdict"].get<std::string>() : "error";
}

Json verdict_summary(std::span<const Json* const> claims)
{
  Json tally = {{"claims", 0}};
  for (const Verdict verdict : verdict_names.all()) {
    tally[verdict_names.text(verdict)] = 0;
  }
  Json summary = tally;
  summary["claims"] = claims.size();
  summary["errors"] = 0;
  summary["differing"] = 0;
  const auto count = [](Json& counts, const std::string& key) { counts[key] = counts[key].get<int>() + 1; };
  for (const Json* claim : claims) {
    if (!(*claim)["agrees"]) {
      count(summary, "differing");
    }
    if (!(*claim)["error"].is_null()) {
      count(summary, "errors");
      continue;
    }
    count(summary, found_verdict(*claim));
    if ((*claim)["repeats"].get<std::string>().empty()) {
      count(tally, "claims");
      count(tally, found_verdict(*claim));
    }
  }
  summary["distinct"] = std::move(tally);
  return summary;
}

std::string verdict_counts(const Json& counts)
{
  std::string text;
  for (const Verdict verdict : verdict_names.all()) {
    const std::string_view name = verdict_names.text(verdict);
    if (const int count = counts[name]; count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
    }
  }
  return text;
}

std::string verdict_table(const Json& reproduction)
{
  std::size_t width = 0;
  for (const Json& claim : reproduction["claims"]) {
    width = std::max(width, claim["name"].get<std::string>().size());
  }
  std::string text;
  for (const Json& claim : reproduction["claims"]) {
    text += fmt::format("{:<12} {:<{}}  {}\n", found_verdict(claim), claim["name"].get<std::string>(), width,
                        claim["place"].get<std::string>());
    if (!claim["error"].is_null()) {
      text += fmt::format("{:>12} failed: {}\n", "", claim["error"].get<std::string>());
    } else if (!claim["agrees"]) {
      text += fmt::format("{:>12} DIFFERS from the recorded verdict, {}: {}\n", "",
                          claim["recorded"].get<std::string>(), claim["evidence"]["measured"].get<std::string>());
    }
  }
  const Json& summary = reproduction["summary"];
  text += fmt::format("\n{}: {}", counted(summary["claims"].get<std::uint64_t>(), "claim"), verdict_counts(summary));
  if (const int errors = summary["errors"]; errors != 0) {
    text += fmt::format(", {} failed", errors);
  }
  const int differing = summary["differing"];
  text += differing == 0 ? "; all as recorded\n" : fmt::format("; {} NOT as recorded\n", differing);
  if (summary["distinct"]["claims"] != summary["claims"]) {
    text +=
        fmt::format("distinct findings: {}: {}\n", counted(summary["distinct"]["claims"].get<std::uint64_t>(), "claim"),
                    verdict_counts(summary["distinct"]));
  }
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
    row("kind", claim["kind"]);
    row("statement", claim["statement"]);
    row("claimed", claim["claimed"]);
    row("reading", claim["reading"]);
    if (claim["error"].is_null()) {
      const Json& evidence = claim["evidence"];
      row("measured", evidence["measured"]);
      row("verdict", evidence["verdict"]);
      for (const Json& reading : evidence["readings"]) {
        row("read as",
            fmt::format("{}: {}", reading["text"].get<std::string>(), reading["verdict"].get<std::string>()));
      }
      row("correction", evidence["correction"]);
      if (!evidence["counterexample"].is_null()) {
        row("counterexample", evidence["counterexample"]["text"]);
      }
    } else {
      row("error", claim["error"]);
    }
    row("repeats", claim["repeats"]);
    const bool own_file = !claim["config"].get_ref<const std::string&>().empty();
    row("see it", claim["command"].get<std::string>() + (own_file ? " (in DIR, after reproduce --out DIR)" : ""));
    text += "\n";
  }
  return text;
}

} // namespace wormcast
