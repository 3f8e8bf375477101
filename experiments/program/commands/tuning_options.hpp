#pragma once

#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/tuning_files/msccl_schedules.hpp"
#include "wormcast/experiments/tuning_files/tuning_rules.hpp"

#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// For which library rules are written, and where.
struct TuningArguments {
  std::string format;     ///< "openmpi", "mpich", "msccl"; empty: none are written
  std::string rules = {}; ///< the file, of msccl the folder; "-": standard output, instead of the table; empty: "-"
  std::string base = {};  ///< of mpich: the file with the rules that are changed

  bool wanted() const { return !format.empty(); }
  /// Whether the rules take the place of the table.
  bool on_standard_output() const { return wanted() && (rules.empty() || rules == "-"); }
};

/// The format for schedules instead of rules.
inline constexpr const char* msccl_format = "msccl";

/// The options --format, with these choices, --rules and --base.
std::vector<CommandOption> tuning_options(TuningArguments& arguments, std::vector<std::string> formats);

/// The library of the format; none where no rules are written, or schedules.
std::optional<TunedLibrary> tuned_library(const TuningArguments& arguments);

/// Throws InputError where options do not fit each other, or two outputs would go to standard output.
void check_tuning(const TuningArguments& arguments, const ListingFiles& files);

/// The text of the file with the rules. Throws InputError as mpich_rules_text and read_mpich_base.
std::string rules_text(const TuningArguments& arguments, const TuningRules& rules);

/// Writes the rules, and lets the table of `listing` say more about them, or, where they go to standard output, have
/// them in its place; what is lost is then said on stderr. Throws OutputError.
void write_rules(const TuningArguments& arguments, const TuningRules& rules, Listing& listing);

/// Writes a choice's schedules into the folder, which is made, and lets the table of `listing` name them. Throws
/// OutputError.
void write_schedules(const TuningArguments& arguments, const MscclChoice& choice, Listing& listing);

} // namespace wormcast
