#include "wormcast/topologies/graph_files/routing_table.hpp"

#include "wormcast/formats/whole_file.hpp"
#include "wormcast/topologies/graph_files/word_lines.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <ostream>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint16_t no_channel = std::numeric_limits<std::uint16_t>::max();
constexpr std::string_view all_others = "*";

/// Reads words as nodes.
class NamedNodes {
public:
  NamedNodes(std::string_view file, std::span<const std::string> names) : file_(file), names_(names)
  {
    for (std::uint32_t node = 0; node < names.size(); ++node) {
      nodes_.emplace(names[node], NodeId{node});
    }
  }

  NodeId node(const Word& word) const
  {
    if (const auto named = nodes_.find(word.text); named != nodes_.end()) {
      return named->second;
    }
    const auto number = number_of_text<std::uint32_t>(word.text);
    if (!number || *number >= names_.size()) {
      throw InputError(fmt::format("{}: line {}: found \"{}\", expected a node: a name such as \"{}\", or a number, 0 "
                                   "to {}",
                                   file_, word.line, printable(word.text), names_.front(), names_.size() - 1));
    }
    return NodeId{*number};
  }

private:
  std::string_view file_;
  std::span<const std::string> names_;
  std::map<std::string_view, NodeId> nodes_;
};

/// Whether a line comes before another one: by node, then by destination, the line of all others first.
bool comes_first(const RoutingTable::Line& a, const RoutingTable::Line& b)
{
  return std::pair(a.node, a.destination) < std::pair(b.node, b.destination);
}

/// The channel of a node that leads to `next`, counted from its first one.
std::uint16_t channel_to(const Topology& topology, const RoutingTable& table, const RoutingTable::Line& line)
{
  const std::uint32_t first = index(topology.first_channel(line.node));
  for (std::uint32_t id = first; id < first + topology.out_degree(line.node); ++id) {
    if (topology.channel_target(ChannelId{id}) == line.next) {
      return static_cast<std::uint16_t>(id - first);
    }
  }
  throw InputError(fmt::format("{}: line {}: found {} behind {}, but no link leads from {} to {}", table.file,
                               line.number, table.names[index(line.next)], table.names[index(line.node)],
                               table.names[index(line.node)], table.names[index(line.next)]));
}

} // namespace

RoutingTable read_routing_table(const std::filesystem::path& path, std::span<const std::string> names)
{
  constexpr std::size_t words_of_line = 3;
  const std::string text = read_whole_file(path);
  const std::string file = path.string();
  RoutingTable table{.file = file, .names = {names.begin(), names.end()}, .lines = {}};
  const NamedNodes nodes(file, names);
  for (const std::vector<Word>& words : words_by_line(text, '#')) {
    if (words.size() != words_of_line) {
      throw InputError(fmt::format("{}: line {}: found {}, expected three: a node, a destination or \"*\" for all "
                                   "others, and the next node",
                                   file, words.front().line, counted(words.size(), "word")));
    }
    std::optional<NodeId> destination;
    if (words[1].text != all_others) {
      destination = nodes.node(words[1]);
    }
    table.lines.push_back({.node = nodes.node(words[0]),
                           .destination = destination,
                           .next = nodes.node(words[2]),
                           .number = words[0].line});
  }
  std::ranges::stable_sort(table.lines, comes_first);
  const auto same = [](const auto& a, const auto& b) { return !comes_first(a, b); };
  if (const auto twice = std::ranges::adjacent_find(table.lines, same); twice != table.lines.end()) {
    throw InputError(fmt::format("{}: line {}: found node {} and destination {} again, which line {} has", file,
                                 std::next(twice)->number, names[index(twice->node)],
                                 twice->destination ? std::string_view(names[index(*twice->destination)]) : all_others,
                                 twice->number));
  }
  return table;
}

namespace {

/// The next channel by node and host, no_channel where no route needs it.
class NextChannels {
public:
  explicit NextChannels(const Topology& topology)
      : topology_(topology), next_(std::size_t{topology.node_count()} * topology.host_count(), no_channel)
  {
    std::vector<ChannelId> route;
    WorkSteps steps;
    for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
      for (std::uint32_t from = 0; from < topology.host_count(); ++from) {
        route.clear();
        topology.append_route(NodeId{from}, NodeId{to}, route);
        steps.add(route.size() + 1);
        for (const ChannelId channel : route) {
          add(channel, NodeId{from}, NodeId{to});
        }
      }
    }
  }

  std::uint16_t at(NodeId node, NodeId to) const
  {
    return next_[std::size_t{index(node)} * topology_.host_count() + index(to)];
  }

private:
  void add(ChannelId channel, NodeId from, NodeId to)
  {
    const NodeId node = topology_.channel_source(channel);
    const std::uint32_t number = index(channel) - index(topology_.first_channel(node));
    std::uint16_t& next = next_[std::size_t{index(node)} * topology_.host_count() + index(to)];
    if (next != no_channel && next != number) {
      throw InputError(fmt::format(
          "the routes of the {} are no routing table: where messages to {} go on from {} depends on where they come "
          "from, such as from {}",
          topology_.title(), topology_.node_name(to), topology_.node_name(node), topology_.node_name(from)));
    }
    next = static_cast<std::uint16_t>(number);
  }

  const Topology& topology_;
  std::vector<std::uint16_t> next_;
};

/// The names of nodes, or their ids where names are no words of a table.
std::vector<std::string> words_for_nodes(const Topology& topology)
{
  std::vector<std::string> names;
  bool are_words = true;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    names.push_back(topology.node_name(NodeId{node}));
    const bool is_number = names.back().find_first_not_of("0123456789") == std::string::npos;
    are_words = are_words && !is_number && names.back() != all_others &&
                names.back().find_first_of(" \t\r\n#") == std::string::npos;
  }
  for (std::uint32_t node = 0; !are_words && node < topology.node_count(); ++node) {
    names[node] = std::to_string(node);
  }
  return names;
}

/// The channel by which the most routes leave a node, the first one of those; none where no route leaves it.
std::optional<std::uint16_t> most_frequent_channel(const Topology& topology, const NextChannels& next, NodeId node)
{
  std::vector<std::uint32_t> count(topology.out_degree(node));
  for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
    if (const std::uint16_t channel = next.at(node, NodeId{to}); channel != no_channel) {
      ++count[channel];
    }
  }
  const auto most = std::ranges::max_element(count);
  return most == count.end() || *most == 0 ? std::nullopt
                                           : std::optional(static_cast<std::uint16_t>(most - count.begin()));
}

/// Throws InputError for a topology whose routes no table can name.
void check_routes_of_table(const Topology& topology)
{
  if (topology.drawn_bits() > 0) {
    throw InputError(fmt::format("the routes of the {} are drawn for each message, expected a routing that draws none "
                                 "for a routing table",
                                 topology.title()));
  }
  std::vector<NodeId> targets;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    targets.clear();
    const std::uint32_t first = index(topology.first_channel(NodeId{node}));
    for (std::uint32_t id = first; id < first + topology.out_degree(NodeId{node}); ++id) {
      targets.push_back(topology.channel_target(ChannelId{id}));
    }
    std::ranges::sort(targets);
    if (const auto twice = std::ranges::adjacent_find(targets); twice != targets.end()) {
      throw InputError(fmt::format("the {} has parallel links between {} and {}, which a routing table cannot tell "
                                   "apart",
                                   topology.title(), topology.node_name(NodeId{node}), topology.node_name(*twice)));
    }
  }
}

} // namespace

void write_routing_table(const Topology& topology, std::ostream& out)
{
  check_routes_of_table(topology);
  const NextChannels next(topology);
  const std::vector<std::string> names = words_for_nodes(topology);
  out << "# routes of the " << topology.title() << ": node, destination, next node\n";
  for (std::uint32_t id = 0; id < topology.node_count(); ++id) {
    const NodeId node{id};
    const std::optional<std::uint16_t> most = most_frequent_channel(topology, next, node);
    if (!most || topology.out_degree(node) == 1) {
      continue;
    }
    const auto name_of_next = [&](std::uint16_t channel) -> const std::string& {
      return names[index(topology.channel_target(ChannelId{index(topology.first_channel(node)) + channel}))];
    };
    for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
      const std::uint16_t channel = next.at(node, NodeId{to});
      if (channel != no_channel && channel != *most) {
        out << names[id] << ' ' << names[to] << ' ' << name_of_next(channel) << '\n';
      }
    }
    out << names[id] << " * " << name_of_next(*most) << '\n';
  }
}

/// Follows the routes of a table to one destination after the other.
class GivenRoutesTopology::Follower {
public:
  Follower(GivenRoutesTopology& topology, const RoutingTable& table)
      : topology_(topology), table_(table), distances_(topology.node_count()), next_(topology.node_count())
  {
    const std::size_t hosts = topology.host_count();
    topology_.next_.assign(topology.node_count() * hosts, no_channel);
    for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
      if (topology.out_degree(NodeId{node}) == 1) {
        set_all(NodeId{node}, 0);
      }
    }
    for (const RoutingTable::Line& line : table.lines) { // of a node the line of all others comes first
      const std::uint16_t channel = channel_to(topology, table, line);
      if (!line.destination) {
        set_all(line.node, channel);
      } else if (topology.is_host(*line.destination)) {
        topology_.next_[index(line.node) * hosts + index(*line.destination)] = channel;
      }
    }
  }

  void follow_to(NodeId to)
  {
    std::ranges::fill(distances_, no_path);
    distances_[index(to)] = 0;
    followed_.assign(1, to);
    for (std::uint32_t from = 0; from < topology_.host_count(); ++from) {
      follow(NodeId{from}, to);
      const std::uint32_t distance = distances_[from];
      topology_.distances_[std::size_t{from} * topology_.host_count() + index(to)] =
          static_cast<std::uint16_t>(distance);
      topology_.longest_ = std::max(topology_.longest_, distance);
    }
    topology_.turn_classes_.add_routes(topology_, followed_, next_);
  }

private:
  static constexpr std::uint32_t on_this_route = no_path - 1;

  void set_all(NodeId node, std::uint16_t channel)
  {
    const std::size_t hosts = topology_.host_count();
    std::fill_n(topology_.next_.begin() + static_cast<std::ptrdiff_t>(index(node) * hosts), hosts, channel);
  }

  /// Sets the distances of all nodes on the route that have none yet.
  void follow(NodeId from, NodeId to)
  {
    passed_.clear();
    NodeId node = from;
    while (distances_[index(node)] == no_path) {
      if (node != from && !forwards(topology_, node)) {
        refuse(from, to, fmt::format("leads through the host {}, expected switches between them", name(node)));
      }
      distances_[index(node)] = on_this_route;
      passed_.push_back(node);
      const std::uint16_t channel = topology_.next_[std::size_t{index(node)} * topology_.host_count() + index(to)];
      if (channel == no_channel) {
        refuse(from, to,
               fmt::format("ends at {0}, expected a line \"{0} {1} NEXT\" or \"{0} * NEXT\"", name(node), name(to)));
      }
      NodeId& next = next_[index(node)];
      next = topology_.channel_target(ChannelId{index(topology_.first_channel(node)) + channel});
      node = next;
    }
    std::uint32_t distance = distances_[index(node)];
    if (distance == on_this_route) {
      refuse(from, to, fmt::format("comes to {} again and again", name(node)));
    }
    for (std::size_t i = passed_.size(); i-- > 0;) {
      distances_[index(passed_[i])] = ++distance;
      followed_.push_back(passed_[i]);
    }
  }

  std::string_view name(NodeId node) const { return table_.names[index(node)]; }

  [[noreturn]] void refuse(NodeId from, NodeId to, const std::string& what) const
  {
    throw InputError(fmt::format("{}: the route from {} to {} {}", table_.file, name(from), name(to), what));
  }

  GivenRoutesTopology& topology_;
  const RoutingTable& table_;
  std::vector<std::uint32_t> distances_; ///< by node, to the destination; no_path: not followed yet
  std::vector<NodeId> next_;             ///< by node, where it was followed
  std::vector<NodeId> followed_;         ///< to the destination, each behind its next
  std::vector<NodeId> passed_;
};

GivenRoutesTopology::GivenRoutesTopology(TopologyDescription description, std::uint32_t node_count,
                                         std::vector<ChannelEnds> channels, RoutingChoice routing,
                                         std::uint32_t host_count, const RoutingTable& table)
    : NumberedTopology(std::move(description), node_count, std::move(channels), std::move(routing), host_count),
      distances_(std::size_t{host_count} * host_count), turn_classes_(up_down_order(*this))
{
  Follower follower(*this, table);
  WorkSteps steps;
  for (std::uint32_t to = 0; to < host_count; ++to) {
    steps.add(node_count);
    follower.follow_to(NodeId{to});
  }
}

void GivenRoutesTopology::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  while (from != to) {
    const std::uint16_t channel = next_[std::size_t{index(from)} * host_count() + index(to)];
    route.push_back(ChannelId{index(first_channel(from)) + channel});
    from = channel_target(route.back());
  }
}

std::uint32_t GivenRoutesTopology::distance(NodeId from, NodeId to) const
{
  return distances_[std::size_t{index(from)} * host_count() + index(to)];
}

} // namespace wormcast
