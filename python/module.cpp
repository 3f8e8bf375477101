#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/python/bindings.hpp"
#include "wormcast/python/without_lock.hpp"
#include "wormcast/simulator/simgrid/platform_topology.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

namespace wormcast {

namespace {

PyObject* refuse_new(PyTypeObject* type, PyObject* /*arguments*/, PyObject* /*named*/)
{
  if (PyObject* maker = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "_maker"); maker != nullptr) {
    PyErr_Format(PyExc_TypeError, "found a call of the class %s, expected wormcast.%U, which makes its objects",
                 type->tp_name, maker);
    Py_DECREF(maker);
  }
  return nullptr;
}

} // namespace

void seal(pybind11::handle type, const char* maker)
{
  type.attr("__module__") = "wormcast";
  type.attr("_maker") = maker;
  type.attr("_repr_html_") = pybind11::module_::import("wormcast._display").attr("text_as_html");
  auto* const sealed = reinterpret_cast<PyTypeObject*>(type.ptr());
  sealed->tp_new = refuse_new;
  sealed->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  PyType_Modified(sealed);
}

} // namespace wormcast

PYBIND11_MODULE(_core, module)
{
  using namespace wormcast;
  module.doc() = "What the package wormcast is made of.";
  module.attr("version") = std::string(program_version());
  const auto logger = std::make_shared<spdlog::logger>("wormcast", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("wormcast: %l: %v");
  spdlog::set_default_logger(logger);
  limit_resources();
  halt_work_for_forks_and_the_end();
  register_platform_topology();
  bind_errors();
  bind_topology(module);
  bind_schedule(module);
  bind_simulation(module);
  bind_points(module);
  bind_studies(module);
}
