#include "tests/architecture/wings.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>

namespace wormcast::testing {

namespace {

constexpr std::array<std::string_view, 5> packages = {"values", "topologies", "algorithms", "simulator", "experiments"};

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

std::string package_of(std::string_view path)
{
  return std::string(path.substr(0, path.find('/')));
}

std::vector<std::string> read_uses(const std::string& wing, std::string_view cell)
{
  std::vector<std::string> uses;
  if (cell.starts_with("lower packages")) {
    for (const std::string_view package : packages) {
      if (package == package_of(wing)) {
        break;
      }
      uses.push_back(std::string(package) + "/");
    }
  }
  for (auto begin = cell.find('`'); begin != std::string_view::npos; begin = cell.find('`', begin)) {
    const auto end = cell.find('`', begin + 1);
    uses.emplace_back(cell.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return uses;
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

/// Whether a name in the last column means `wing`.
bool means(const std::string& use, const std::string& wing)
{
  return use == wing || (use.ends_with('/') && wing.starts_with(use));
}

bool is_family(const std::string& wing)
{
  return wing.starts_with("algorithms/") && wing.ends_with('/') && wing != "algorithms/schedule/" &&
         wing != "algorithms/verifier/" && wing != "algorithms/tuning/";
}

void check_table(const std::vector<Wing>& wings, std::vector<std::string>& wrong)
{
  for (std::size_t i = 0; i < wings.size(); ++i) {
    const Wing& wing = wings[i];
    if (wing.sentence.size() < 20 || !wing.sentence.ends_with('.')) {
      wrong.push_back(wing.name + " has no sentence");
    }
    for (const std::string& use : wing.uses) {
      if (std::ranges::none_of(wings, [&](const Wing& other) { return means(use, other.name); })) {
        wrong.push_back(wing.name + " may use " + use + ", which does not exist");
      }
      for (std::size_t j = i + 1; j < wings.size(); ++j) {
        if (means(use, wings[j].name)) {
          wrong.push_back(wing.name + " may use " + wings[j].name + ", which stands below it");
        }
      }
      // One algorithm of one-port grids takes dominating nodes as its inner algorithm, as the paper does.
      if (is_family(wing.name) && is_family(use) && wing.name + use != "algorithms/grid/algorithms/grid_all_port/") {
        wrong.push_back(wing.name + " may use another family, " + use);
      }
    }
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
  } else if (used->name != wing.name &&
             std::ranges::none_of(wing.uses, [&](const std::string& use) { return means(use, used->name); })) {
    wrong.push_back(file.path + " includes \"" + include + "\", but " + wing.name + " may not use " + used->name);
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
      wings.push_back({.name = name, .sentence = row.at(1), .uses = read_uses(name, row.at(2))});
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
