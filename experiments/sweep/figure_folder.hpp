#pragma once

#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace wormcast {

/// Puts the one figure that a command draws of its results into their store, so that `wormcast plot` can draw it again.
/// Where `figure` throws InputError there is none, and the store says why.
void keep_figure(ResultStore& store, const std::string& command, const std::function<Figure()>& figure);

/// Whether a store's document is one of these.
bool is_figure_document(std::string_view document);

/// The figure of a store.
struct KeptFigure {
  std::string command; ///< of which it is
  Figure figure;
};

/// Throws InputError where there is no figure, with the reason, and where the document is damaged.
KeptFigure kept_figure(const ResultStore& store);

} // namespace wormcast
