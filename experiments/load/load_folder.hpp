#pragma once

#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What it takes to draw latency-load curves again.
struct LoadPicture {
  LoadCurves curves;
  std::vector<PlotRequest> plots; ///< as load_plot makes them
  std::string title;
};

/// What a store has in the place of a sweep's document while the curves are measured.
std::string load_document();

/// The document of curves that are measured: their settings, and which points of the store are theirs.
std::string load_document(const LoadPicture& picture);

/// Whether a store's document is one of these.
bool is_load_document(std::string_view document);

/// The curves of a folder, from its document and its points. Throws InputError where they are not measured yet, or
/// where the document is damaged.
LoadPicture kept_load_picture(const ResultStore& store, bool with_plots);

} // namespace wormcast
