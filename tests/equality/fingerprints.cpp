#include "tests/equality/fingerprints.hpp"

#include "tests/equality/observation.hpp"
#include "tests/equality/scenario.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/simulator/simgrid/platform_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace wormcast::testing {

namespace {

constexpr std::uint64_t first_random_seed = 1;
constexpr std::uint64_t random_runs = 300;
constexpr std::uint64_t random_pipeline_runs = 100;
constexpr std::string_view reason_mark = "# ";
constexpr std::string_view titles = "run\tengine\tlatency_ps\tdeliveries\tcontention\toccupancy";

/// FNV-1a over the bytes of whole numbers, lowest first, whatever the machine's order is.
class Hash {
public:
  void add(std::uint64_t number)
  {
    for (int byte = 0; byte < 8; ++byte) {
      value_ = (value_ ^ (number & 0xffU)) * 0x100000001b3U;
      number >>= 8U;
    }
  }
  void add(Time time) { add(static_cast<std::uint64_t>(time.picoseconds)); }
  void add(const Resource& resource)
  {
    add(static_cast<std::uint64_t>(resource.kind));
    add(index(resource.channel));
    add(index(resource.node));
  }
  std::string text() const { return fmt::format("{:016x}", value_); }

private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

std::string hash_of(const std::vector<std::optional<Time>>& delivered)
{
  constexpr std::uint64_t never = ~std::uint64_t{0};
  Hash hash;
  for (const auto& time : delivered) {
    hash.add(time ? static_cast<std::uint64_t>(time->picoseconds) : never);
  }
  return hash.text();
}

void add(Hash& hash, const ContentionRecord& record)
{
  hash.add(record.resource);
  hash.add(index(record.waiting));
  hash.add(index(record.holding));
  hash.add(record.waiting_step);
  hash.add(record.holding_step);
  hash.add(static_cast<std::uint64_t>(record.kind));
  hash.add(record.from);
  hash.add(record.to);
  hash.add(record.wait);
}

void add(Hash& hash, const OccupancyRecord& record)
{
  hash.add(record.resource);
  hash.add(index(record.message));
  hash.add(record.step);
  hash.add(record.from);
  hash.add(record.to);
}

template <typename Record> std::string hash_of(const std::vector<Record>& records)
{
  Hash hash;
  for (const Record& record : records) {
    add(hash, record);
  }
  return hash.text();
}

Fingerprint fingerprint(std::string run, const Scenario& scenario)
{
  const Observation seen = observe(scenario, scenario.run.engine);
  return {.run = std::move(run),
          .engine = seen.result.engine,
          .latency = seen.result.latency ? std::to_string(seen.result.latency->picoseconds) : "deadlock",
          .deliveries = hash_of(seen.result.delivered),
          .contention = hash_of(seen.contention),
          .occupancy = hash_of(seen.occupancy)};
}

/// Of a router with a pipeline: the order of its occupancy records and the causes of its waits count, too.
Fingerprint pipeline_fingerprint(std::string run, const Scenario& scenario)
{
  Hash contention;
  Hash occupancy;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) {
    add(contention, record);
    contention.add(static_cast<std::uint64_t>(record.cause));
  };
  sinks.occupancy = [&](const OccupancyRecord& record) { add(occupancy, record); };
  const SimulationResult result =
      simulate_core(*scenario.topology, scenario.schedule, scenario.network, scenario.run, sinks);
  return {.run = std::move(run),
          .engine = result.engine,
          .latency = result.latency ? std::to_string(result.latency->picoseconds) : "deadlock",
          .deliveries = hash_of(result.delivered),
          .contention = contention.text(),
          .occupancy = occupancy.text()};
}

Fingerprint fingerprint_of_config(const RawConfig& config)
{
  const Experiment experiment = make_experiment(config);
  Scenario scenario;
  scenario.topology = experiment.topology;
  scenario.network = experiment.network;
  scenario.run = experiment.run;
  scenario.schedule = experiment_schedule(experiment);
  return fingerprint("configs/" + config.file.filename().string(), scenario);
}

std::vector<std::filesystem::path> configurations(const std::filesystem::path& folder)
{
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

std::array<const std::string*, 6> cells(const Fingerprint& line)
{
  return {&line.run, &line.engine, &line.latency, &line.deliveries, &line.contention, &line.occupancy};
}

/// Which columns differ, separated by commas.
std::string changed_columns(const Fingerprint& before, const Fingerprint& now)
{
  constexpr std::array names = {"run", "engine", "latency", "deliveries", "contention", "occupancy"};
  std::string changed;
  for (std::size_t column = 1; column < names.size(); ++column) {
    if (*cells(before)[column] != *cells(now)[column]) {
      changed += (changed.empty() ? "" : ", ") + std::string(names[column]);
    }
  }
  return changed;
}

} // namespace

std::vector<Fingerprint> fingerprints_now(const std::filesystem::path& configs)
{
  register_platform_topology();
  std::vector<Fingerprint> fingerprints;
  for (const std::filesystem::path& file : configurations(configs)) {
    const RawConfig config = read_config(file);
    if (config.sweep.empty() && config.entries.contains("algorithm.name")) { // and no latency-load curve
      fingerprints.push_back(fingerprint_of_config(config));
    }
  }
  for (std::uint64_t seed = first_random_seed; seed < first_random_seed + random_runs; ++seed) {
    fingerprints.push_back(fingerprint(fmt::format("random {}", seed), random_scenario(seed)));
  }
  for (std::uint64_t seed = first_random_seed; seed < first_random_seed + random_pipeline_runs; ++seed) {
    fingerprints.push_back(pipeline_fingerprint(fmt::format("random router {}", seed), random_pipeline_scenario(seed)));
  }
  return fingerprints;
}

void write_fingerprints(const std::filesystem::path& file, const std::vector<Fingerprint>& fingerprints,
                        const std::vector<std::string>& reasons)
{
  std::ofstream out(file);
  for (const std::string& reason : reasons) {
    out << reason_mark << reason << '\n';
  }
  out << titles << '\n';
  for (const Fingerprint& line : fingerprints) {
    for (const std::string* cell : cells(line)) {
      out << *cell << (cell == &line.occupancy ? '\n' : '\t');
    }
  }
  if (!out.flush()) {
    throw std::runtime_error("cannot write " + file.string());
  }
}

std::vector<Fingerprint> read_fingerprints(const std::filesystem::path& file)
{
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line) && line.starts_with(reason_mark)) {
  }
  if (!in || line != titles) {
    throw std::runtime_error(file.string() + " is no file of fingerprints");
  }
  std::vector<Fingerprint> fingerprints;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    Fingerprint read;
    for (std::string* cell :
         {&read.run, &read.engine, &read.latency, &read.deliveries, &read.contention, &read.occupancy}) {
      std::getline(cells, *cell, '\t');
    }
    fingerprints.push_back(std::move(read));
  }
  return fingerprints;
}

std::vector<std::string> read_reasons(const std::filesystem::path& file)
{
  std::ifstream in(file);
  std::vector<std::string> reasons;
  for (std::string line; std::getline(in, line) && line.starts_with(reason_mark);) {
    reasons.push_back(line.substr(reason_mark.size()));
  }
  return reasons;
}

std::vector<std::string> changed_fingerprints(const std::vector<Fingerprint>& before,
                                              const std::vector<Fingerprint>& now)
{
  std::map<std::string, Fingerprint> known;
  for (const Fingerprint& line : before) {
    known[line.run] = line;
  }
  std::vector<std::string> changed;
  for (const Fingerprint& line : now) {
    const auto place = known.find(line.run);
    if (place == known.end()) {
      changed.push_back(line.run + ": new");
      continue;
    }
    if (!(place->second == line)) {
      changed.push_back(line.run + ": " + changed_columns(place->second, line));
    }
    known.erase(place);
  }
  for (const auto& [run, line] : known) {
    changed.push_back(run + ": gone");
  }
  return changed;
}

} // namespace wormcast::testing
