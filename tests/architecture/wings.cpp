#include "tests/architecture/wings.hpp"

#include "wormcast/values/number_text.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

namespace wormcast::testing {

namespace {

constexpr std::array<std::string_view, 8> packages = {"values",    "formats",     "topologies", "algorithms",
                                                      "simulator", "experiments", "python",     "examples"};

std::string trimmed(std::string_view text)
{
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string()
                                         : std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

std::vector<std::string> cells_of(std::string_view row)
{
  std::vector<std::string> cells;
  row.remove_prefix(1);
  while (!row.empty()) {
    const auto end = row.find('|');
    cells.push_back(trimmed(row.substr(0, end)));
    row.remove_prefix(end == std::string_view::npos ? row.size() : end + 1);
  }
  return cells;
}

std::vector<std::string> read_includes(const std::filesystem::path& file)
{
  std::vector<std::string> includes;
  std::ifstream in(file);
  const std::string_view start = "#include \"";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(start)) {
      includes.push_back(line.substr(start.size(), line.find('"', start.size()) - start.size()));
    }
  }
  return includes;
}

/// The wing in which a file lies; none if there is none.
const Wing* wing_of(const std::vector<Wing>& wings, const std::string& path)
{
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const std::string files = folder + "*" + path.substr(path.rfind('.'));
  const auto found =
      std::ranges::find_if(wings, [&](const Wing& wing) { return wing.name == folder || wing.name == files; });
  return found == wings.end() ? nullptr : &*found;
}

/// The position of a path's package among all of them, the lowest first.
std::ptrdiff_t package_of(std::string_view path)
{
  return std::ranges::find(packages, path.substr(0, path.find('/'))) - packages.begin();
}

/// In which order wings may use each other: by package, then by floor.
std::pair<std::ptrdiff_t, int> height_of(const Wing& wing)
{
  return {package_of(wing.name), wing.floor};
}

std::string place_of(const Wing& wing)
{
  return wing.name + " (floor " + std::to_string(wing.floor) + ")";
}

void check_table(const std::vector<Wing>& wings, std::vector<std::string>& wrong)
{
  const Wing* last = nullptr;
  for (const Wing& wing : wings) {
    if (wing.sentence.size() < 20 || !wing.sentence.ends_with('.')) {
      wrong.push_back(wing.name + " has no sentence");
    }
    if (wing.floor < 1) {
      wrong.push_back(wing.name + " has no floor");
    } else if (last != nullptr && height_of(wing) < height_of(*last)) {
      wrong.push_back(place_of(wing) + " stands behind " + place_of(*last));
    }
    last = &wing;
  }
}

void check_include(const std::vector<Wing>& wings, const SourceFile& file, const Wing& wing, const std::string& include,
                   std::vector<std::string>& wrong)
{
  const std::string root = "wormcast/";
  if (include == "wormcast_commit.hpp") { // made by the build
    return;
  }
  const Wing* used = include.starts_with(root) ? wing_of(wings, include.substr(root.size())) : nullptr;
  if (used == nullptr) {
    wrong.push_back(file.path + " includes \"" + include + "\", which is no header of a wing");
  } else if (used->name != wing.name && height_of(*used) >= height_of(wing)) {
    wrong.push_back(file.path + " includes \"" + include + "\", but " + place_of(wing) + " may not use " +
                    place_of(*used));
  }
}

} // namespace

std::vector<Wing> read_wings(std::istream& page)
{
  std::vector<Wing> wings;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `")) {
      const std::vector<std::string> row = cells_of(line);
      const std::string name = row.at(0).substr(1, row.at(0).size() - 2);
      wings.push_back({.name = name, .floor = number_of_text<int>(row.at(1)).value_or(0), .sentence = row.at(2)});
    } else if (!wings.empty()) {
      break;
    }
  }
  return wings;
}

std::vector<SourceFile> read_sources(const std::filesystem::path& tree)
{
  std::vector<SourceFile> sources;
  for (const std::string_view package : packages) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree / package)) {
      if (entry.is_regular_file() && entry.path().filename() != "CMakeLists.txt") {
        sources.push_back(
            {.path = std::filesystem::relative(entry.path(), tree).string(), .includes = read_includes(entry.path())});
      }
    }
  }
  std::ranges::sort(sources, {}, &SourceFile::path);
  return sources;
}

std::vector<std::string> violations(const std::vector<Wing>& wings, const std::vector<SourceFile>& sources)
{
  std::vector<std::string> wrong;
  check_table(wings, wrong);
  std::set<std::string> inhabited;
  for (const SourceFile& file : sources) {
    const Wing* wing = wing_of(wings, file.path);
    if (wing == nullptr) {
      wrong.push_back(file.path + " lies in no wing");
      continue;
    }
    inhabited.insert(wing->name);
    for (const std::string& include : file.includes) {
      check_include(wings, file, *wing, include, wrong);
    }
  }
  for (const Wing& wing : wings) {
    if (!inhabited.contains(wing.name)) {
      wrong.push_back(wing.name + " has no files");
    }
  }
  return wrong;
}

} // namespace wormcast::testing
