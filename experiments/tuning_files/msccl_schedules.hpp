#pragma once

#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/experiments/compare/choose.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// A schedule as MSCCL XML, proved.
struct ProvedMsccl {
  MscclAlgorithm algorithm;
  std::vector<std::string> warnings; ///< what not every executor takes
};

/// msccl_of_schedule(), proved as check_msccl() proves it. Throws InputError where it is refuted: the schedule is
/// wrong.
ProvedMsccl proved_msccl(const Schedule& schedule, std::uint32_t nodes, std::string name, bool keep_order);

/// The file for some lengths of a choice.
struct MscclSchedule {
  std::string file;       ///< "allreduce_64_4081.xml"
  std::uint64_t from = 0; ///< bytes, as message.bytes has them, both inclusive
  std::uint64_t to = 0;
  std::string title; ///< the algorithm with its parameters
  ProvedMsccl proved;
};

/// A choice as schedules.
struct MscclChoice {
  std::vector<MscclSchedule> schedules; ///< by ascending length
  std::vector<std::string> notes;       ///< sentences: which lengths have no file and why, and for which root files are
};

/// Throws InputError where MSCCL has no such operation.
void require_in_msccl(Operation operation);

/// A schedule for each piece of a choice with minBytes and maxBytes, which are those of the whole buffer; of a piece
/// with a number of segments that is tuned one for each doubling of the length, with the number that is the best at its
/// beginning. Lengths at which it is not decided, or whose schedule has too many blocks, have none.
MscclChoice msccl_of_choice(const Experiment& experiment, const Choice& choice);

/// For people: a line for each schedule.
std::string msccl_choice_text(const MscclChoice& choice);

} // namespace wormcast
