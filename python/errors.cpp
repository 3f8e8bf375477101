#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/python/bindings.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <exception>
#include <filesystem>
#include <new>
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
    } catch (const std::filesystem::filesystem_error& error) {
      raise_as("FileError", error);
    } catch (const pybind11::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "an argument is of another type than the function takes");
    } catch (const std::bad_alloc&) {
      PyErr_SetString(PyExc_MemoryError, "out of memory");
    } catch (const pybind11::builtin_exception&) { // stop_iteration, index_error, ...: they name Python's own
      throw;
    } catch (const std::exception& error) {
      raise_as("Error", error);
    }
  });
}

} // namespace wormcast
