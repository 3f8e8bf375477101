#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/schedule/program.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Values of Node.type.
enum class ChakraType : std::uint8_t {
  invalid = 0,
  metadata = 1,
  memory_load = 2,
  memory_store = 3,
  compute = 4,
  send = 5,
  receive = 6,
  collective = 7
};

inline constexpr auto chakra_type_names = names<ChakraType>({{ChakraType::invalid, "INVALID"},
                                                             {ChakraType::metadata, "METADATA"},
                                                             {ChakraType::memory_load, "MEM_LOAD"},
                                                             {ChakraType::memory_store, "MEM_STORE"},
                                                             {ChakraType::compute, "COMP"},
                                                             {ChakraType::send, "COMM_SEND"},
                                                             {ChakraType::receive, "COMM_RECV"},
                                                             {ChakraType::collective, "COMM_COLL"}});

/// Values of the attribute comm_type.
enum class ChakraCollective : std::uint8_t {
  all_reduce = 0,
  reduce = 1,
  all_gather = 2,
  gather = 3,
  scatter = 4,
  broadcast = 5,
  all_to_all = 6,
  reduce_scatter = 7,
  reduce_scatter_block = 8,
  barrier = 9
};

inline constexpr auto chakra_collective_names =
    names<ChakraCollective>({{ChakraCollective::all_reduce, "ALL_REDUCE"},
                             {ChakraCollective::reduce, "REDUCE"},
                             {ChakraCollective::all_gather, "ALL_GATHER"},
                             {ChakraCollective::gather, "GATHER"},
                             {ChakraCollective::scatter, "SCATTER"},
                             {ChakraCollective::broadcast, "BROADCAST"},
                             {ChakraCollective::all_to_all, "ALL_TO_ALL"},
                             {ChakraCollective::reduce_scatter, "REDUCE_SCATTER"},
                             {ChakraCollective::reduce_scatter_block, "REDUCE_SCATTER_BLOCK"},
                             {ChakraCollective::barrier, "BARRIER"}});

/// A node of the graph of a rank.
struct ChakraNode {
  std::uint64_t id = 0;
  ChakraType type = ChakraType::compute;
  bool on_cpu = false;          ///< computing: on the processor, else on the accelerator
  std::uint64_t micros = 0;     ///< computing: what it takes; 0: it is not known
  std::uint64_t operations = 0; ///< computing
  std::uint32_t peer = 0;       ///< send, receive: the other rank
  std::uint64_t tag = 0;        ///< send, receive
  std::uint64_t bytes = 0;      ///< send, receive, collective
  std::uint32_t group = 0;      ///< collective: in ChakraTrace::groups
  ChakraCollective collective = ChakraCollective::all_reduce;
  std::uint32_t begin = 0; ///< of the ids of the nodes for which it waits, in ChakraRank::waits
  std::uint32_t end = 0;
};

/// The graph of a rank.
struct ChakraRank {
  std::vector<ChakraNode> nodes;    ///< in the order of the file
  std::vector<std::uint64_t> waits; ///< ids
  std::string version;              ///< empty: none
  /// Once checked: the nodes by place in an order in which they can begin, without those in and behind a cyclic wait,
  /// and for each node the places of those for which it waits, those that are not there left out.
  std::vector<std::uint32_t> order;
  std::vector<std::vector<std::uint32_t>> before;
};

/// Ranks that take part in collectives together.
struct ChakraGroup {
  std::string name;                   ///< pg_name; empty: none, which means all ranks
  std::vector<std::uint32_t> members; ///< in ascending order, or as the file of groups has them
};

/// An execution trace of Chakra (schema/protobuf/et_def.proto; docs/formats-of-others.md): a graph of computing, of
/// messages and of collectives for each rank.
struct ChakraTrace {
  std::vector<ChakraRank> ranks;
  std::vector<ChakraGroup> groups;
};

/// More ranks than these are taken for a mistake.
inline constexpr std::uint32_t most_chakra_ranks = 1U << 20;

/// The members of groups by their names, as ASTRA-sim's file of groups has them: {"0": [0, 1, 2, 3], ...}.
using ChakraGroups = std::map<std::string, std::vector<std::uint32_t>>;

/// Reads a file of groups. Throws InputError where it is something else, and FileError where it cannot be read.
ChakraGroups read_chakra_groups(const std::filesystem::path& file);

/// The bytes of the file of a rank, decompressed.
struct ChakraFile {
  std::string name;
  std::string bytes;
};

/// Reads the graphs of ranks 0, 1, ... The members of a group that `groups` does not have are the ranks that take part
/// in its collectives, and of collectives without a group all ranks. Throws InputError "NAME: byte N: ..." for what is
/// not of the format: cut or empty messages, types of nodes and collectives that do not exist, an id twice, a peer that
/// is no other rank.
ChakraTrace read_chakra(std::span<const ChakraFile> files, const ChakraGroups& groups = {});

/// The same of a folder, or a pattern "trace.%d.et", with a file NAME.R.et or NAME.R.et.gz for each rank R. Throws
/// FileError where one cannot be read.
ChakraTrace read_chakra(const std::filesystem::path& trace, const ChakraGroups& groups = {});

/// Whether a folder or a pattern has such files, or the file is one.
bool is_chakra(const std::filesystem::path& trace);

/// The files of a folder or a pattern by rank.
std::vector<std::filesystem::path> chakra_files(const std::filesystem::path& trace);

/// What is found out about a trace.
struct ChakraReport {
  Findings findings; ///< dependency, deadlock, matching
  std::uint64_t messages = 0;
  std::vector<std::uint64_t> bytes_by_rank; ///< sent; collectives are left out
  std::uint64_t micros = 0;                 ///< of computing, over all ranks
  std::uint32_t longest_chain = 0;          ///< of nodes of a rank that wait for one another
  std::uint64_t unmatched = 0;              ///< sends and receives
  std::uint64_t other_sizes = 0;            ///< sends that are matched with a receive of another size
};

/// Proves that all that nodes wait for is there and forms no cycle, that sends and receives match by ranks, tag and
/// size, and that the members of a group do the same collectives. Fills `order` and `before` of the ranks.
ChakraReport check_chakra(ChakraTrace& trace);

/// The program of a collective among `members` of them, whose ranks are their places.
using CollectiveProgram =
    std::function<Program(ChakraCollective, std::uint64_t bytes, std::span<const std::uint32_t> members)>;

/// The program that a checked trace is: computing takes its time on one of two processors of its rank, or its
/// operations at `flops` a second where it has none, and a collective begins at a member when its node can, and ends
/// with the last message there. Throws InputError with `name` where `report` has findings.
Program chakra_program(const ChakraTrace& trace, const ChakraReport& report, std::uint64_t flops,
                       const CollectiveProgram& collective, std::string_view name);

} // namespace wormcast
