#include "wormcast/algorithms/imported/file_kind.hpp"

#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/algorithms/imported/time_independent.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace wormcast {

namespace {

constexpr std::size_t bytes_looked_at = 1 << 16;

std::string first_bytes(const std::filesystem::path& file)
{
  std::string text(bytes_looked_at, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

void skip_blanks(std::string_view& text)
{
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// Declarations, comments and document types.
void skip_xml_prolog(std::string_view& text)
{
  static constexpr std::array<std::array<std::string_view, 2>, 3> parts = {
      {{"<?", "?>"}, {"<!--", "-->"}, {"<!", ">"}}};
  for (bool skipped = true; skipped;) {
    skip_blanks(text);
    skipped = false;
    for (const auto& [begin, end] : parts) {
      if (!skipped && text.starts_with(begin)) {
        const std::size_t after = text.find(end, begin.size());
        text.remove_prefix(after == std::string_view::npos ? text.size() : after + end.size());
        skipped = true;
      }
    }
  }
}

bool is_root(std::string_view text, std::string_view name)
{
  return text.starts_with(name) && text.size() > name.size() &&
         std::string_view(" \t\r\n/>").find(text[name.size()]) != std::string_view::npos;
}

/// `{"1-...`.
bool has_numbered_key(std::string_view text)
{
  text.remove_prefix(1);
  skip_blanks(text);
  if (!text.starts_with('"')) {
    return false;
  }
  text.remove_prefix(1);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits > 0 && text.substr(digits).starts_with('-');
}

} // namespace

ScheduleFileKind schedule_file_kind(const std::filesystem::path& file)
{
  if (file.extension() == ".goal") {
    return ScheduleFileKind::goal;
  }
  if (is_chakra(file)) {
    return ScheduleFileKind::chakra;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    return ScheduleFileKind::time_independent;
  }
  const std::string bytes = first_bytes(file);
  std::string_view text = bytes;
  if (text.starts_with("BZh") || text.starts_with("UTJH")) { // the magic number of netrace, its last byte first
    return ScheduleFileKind::netrace;
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  skip_blanks(text);
  if (text.starts_with('{') && has_numbered_key(text)) {
    return ScheduleFileKind::te_ccl;
  }
  if (text.starts_with('<')) {
    skip_xml_prolog(text);
    return is_root(text, "<Algo") || is_root(text, "<tree") ? ScheduleFileKind::forestcoll : ScheduleFileKind::msccl;
  }
  if (begins_time_independent(text) || lists_time_independent(text, file)) {
    return ScheduleFileKind::time_independent;
  }
  const bool is_goal = text.starts_with("num_ranks") || text.starts_with("//") || text.starts_with("/*");
  return is_goal && file.extension() != ".json" ? ScheduleFileKind::goal : ScheduleFileKind::schedule;
}

} // namespace wormcast
