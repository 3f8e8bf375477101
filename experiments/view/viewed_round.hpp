#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/view/viewed_run.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace wormcast {

/// The shown part of a series, in its own time. Records that end before `begin` or begin after `end` are left out.
struct RoundWindow {
  std::uint32_t round = 0;
  bool begun = true;    ///< false: the network stopped before the first round
  bool stopped = false; ///< the window ends in a deadlock
  Time start;           ///< of the round, or where it did not begin of the window
  Time begin;           ///< a tenth of the round before its start, or less: after the end of the round before
  Time end;

  bool shows(Time from, Time to) const;
};

/// Checks that a series has a round with this number. Throws InputError.
void check_round(const SeriesExperiment& experiment, std::int64_t round);

/// The window of the round `wanted`; none: of the round with the slowest broadcast, or of a deadlock the one that it
/// stopped. Throws InputError where the series is saturated or did not come as far as that.
RoundWindow round_window(const SeriesExperiment& experiment, const SeriesResult& result,
                         std::optional<std::uint32_t> wanted);

/// One round of a series as a page or a picture shows it: the broadcasts of the round are its operations, and messages
/// of the load in flight during the round are others.
class ViewedRound {
public:
  /// Runs the series twice more: to find the messages, and to record them. `result` is its result, `window` one of
  /// round_window(). Memory: the messages of the window, and the records within `limits`.
  ViewedRound(const SeriesExperiment& experiment, const SeriesResult& result, const RoundWindow& window,
              const ViewLimits& limits = {});

  /// The experiment, the result and this object must outlive it. `chosen`: the user gave the number of the round.
  ViewedRun run(bool chosen) const;

private:
  class Finder;

  void record(const SeriesSetting& setting, Finder& finder, const ViewLimits& limits);

  const SeriesExperiment& experiment_;
  const SeriesResult& result_;
  RoundWindow window_;
  std::unique_ptr<ViewedMessages> messages_;
  std::unique_ptr<ViewRecorder> recorder_;
  std::vector<std::optional<Time>> delivered_; ///< from the round's start
};

} // namespace wormcast
