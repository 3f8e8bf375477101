#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"
#include "wormcast/formats/json_document.hpp"
#include "wormcast/python/bindings.hpp"
#include "wormcast/python/values.hpp"
#include "wormcast/python/without_lock.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace wormcast {

namespace {

namespace py = pybind11;

/// The points of a sweep or of latency-load curves, planned once in each process that computes some of them: class
/// Points of Python.
class BoundPoints {
public:
  BoundPoints(RawConfig config, bool is_load, RunClock clock) : config_(std::move(config)), is_load_(is_load)
  {
    plan_ = is_load ? plan_curves(config_) : plan_sweep(config_);
    work_ = is_load ? load_work(config_, plan_) : sweep_work(config_, plan_, clock);
  }
  BoundPoints(const BoundPoints&) = delete;
  BoundPoints& operator=(const BoundPoints&) = delete;

  const std::string& basis() const { return work_.fingerprint; }

  /// SimGrid's own models need its clock, which runs once in a process.
  bool needs_own_process(const std::string& task) const
  {
    if (is_load_) {
      return false;
    }
    const auto point = read_json(task).at("point").get<std::size_t>();
    const auto effective = nlohmann::json::parse(plan_.points.at(point).config);
    return effective.value("/run/model"_json_pointer, "wormhole") != "wormhole";
  }

  TaskReport compute(const std::string& task) const { return compute_task(work_, read_json(task)); }

private:
  RawConfig config_;
  bool is_load_;
  SweepPlan plan_;
  TaskWork work_; ///< refers to the others
};

std::shared_ptr<BoundPoints> points_of(const py::dict& given)
{
  const ConfigSource source = config_source(given);
  const bool is_load = text_of(given["study"], "study") == "load";
  std::optional<std::int64_t> repeat;
  if (!given["repeat"].is_none()) {
    repeat = given["repeat"].cast<std::int64_t>();
  }
  const RunClock clock = given["own_process"].cast<bool>() ? RunClock::simgrid : RunClock::engine;
  return without_lock([&] { return std::make_shared<BoundPoints>(read_config(source, repeat), is_load, clock); });
}

py::str compute(const std::shared_ptr<BoundPoints>& points, const std::string& task)
{
  return python_text(without_lock([&] { return report_text(points->compute(task)); }));
}

} // namespace

void bind_points(py::module_& module)
{
  py::class_<BoundPoints, std::shared_ptr<BoundPoints>> type(module, "Points", "What computes points of a study.");
  type.def_property_readonly("basis", &BoundPoints::basis)
      .def("needs_own_process", &BoundPoints::needs_own_process)
      .def("compute", compute);
  seal(type, "_core.points()");
  module.def("points", points_of);
}

} // namespace wormcast
