#include "wormcast/experiments/shards/shard_stores.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/folder_lock.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view between_numbers = "-of-";
constexpr std::chrono::minutes until_others_have_read(1);
/// A process whose shard is complete holds its lock until it ends.
constexpr std::chrono::seconds until_complete_ones_have_ended(10);

/// Returns the shard of the folder with this name; none for another name.
std::optional<Shard> shard_of_folder(const std::string& name)
{
  const std::size_t place = name.find(between_numbers);
  if (place == std::string::npos) {
    return std::nullopt;
  }
  try {
    const Shard shard = parse_shard(name.substr(0, place) + "/" + name.substr(place + between_numbers.size()));
    return shard;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

} // namespace

std::filesystem::path shards_folder(const std::filesystem::path& out)
{
  return out / "shards";
}

std::filesystem::path shard_folder(const std::filesystem::path& out, const Shard& shard)
{
  return shards_folder(out) / fmt::format("{}{}{}", shard.index + 1, between_numbers, shard.count);
}

std::vector<Shard> existing_shards(const std::filesystem::path& out)
{
  std::vector<Shard> shards;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(shards_folder(out), ignored)) {
    if (const auto shard = shard_of_folder(entry.path().filename().string());
        shard && entry.is_directory(ignored) && entry.path() == shard_folder(out, *shard)) {
      shards.push_back(*shard);
    }
  }
  std::ranges::sort(shards, {}, [](const Shard& shard) { return std::tuple(shard.count, shard.index); });
  return shards;
}

std::string text_hash(const std::string& text)
{
  return text.empty() ? std::string() : point_key({}, text, {});
}

void write_shard_state(const std::filesystem::path& folder, const ShardState& state)
{
  write_output(folder / "state", fmt::format("wormcast-shard/1 {} launch={} work={}\n",
                                             state.complete ? "complete" : "started", state.launch, state.work));
}

std::optional<ShardState> read_shard_state(const std::filesystem::path& folder)
{
  std::ifstream in(folder / "state");
  std::string format;
  std::string progress;
  std::string launch;
  std::string work;
  in >> format >> progress >> launch >> work;
  constexpr std::string_view launch_mark = "launch=";
  constexpr std::string_view work_mark = "work=";
  if (format != "wormcast-shard/1" || !launch.starts_with(launch_mark) || !work.starts_with(work_mark)) {
    return std::nullopt;
  }
  return ShardState{.complete = progress == "complete",
                    .launch = launch.substr(launch_mark.size()),
                    .work = work.substr(work_mark.size())};
}

void FoundResults::read_shards(const std::filesystem::path& out, const std::optional<Shard>& own,
                               const std::function<bool(const std::string& key)>& wanted)
{
  for (const Shard& shard : existing_shards(out)) {
    const std::filesystem::path folder = shard_folder(out, shard);
    std::error_code ignored;
    if (shard == own || !std::filesystem::exists(folder / "results.sqlite", ignored)) {
      continue;
    }
    FolderLock reading; // readers follow each other, and the shard's process waits for them
    FolderLock lock;
    const auto state = read_shard_state(folder);
    const std::chrono::milliseconds timeout =
        state && state->complete ? until_complete_ones_have_ended : std::chrono::milliseconds(0);
    if (!reading.acquire(folder, until_others_have_read, FolderLock::reading_lock) || !lock.acquire(folder, timeout)) {
      if (!own) { // concurrent shards are not reported
        spdlog::warn("{}: its process is running; its results are not taken", folder.string());
      }
      continue;
    }
    try {
      read_store(folder, wanted);
    } catch (const InputError& error) {
      spdlog::warn("{}; none of its results is taken", error.what());
    }
  }
}

void FoundResults::read_store(const std::filesystem::path& folder,
                              const std::function<bool(const std::string& key)>& wanted)
{
  const ResultStore store(folder, ResultStore::Opening::alone);
  if (const std::vector<std::string> versions = store.other_versions(); !versions.empty()) {
    spdlog::warn("{}: results of wormcast {} are not taken; this is {}", store.file().string(),
                 fmt::join(versions, ", "), program_version());
  }
  store.for_each([&](StoredPoint&& point) {
    if (wanted && !wanted(point.key)) {
      return;
    }
    // Of several stores that have the point one where it is finished.
    StoredPoint& place = points_.try_emplace(point.key, point).first->second;
    if (!is_finished(place.state) && is_finished(point.state)) {
      place = std::move(point);
    }
  });
}

std::optional<StoredPoint> FoundResults::find(const std::string& key) const
{
  const auto found = points_.find(key);
  return found == points_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace wormcast
