#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/load_section.hpp"
#include "wormcast/experiments/config/mpi_section.hpp"
#include "wormcast/experiments/config/plot_section.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"
#include "wormcast/simulator/traffic/requests.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/values/parameter.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

struct ProgramWords;
struct RankPlacement;

/// The position of a value of a configuration, for error messages: "mesh.toml:12:5", or "--set" without a line.
struct Origin {
  std::string file;
  std::uint32_t line = 0; ///< from 1; 0: no line
  std::uint32_t column = 0;

  std::string text() const;
};

/// Throws InputError "mesh.toml:12:5: network.startup: TEXT".
[[noreturn]] void throw_at(const Origin& origin, std::string_view key, std::string_view text);

/// "64", "recursive_doubling", "[32,32]".
std::string raw_value_text(const RawValue& value);

/// An unchecked value of a configuration, and its position.
struct ConfigEntry {
  RawValue value;
  Origin origin;
};

/// Keys that are set together.
using KeySet = std::vector<std::pair<std::string, ConfigEntry>>;

/// One key of [sweep] with its values, in order; or the cases, or the tables of a section, each of which sets several
/// keys.
struct SweepAxis {
  std::string key;              ///< dotted: "message.bytes"; of tables "case" or a section's name
  std::vector<RawValue> values; ///< of tables their names
  Origin origin;
  std::vector<KeySet> sets = {}; ///< for tables the values that each of them sets; else empty
};

/// The axis that `[[case]]` tables are.
inline constexpr std::string_view case_axis = "case";

/// A configuration file as it was read, values not yet checked: dotted keys ("network.startup") to raw values.
struct RawConfig {
  std::filesystem::path file;
  std::map<std::string, ConfigEntry, std::less<>> entries; ///< without [sweep]
  std::vector<SweepAxis> sweep;   ///< cases, then in the order of the file; at most largest_sweep points
  std::vector<PlotRequest> plots; ///< [plot] or [[plot]]
};

/// More points than this in one [sweep] are an error.
inline constexpr std::uint64_t largest_sweep = 1'000'000;

/// Reads a TOML file and applies `overrides` ("network.startup=10us", as of --set; they win, and also replace a sweep
/// axis of the same key). Checks that sections and keys are known (keys of [topology] and [algorithm] against all kinds
/// and algorithms; against the chosen one in make_experiment), and that sweep ranges are well formed. Before the
/// overrides, `removals` (as of --unset: keys, sections, "sweep", "case" or "plot") take out what they name, which must
/// be there. Throws InputError with file, line, column, key, what was expected and the nearest valid name; FileError
/// where it cannot be read.
RawConfig read_config(const std::filesystem::path& file, std::span<const std::string> overrides = {},
                      std::span<const std::string> removals = {});

/// The source of a configuration: its file, and the changes by --set and --unset.
struct ConfigSource {
  std::string file;
  std::vector<std::string> overrides = {};
  std::vector<std::string> removals = {};
  /// The text that replaces the file's contents; `file` is then the name in errors, and the folder of relative paths.
  std::optional<std::string> text = {};
  bool unchecked = false; ///< sets run.unchecked
};

/// The configuration of a source, with the repetitions of set_repetitions() where `repeat` is given. Throws as
/// read_config of a file, and as set_repetitions.
RawConfig read_config(const ConfigSource& source, std::optional<std::int64_t> repeat = std::nullopt);

/// Returns the seeds with which `name` ("--repeat", "sweep.repeat") repeats an experiment: `first`, `first` + 1, ...
/// Throws InputError unless there are 1 to 10,000 valid values of run.seed.
std::vector<std::uint64_t> repetition_seeds(std::string_view name, std::int64_t count, std::uint64_t first);

/// Makes `count` seeds, from run.seed of the configuration on, the last axis, in place of another axis run.seed:
/// `--repeat`; `repeat` in [sweep] does the same. Throws as repetition_seeds, and where the sweep becomes too large.
void set_repetitions(RawConfig& config, std::int64_t count);

/// The machine on which messages run: [topology], [network] and [run].
struct Machine {
  std::shared_ptr<const Topology> topology;
  NetworkParameters network; ///< resolved for the topology; its routing_seed is run.seed
  RunParameters run;
  nlohmann::ordered_json effective; ///< all values, defaults filled in, as `config` of a result; sections and keys
                                    ///< in a fixed order
};

/// One run, every value checked and filled in. `effective` has algorithm and message, too.
struct Experiment : Machine {
  std::string algorithm;               ///< name of an algorithm, "schedule" or "requests"
  std::filesystem::path schedule_file; ///< algorithm "schedule": where it was read; empty: nowhere, it was in memory
  std::vector<std::filesystem::path> schedule_files = {}; ///< all files of it: traces have several
  /// Algorithm "schedule": the schedule of the file; "requests": their messages; else null.
  std::shared_ptr<const Schedule> given;
  std::optional<RequestParameters> requests = {}; ///< algorithm "requests": of which `given` is made
  Origin algorithm_origin; ///< position of algorithm.name, for the algorithm's errors about the topology
  ScheduleRequest request; ///< source, length, ports, duplex, the algorithm's parameters
  /// The topology on which the schedule is made and proved, and its ranks' nodes; null: rank r is node r of `topology`.
  /// The source of `request` and of tables is a rank.
  std::shared_ptr<const RankPlacement> placement = {};
  /// What an MPI program says of the messages of `given`; null: nothing is known.
  std::shared_ptr<const ProgramWords> words = {};
};

/// Checks and completes the values of `config` ([sweep] is ignored). Throws InputError with the origin of the value at
/// fault. With algorithm "schedule" the file gives topology, ports, duplex and length; a [topology] of the
/// configuration must be the same, its network.ports, network.duplex and message.bytes win over the file's. [broadcast]
/// and [traffic] are errors.
Experiment make_experiment(const RawConfig& config);

/// The same with some entries replaced: one point of a sweep. Where the sweep or its cases vary algorithm.name
/// (topology.kind), parameters that only others of these algorithms (kinds) declare are left out.
Experiment make_experiment(const RawConfig& config, std::span<const std::pair<std::string, RawValue>> replaced);

/// The experiment of a configuration on its network without dead nodes and links; `experiment` is the one with them.
/// None where there are no faults, and where the schedule is read from a file, which is made for one network. Throws as
/// make_experiment.
std::optional<Experiment> experiment_without_faults(const RawConfig& config, const Experiment& experiment);

/// make_experiment() of an existing schedule, instead of [topology], [algorithm] and [message], which must be missing.
/// `effective` does not hold the schedule itself: add_schedule() adds it.
Experiment make_schedule_experiment(const RawConfig& config, Schedule given);

/// Makes the effective configuration of such an experiment complete: algorithm.text becomes the schedule in JSON, so
/// that make_experiment() of it gives the same. Nothing where the schedule is a program in GOAL, which has no such
/// text.
void add_schedule(Experiment& experiment);

/// The name of Experiment::given in messages and tables: the file of a schedule, "in memory", or "requests".
std::string schedule_name(const Experiment& experiment);

/// The topology of a configuration.
struct ConfiguredTopology {
  std::shared_ptr<const Topology> topology;
  const RouterModel* router = &default_router();
  std::uint32_t virtual_channels = 1;
  GridRouting routing = GridRouting::dimension_order; ///< where the router carries it out by itself
  Time per_hop;
  std::optional<ByteTime> per_byte;    ///< none where the configuration does not give it
  std::vector<Time> link_per_hop;      ///< T_f by class of links; empty: per_hop
  std::vector<ByteTime> link_per_byte; ///< T_c by class of links; empty: per_byte
};

/// Only the topology of `config` and what its [network] section says of channels and routing; all other sections may be
/// missing or incomplete. Throws InputError as make_experiment does.
ConfiguredTopology configured_topology(const RawConfig& config);

/// The machine on which a SimGrid or MPI program runs. Of `run` all but the engine is at its default; `effective` has
/// mpi, too.
struct ProgramMachine : Machine {
  MpiParameters mpi;
};

/// Checks and completes the values of `config` but those of [algorithm] and [message], which may be missing. Throws
/// InputError as make_experiment does, and where [run] asks for what only schedules have: messages of a program are
/// numbered as they come, and start when it sends them.
ProgramMachine program_machine(const RawConfig& config);

/// An operation again and again, alone or among traffic.
struct SeriesExperiment {
  Experiment single; ///< the operation; `effective` has broadcast and traffic, too
  SeriesParameters series;
  std::optional<TrafficParameters> traffic;
};

/// Whether a configuration says so: [algorithm] with [broadcast] or [traffic].
bool is_series(const RawConfig& config, std::span<const std::pair<std::string, RawValue>> replaced = {});

/// Checks and completes the values of such a configuration, with some entries replaced. Throws InputError as
/// make_experiment and make_load_experiment do, and at keys that say nothing here.
SeriesExperiment make_series_experiment(const RawConfig& config,
                                        std::span<const std::pair<std::string, RawValue>> replaced = {});

/// Returns the input of simulate_series(). `experiment` must outlive it.
SeriesSetting series_setting(const SeriesExperiment& experiment);

/// A network and the traffic that goes through it. `effective` has traffic and load, too.
struct LoadExperiment : Machine {
  TrafficParameters traffic;
  LoadParameters load;
};

/// Checks and completes the values of `config` but those of [algorithm] and [message], which must be missing, with some
/// entries replaced. Throws InputError as make_experiment does, and where [run] asks for what only schedules have.
LoadExperiment make_load_experiment(const RawConfig& config,
                                    std::span<const std::pair<std::string, RawValue>> replaced = {});

/// The experiment's schedule: made by its algorithm or read from its file, and placed on the topology if there is a
/// placement. Throws InputError where the algorithm cannot serve the topology.
Schedule experiment_schedule(const Experiment& experiment);

/// The schedule of an experiment on the topology on which it was made, where it does its operation on all nodes.
struct LogicalSchedule {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const Schedule> schedule;
};

/// Returns experiment_schedule() before it is placed; without a placement the same on Experiment::topology.
LogicalSchedule logical_schedule(const Experiment& experiment);

/// With run.ready_above, run.barriers, run.segment_bytes or run.packet_bytes: `schedule` with the messages by which
/// receivers report that they are ready (with_ready_messages()) or with those of barriers (with_barriers()), then in
/// segments (with_segments()), then in packets (with_packets()), which is what a run simulates. None: a run simulates
/// `schedule` itself. Throws InputError, with the key, as these do.
std::optional<Schedule> schedule_as_sent(const Experiment& experiment, const Schedule& schedule);

/// Whether a run of the experiment sends long messages in segments or packets.
bool sends_pieces(const Experiment& experiment);

/// Returns schedule_as_sent() without segments and packets, or shared_schedule() itself: the steps and messages that
/// results count.
std::shared_ptr<const Schedule> uncut_schedule(const Experiment& experiment);

/// Returns what a run of the experiment simulates: schedule_as_sent(), or shared_schedule() itself.
std::shared_ptr<const Schedule> simulated_schedule(const Experiment& experiment);

/// What an MPI program says of the messages of simulated_schedule(), by their ids; null: nothing is known.
const ProgramWords* simulated_words(const Experiment& experiment);

/// experiment_schedule() without a copy of the data read from a file.
std::shared_ptr<const Schedule> shared_schedule(const Experiment& experiment);

} // namespace wormcast
