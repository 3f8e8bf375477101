#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/python/bindings.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/printable.hpp"

#include <exception>
#include <utility>

namespace wormcast {

namespace {

void raise_as(const char* name, const std::exception& error)
{
  const pybind11::object type = pybind11::module_::import("wormcast._errors").attr(name);
  PyErr_SetString(type.ptr(), printable(error.what()).c_str());
}

} // namespace

void bind_errors()
{
  pybind11::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const OutputError& error) {
      raise_as("OutputError", error);
    } catch (const FileError& error) {
      raise_as("FileError", error);
    } catch (const IncompleteSchedule& error) {
      raise_as("IncompleteSchedule", error);
    } catch (const InputError& error) {
      raise_as("InputError", error);
    }
  });
}

} // namespace wormcast
