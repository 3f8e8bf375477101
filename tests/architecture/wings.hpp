#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

namespace wormcast::testing {

/// A row of the table in docs/architecture.md.
struct Wing {
  std::string name; ///< a folder ("algorithms/grid/"), or files of one that has folders ("algorithms/*.hpp")
  std::string sentence;
  std::vector<std::string> uses; ///< names of wings, or folders that stand for all wings below them
};

/// The project's own headers that a source file includes.
struct SourceFile {
  std::string path; ///< from the top of the tree: "algorithms/grid/line_halving.cpp"
  std::vector<std::string> includes;
};

/// The rows of the first table in `page`. "lower packages" is spelled out.
std::vector<Wing> read_wings(std::istream& page);

/// All files below the four packages of `tree` but for the build's, with what they include in double quotes.
std::vector<SourceFile> read_sources(const std::filesystem::path& tree);

/// One line for each thing that is wrong: a wing without sentence or with arrows to what stands below it, an algorithm
/// family that may use another one, a file in no wing, an include that its wing may not use or that is not
/// spelled as "wormcast/...", a wing that does not exist.
std::vector<std::string> violations(const std::vector<Wing>& wings, const std::vector<SourceFile>& sources);

} // namespace wormcast::testing
