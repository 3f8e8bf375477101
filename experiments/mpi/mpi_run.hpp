#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/mpi/program_record.hpp"
#include "wormcast/experiments/process/foreground.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// An MPI program on a machine, or a time-independent trace of one.
struct MpiProgram {
  ConfigSource config;                    ///< the configuration of `machine`
  std::vector<NodeId> nodes;              ///< of the ranks
  std::vector<std::string> program;       ///< with its arguments; empty for a trace
  std::string trace = {};                 ///< its name; empty: none
  std::filesystem::path replay_list = {}; ///< the list of the trace's files by rank (write_replay_list())
  bool list_messages = true;              ///< MpiRun::messages
  std::vector<std::string> settings = {}; ///< SimGrid's settings in addition to those of the machine ("smpi/wtime:0")
  ForegroundOptions process = {};         ///< its output, and how long it may take
};

/// Its end, and the messages that it sent.
struct MpiRun {
  ProgramExit exit;
  std::optional<ProgramEnd> end; ///< none: it did not run on the network, or not to its end
  Schedule messages;             ///< between nodes, as a plain message list; empty where none is wanted
  std::shared_ptr<const ProgramWords> words = {}; ///< of the messages; null: not known
};

/// Runs the program by smpirun on libwormcast_platform.so. Files are written to `folder`, which is to be removed
/// afterwards. Throws InputError where SMPI, the platform library or the program is missing, where an argument cannot
/// be passed by smpirun or is SimGrid's own, where a trace is to be replayed with a broadcast of wormcast's own, or
/// where this build has no wormhole model.
MpiRun run_mpi_program(const ProgramMachine& machine, const MpiProgram& program, const std::filesystem::path& folder);

} // namespace wormcast
