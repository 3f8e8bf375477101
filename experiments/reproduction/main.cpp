// The program wormcast-reproduce, which `wormcast reproduce` becomes. Called by its own name it takes the same words.

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/program/command_line.hpp"
#include "wormcast/experiments/program/commands/claim_list.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/reproduce.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/reproduction/papers.hpp"
#include "wormcast/experiments/reproduction/reproduce.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace wormcast {

namespace {

ClaimList claims_to_list()
{
  ClaimList list;
  for (const Paper& paper : papers()) {
    list.papers.push_back(paper.name);
  }
  for (const Claim& claim : all_claims()) {
    list.claims.push_back({.name = claim.name,
                           .statement = claim.statement,
                           .claimed = claim.claimed,
                           .verdict = std::string(verdict_names.text(claim.recorded)),
                           .reading = claim.reading,
                           .source = fmt::format("{}, {}", paper_of(claim).source, claim.place)});
  }
  return list;
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

std::vector<Command> commands()
{
  const auto print_claims = [](Verbosity) {
    write_standard_output(json_text(claim_list_json(claims_to_list()), JsonLayout::one_line) + "\n");
    return int{exit_code::done};
  };
  return {measuring_command(reproduce),
          {.name = std::string(claims_request), .summary = "", .options = {}, .action = print_claims}};
}

} // namespace
} // namespace wormcast

int main(int argc, char** argv)
{
  using namespace wormcast;
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words.front() != claims_request) {
    words.insert(words.begin(), "reproduce");
  }
  return run_as_program(words, commands);
}
