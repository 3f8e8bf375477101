#include "wormcast/python/records.hpp"

#include "wormcast/experiments/trace/record_members.hpp"

#include <memory>
#include <utility>

namespace wormcast {

namespace {

namespace py = pybind11;

template <typename Record> py::array view(std::span<const Record> records, const py::object& owner)
{
  py::list names;
  py::list formats;
  py::list offsets;
  for (const RecordMember& member : record_members<Record>()) {
    names.append(member.name);
    formats.append(member.format);
    offsets.append(member.offset);
  }
  const py::dtype type(names, formats, offsets, static_cast<py::ssize_t>(sizeof(Record)));
  py::array array(type, {records.size()}, {sizeof(Record)}, records.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

} // namespace

py::array array_of(std::span<const Message> messages, const py::object& owner)
{
  return view(messages, owner);
}

py::array array_of(std::span<const DeliveryRecord> records, const py::object& owner)
{
  return view(records, owner);
}

py::array array_of(std::span<const ContentionRecord> records, const py::object& owner)
{
  return view(records, owner);
}

py::array array_of(std::span<const OccupancyRecord> records, const py::object& owner)
{
  return view(records, owner);
}

py::array array_of(std::vector<std::uint64_t> numbers)
{
  auto kept = std::make_unique<std::vector<std::uint64_t>>(std::move(numbers));
  const std::vector<std::uint64_t>& values = *kept;
  const py::capsule owner(kept.get(), [](void* vector) { delete static_cast<std::vector<std::uint64_t>*>(vector); });
  kept.release();
  return py::array_t<std::uint64_t>({values.size()}, {sizeof(std::uint64_t)}, values.data(), owner);
}

} // namespace wormcast
