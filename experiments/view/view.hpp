#pragma once

#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/view/recorder.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Throws InputError where a network has more nodes or channels than a page shows.
void check_view_limits(const Topology& topology, const ViewLimits& limits = {});

/// What is run, in a line: topology and algorithm, or the file of messages.
std::string view_title(const Experiment& experiment);

/// The last moment of anything that a page or a picture of the run shows.
Time end_of_run(const RunOutcome& outcome, const ViewRecorder& recorder);

/// What a page leaves out of this run, one sentence each; empty: nothing.
std::vector<std::string> view_notes(const Schedule& schedule, const RunOutcome& outcome, const ViewRecorder& recorder,
                                    const ViewLimits& limits = {});

/// A run as a page shows it, format wormcast-view/1 (docs/formats.md): one line of JSON. `recorder` has the run's
/// records and is finished.
std::string view_data(const Experiment& experiment, const Schedule& schedule, const RunOutcome& outcome,
                      const ViewRecorder& recorder, const ViewLimits& limits = {});

/// The page that shows `data`, which it holds; it needs no other file.
void write_view_page(std::ostream& out, std::string_view data);

} // namespace wormcast
