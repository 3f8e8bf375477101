#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace wormcast::testing {

/// The rows of a query, a line each, with "|" between the values and "-" for NULL. Nothing where the query cannot be
/// answered.
inline std::string stored_rows(const std::filesystem::path& file, const char* query)
{
  sqlite3* database = nullptr;
  std::string text;
  if (sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    sqlite3_busy_timeout(database, 1000);
    sqlite3_exec(
        database, query,
        [](void* out, int count, char** values, char**) {
          for (int i = 0; i < count; ++i) {
            *static_cast<std::string*>(out) += values[i] == nullptr ? "-" : values[i];
            *static_cast<std::string*>(out) += i + 1 < count ? "|" : "\n";
          }
          return 0;
        },
        &text, nullptr);
  }
  sqlite3_close(database);
  return text;
}

/// Number of points in the store; 0 while there is none.
inline std::int64_t stored_points(const std::filesystem::path& folder)
{
  const std::string count = stored_rows(folder / "results.sqlite", "SELECT count(*) FROM points");
  return count.empty() ? 0 : std::stoll(count);
}

} // namespace wormcast::testing
