#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/study/study_design.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace wormcast {

/// A study in TOML at one of its scales: what it asks, and the sweeps whose runs answer it.
struct StudyFile {
  StudyDesign design;
  std::vector<RawConfig> sweeps; ///< each with at least one axis
};

/// Reads a study: [study], tables [[question]], the sections of a configuration that all runs have in common, and for
/// the scale [quick] or [full], one table or several: sections, [sweep] and [[case]], whose keys win over the common
/// ones. `file` is the name in errors, and the folder of relative paths. Throws InputError with file, line and key
/// where something is missing, unknown or of another type.
StudyFile read_study_file(std::string_view text, const std::filesystem::path& file, StudyScale scale);

} // namespace wormcast
