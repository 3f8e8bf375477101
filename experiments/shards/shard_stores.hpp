#pragma once

#include "wormcast/experiments/process/shard.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// Where the shards of a command with `--out FOLDER` are: FOLDER/shards.
std::filesystem::path shards_folder(const std::filesystem::path& out);

/// The folder of one shard: FOLDER/shards/3-of-64.
std::filesystem::path shard_folder(const std::filesystem::path& out, const Shard& shard);

/// The shards that have a folder, of any number of shards, by number of shards and index.
std::vector<Shard> existing_shards(const std::filesystem::path& out);

/// The progress of a shard.
struct ShardState {
  bool complete = false; ///< it has done all that it could do by itself
  std::string launch;    ///< text_hash of Launch::id; empty: it has none
  std::string work;      ///< text_hash of the TaskWork::fingerprint of its completed work

  friend bool operator==(const ShardState&, const ShardState&) = default;
};

/// A text as one word; empty of the empty text.
std::string text_hash(const std::string& text);

/// Replaces the file `state` of a shard's folder. Throws OutputError.
void write_shard_state(const std::filesystem::path& folder, const ShardState& state);

/// None where there is no such file, or none of this program.
std::optional<ShardState> read_shard_state(const std::filesystem::path& folder);

/// Results of other processes, by key.
class FoundResults {
public:
  /// Takes in the results of this version of the program in all shards' stores but `own`. Of stores that another
  /// process writes at the moment, of damaged ones and of other versions a warning names each, and nothing is taken.
  /// `wanted` says which keys; empty: all.
  void read_shards(const std::filesystem::path& out, const std::optional<Shard>& own,
                   const std::function<bool(const std::string& key)>& wanted = {});

  std::optional<StoredPoint> find(const std::string& key) const;

  std::size_t count() const { return points_.size(); }

private:
  void read_store(const std::filesystem::path& folder, const std::function<bool(const std::string& key)>& wanted);

  std::unordered_map<std::string, StoredPoint> points_;
};

} // namespace wormcast
