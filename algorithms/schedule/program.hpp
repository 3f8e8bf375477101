#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string_view>
#include <vector>

namespace wormcast {

/// One thing that a rank of a program does.
struct ProgramAction {
  enum class Kind : std::uint8_t { send, receive, compute };
  Kind kind = Kind::compute;
  std::uint32_t rank = 0;
  std::uint32_t peer = 0;               ///< send: the receiver; receive: the sender, unless it takes any
  std::optional<std::uint32_t> tag = 0; ///< receive: none takes any
  bool any_peer = false;                ///< receive: takes messages of all ranks
  std::uint32_t cpu = 0;                ///< compute: actions of a rank with the same number come one after the other
  std::uint64_t bytes = 0;              ///< send and receive
  Time duration;                        ///< compute
  std::uint32_t line = 0;               ///< where it stands in its file
};

/// An action that has to wait for another one of its rank.
struct ProgramDependency {
  std::uint32_t before = 0; ///< action
  std::uint32_t after = 0;  ///< action
  bool on_start = false;    ///< `after` may begin when `before` has begun, and need not wait for its end
};

/// What ranks send, receive and compute, in which order: a program in GOAL, the language of LogGOPSim (Hoefler,
/// Schneider & Lumsdaine, HPDC 2010). A send begins when it asks for its port and ends when the port is free of it; a
/// receive begins when it is posted and ends when a message is there for it; computing takes its time on its processor.
struct Program {
  std::uint32_t ranks = 0;
  std::vector<ProgramAction> actions;          ///< in the order of the file
  std::vector<ProgramDependency> dependencies; ///< without cycles
  std::vector<std::uint32_t> sends; ///< by message id: its action. Ids are the tags where these are 0, 1, ...,
                                    ///< each once; else they follow the order of the file
  std::vector<NodeId> node_of_rank; ///< once it has been placed
};

/// Reads a program in GOAL as LogGOPSim's txt2bin takes it: `num_ranks N`, `rank R { ... }`, `[LABEL:] send BYTESb to
/// RANK`, `recv BYTESb from RANK|-1`, both with `tag TAG`, `cpu CPU`, `nic NIC`, `calc NANOSECONDS [cpu CPU]`, `LABEL
/// requires LABEL`, `LABEL irequires LABEL`, comments. Throws InputError with file, line and column: of what is
/// malformed, of a label that is not there or there twice, of a rank that sends to itself, of dependencies in a cycle,
/// and of sends and receives that leave one over (where no receive of the rank takes any message).
Program read_program(std::istream& in, std::string_view name);

/// The same of a file. Throws FileError where it cannot be read.
Program read_program(const std::filesystem::path& file);

/// The program's messages as a plain list on the nodes of `node_of_rank`, with the program in it. All else but
/// topology, routing and ports is filled in.
Schedule program_schedule(Program program, std::vector<NodeId> node_of_rank);

} // namespace wormcast
