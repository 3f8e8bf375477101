#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace wormcast {

namespace {

/// A file name "NAME.R.et" or "NAME.R.et.gz" in parts.
struct RankFile {
  std::string before; ///< "NAME."
  std::uint32_t rank = 0;
};

std::optional<RankFile> rank_file(const std::filesystem::path& file)
{
  std::string name = file.filename().string();
  for (const std::string_view end : {".gz", ".et"}) {
    if (name.ends_with(end)) {
      name.resize(name.size() - end.size());
    } else if (end == ".et") {
      return std::nullopt;
    }
  }
  const std::size_t point = name.rfind('.');
  if (point == std::string::npos) {
    return std::nullopt;
  }
  const auto rank = number_of_text<std::uint32_t>(std::string_view(name).substr(point + 1));
  return rank && *rank < most_chakra_ranks ? std::optional(RankFile{name.substr(0, point + 1), *rank}) : std::nullopt;
}

/// The text before and behind "%d" of a pattern's file name.
std::optional<std::pair<std::string, std::string>> pattern_parts(const std::filesystem::path& trace)
{
  const std::string name = trace.filename().string();
  const std::size_t place = name.find("%d");
  return place == std::string::npos ? std::nullopt
                                    : std::optional(std::pair(name.substr(0, place), name.substr(place + 2)));
}

std::map<std::uint32_t, std::filesystem::path> files_by_rank(const std::filesystem::path& trace)
{
  std::map<std::uint32_t, std::filesystem::path> by_rank;
  const auto pattern = pattern_parts(trace);
  const std::filesystem::path parent = trace.has_parent_path() ? trace.parent_path() : std::filesystem::path(".");
  const std::filesystem::path folder = pattern ? parent : trace;
  std::error_code error;
  std::optional<RankFile> first;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path& file = entry.path();
    if (pattern) {
      const std::string whole_name = file.filename().string();
      std::string_view name = whole_name;
      const auto& [before, behind] = *pattern;
      if (name.size() < before.size() + behind.size() || !name.starts_with(before) || !name.ends_with(behind)) {
        continue;
      }
      name.remove_prefix(before.size());
      name.remove_suffix(behind.size());
      const auto rank = number_of_text<std::uint32_t>(name);
      if (rank && *rank < most_chakra_ranks && fmt::to_string(*rank) == name) {
        by_rank.emplace(*rank, file);
      }
    } else if (const auto found = rank_file(file)) {
      first = first ? first : found;
      const auto [known, is_new] = by_rank.emplace(found->rank, file);
      if (first->before != found->before || !is_new) {
        throw InputError(fmt::format("{}: files {} and {}: several traces, expected one; name it by a pattern such as "
                                     "{}%d.et",
                                     folder.string(), known->second.filename().string(), file.filename().string(),
                                     found->before));
      }
    }
  }
  return by_rank;
}

} // namespace

bool is_chakra(const std::filesystem::path& trace)
{
  std::error_code ignored;
  if (std::filesystem::is_directory(trace, ignored)) {
    for (const auto& entry : std::filesystem::directory_iterator(trace, ignored)) {
      if (rank_file(entry.path())) {
        return true;
      }
    }
    return false;
  }
  return rank_file(trace) || (pattern_parts(trace) && !std::filesystem::exists(trace, ignored));
}

std::vector<std::filesystem::path> chakra_files(const std::filesystem::path& trace)
{
  if (const auto one = rank_file(trace); one && std::filesystem::is_regular_file(trace)) {
    throw InputError(fmt::format("{}: the file of rank {} alone, expected the folder of the files of all ranks, or a "
                                 "pattern such as {}%d.et",
                                 trace.string(), one->rank, one->before));
  }
  const auto by_rank = files_by_rank(trace);
  if (by_rank.empty()) {
    throw InputError(fmt::format("{}: no file of a rank", trace.string()));
  }
  std::vector<std::filesystem::path> files;
  for (const auto& [rank, file] : by_rank) {
    if (rank != files.size()) {
      throw InputError(fmt::format("{}: no file of rank {}, but one of rank {}", trace.string(), files.size(), rank));
    }
    files.push_back(file);
  }
  return files;
}

} // namespace wormcast
