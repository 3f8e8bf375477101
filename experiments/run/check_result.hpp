#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/run/program_check.hpp"

#include <optional>
#include <string>

namespace wormcast {

/// All that was found out about a schedule.
struct CheckOutcome {
  CheckReport report;
  std::optional<ProgramCheck> program = {}; ///< of a program

  bool valid() const { return report.valid() && (!program || program->finishes()); }
};

/// Text of the object of `check --json`, format wormcast-check/1 (docs/formats.md), indented.
std::string check_json_text(const Topology& topology, const Schedule& schedule, const CheckOutcome& outcome);

/// The verdict for people, with the violations one a line.
std::string check_table(const Topology& topology, const Schedule& schedule, const CheckOutcome& outcome);

} // namespace wormcast
