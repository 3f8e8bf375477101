#pragma once

#include "wormcast/experiments/study/study_design.hpp"
#include "wormcast/experiments/study/study_file.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// A study that the program has in itself.
struct InstalledStudy {
  std::string_view name;
  std::string_view text; ///< TOML
};

/// All of them.
std::span<const InstalledStudy> installed_studies();

/// A study by its name, or by its file, whose name ends in .toml. Throws InputError with the nearest name where there
/// is no such study, and what read_study_file() throws.
StudyFile find_study(const std::string& name, StudyScale scale);

/// The names with their questions, for people.
std::string study_list_text();

} // namespace wormcast
