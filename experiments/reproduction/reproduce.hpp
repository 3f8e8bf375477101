#pragma once

#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// A claim measured again.
struct ClaimOutcome {
  Evidence evidence; ///< without meaning where there is an error
  std::string error; ///< why there is no evidence: what the measurement threw, or how its process died

  bool agrees(const Claim& claim) const { return error.empty() && evidence.verdict == claim.recorded; }
};

/// What became of a reproduction.
struct ReproduceOutcome {
  std::vector<ClaimOutcome> claims; ///< one for each claim, in their order
  int interrupted_by = 0;           ///< SIGINT, SIGTERM, SIGHUP, or 0; then outcomes are missing
  bool has_gaps = false;            ///< parts were left out (Workers::left_out); then outcomes are missing, too
};

/// Measures `claims`: every part and every conclusion in a process of its own, slow claims first. Outcomes are the same
/// whatever the number of jobs. A claim whose measurement fails has its error, and the others go on. On the signals
/// that an InterruptGuard watches the processes are ended. No SimGrid engine may exist before.
ReproduceOutcome run_claims(std::span<const Claim> claims, const TaskOptions& options = {});

/// Number of claims whose verdict is not the recorded one, those with errors included.
std::size_t differing_claims(std::span<const Claim> claims, std::span<const ClaimOutcome> outcomes);

/// Everything that is known of the claims, format wormcast-reproduction/1 (docs/formats.md).
nlohmann::ordered_json reproduction_json(std::span<const Claim> claims, std::span<const ClaimOutcome> outcomes);

/// A file made of the whole reproduction.
struct ReproductionFile {
  std::string name; ///< in the folder
  std::function<std::string(const nlohmann::ordered_json& reproduction)> text;
};

/// The files that write_reproduction makes besides those of single claims. A further report is a line in this list.
std::vector<ReproductionFile> reproduction_files();

/// Writes the files of reproduction_files(), PAPER.md (paper_page) for each paper, and for each claim CLAIM.toml (its
/// configuration), CLAIM.csv and further CSV files (its exhibits), and CLAIM.counterexample.json (a schedule), as far
/// as it has them; of claims that are the program's own also their figures as CLAIM.svg. Returns the paths written, the
/// reproduction's files first. Throws OutputError, and std::runtime_error where gnuplot is missing.
std::vector<std::filesystem::path> write_reproduction(const nlohmann::ordered_json& reproduction,
                                                      const std::filesystem::path& folder);

/// Of a claim in a reproduction: its verdict, or "error" where there is no evidence.
std::string found_verdict(const nlohmann::ordered_json& claim);

/// How many of these claims of a reproduction have which verdict, errors and other than recorded verdicts; the same
/// without those that repeat another one's finding is "distinct".
nlohmann::ordered_json verdict_summary(std::span<const nlohmann::ordered_json* const> claims);

/// "160 confirmed, 26 refuted, ...", of a summary or of its "distinct". Verdicts that no claim has are left out.
std::string verdict_counts(const nlohmann::ordered_json& counts);

/// The verdicts for people: a line for each claim, and the sums.
std::string verdict_table(const nlohmann::ordered_json& reproduction);

/// All that is to say of each claim, for people.
std::string claim_details(const nlohmann::ordered_json& reproduction);

} // namespace wormcast
