#include "wormcast/experiments/reproduction/reproduce.hpp"

#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/commands/sharing.hpp"
#include "wormcast/experiments/commands/study_pass.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace wormcast {

namespace {

struct ReproduceArguments {
  std::vector<std::string> names;
  bool list = false;
  SharingArguments sharing;
  std::optional<std::int64_t> jobs;
};

/// Of papers and of their claims.
std::vector<std::string> names_of_claims()
{
  std::vector<std::string> names;
  for (const Paper& paper : papers()) {
    names.push_back(paper.name);
  }
  for (const Claim& claim : all_claims()) {
    names.push_back(claim.name);
  }
  return names;
}

std::string claim_list(std::span<const Claim> claims)
{
  std::string text;
  std::string last;
  for (const Claim& claim : claims) {
    const Paper& paper = paper_of(claim);
    if (paper.name != last) {
      text += fmt::format("{}{}: {}\n", last.empty() ? "" : "\n", paper.name, paper.title);
      last = paper.name;
    }
    text += fmt::format("  {}\n    {}: {}\n", claim.name, claim.place, claim.statement);
  }
  return text;
}

/// Writes what complete claims come to, and prints it. Returns the exit code.
int report_claims(const ReproduceArguments& arguments, std::span<const Claim> claims, const ReproduceOutcome& outcome,
                  Verbosity verbosity)
{
  const nlohmann::ordered_json reproduction = reproduction_json(claims, outcome.claims);
  std::string text = arguments.names.empty() && verbosity != Verbosity::verbose ? "" : claim_details(reproduction);
  text += verdict_table(reproduction);
  if (!arguments.sharing.out.empty()) {
    const auto written = write_reproduction(reproduction, arguments.sharing.out);
    text += "\n";
    for (std::size_t i = 0; i < reproduction_files().size(); ++i) {
      text += written[i].string() + "\n";
    }
  }
  write_standard_output(text);
  return differing_claims(claims, outcome.claims) == 0 ? exit_code::done : exit_code::failed_check;
}

int reproduce(const ReproduceArguments& arguments, Verbosity verbosity)
{
  const std::vector<Claim> claims = select_claims(all_claims(), arguments.names);
  if (arguments.list) {
    write_standard_output(claim_list(claims));
    return exit_code::done;
  }
  const std::size_t jobs = job_count(arguments.jobs);
  const auto compute = [&](const WorkPass& pass) {
    StudyPass study(pass, jobs, verbosity);
    ReproduceOutcome outcome = run_claims(claims, study.tasks());
    PassOutcome came = study.end(outcome.interrupted_by);
    came.report = [&, outcome = std::move(outcome)] { return report_claims(arguments, claims, outcome, verbosity); };
    return came;
  };
  return share_work(arguments.sharing, {.folder = arguments.sharing.out,
                                        .things = "parts of claims",
                                        .earlier = EarlierResults::removed,
                                        .pass = compute});
}

} // namespace

Command reproduce_command()
{
  auto arguments = std::make_shared<ReproduceArguments>();
  return {.name = "reproduce",
          .summary = "the papers' figures, tables and theorems, claim by claim: claimed, measured, verdict",
          .options = with_sharing(
              {{.name = "NAME",
                .target = &arguments->names,
                .text = "claims or papers (default: all)",
                .names = names_of_claims},
               {.name = "--list", .target = &arguments->list, .text = "list the claims instead of measuring them"},
               jobs_option(arguments->jobs, "claims, and parts of long ones, measured at the same time")},
              arguments->sharing,
              "folder for report.html, reproduction.json, claims.csv, a page on each paper, and the data and "
              "configurations "
              "of each claim; results.sqlite keeps what is measured"),
          .action = [arguments](Verbosity verbosity) { return reproduce(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
