#include "wormcast/python/records.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace wormcast {

namespace {

namespace py = pybind11;

/// A field of records as NumPy is told of it.
struct RecordField {
  const char* name;
  const char* format; ///< "<i8"
  std::size_t offset;
};

constexpr const char* time_format = "i8"; // picoseconds
constexpr const char* number_format = "u4";
constexpr const char* code_format = "u1";
static_assert(sizeof(Time) == 8 && sizeof(NodeId) == 4 && sizeof(ChannelId) == 4 && sizeof(MessageId) == 4);
static_assert(sizeof(BlockSetId) == 4 && sizeof(ContentionKind) == 1 && sizeof(Resource::Kind) == 1);
static_assert(sizeof(WaitCause) == 1);

template <typename Record>
py::array view(std::span<const Record> records, const std::vector<RecordField>& fields, const py::object& owner)
{
  static_assert(std::is_standard_layout_v<Record>, "so that fields have offsets");
  py::list names;
  py::list formats;
  py::list offsets;
  for (const RecordField& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  const py::dtype type(names, formats, offsets, static_cast<py::ssize_t>(sizeof(Record)));
  py::array array(type, {records.size()}, {sizeof(Record)}, records.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// The fields of a Resource that is itself at `offset`.
void add_resource(std::vector<RecordField>& fields, std::size_t offset)
{
  fields.push_back({"channel_kind", code_format, offset + offsetof(Resource, kind)});
  fields.push_back({"channel", number_format, offset + offsetof(Resource, channel)});
  fields.push_back({"node", number_format, offset + offsetof(Resource, node)});
}

} // namespace

py::array array_of(std::span<const Message> messages, const py::object& owner)
{
  return view(messages,
              {{"step", number_format, offsetof(Message, step)},
               {"source", number_format, offsetof(Message, source)},
               {"destination", number_format, offsetof(Message, destination)},
               {"block_set", number_format, offsetof(Message, blocks)}},
              owner);
}

py::array array_of(std::span<const DeliveryRecord> records, const py::object& owner)
{
  return view(records,
              {{"message", number_format, offsetof(DeliveryRecord, message)},
               {"step", number_format, offsetof(DeliveryRecord, step)},
               {"source", number_format, offsetof(DeliveryRecord, source)},
               {"destination", number_format, offsetof(DeliveryRecord, destination)},
               {"ready", time_format, offsetof(DeliveryRecord, ready)},
               {"granted", time_format, offsetof(DeliveryRecord, granted)},
               {"time", time_format, offsetof(DeliveryRecord, delivered)}},
              owner);
}

py::array array_of(std::span<const ContentionRecord> records, const py::object& owner)
{
  std::vector<RecordField> fields = {{"kind", code_format, offsetof(ContentionRecord, kind)},
                                     {"cause", code_format, offsetof(ContentionRecord, cause)}};
  add_resource(fields, offsetof(ContentionRecord, resource));
  fields.push_back({"waiting", number_format, offsetof(ContentionRecord, waiting)});
  fields.push_back({"waiting_step", number_format, offsetof(ContentionRecord, waiting_step)});
  fields.push_back({"holding", number_format, offsetof(ContentionRecord, holding)});
  fields.push_back({"holding_step", number_format, offsetof(ContentionRecord, holding_step)});
  fields.push_back({"from", time_format, offsetof(ContentionRecord, from)});
  fields.push_back({"to", time_format, offsetof(ContentionRecord, to)});
  fields.push_back({"wait", time_format, offsetof(ContentionRecord, wait)});
  return view(records, fields, owner);
}

py::array array_of(std::span<const OccupancyRecord> records, const py::object& owner)
{
  std::vector<RecordField> fields;
  add_resource(fields, offsetof(OccupancyRecord, resource));
  fields.push_back({"message", number_format, offsetof(OccupancyRecord, message)});
  fields.push_back({"step", number_format, offsetof(OccupancyRecord, step)});
  fields.push_back({"from", time_format, offsetof(OccupancyRecord, from)});
  fields.push_back({"to", time_format, offsetof(OccupancyRecord, to)});
  return view(records, fields, owner);
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
