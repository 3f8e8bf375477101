#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"

#include <string>

namespace wormcast {

/// Text of the object of `check --json`, format wormcast-check/1 (docs/formats.md), indented.
std::string check_json_text(const Topology& topology, const Schedule& schedule, const CheckReport& report);

/// The verdict for people, with the violations one a line.
std::string check_table(const Topology& topology, const Schedule& schedule, const CheckReport& report);

} // namespace wormcast
