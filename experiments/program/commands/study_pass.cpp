#include "wormcast/experiments/program/commands/study_pass.hpp"

#include "wormcast/experiments/program/commands/stored_points.hpp"
#include "wormcast/experiments/shards/kept_workers.hpp"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <utility>

namespace wormcast {

StudyPass::StudyPass(const WorkPass& pass, std::size_t jobs, Verbosity verbosity)
    : pass_(pass), jobs_(jobs), verbosity_(verbosity), line_(wants_progress(verbosity))
{}

TaskOptions StudyPass::tasks()
{
  TaskOptions options{.jobs = jobs_, .progress = [this](const TaskProgress& progress) { line_.show(progress); }};
  if (pass_.store != nullptr) {
    options.before = [this](const TaskWork& work, Workers& children) {
      return std::make_unique<KeptWorkers>(work, children, *pass_.store, pass_.part, counts_);
    };
  }
  return options;
}

SweepOptions StudyPass::points()
{
  SweepOptions options;
  options.tasks = {.jobs = jobs_, .progress = [this](const TaskProgress& progress) { line_.show(progress); }};
  options.part = pass_.part;
  options.captured_output = [this](const SweepPoint& point, const std::string& captured_output) {
    if (verbosity_ == Verbosity::verbose) {
      line_.clear();
      spdlog::debug("{}: {}", fmt::join(point.cells, ", "), captured_output);
    }
  };
  return options;
}

PassOutcome StudyPass::end(int interrupted_by)
{
  line_.clear();
  return {.interrupted_by = interrupted_by, .counts = std::move(counts_)};
}

} // namespace wormcast
