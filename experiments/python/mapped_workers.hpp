#pragma once

#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/sweep/plan.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>

namespace wormcast {

/// Points computed by whatever a function of Python's hands them to. `exchange` takes the basis of their plan
/// and a list of (number, task_text), and returns an iterator of as many (number, report_text, wall seconds); it is
/// asked for the next tasks when all outcomes of the last ones are there, so that both sides never wait for each other.
class MappedWorkers final : public Workers {
public:
  MappedWorkers(pybind11::object exchange, std::string basis) : exchange_(std::move(exchange)), basis_(std::move(basis))
  {}

  bool start(const Task& task) override;
  /// Throws error_already_set where the iterator does, or ends early.
  std::optional<TaskOutcome> wait(std::chrono::milliseconds patience) override;
  std::size_t running() const override { return started_.size() + open_; }
  std::size_t capacity() const override { return static_cast<std::size_t>(-1); }

private:
  pybind11::object exchange_;
  std::string basis_;
  std::deque<Task> started_;  ///< not handed to `exchange_` yet
  pybind11::object outcomes_; ///< the iterator
  std::size_t open_ = 0;      ///< outcomes that it still has
};

/// The same in two processes where the points of both plans are the same, whatever the folders that they run in.
std::string basis_of(const SweepPlan& plan);

} // namespace wormcast
