#include "wormcast/algorithms/imported/forestcoll.hpp"

#include "wormcast/algorithms/imported/program_of_sends.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t largest_root_block = std::uint64_t{1} << 62;

/// "tree 0 of 2".
std::string tree_text(const Forest& forest, const ForestTree& tree)
{
  return fmt::format("tree {} of {}", tree.index, printable(forest.names[tree.root]));
}

void check_tree(const Forest& forest, const ForestTree& tree, ForestReport& report)
{
  std::vector<std::uint32_t> depth(forest.names.size(), nobody);
  depth[tree.root] = 0;
  for (const ForestSend& send : tree.sends) {
    if (depth[send.from] == nobody) {
      report.findings.add(FindingKind::possession, send.line, [&] {
        return fmt::format("{}: {} sends to {} before it has anything", tree_text(forest, tree),
                           printable(forest.names[send.from]), printable(forest.names[send.to]));
      });
      continue;
    }
    if (depth[send.to] != nobody) {
      report.findings.add(FindingKind::counting, send.line, [&] {
        return fmt::format("{}: {} is reached twice", tree_text(forest, tree), printable(forest.names[send.to]));
      });
      continue;
    }
    depth[send.to] = depth[send.from] + 1;
    report.longest_chain = std::max(report.longest_chain, depth[send.to]);
    report.chunks_by_rank[send.from] += tree.chunks;
  }
  for (std::uint32_t rank = 0; rank < depth.size(); ++rank) {
    if (depth[rank] == nobody) {
      report.findings.add(FindingKind::coverage, tree.line, [&] {
        return fmt::format("{} does not reach {}", tree_text(forest, tree), printable(forest.names[rank]));
      });
    }
  }
}

std::vector<std::uint64_t> chunks_of_roots(const Forest& forest)
{
  std::vector<std::uint64_t> chunks(forest.names.size(), 0);
  for (const ForestTree& tree : forest.trees) {
    chunks[tree.root] += tree.chunks;
  }
  return chunks;
}

} // namespace

bool Forest::is_all_gather() const
{
  return std::ranges::none_of(chunks_of_roots(*this), [](std::uint64_t of_root) { return of_root == 0; });
}

ForestReport check_forestcoll(const Forest& forest)
{
  ForestReport report;
  report.chunks_by_rank.assign(forest.names.size(), 0);
  for (const ForestTree& tree : forest.trees) {
    report.messages += tree.sends.size();
    check_tree(forest, tree, report);
  }
  const std::vector<std::uint64_t> chunks = chunks_of_roots(forest);
  for (std::uint32_t root = 0; root < chunks.size(); ++root) {
    if (chunks[root] > 0 && chunks[root] != forest.chunks) {
      report.findings.add(FindingKind::coverage, 0, [&] {
        return fmt::format("the trees of {} have {} chunks, of {}", printable(forest.names[root]), chunks[root],
                           forest.chunks);
      });
    }
  }
  return report;
}

Program forestcoll_program(const Forest& forest, std::uint64_t root_bytes, std::string_view name)
{
  if (root_bytes > largest_root_block || forest.chunks == 0) {
    throw InputError(fmt::format("{}: found {} bytes in {} chunks of a root, expected at most {} in at least one", name,
                                 root_bytes, forest.chunks, largest_root_block));
  }
  std::vector<DependentSend> sends;
  std::vector<std::uint64_t> next_chunk(forest.names.size(), 0);
  std::vector<std::uint32_t> received(forest.names.size());
  for (const ForestTree& tree : forest.trees) {
    const std::uint64_t first = next_chunk[tree.root];
    next_chunk[tree.root] += tree.chunks;
    const std::uint64_t bytes = bytes_of_chunks(first, next_chunk[tree.root], forest.chunks, root_bytes);
    std::ranges::fill(received, nobody);
    for (const ForestSend& send : tree.sends) {
      if (send.from != tree.root && received[send.from] == nobody) {
        throw InputError(fmt::format("{}:{}: possession: {}: {} sends to {} before it has anything", name, send.line,
                                     tree_text(forest, tree), printable(forest.names[send.from]),
                                     printable(forest.names[send.to])));
      }
      if (received[send.to] == nobody) {
        received[send.to] = static_cast<std::uint32_t>(sends.size());
      }
      sends.push_back({.from = send.from,
                       .to = send.to,
                       .bytes = bytes,
                       .after = send.from == tree.root ? DependentSend::at_start : received[send.from],
                       .line = send.line});
    }
  }
  Program program = program_of_sends(static_cast<std::uint32_t>(forest.names.size()), sends);
  program.title = "program of ForestColl's trees";
  program.message_bytes = root_bytes;
  return program;
}

} // namespace wormcast
