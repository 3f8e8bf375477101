#pragma once

#include "wormcast/experiments/tuning_files/tuning_rules.hpp"

#include <string>

namespace wormcast {

/// Text of a file for coll_tuned_dynamic_rules_filename of Open MPI (ompi/mca/coll/tuned/coll_tuned_dynamic_file.c;
/// docs/formats-of-others.md): the rules of one collective for one number of ranks, which Open MPI 4.1 then uses for
/// every number. Comments have the times, and what is lost.
std::string openmpi_rules_text(const TuningRules& rules);

} // namespace wormcast
