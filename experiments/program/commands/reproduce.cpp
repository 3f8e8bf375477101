#include "wormcast/experiments/program/commands/reproduce.hpp"

#include "wormcast/experiments/program/commands/claim_list.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"

#include <exception>
#include <memory>
#include <utility>

namespace wormcast {

namespace {

/// Of papers and of their claims; none where the program that knows them is not installed.
std::vector<std::string> names_of_claims()
{
  try {
    ClaimList list = installed_claims();
    for (ListedClaim& claim : list.claims) {
      list.papers.push_back(std::move(claim.name));
    }
    return std::move(list.papers);
  } catch (const std::exception&) {
    return {};
  }
}

} // namespace

Command measuring_command(const std::function<int(const ReproduceArguments&, Verbosity)>& reproduce)
{
  auto arguments = std::make_shared<ReproduceArguments>();
  return {.name = "reproduce",
          .summary = "the papers' claims: what is claimed, what is measured, verdict",
          .options = with_sharing(
              {{.name = "NAME",
                .target = &arguments->names,
                .text = "claims or papers (default: all)",
                .names = names_of_claims},
               {.name = "--list", .target = &arguments->list, .text = "list the claims instead of measuring them"},
               jobs_option(arguments->jobs, "claims, and parts of long ones, measured at the same time")},
              arguments->sharing,
              "folder for report.html, reproduction.json, claims.csv, a page on each paper, and the data and "
              "configurations of each claim; results.sqlite keeps what is measured"),
          .action = [arguments, reproduce](Verbosity verbosity) { return reproduce(*arguments, verbosity); },
          .for_ranks = true,
          .group = CommandGroup::papers};
}

Command reproduce_command()
{
  Command command = measuring_command([](const ReproduceArguments&, Verbosity) { return int{exit_code::other}; });
  command.program = reproduction_program;
  return command;
}

} // namespace wormcast
