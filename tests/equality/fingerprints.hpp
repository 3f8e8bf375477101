#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wormcast::testing {

/// One run in few characters: what of it was different when a later version gives another line.
struct Fingerprint {
  std::string run; ///< "configs/NAME.toml" or "random SEED"
  std::string engine;
  std::string latency;    ///< picoseconds, or "deadlock"
  std::string deliveries; ///< hashes (FNV-1a, 64 bits) of all delivery times, and of all records with all their fields
  std::string contention;
  std::string occupancy;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Of every configuration in `configs` that describes one run, and of some random scenarios; in a fixed order.
std::vector<Fingerprint> fingerprints_now(const std::filesystem::path& configs);

/// One line each, under a line of titles; above it the reasons for which rows have moved, each behind "# ".
void write_fingerprints(const std::filesystem::path& file, const std::vector<Fingerprint>& fingerprints,
                        const std::vector<std::string>& reasons);

/// Throws std::runtime_error where the file is missing or has another form.
std::vector<Fingerprint> read_fingerprints(const std::filesystem::path& file);

/// The reasons of such a file, the newest first.
std::vector<std::string> read_reasons(const std::filesystem::path& file);

/// A line for each run that is there only once or has changed: "random 17: contention, occupancy".
std::vector<std::string> changed_fingerprints(const std::vector<Fingerprint>& before,
                                              const std::vector<Fingerprint>& now);

} // namespace wormcast::testing
