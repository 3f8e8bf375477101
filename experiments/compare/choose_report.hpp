#pragma once

#include "wormcast/experiments/compare/choose.hpp"

#include <string>

namespace wormcast {

/// The table for people.
std::string choice_text(const Experiment& experiment, const Choice& choice);

/// One line for each piece.
std::string choice_csv(const Choice& choice);

/// Text of the object of `choose --json`, format wormcast-choice/1 (docs/formats.md), indented.
std::string choice_json_text(const Experiment& experiment, const Choice& choice);

} // namespace wormcast
