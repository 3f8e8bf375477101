#include "wormcast/algorithms/imported/time_independent_files.hpp"

#include "wormcast/algorithms/imported/time_independent.hpp"
#include "wormcast/algorithms/imported/time_independent_lines.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace wormcast {

namespace {

std::string first_part(const std::filesystem::path& file)
{
  constexpr std::size_t looked_at = 1 << 12;
  std::string text(looked_at, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// The file that a line of a list names, none where there is none.
std::optional<std::filesystem::path> listed_file(std::string_view line, const std::filesystem::path& list)
{
  const std::size_t begin = line.find_first_not_of(" \t\r");
  const std::size_t end = line.find_last_not_of(" \t\r");
  if (begin == std::string_view::npos || end - begin >= std::size_t{1} << 12 ||
      line.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::filesystem::path name = line.substr(begin, end + 1 - begin);
  for (const std::filesystem::path& file : {name, list.parent_path() / name}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
      return std::filesystem::absolute(file);
    }
  }
  return std::nullopt;
}

std::vector<std::filesystem::path> files_of_list(const std::filesystem::path& list)
{
  std::vector<std::filesystem::path> files;
  std::ifstream in = open_file(list);
  std::string line;
  for (std::uint64_t number = 1; std::getline(in, line); ++number) {
    if (is_comment(line)) {
      continue;
    }
    const auto file = listed_file(line, list);
    if (!file) {
      throw InputError(fmt::format("{}:{}: no file '{}', neither in the working folder nor beside the list",
                                   list.string(), number, printable(line.substr(0, 200))));
    }
    if (files.size() == most_trace_ranks) {
      throw InputError(fmt::format("{}:{}: more than {} files", list.string(), number, most_trace_ranks));
    }
    files.push_back(*file);
  }
  return files;
}

/// The files of a folder by the rank of their first lines.
std::vector<std::filesystem::path> files_of_folder(const std::filesystem::path& folder)
{
  std::map<std::uint32_t, std::filesystem::path> by_rank;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = entry.is_regular_file() ? first_part(entry.path()) : std::string();
    if (!begins_time_independent(text)) {
      continue;
    }
    std::vector<std::string_view> words;
    split_words(first_line(text), words);
    const auto rank = number_of_text<std::uint32_t>(words.front());
    const auto [known, is_new] = by_rank.emplace(rank.value_or(0), std::filesystem::absolute(entry.path()));
    if (!is_new) {
      throw InputError(fmt::format("{}: rank {} begins both in {} and in {}", folder.string(), known->first,
                                   known->second.filename().string(), entry.path().filename().string()));
    }
  }
  if (by_rank.empty()) {
    throw InputError(
        fmt::format("{}: no file in this folder begins as a time-independent trace (\"0 init\") or is called "
                    "as one of Chakra (NAME.RANK.et)",
                    folder.string()));
  }
  std::vector<std::filesystem::path> files;
  std::uint32_t next = 0;
  for (const auto& [rank, file] : by_rank) {
    if (rank != next++) {
      throw InputError(fmt::format("{}: no file of rank {}, but one of rank {}", folder.string(), next - 1, rank));
    }
    files.push_back(file);
  }
  return files;
}

void write_lines(const std::filesystem::path& file, std::string_view lines)
{
  std::ofstream out(file, std::ios::binary);
  out << lines << std::flush;
  if (!out) {
    throw FileError(fmt::format("{}: cannot be written", file.string()));
  }
}

} // namespace

std::vector<std::filesystem::path> time_independent_files(const std::filesystem::path& trace)
{
  if (std::filesystem::is_directory(trace)) {
    return files_of_folder(trace);
  }
  return begins_time_independent(first_part(trace)) ? std::vector<std::filesystem::path>() : files_of_list(trace);
}

bool begins_time_independent(std::string_view text)
{
  std::vector<std::string_view> words;
  split_words(first_line(text), words);
  const auto is_letter = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  };
  return words.size() >= 2 && number_of_text<std::uint32_t>(words[0]) && is_letter(words[1].front());
}

bool lists_time_independent(std::string_view text, const std::filesystem::path& list)
{
  const auto file = listed_file(first_line(text), list);
  return file && begins_time_independent(first_part(*file));
}

std::filesystem::path write_replay_list(const TimeIndependentTrace& trace, const std::filesystem::path& folder)
{
  std::string list;
  if (trace.files.size() > 1 || trace.ranks == 1) {
    for (const std::filesystem::path& file : trace.files) {
      list += file.string() + "\n";
    }
  } else {
    std::vector<std::string> lines_of(trace.ranks);
    std::ifstream in = open_file(trace.files.front());
    std::vector<std::string_view> words;
    for (std::string line; std::getline(in, line);) {
      if (!is_comment(line)) {
        split_words(line, words);
        lines_of.at(number_of_text<std::uint32_t>(words.front()).value_or(trace.ranks)) += line + "\n";
      }
    }
    for (std::size_t rank = 0; rank < lines_of.size(); ++rank) {
      const std::filesystem::path file = std::filesystem::absolute(folder / fmt::format("rank-{}.txt", rank));
      write_lines(file, lines_of[rank]);
      list += file.string() + "\n";
    }
  }
  std::filesystem::path file = folder / "replay.txt";
  write_lines(file, list);
  return file;
}

} // namespace wormcast
