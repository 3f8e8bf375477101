#include "wormcast/experiments/reproduction/reproduce.hpp"

#include "wormcast/experiments/cluster/job.hpp"
#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstring>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

struct ReproduceArguments {
  std::vector<std::string> names;
  bool list = false;
  std::string out;
  std::optional<std::int64_t> jobs;
};

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

int reproduce(const ReproduceArguments& arguments, Verbosity verbosity)
{
  const std::vector<Claim> claims = select_claims(all_claims(), arguments.names);
  if (arguments.list) {
    write_standard_output(claim_list(claims));
    return exit_code::done;
  }
  ReproduceOptions options;
  options.jobs = job_count(arguments.jobs);
  const TaskWork work = claims_work(claims);
  const std::unique_ptr<Workers> workers = workers_for(work, options.jobs);
  if (workers == nullptr) {
    return exit_code::done; // a rank that has computed for rank 0
  }
  options.workers = workers.get();
  const InterruptGuard interrupts;
  ProgressLine line(verbosity != Verbosity::quiet);
  options.progress = [&](const SweepProgress& progress) { line.show(progress); };
  const ReproduceOutcome outcome = run_claims(claims, options);
  line.clear();
  if (outcome.interrupted_by != 0) {
    spdlog::error("interrupted ({})", ::strsignal(outcome.interrupted_by));
    return exit_code::other;
  }
  const nlohmann::ordered_json reproduction = reproduction_json(claims, outcome.claims);
  std::string text = arguments.names.empty() && verbosity != Verbosity::verbose ? "" : claim_details(reproduction);
  text += verdict_table(reproduction);
  if (!arguments.out.empty()) {
    const auto written = write_reproduction(reproduction, arguments.out);
    text += "\n";
    for (std::size_t i = 0; i < reproduction_files().size(); ++i) {
      text += written[i].string() + "\n";
    }
  }
  write_standard_output(text);
  return differing_claims(claims, outcome.claims) == 0 ? exit_code::done : exit_code::failed_check;
}

} // namespace

Command reproduce_command()
{
  auto arguments = std::make_shared<ReproduceArguments>();
  return {
      .name = "reproduce",
      .summary = "the papers' figures, tables and theorems, claim by claim: claimed, measured, verdict",
      .options = {{.name = "NAME", .target = &arguments->names, .text = "claims or papers (default: all)"},
                  {.name = "--list", .target = &arguments->list, .text = "list the claims instead of measuring them"},
                  {.name = "--out",
                   .target = &arguments->out,
                   .text = "folder for report.html, reproduction.json, claims.csv, a page on each paper, and the "
                           "data and configurations of each claim",
                   .value = "DIR"},
                  jobs_option(arguments->jobs, "claims, and parts of long ones, measured at the same time")},
      .action = [arguments](Verbosity verbosity) { return reproduce(*arguments, verbosity); },
      .for_ranks = true};
}

} // namespace wormcast
