#include "tests/experiments/shards/written_results.hpp"

#include "tests/experiments/program/commands/load_config.hpp"
#include "tests/experiments/program/commands/stored_points.hpp"

namespace wormcast::testing {

namespace {

std::string stored_results(const std::filesystem::path& file)
{
  std::string text;
  for (const char* query :
       {"SELECT key, version, config, state, result, error FROM points ORDER BY key", "SELECT document FROM sweep",
        "SELECT * FROM sweep_points ORDER BY position", "SELECT sql FROM sqlite_schema ORDER BY name"}) {
    text += stored_rows(file, query);
  }
  return text;
}

} // namespace

const std::string small_sweep = small_config + R"([sweep]
"message.bytes" = [64, 256, 1024, 4096, 16384, 65536]
"algorithm.name" = ["recursive_doubling", "recursion_based"]
)";
const std::string searched_load = with(loaded_mesh, "warm_up = 500\nmeasure = 3000", "warm_up = 200\nmeasure = 1000") +
                                  "[sweep]\n\"traffic.pattern\" = [\"uniform\", \"transpose\"]\n";
const std::string listed_load = searched_load + "[load]\npoints = [0.05, 0.1, 0.2, 0.3]\nsaturation = false\n";

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
