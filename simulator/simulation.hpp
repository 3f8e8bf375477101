#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/contention.hpp"
#include "wormcast/simulator/network.hpp"
#include "wormcast/simulator/random/noise.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/work_progress.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// When a message of a schedule may start.
enum class Mode {
  lockstep,  ///< a step starts when all messages of earlier steps are delivered
  self_timed ///< a message starts when its sender holds its blocks and has been through its earlier messages
};

/// Values of run.mode.
inline constexpr auto mode_names = names<Mode>({{Mode::lockstep, "lockstep"}, {Mode::self_timed, "self_timed"}});

/// Which of its router's engines (RouterModel::engines) moves the worms; automatic: the fastest that is exact.
class EngineChoice {
public:
  static const EngineChoice automatic;
  static const EngineChoice worm;
  static const EngineChoice flit;
  static const EngineChoice cycle;

  /// `name` must stay where it is: a literal, or the name of a router's engine.
  constexpr explicit EngineChoice(std::string_view name) : name_(name) {}

  /// "auto", or that of an engine.
  constexpr std::string_view name() const { return name_; }

  friend constexpr bool operator==(EngineChoice, EngineChoice) = default;

private:
  std::string_view name_;
};
inline constexpr EngineChoice EngineChoice::automatic{"auto"};
inline constexpr EngineChoice EngineChoice::worm{"worm"};
inline constexpr EngineChoice EngineChoice::flit{"flit"};
inline constexpr EngineChoice EngineChoice::cycle{"cycle"};

/// Who comes first of the messages that ask for a channel at the same instant.
enum class TieBreak {
  id,     ///< the one with the lowest id
  source, ///< the one from the node with the lowest id, then the lowest id
  seeded  ///< a pseudo-random order of all messages, a function of seed and id
};

/// Values of run.tie_break.
inline constexpr auto tie_break_names =
    names<TieBreak>({{TieBreak::id, "id"}, {TieBreak::source, "source"}, {TieBreak::seeded, "seeded"}});

/// SimGrid's own network models, for comparison (simulate_fluid).
enum class FluidModel {
  cm02,               ///< messages share bandwidth
  cm02_cross_traffic, ///< and acknowledgements take 5 % of the way back
  lv08                ///< CM02 with factors on latency and bandwidth that fit TCP
};

/// Values of run.model besides "wormhole".
inline constexpr auto fluid_model_keys = names<FluidModel>({{FluidModel::cm02, "fluid"},
                                                            {FluidModel::cm02_cross_traffic, "fluid_cross_traffic"},
                                                            {FluidModel::lv08, "fluid_tcp"}});

/// The run section of a configuration.
struct RunParameters {
  Mode mode = Mode::lockstep;
  EngineChoice engine = EngineChoice::automatic;
  std::uint64_t seed = 1;
  TieBreak tie_break = TieBreak::id;
  Time start_jitter;                    ///< each node starts after a random delay, uniform in [0, start_jitter]
  std::optional<FluidModel> fluid = {}; ///< in the place of worms; simulate() and simulate_core() do not look at it
  std::optional<Noise> noise = {};      ///< of start-ups
  std::string noise_file = {};          ///< from which the noise was read; empty: none
  bool paired = false;                  ///< run once more by simulate_free_channels(); simulate() does not look at it
  bool unchecked = false; ///< of a schedule that does not do its operation, too; simulate() runs it in any case
};

/// The declarations of the run section's keys.
std::span<const Parameter> run_declarations();

/// From values read against run_declarations(). Reads noise.file where there is one. Throws InputError and FileError as
/// noise_of() does, and where noise or `paired` do not fit the model.
RunParameters run_parameters(const ParameterValues& values);

/// Where the records of a run go as they are made. Contention records come in the order of the grants, occupancy
/// records in the order of the releases, deliveries in that of time, then message; all orders are the same for the same
/// input. Where nobody wants the contention records, none is made.
struct RecordSinks {
  std::function<void(const ContentionRecord&)> contention;  ///< may be empty
  std::function<void(const OccupancyRecord&)> occupancy;    ///< may be empty; asking for it costs time
  std::function<void(const DeliveryRecord&)> delivery = {}; ///< may be empty
  WorkProgress progress = {};                               ///< in messages delivered; simulate() alone calls it
  /// The flits of a message and the external channels that they took, right before its delivery record; may be empty.
  /// Called only where the router has another routing than dimension order: elsewhere Topology::append_drawn_route
  /// tells it.
  std::function<void(MessageId, std::uint64_t flits, std::span<const ChannelId>)> path = {};
};

/// Why a run could not finish: nothing can move any more. Either messages wait for each other in a cycle, or
/// (self-timed, with a schedule that the verifier refutes) a sender waits for blocks that never come.
struct Deadlock {
  Time at;                        ///< since then nothing moved: the last header stopped, or the last message arrived
  std::vector<WaitingLink> cycle; ///< each link's holding message is the next link's waiting one; empty: no such cycle
  std::uint64_t undelivered = 0;
  std::optional<MessageId> first_never_ready; ///< a message that never asked for its port, if there is one
};

/// Outcome of one simulation.
struct SimulationResult {
  /// From the source's own start to the last delivery: what the start jitter of all others costs. None after a
  /// deadlock.
  std::optional<Time> latency_from_source() const
  {
    return latency ? std::optional(*latency - source_start) : std::nullopt;
  }

  std::string engine;                         ///< name of what ran: "worm", "flit", "cycle", ...
  std::string engine_reason;                  ///< why `automatic` did not take worm; else empty
  std::optional<Time> latency;                ///< from 0 to the last delivery; none after a deadlock
  Time source_start;                          ///< when the source starts by itself (start jitter); without one source
                                              ///< the first of all senders
  std::vector<std::optional<Time>> delivered; ///< by message id; none: not delivered (deadlock)
  std::vector<FlitTimes> flits;               ///< by message id, of those delivered; empty: the router does not tell
  ContentionTotals contention;
  std::optional<Deadlock> deadlock;
  std::uint64_t header_hops = 0; ///< channels granted to headers, internal ones included
  std::uint64_t flit_hops = 0;   ///< engines flit and cycle only
};

/// Simulates `schedule` on SimGrid's clock: registers the engine as a SimGrid model on a platform of `topology`, which
/// stays without hosts and links, and runs. `topology` must be the one that the schedule was made for.
/// Throws InputError where parameters do not fit (engine "worm" where closed_form_holds is false), or where a time
/// passes 2^62 ps (53 days).
SimulationResult simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                          const RunParameters& run, const RecordSinks& sinks = {});

/// The same run without contention for external channels: each of them is free for every header at any time, and
/// messages wait for ports alone. Starts, ties and noise are those of simulate() with the same seed. Runs engine
/// "worm", without SimGrid. Throws InputError where that is not exact: with a router that has no engine for it
/// (RouterEngine::runs_free_channels), and where closed_form_holds() is false.
SimulationResult simulate_free_channels(const Topology& topology, const Schedule& schedule,
                                        const NetworkParameters& network, const RunParameters& run);

/// The same as simulate() without SimGrid: the engine alone, for benchmarks and for tests that compare many small runs.
SimulationResult simulate_core(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                               const RunParameters& run, const RecordSinks& sinks = {});

} // namespace wormcast
