#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string_view>
#include <vector>

namespace wormcast {

/// One action of a rank of a program.
struct ProgramAction {
  enum class Kind : std::uint8_t { send, receive, compute };
  Kind kind = Kind::compute;
  std::uint32_t rank = 0;
  std::uint32_t peer = 0;               ///< send: the receiver; receive: the sender, unless it matches any
  std::optional<std::uint32_t> tag = 0; ///< receive: none matches any tag
  bool any_peer = false;                ///< receive: matches messages of all ranks
  std::uint32_t cpu = 0;                ///< compute: actions of a rank with the same number are executed in sequence
  std::uint64_t bytes = 0;              ///< send and receive
  Time duration;                        ///< compute
  std::uint32_t line = 0;               ///< its position in the file
};

/// A dependency of an action on another action of its rank.
struct ProgramDependency {
  std::uint32_t before = 0; ///< action
  std::uint32_t after = 0;  ///< action
  bool on_start = false;    ///< `after` may begin when `before` has begun, and need not wait for its end
};

/// A program in GOAL, the language of LogGOPSim (Hoefler, Schneider & Lumsdaine, HPDC 2010): the sends, receives and
/// computations of each rank, and their order. A send begins when it requests its port and ends when it releases the
/// port; a receive begins when it is posted and ends when a message matches it; computing takes its time on its
/// processor.
struct Program {
  std::uint32_t ranks = 0;
  std::vector<ProgramAction> actions;          ///< in the order of the file
  std::vector<ProgramDependency> dependencies; ///< without cycles
  std::vector<std::uint32_t> sends; ///< by message id: its action. Ids are the tags where these are 0, 1, ...,
                                    ///< each once; else they follow the order of the file
  std::vector<NodeId> node_of_rank; ///< once it has been placed
  std::string_view title = "program in GOAL";      ///< what it is called in messages
  std::optional<std::uint64_t> message_bytes = {}; ///< where its file leaves the length open: that for which it is
};

/// Reads a program in GOAL as LogGOPSim's txt2bin does: `num_ranks N`, `rank R { ... }`, `[LABEL:] send BYTESb to
/// RANK`, `recv BYTESb from RANK|-1`, both with `tag TAG`, `cpu CPU`, `nic NIC`, `calc NANOSECONDS [cpu CPU]`, `LABEL
/// requires LABEL`, `LABEL irequires LABEL`, comments. Throws InputError with file, line and column: for malformed
/// text, an unknown or repeated label, a rank that sends to itself, dependencies in a cycle, and sends and receives of
/// which one is unmatched (if no receive of the rank matches any message).
Program read_program(std::istream& in, std::string_view name);

/// The same of a file. Throws FileError where it cannot be read.
Program read_program(const std::filesystem::path& file);

/// The program's messages as a plain list on the nodes of `node_of_rank`, with the program in it. All else but
/// topology, routing and ports is filled in.
Schedule program_schedule(Program program, std::vector<NodeId> node_of_rank);

} // namespace wormcast
