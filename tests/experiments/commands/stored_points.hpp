#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace wormcast::testing {

/// Number of points in the store; 0 while there is none.
inline std::int64_t stored_points(const std::filesystem::path& folder)
{
  sqlite3* database = nullptr;
  std::int64_t count = 0;
  if (sqlite3_open_v2((folder / "results.sqlite").c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    sqlite3_busy_timeout(database, 1000);
    sqlite3_exec(
        database, "SELECT count(*) FROM points",
        [](void* out, int, char** values, char**) {
          *static_cast<std::int64_t*>(out) = std::stoll(values[0]);
          return 0;
        },
        &count, nullptr);
  }
  sqlite3_close(database);
  return count;
}

} // namespace wormcast::testing
