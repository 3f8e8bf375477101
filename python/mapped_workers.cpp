#include "wormcast/python/mapped_workers.hpp"

#include "wormcast/python/values.hpp"

#include <fmt/format.h>

#include <utility>

namespace wormcast {

namespace py = pybind11;

namespace {

TaskReport read_mapped_report(const std::string& text)
{
  try {
    return read_report(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("map: {}", error.what()));
  }
}

} // namespace

bool MappedWorkers::start(const Task& task)
{
  started_.push_back(task);
  return true;
}

std::optional<TaskOutcome> MappedWorkers::wait(std::chrono::milliseconds /*timeout*/)
{
  if (open_ == 0) {
    py::list tasks;
    for (const Task& task : std::exchange(started_, {})) {
      tasks.append(py::make_tuple(task.number, python_text(task_text(task.parameters))));
    }
    open_ = tasks.size();
    outcomes_ = exchange_(fingerprint_, tasks);
  }
  auto next = py::reinterpret_steal<py::object>(PyIter_Next(outcomes_.ptr()));
  if (!next) {
    if (PyErr_Occurred() == nullptr) {
      PyErr_SetString(PyExc_EOFError, "there are fewer outcomes than tasks");
    }
    throw py::error_already_set();
  }
  --open_;
  const py::sequence fields = next;
  return TaskOutcome{.task = fields[0].cast<std::size_t>(),
                     .report = read_mapped_report(text_of(fields[1], "an outcome")),
                     .wall_seconds = fields[2].cast<double>()};
}

} // namespace wormcast
