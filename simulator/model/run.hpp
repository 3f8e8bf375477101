#pragma once

#include "wormcast/simulator/model/computation.hpp"
#include "wormcast/simulator/random/noise.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// When a message of a schedule may start.
enum class Mode {
  lockstep,  ///< a step starts when all messages of earlier steps are delivered
  self_timed ///< a message starts when its sender holds its blocks and has sent its earlier messages
};

/// Values of run.mode.
inline constexpr auto mode_names = names<Mode>({{Mode::lockstep, "lockstep"}, {Mode::self_timed, "self_timed"}});

/// The engine of the router (RouterModel::engines) that moves the worms; automatic: the fastest exact one.
class EngineChoice {
public:
  static const EngineChoice automatic;
  static const EngineChoice worm;
  static const EngineChoice flit;
  static const EngineChoice cycle;

  /// `name` must outlive the choice: a literal, or the name of a router's engine.
  constexpr explicit EngineChoice(std::string_view name) : name_(name) {}

  /// Returns "auto" or the name of an engine.
  constexpr std::string_view name() const { return name_; }

  friend constexpr bool operator==(EngineChoice, EngineChoice) = default;

private:
  std::string_view name_;
};
inline constexpr EngineChoice EngineChoice::automatic{"auto"};
inline constexpr EngineChoice EngineChoice::worm{"worm"};
inline constexpr EngineChoice EngineChoice::flit{"flit"};
inline constexpr EngineChoice EngineChoice::cycle{"cycle"};

/// The order of messages that request a channel at the same time.
enum class TieBreak {
  id,     ///< lowest id first
  source, ///< lowest id of the source node, then lowest id
  seeded  ///< a pseudo-random order of all messages, a function of seed and id
};

/// Values of run.tie_break.
inline constexpr auto tie_break_names =
    names<TieBreak>({{TieBreak::id, "id"}, {TieBreak::source, "source"}, {TieBreak::seeded, "seeded"}});

/// Which long messages are sent in segments (with_segments()).
enum class SegmentedMessages : std::uint8_t {
  all,
  added ///< those of which the receiver adds something to its own result
};

/// Values of run.segments_of.
inline constexpr auto segmented_messages_names =
    names<SegmentedMessages>({{SegmentedMessages::all, "all"}, {SegmentedMessages::added, "added"}});

/// What keeps the steps of a schedule apart.
enum class Barriers : std::uint8_t {
  none,
  dissemination ///< a dissemination barrier before each step but the first (with_barriers())
};

/// Values of run.barriers.
inline constexpr auto barriers_names =
    names<Barriers>({{Barriers::none, "none"}, {Barriers::dissemination, "dissemination"}});

/// SimGrid's own network models, for comparison (simulate_fluid).
enum class FluidModel {
  cm02,               ///< messages share bandwidth
  cm02_cross_traffic, ///< the same, and acknowledgements take 5 % of the bandwidth in the opposite direction
  lv08                ///< CM02 with factors on latency and bandwidth that fit TCP
};

/// Values of run.model in addition to "wormhole".
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
  std::optional<FluidModel> fluid = {}; ///< replaces worms; simulate() and simulate_core() ignore it
  Computation computation = {};         ///< what nodes compute
  /// Messages of more bytes wait for a message "ready" of their receivers: experiments make their schedules by
  /// with_ready_messages(); simulate() ignores it.
  std::optional<std::uint64_t> ready_above = {};
  /// Experiments make their schedules by with_barriers(); simulate() ignores it but for the reasons of a critical path.
  Barriers barriers = Barriers::none;
  /// Messages of more bytes are sent as several segments: experiments make their schedules by with_segments(), and
  /// simulate() ignores both.
  std::optional<std::uint64_t> segment_bytes = {};
  SegmentedMessages segments_of = SegmentedMessages::all;
  /// Messages of more bytes are sent as several packets, by with_packets() in the same way.
  std::optional<std::uint64_t> packet_bytes = {};
  std::optional<Noise> noise = {}; ///< noise of start-ups
  std::string noise_file = {};     ///< the file of the noise; empty: none
  bool paired = false;             ///< run again by simulate_contention_free(); simulate() ignores it
  std::uint32_t threads = 1;       ///< of the run, where an engine can use them (make_engine())
  bool unchecked = false;          ///< also run a schedule that does not do its operation; simulate() ignores it
};

/// Returns the declarations of the run section's keys.
std::span<const Parameter> run_declarations();

/// Converts values read against run_declarations(), and reads noise.file if it is given. Throws InputError and
/// FileError as noise_of() does, and InputError if noise or `paired` do not fit the model.
RunParameters run_parameters(const ParameterValues& values);

} // namespace wormcast
