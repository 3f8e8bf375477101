#include "tests/experiments/shards/written_results.hpp"

#include <sqlite3.h>

namespace wormcast::testing {

namespace {

/// The rows of a query, a line each.
std::string rows_of(sqlite3* database, const char* query)
{
  std::string text;
  sqlite3_exec(
      database, query,
      [](void* out, int count, char** values, char**) {
        for (int i = 0; i < count; ++i) {
          *static_cast<std::string*>(out) += std::string(values[i] == nullptr ? "-" : values[i]) + "|";
        }
        *static_cast<std::string*>(out) += "\n";
        return 0;
      },
      &text, nullptr);
  return text;
}

std::string stored_results(const std::filesystem::path& file)
{
  sqlite3* database = nullptr;
  std::string text;
  if (sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    text = rows_of(database, "SELECT key, version, config, state, result, error FROM points ORDER BY key") +
           rows_of(database, "SELECT document FROM sweep") +
           rows_of(database, "SELECT * FROM sweep_points ORDER BY position") +
           rows_of(database, "SELECT sql FROM sqlite_schema ORDER BY name");
  }
  sqlite3_close(database);
  return text;
}

const std::string loaded_mesh = R"([topology]
kind = "mesh"
dims = [4, 4]
[network]
startup = "1us"
per_hop = "20ns"
per_byte = "10ns"
buffer_flits = 4
[traffic]
pattern = "uniform"
bytes = { from = 16, to = 48 }
warm_up = 200
measure = 1000
[sweep]
"traffic.pattern" = ["uniform", "transpose"]
)";

} // namespace

const std::string small_sweep = small_config + R"([sweep]
"message.bytes" = [64, 256, 1024, 4096, 16384, 65536]
"algorithm.name" = ["recursive_doubling", "recursion_based"]
)";
const std::string listed_load = loaded_mesh + "[load]\npoints = [0.05, 0.1, 0.2, 0.3]\nsaturation = false\n";
const std::string searched_load = loaded_mesh;

std::map<std::string, std::string> written_results(const std::filesystem::path& folder)
{
  std::map<std::string, std::string> texts;
  for (auto entry = std::filesystem::recursive_directory_iterator(folder);
       entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && entry->path() == folder / "shards") {
      entry.disable_recursion_pending();
    }
    const std::string name = std::filesystem::relative(entry->path(), folder).string();
    if (entry->is_regular_file() && name.find(".sqlite-") == std::string::npos) { // what reading a database leaves
      texts[name] = entry->path().extension() == ".sqlite" ? stored_results(entry->path()) : read_file(entry->path());
    }
  }
  return texts;
}

} // namespace wormcast::testing
