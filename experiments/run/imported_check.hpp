#pragma once

#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/algorithms/imported/finding.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// The verdict on a file in a format of another program, which says by itself what it has to achieve.
struct ImportedCheck {
  ImportedCheck();
  ImportedCheck(ImportedCheck&&) noexcept;
  ImportedCheck& operator=(ImportedCheck&&) noexcept;
  ~ImportedCheck();

  std::string format;                                    ///< "MSCCL XML"
  std::vector<std::pair<std::string, std::string>> rows; ///< for people
  std::unique_ptr<nlohmann::ordered_json> facts;         ///< the same for programs
  std::vector<Finding> findings;                         ///< the first of each kind. None: it is right
  std::vector<std::string> warnings;
};

/// Whether check_imported() knows the format. A program in GOAL says nothing of what it has to achieve.
bool is_imported(ScheduleFileKind kind);

/// Reads and checks a file. Throws InputError where it cannot be read or is too large for a proof.
ImportedCheck check_imported(const std::filesystem::path& file, ScheduleFileKind kind);

/// "race: line 12: gpu 0, ... (and 3 more)".
std::string finding_text(const Finding& finding);

/// The findings as a list of objects.
nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

/// Text of the object of `check --json`, format wormcast-file-check/1 (docs/formats-of-others.md), indented.
std::string imported_check_json(const ImportedCheck& check);

/// The verdict for people, with the findings one a line.
std::string imported_check_table(const ImportedCheck& check);

} // namespace wormcast
