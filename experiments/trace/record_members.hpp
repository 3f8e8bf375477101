#pragma once

#include "wormcast/simulator/model/contention.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A member of a record of the simulator, for those who read the record's memory as it is: a field of NumPy's arrays.
struct RecordMember {
  std::string name;      ///< "waiting_step"
  std::string trace_key; ///< of the same in a trace (TraceKey::path): "waiting.step"; empty: traces lack it
  std::string format;    ///< of its bytes as NumPy writes it: "i8" of times, "u4" of numbers, "u1" of enumerators
  std::size_t offset = 0;
  std::string text; ///< its meaning; where a trace has it, as it says there
};

/// The members of a record, in the order of the fields. Those of a channel or port that is a member of it are called
/// `channel_kind`, `channel` and `node`.
template <typename Record> std::vector<RecordMember> record_members();

template <> std::vector<RecordMember> record_members<Message>();
template <> std::vector<RecordMember> record_members<DeliveryRecord>();
template <> std::vector<RecordMember> record_members<ContentionRecord>();
template <> std::vector<RecordMember> record_members<OccupancyRecord>();

} // namespace wormcast
