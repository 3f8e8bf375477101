#include "wormcast/algorithms/imported/chakra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>

namespace wormcast {

namespace {

/// The graph of one rank.
class RankGraph {
public:
  RankGraph(ChakraRank& rank, std::uint32_t number, ChakraReport& report)
      : rank_(rank), number_(number), report_(report)
  {}

  void check()
  {
    resolve_waits();
    sort();
    if (rank_.order.size() < rank_.nodes.size()) {
      report_cycle();
    }
    report_.longest_chain = std::max(report_.longest_chain, longest_chain());
  }

private:
  std::uint64_t id(std::uint32_t place) const { return rank_.nodes[place].id; }

  void resolve_waits()
  {
    std::unordered_map<std::uint64_t, std::uint32_t> place_of;
    for (std::uint32_t place = 0; place < rank_.nodes.size(); ++place) {
      place_of.emplace(id(place), place);
    }
    rank_.before.resize(rank_.nodes.size());
    for (std::uint32_t place = 0; place < rank_.nodes.size(); ++place) {
      std::vector<std::uint32_t>& before = rank_.before[place];
      for (std::uint32_t i = rank_.nodes[place].begin; i < rank_.nodes[place].end; ++i) {
        const auto found = place_of.find(rank_.waits[i]);
        if (found == place_of.end()) {
          report_.findings.add(FindingKind::dependency, 0, [&] {
            return fmt::format("rank {}: node {} depends on node {}, which does not exist", number_, id(place),
                               rank_.waits[i]);
          });
        } else {
          before.push_back(found->second);
        }
      }
      std::ranges::sort(before);
      const auto repeated = std::ranges::unique(before);
      before.erase(repeated.begin(), repeated.end());
    }
  }

  /// By dependencies (Kahn, 1962), else in the order of the file.
  void sort()
  {
    std::vector<std::uint32_t> missing;
    std::vector<std::vector<std::uint32_t>> later(rank_.nodes.size());
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t place = 0; place < rank_.nodes.size(); ++place) {
      missing.push_back(static_cast<std::uint32_t>(rank_.before[place].size()));
      for (const std::uint32_t before : rank_.before[place]) {
        later[before].push_back(place);
      }
      if (missing.back() == 0) {
        ready.push(place);
      }
    }
    while (!ready.empty()) {
      const std::uint32_t place = ready.top();
      ready.pop();
      rank_.order.push_back(place);
      for (const std::uint32_t next : later[place]) {
        if (--missing[next] == 0) {
          ready.push(next);
        }
      }
    }
  }

  /// Follows what a node that was not sorted waits for, until one comes again.
  void report_cycle()
  {
    std::vector<bool> stuck(rank_.nodes.size(), true);
    for (const std::uint32_t place : rank_.order) {
      stuck[place] = false;
    }
    auto place = static_cast<std::uint32_t>(std::ranges::find(stuck, true) - stuck.begin());
    std::vector<bool> seen(rank_.nodes.size());
    std::vector<std::uint32_t> path;
    while (!seen[place]) {
      seen[place] = true;
      path.push_back(place);
      place = *std::ranges::find_if(rank_.before[place], [&](std::uint32_t before) { return stuck[before]; });
    }
    constexpr std::ptrdiff_t most_shown = 10;
    const auto begin = std::ranges::find(path, place);
    std::string text = fmt::format("rank {}: node {} depends on itself: {}", number_, id(place), id(place));
    for (auto next = begin + 1; next != path.end() && next - begin < most_shown; ++next) {
      text += fmt::format(" <- {}", id(*next));
    }
    text += path.end() - begin > most_shown ? " <- ..." : "";
    report_.findings.add(FindingKind::deadlock, 0, [&] { return fmt::format("{} <- {}", text, id(place)); });
  }

  /// Depth first; what closes a cycle is left out.
  std::uint32_t longest_chain() const
  {
    constexpr std::uint32_t not_seen = 0;
    std::vector<std::uint32_t> chain(rank_.nodes.size(), not_seen); // 1 at least once it is on the path
    std::vector<std::uint32_t> next(rank_.nodes.size(), 0);
    std::vector<std::uint32_t> path;
    std::vector<bool> on_path(rank_.nodes.size());
    std::uint32_t longest = 0;
    for (std::uint32_t first = 0; first < rank_.nodes.size(); ++first) {
      if (chain[first] != not_seen) {
        continue;
      }
      path.push_back(first);
      while (!path.empty()) {
        const std::uint32_t place = path.back();
        on_path[place] = true;
        chain[place] = std::max(chain[place], 1U);
        if (next[place] == rank_.before[place].size()) {
          on_path[place] = false;
          longest = std::max(longest, chain[place]);
          path.pop_back();
          continue;
        }
        const std::uint32_t before = rank_.before[place][next[place]];
        if (chain[before] == not_seen) {
          path.push_back(before); // comes back to this one
          continue;
        }
        ++next[place];
        if (!on_path[before]) {
          chain[place] = std::max(chain[place], chain[before] + 1);
        }
      }
    }
    return longest;
  }

  ChakraRank& rank_;
  std::uint32_t number_;
  ChakraReport& report_;
};

/// The nodes of a rank that were sorted, and then the others.
std::vector<std::uint32_t> all_in_order(const ChakraRank& rank)
{
  std::vector<std::uint32_t> order = rank.order;
  std::vector<bool> sorted(rank.nodes.size());
  for (const std::uint32_t place : order) {
    sorted[place] = true;
  }
  for (std::uint32_t place = 0; place < rank.nodes.size(); ++place) {
    if (!sorted[place]) {
      order.push_back(place);
    }
  }
  return order;
}

/// The sizes of the messages from one rank to another with one tag.
struct ChannelSizes {
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> received;
};

void check_messages(const ChakraTrace& trace, ChakraReport& report)
{
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, ChannelSizes> channels;
  for (std::uint32_t number = 0; number < trace.ranks.size(); ++number) {
    const ChakraRank& rank = trace.ranks[number];
    for (const std::uint32_t place : all_in_order(rank)) {
      const ChakraNode& node = rank.nodes[place];
      if (node.type == ChakraType::send) {
        channels[{number, node.peer, node.tag}].sent.push_back(node.bytes);
        ++report.messages;
        report.bytes_by_rank[number] += node.bytes;
      } else if (node.type == ChakraType::receive) {
        channels[{node.peer, number, node.tag}].received.push_back(node.bytes);
      } else if (node.type != ChakraType::collective) {
        report.micros += node.micros;
      }
    }
  }
  for (const auto& channel : channels) {
    const auto& ends = channel.first;
    const ChannelSizes& sizes = channel.second;
    const auto where = [from = std::get<0>(ends), to = std::get<1>(ends), tag = std::get<2>(ends)] {
      return fmt::format("from {} to {} with tag {}", from, to, tag);
    };
    const std::size_t sends = sizes.sent.size();
    const std::size_t receives = sizes.received.size();
    if (sends != receives) {
      report.unmatched += sends > receives ? sends - receives : receives - sends;
      report.findings.add(FindingKind::matching, 0,
                          [&] { return fmt::format("{}: {} sends, {} receives", where(), sends, receives); });
    }
    for (std::size_t i = 0; i < std::min(sends, receives); ++i) {
      if (sizes.sent[i] != sizes.received[i]) {
        ++report.other_sizes;
        report.findings.add(FindingKind::matching, 0, [&] {
          return fmt::format("{}: send {} has {} bytes, its receive {}", where(), i, sizes.sent[i], sizes.received[i]);
        });
      }
    }
  }
}

std::string collective_text(const ChakraNode& node)
{
  const std::string_view name = chakra_collective_names.text(node.collective);
  return node.collective == ChakraCollective::barrier ? std::string(name) : fmt::format("{} of {}", name, node.bytes);
}

std::string group_text(const ChakraGroup& group)
{
  return group.name.empty() ? "all ranks" : fmt::format("group {}", group.name);
}

/// Collectives of a group by rank, in their order.
using CollectivesOfRanks = std::map<std::uint32_t, std::vector<const ChakraNode*>>;

/// Whether all members of a group do the same collectives in the same order.
void check_group(const ChakraGroup& group, CollectivesOfRanks& of_rank, ChakraReport& report)
{
  const std::vector<const ChakraNode*>& first = of_rank[group.members.front()];
  const auto text = [](const std::vector<const ChakraNode*>& list, std::size_t i) {
    return i < list.size() ? collective_text(*list[i]) : std::string("none");
  };
  for (const std::uint32_t member : group.members) {
    const std::vector<const ChakraNode*>& here = of_rank[member];
    for (std::size_t i = 0; i < std::max(first.size(), here.size()); ++i) {
      const bool same = i < std::min(first.size(), here.size()) && first[i]->collective == here[i]->collective &&
                        first[i]->bytes == here[i]->bytes;
      if (!same) {
        report.findings.add(FindingKind::matching, 0, [&] {
          return fmt::format("{}: collective {} is {} at rank {}, {} at rank {}", group_text(group), i, text(first, i),
                             group.members.front(), text(here, i), member);
        });
      }
    }
  }
  const std::set<std::uint32_t> members(group.members.begin(), group.members.end());
  for (const auto& taking_part : of_rank) {
    const auto rank = taking_part.first;
    if (!members.contains(rank)) {
      report.findings.add(FindingKind::matching, 0, [&] {
        return fmt::format("{}: rank {} takes part in a collective, but is no member", group_text(group), rank);
      });
    }
  }
}

void check_collectives(const ChakraTrace& trace, ChakraReport& report)
{
  std::vector<CollectivesOfRanks> of_group(trace.groups.size());
  for (std::uint32_t number = 0; number < trace.ranks.size(); ++number) {
    const ChakraRank& rank = trace.ranks[number];
    for (const std::uint32_t place : all_in_order(rank)) {
      const ChakraNode& node = rank.nodes[place];
      if (node.type == ChakraType::collective) {
        of_group[node.group][number].push_back(&node);
      }
    }
  }
  for (std::size_t group = 0; group < trace.groups.size(); ++group) {
    check_group(trace.groups[group], of_group[group], report);
  }
}

} // namespace

ChakraReport check_chakra(ChakraTrace& trace)
{
  ChakraReport report;
  report.bytes_by_rank.assign(trace.ranks.size(), 0);
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    RankGraph(trace.ranks[rank], rank, report).check();
  }
  check_messages(trace, report);
  check_collectives(trace, report);
  return report;
}

} // namespace wormcast
