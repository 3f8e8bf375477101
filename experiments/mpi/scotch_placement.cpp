#include "wormcast/experiments/mpi/scotch_placement.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace wormcast {

namespace {

using Edges = std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>>; // by vertex: the other one, the weight

std::string graph_text(const Edges& edges)
{
  std::size_t arcs = 0;
  for (const auto& of_vertex : edges) {
    arcs += of_vertex.size();
  }
  fmt::memory_buffer text;
  // Version 0; vertices and arcs; numbers from 0, weights of edges alone.
  fmt::format_to(std::back_inserter(text), "0\n{} {}\n0 010\n", edges.size(), arcs);
  for (const auto& of_vertex : edges) {
    fmt::format_to(std::back_inserter(text), "{}", of_vertex.size());
    for (const auto& [other, weight] : of_vertex) {
      fmt::format_to(std::back_inserter(text), " {} {}", weight, other);
    }
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

void run_scotch(const std::vector<std::string>& arguments, const std::string& folder)
{
  const ProcessOutcome outcome = execute_program(arguments, folder);
  if (outcome.signal == 0 && outcome.report.code == 127) {
    throw InputError(
        fmt::format("--map scotch: {} cannot be run; it is in Debian's package scotch", arguments.front()));
  }
  if (outcome.signal != 0 || outcome.report.code != 0) {
    throw InputError(fmt::format("--map scotch: {} failed: {}", fmt::join(arguments, " "),
                                 outcome.signal != 0 ? strsignal(outcome.signal) : outcome.captured_output));
  }
}

/// The numbers of a text that has nothing else; none where it has.
std::optional<std::vector<std::uint64_t>> whole_numbers(std::string_view text)
{
  std::vector<std::uint64_t> numbers;
  constexpr std::string_view blanks = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
       at = text.find_first_not_of(blanks, at)) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, number);
    if (error != std::errc{} || stop != text.data() + end) {
      return std::nullopt;
    }
    numbers.push_back(number);
    at = end;
  }
  return numbers;
}

/// The nodes onto which Scotch maps, as it reads a list of vertices: their number, then theirs.
std::string host_list(const Topology& topology)
{
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "{}\n", topology.host_count());
  for (std::uint32_t host = 0; host < topology.host_count(); ++host) {
    fmt::format_to(std::back_inserter(text), "{}\n", host);
  }
  return fmt::to_string(text);
}

/// Leaves one rank on each node.
std::vector<NodeId> spread(const Topology& topology, const Communication& communication, std::vector<NodeId> nodes)
{
  std::vector<bool> is_taken(topology.host_count());
  std::vector<std::uint32_t> surplus;
  for (std::uint32_t rank = 0; rank < nodes.size(); ++rank) {
    if (is_taken[index(nodes[rank])]) {
      surplus.push_back(rank);
    }
    is_taken[index(nodes[rank])] = true;
  }
  for (const std::uint32_t rank : surplus) {
    std::optional<std::pair<std::uint64_t, std::uint32_t>> best; // byte-hops, node
    for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
      if (is_taken[node]) {
        continue;
      }
      std::uint64_t cost = 0;
      for (const Communication::Partner& partner : communication.partners(rank)) {
        cost += partner.bytes * topology.distance(NodeId{node}, nodes[partner.rank]);
      }
      best = std::min(best.value_or(std::pair(cost, node)), std::pair(cost, node));
    }
    nodes[rank] = NodeId{best->second};
    is_taken[best->second] = true;
  }
  return nodes;
}

} // namespace

std::string scotch_graph(const Communication& communication, std::uint32_t nodes)
{
  std::uint64_t sum = 0;
  for (std::uint32_t rank = 0; rank < communication.rank_count(); ++rank) {
    sum += communication.bytes_of(rank);
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 30; // Scotch adds in 32 bits, signed
  const std::uint64_t divisor = sum / most + 1;
  Edges edges(std::max(communication.rank_count(), nodes));
  for (std::uint32_t rank = 0; rank < communication.rank_count(); ++rank) {
    for (const Communication::Partner& partner : communication.partners(rank)) {
      edges[rank].emplace_back(partner.rank, std::max<std::uint64_t>(partner.bytes / divisor, 1));
    }
  }
  return graph_text(edges);
}

std::string scotch_graph(const Topology& topology)
{
  Edges edges(topology.node_count());
  for (std::uint32_t channel = 0; channel < topology.channel_count(); ++channel) {
    const std::uint32_t from = index(topology.channel_source(ChannelId{channel}));
    const std::uint32_t to = index(topology.channel_target(ChannelId{channel}));
    for (const auto& [node, other] : {std::pair(from, to), std::pair(to, from)}) {
      edges[node].emplace_back(other, 1); // both directions, where a link has but one
    }
  }
  for (auto& of_node : edges) {
    std::ranges::sort(of_node);
    of_node.erase(std::ranges::unique(of_node).begin(), of_node.end());
  }
  return graph_text(edges);
}

std::vector<NodeId> read_scotch_mapping(std::string_view text, std::uint32_t ranks, std::uint32_t nodes)
{
  const std::optional<std::vector<std::uint64_t>> numbers = whole_numbers(text);
  std::vector<std::optional<NodeId>> node_of(ranks);
  bool is_good = numbers && numbers->size() == std::size_t{ranks} * 2 + 1 && numbers->front() == ranks;
  for (std::size_t i = 1; is_good && i < numbers->size(); i += 2) {
    const std::uint64_t rank = (*numbers)[i];
    const std::uint64_t node = (*numbers)[i + 1];
    is_good = rank < ranks && node < nodes && !node_of[rank];
    if (is_good) {
      node_of[rank] = NodeId{static_cast<std::uint32_t>(node)};
    }
  }
  if (!is_good) {
    throw InputError(fmt::format(
        "--map scotch: found a mapping that does not give each of {} ranks one of {} nodes, as scotch_gmap writes it",
        ranks, nodes));
  }
  std::vector<NodeId> mapping;
  std::ranges::transform(node_of, std::back_inserter(mapping), [](const auto& node) { return *node; });
  return mapping;
}

std::vector<NodeId> scotch_placement(const Topology& topology, const Communication& communication)
{
  if (topology.node_count() > most_scotch_nodes) {
    throw InputError(fmt::format("--map scotch: found {} nodes, expected at most {}, as Scotch keeps a distance for "
                                 "each pair",
                                 topology.node_count(), most_scotch_nodes));
  }
  const ScratchFolder scratch;
  const std::string folder = scratch.path().string();
  write_output(scratch.path() / "nodes.grf", scotch_graph(topology));
  write_output(scratch.path() / "ranks.grf", scotch_graph(communication, topology.host_count()));
  write_output(scratch.path() / "hosts", host_list(topology));
  run_scotch({"amk_grf", "nodes.grf", "nodes.tgt", "-lhosts"}, folder);
  run_scotch({"scotch_gmap", "ranks.grf", "nodes.tgt", "mapping", "-Cdf"}, folder); // deterministic, a fixed seed
  std::vector<NodeId> mapping =
      read_scotch_mapping(read_written(scratch.path() / "mapping"), topology.host_count(), topology.host_count());
  mapping.resize(communication.rank_count());
  return spread(topology, communication, std::move(mapping));
}

} // namespace wormcast
