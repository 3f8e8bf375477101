#include "tests/equality/rewritten_fingerprints.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>

namespace wormcast::testing {

namespace {

bool is_new(const std::string& change)
{
  return change.ends_with(": new");
}

std::string today()
{
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

} // namespace

void rewrite_fingerprints(const std::filesystem::path& file, const std::vector<Fingerprint>& now,
                          const std::string& reason, std::ostream& report)
{
  if (reason.find_first_of("\n\r") != std::string::npos) {
    throw std::runtime_error("--reason: found several lines, expected one");
  }
  const bool exists = std::filesystem::exists(file);
  const std::vector<std::string> changes =
      changed_fingerprints(exists ? read_fingerprints(file) : std::vector<Fingerprint>(), now);
  for (const std::string& change : changes) {
    report << change << '\n';
  }
  const auto added = static_cast<std::size_t>(std::ranges::count_if(changes, is_new));
  const std::size_t moved = changes.size() - added;
  report << fmt::format("{} rows, {} moved or gone, {} new\n", now.size(), moved, added);
  if (moved > 0 && reason.find_first_not_of(" \t") == std::string::npos) {
    throw std::runtime_error(fmt::format("{} is left as it is: rows have moved, and nobody says why; --reason TEXT is "
                                         "kept in the file",
                                         file.string()));
  }
  std::vector<std::string> reasons = exists ? read_reasons(file) : std::vector<std::string>();
  if (!reason.empty() && !changes.empty()) {
    reasons.insert(reasons.begin(), fmt::format("{}, {} moved, {} new: {}", today(), moved, added, reason));
  }
  write_fingerprints(file, now, reasons);
}

} // namespace wormcast::testing
