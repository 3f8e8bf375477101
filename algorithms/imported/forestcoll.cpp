#include "wormcast/algorithms/imported/forestcoll.hpp"

#include "wormcast/algorithms/imported/program_of_sends.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

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

/// The sends of all trees, forwards or backwards or both.
class ForestSends {
public:
  ForestSends(const Forest& forest, Operation operation, std::uint64_t message_bytes, std::string_view name)
      : forest_(forest), operation_(operation), message_bytes_(message_bytes), name_(name),
        received_(forest.names.size())
  {
    const std::vector<std::uint64_t> chunks = chunks_of_roots(forest);
    next_chunk_.resize(chunks.size(), 0);
    total_chunks_ = forest.chunks;
    if (is_reduction()) { // the vector has the chunks of all roots, one root after the other
      total_chunks_ = 0;
      for (std::size_t root = 0; root < chunks.size(); ++root) {
        next_chunk_[root] = total_chunks_;
        total_chunks_ += chunks[root] > 0 ? forest.chunks : 0;
      }
    }
    if (total_chunks_ >= most_chunks) {
      throw InputError(
          fmt::format("{}: found {} chunks in all, expected fewer than {}", name, total_chunks_, most_chunks));
    }
  }

  std::vector<DependentSend> all()
  {
    for (const ForestTree& tree : forest_.trees) {
      const std::uint64_t first = next_chunk_[tree.root];
      next_chunk_[tree.root] += tree.chunks;
      bytes_ = bytes_of_chunks(first, next_chunk_[tree.root], total_chunks_, message_bytes_);
      check_order(tree);
      std::vector<std::uint32_t> results;
      if (is_reduction()) {
        results = add_backwards(tree);
      }
      if (operation_ != Operation::reduce_scatter) {
        add_forwards(tree, std::move(results));
      }
    }
    return std::move(sends_);
  }

private:
  static constexpr std::uint64_t most_chunks = std::uint64_t{1} << 31;

  bool is_reduction() const { return operation_ != Operation::multinode_broadcast; }

  /// Throws InputError where a rank sends before it is reached.
  void check_order(const ForestTree& tree)
  {
    std::ranges::fill(received_, nobody);
    for (const ForestSend& send : tree.sends) {
      if (send.from != tree.root && received_[send.from] == nobody) {
        throw InputError(fmt::format("{}:{}: possession: {}: {} sends to {} before it has anything", name_, send.line,
                                     tree_text(forest_, tree), printable(forest_.names[send.from]),
                                     printable(forest_.names[send.to])));
      }
      received_[send.to] = 0;
    }
  }

  /// The last sends first, so that what a rank receives in this direction stands before what it sends. Returns what the
  /// root receives.
  std::vector<std::uint32_t> add_backwards(const ForestTree& tree)
  {
    std::vector<std::vector<std::uint32_t>> arrivals(forest_.names.size());
    for (auto send = tree.sends.rbegin(); send != tree.sends.rend(); ++send) {
      arrivals[send->from].push_back(static_cast<std::uint32_t>(sends_.size()));
      sends_.push_back({.from = send->to,
                        .to = send->from,
                        .bytes = bytes_,
                        .after = std::move(arrivals[send->to]),
                        .line = send->line});
      arrivals[send->to].clear();
    }
    return std::move(arrivals[tree.root]);
  }

  /// The root sends when it has received `results`: the first of its sends waits for them, the others for the first.
  void add_forwards(const ForestTree& tree, std::vector<std::uint32_t> results)
  {
    std::ranges::fill(received_, nobody);
    std::optional<std::uint32_t> first_of_root;
    for (const ForestSend& send : tree.sends) {
      const auto message = static_cast<std::uint32_t>(sends_.size());
      if (received_[send.to] == nobody) {
        received_[send.to] = message;
      }
      DependentSend& added = sends_.emplace_back();
      added = {.from = send.from, .to = send.to, .bytes = bytes_, .line = send.line};
      if (send.from != tree.root) {
        added.after.push_back(received_[send.from]);
      } else if (first_of_root && is_reduction()) {
        added.with = first_of_root;
      } else {
        added.after = std::exchange(results, {});
        first_of_root = message;
      }
    }
  }

  const Forest& forest_;
  Operation operation_;
  std::uint64_t message_bytes_;
  std::string_view name_;
  std::uint64_t total_chunks_ = 0;
  std::uint64_t bytes_ = 0;               ///< of a message of the tree
  std::vector<std::uint64_t> next_chunk_; ///< by root
  std::vector<std::uint32_t> received_;   ///< by rank: the message that reaches it
  std::vector<DependentSend> sends_;
};

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

Program forestcoll_program(const Forest& forest, Operation operation, std::uint64_t message_bytes,
                           std::string_view name)
{
  if (message_bytes > largest_root_block || forest.chunks == 0) {
    throw InputError(fmt::format("{}: found {} bytes in {} chunks of a root, expected at most {} in at least one", name,
                                 message_bytes, forest.chunks, largest_root_block));
  }
  const bool knows = operation == Operation::multinode_broadcast || operation == Operation::all_reduce ||
                     operation == Operation::reduce_scatter;
  if (!knows) {
    throw InputError(fmt::format("{}: found operation {}, expected all_gather, reduce_scatter or all_reduce", name,
                                 operation_names.text(operation)));
  }
  if (operation == Operation::reduce_scatter && !forest.is_all_gather()) {
    throw InputError(fmt::format("{}: a reduce_scatter needs trees of every rank", name));
  }
  Program program = program_of_sends(static_cast<std::uint32_t>(forest.names.size()),
                                     ForestSends(forest, operation, message_bytes, name).all());
  program.title = "program of ForestColl's trees";
  program.message_bytes = message_bytes;
  return program;
}

} // namespace wormcast
