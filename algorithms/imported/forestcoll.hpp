#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/schedule/operation.hpp"
#include "wormcast/algorithms/schedule/program.hpp"

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// One edge of a tree, by rank.
struct ForestSend {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t line = 0;
};

/// A spanning tree that broadcasts some chunks of its root.
struct ForestTree {
  std::uint32_t root = 0;
  std::uint64_t index = 0; ///< among the trees of its root
  std::uint64_t chunks = 0;
  std::uint64_t height = 0; ///< as the file says: the longest path from the root
  std::vector<ForestSend> sends;
  std::uint32_t line = 0;
};

/// Spanning trees of ForestColl (README.md, pipeline_allgather.py; docs/formats-of-others.md).
struct Forest {
  std::vector<std::string> names; ///< by rank: numbers by value, then others by text
  std::vector<std::string> switches;
  std::vector<ForestTree> trees;
  std::uint64_t chunks = 0; ///< of a root: nchunkspernode, or those of the only tree

  /// Whether every rank is a root: then it is an all_gather, else broadcasts.
  bool is_all_gather() const;
};

/// Reads trees: `<Algo>` with its `<tree>`s, or a single `<tree>`. Throws InputError with file, line and column for
/// what is no XML or not of the format, for a path that does not join its ends, and for a wrong height of a complete
/// tree.
Forest read_forestcoll(std::istream& in, std::string_view name);
Forest read_forestcoll(const std::filesystem::path& file);

/// The verdict on trees.
struct ForestReport {
  Findings findings;                         ///< possession, counting, coverage
  std::vector<std::uint64_t> chunks_by_rank; ///< sent to those that do not have them
  std::uint64_t messages = 0;
  std::uint32_t longest_chain = 0; ///< of messages one behind the other
};

/// Proves that each tree reaches every rank exactly once and in the order of its sends, and that the trees of each root
/// have all of its chunks.
ForestReport check_forestcoll(const Forest& forest);

/// The program of trees. As an all_gather (or broadcasts) of blocks of `message_bytes` of each root a rank passes
/// chunks on when it has received them. As a reduce_scatter of a vector of `message_bytes` every tree is used
/// backwards: a rank sends its partial result when it has those of all ranks behind it; as an all_reduce so, and then
/// forwards. A tree's chunks [a, b) of K are one message of the bytes between their ends, at least one; of a vector the
/// roots have as many chunks each, in their order. Throws InputError with `name` where a rank sends what it never gets,
/// for other operations, and for a reduce_scatter where not every rank is a root.
Program forestcoll_program(const Forest& forest, Operation operation, std::uint64_t message_bytes,
                           std::string_view name);

} // namespace wormcast
