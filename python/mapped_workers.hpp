#pragma once

#include "wormcast/experiments/process/workers.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <utility>

namespace wormcast {

/// Points computed by a mapping function of Python. `exchange` receives the fingerprint of their work and a list of
/// (number, task_text), and returns an iterator of as many (number, report_text, wall seconds); it is called for the
/// next tasks when all outcomes of the last ones have arrived, so that both sides never wait for each other.
class MappedWorkers final : public Workers {
public:
  MappedWorkers(pybind11::object exchange, const TaskWork& work)
      : exchange_(std::move(exchange)), fingerprint_(work.fingerprint)
  {}

  bool start(const Task& task) override;
  /// Throws error_already_set where the iterator does, or ends early.
  std::optional<TaskOutcome> wait(std::chrono::milliseconds timeout) override;
  std::size_t running() const override { return started_.size() + open_; }
  std::size_t capacity() const override { return static_cast<std::size_t>(-1); }

private:
  pybind11::object exchange_;
  std::string fingerprint_;
  std::deque<Task> started_;  ///< not handed to `exchange_` yet
  pybind11::object outcomes_; ///< the iterator
  std::size_t open_ = 0;      ///< outcomes that it still has
};

} // namespace wormcast
