#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

namespace wormcast::testing {

/// A row of the table in docs/architecture.md.
struct Wing {
  std::string name; ///< a folder ("algorithms/grid/"), or files of one that has folders ("algorithms/*.hpp")
  int floor = 0;    ///< in its package; the wing may use lower floors, and all packages before its own
  std::string sentence;
};

/// The project's own headers that a source file includes.
struct SourceFile {
  std::string path; ///< from the top of the tree: "algorithms/grid/line_halving.cpp"
  std::vector<std::string> includes;
};

/// The rows of the first table in `page`. A floor that is no number is 0.
std::vector<Wing> read_wings(std::istream& page);

/// All files below the packages of `tree` but for the build's, with what they include in double quotes.
std::vector<SourceFile> read_sources(const std::filesystem::path& tree);

/// One line for each thing that is wrong: a wing without a sentence or a floor from 1 on, one that stands behind a
/// higher one, one without files, a file in no wing, an include of what is not below its wing or is not spelled as
/// "wormcast/...".
std::vector<std::string> violations(const std::vector<Wing>& wings, const std::vector<SourceFile>& sources);

} // namespace wormcast::testing
