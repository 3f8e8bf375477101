#pragma once

#include "wormcast/experiments/tuning_files/tuning_rules.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace wormcast {

/// The rules that MPICH uses without a file of its user: maint/tuning/coll/mpir/generic.json of its sources, or a
/// library of MPICH, which holds the same text. Throws InputError where the file is neither, FileError where it cannot
/// be read.
nlohmann::ordered_json read_mpich_base(const std::filesystem::path& file);

/// Text of a file for MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE (MPICH, src/mpi/coll/src/csel.c;
/// docs/formats-of-others.md): `base` with the rules in the place of one collective, for communicators of so many
/// ranks; all else, and other numbers of ranks, is as it was. Throws InputError where `base` has no such collective or
/// knows an algorithm not, and where a length does not fit MPICH's 31 bits.
std::string mpich_rules_text(const TuningRules& rules, const nlohmann::ordered_json& base);

} // namespace wormcast
