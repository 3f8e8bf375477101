#pragma once

#include "wormcast/experiments/trace/record_members.hpp"
#include "wormcast/simulator/model/contention.hpp"

#include <cstdint>
#include <pybind11/numpy.h>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// The names of the fields of such an array, for documentation: "step, source, destination, block_set".
template <typename Record> std::string field_names()
{
  std::string names;
  for (const RecordMember& member : record_members<Record>()) {
    names += (names.empty() ? "" : ", ") + member.name;
  }
  return names;
}

/// Structured arrays of NumPy that are the memory of the records themselves: nothing is copied, nothing can be written.
/// `owner` is the object of Python that keeps the records; the array keeps it.
pybind11::array array_of(std::span<const Message> messages, const pybind11::object& owner);
pybind11::array array_of(std::span<const DeliveryRecord> records, const pybind11::object& owner);
pybind11::array array_of(std::span<const ContentionRecord> records, const pybind11::object& owner);
pybind11::array array_of(std::span<const OccupancyRecord> records, const pybind11::object& owner);

/// An array that keeps the numbers itself.
pybind11::array array_of(std::vector<std::uint64_t> numbers);

} // namespace wormcast
