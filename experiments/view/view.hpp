#pragma once

#include "wormcast/experiments/view/viewed_run.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Throws InputError where a network has more nodes or channels than a page shows.
void check_view_limits(const Topology& topology, const ViewLimits& limits = {});

/// The part of a series that a page shows, and the parts of this run that it leaves out, one sentence each; empty: it
/// shows all.
std::vector<std::string> view_notes(const ViewedRun& run, const ViewLimits& limits = {});

/// A run as a page shows it, format wormcast-view/1 (docs/formats.md): one line of JSON.
std::string view_data(const ViewedRun& run, const ViewLimits& limits = {});

/// The page that shows `data`, which it holds; it needs no other file.
void write_view_page(std::ostream& out, std::string_view data);

} // namespace wormcast
