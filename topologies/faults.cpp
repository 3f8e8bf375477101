#include "wormcast/topologies/faults.hpp"

#include "wormcast/topologies/damaged_network.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/mixed_number.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace wormcast {

namespace {

constexpr std::int64_t most_random_faults = 1 << 20;

/// Random numbers of the generator SplitMix64.
class FaultDraws {
public:
  explicit FaultDraws(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t count)
  {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(mixed_number(state_) % count);
  }

private:
  std::uint64_t state_;
};

std::string_view trimmed_text(std::string_view text)
{
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Finds nodes by what the program calls them, such as "(1, 2)", or by their numbers.
class NodeNames {
public:
  explicit NodeNames(const Topology& whole) : whole_(whole)
  {
    for (std::uint32_t node = whole.node_count(); node-- > 0;) {
      nodes_[without_spaces(whole.node_name(NodeId{node}))] = NodeId{node};
    }
  }

  std::optional<NodeId> find(std::string_view text) const
  {
    if (const auto named = nodes_.find(without_spaces(text)); named != nodes_.end()) {
      return named->second;
    }
    text = trimmed_text(text);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number >= whole_.node_count()) {
      return std::nullopt;
    }
    return NodeId{number};
  }

  NodeId node(std::string_view key, std::string_view text) const
  {
    const std::optional<NodeId> node = find(text);
    if (!node) {
      throw InputError(
          fmt::format("{}: found \"{}\", expected a node of the {}: {}", key, text, whole_.title(), expected()));
    }
    return *node;
  }

  /// Returns the nodes of "A - B". A name may have dashes of its own: the one that counts has a node on either side.
  std::pair<NodeId, NodeId> ends(std::string_view text) const
  {
    std::vector<std::pair<NodeId, NodeId>> found;
    for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
      const std::optional<NodeId> from = find(text.substr(0, dash));
      const std::optional<NodeId> to = find(text.substr(dash + 1));
      if (from && to) {
        found.emplace_back(*from, *to);
      }
    }
    if (found.size() != 1) {
      throw InputError(fmt::format("dead_links: found \"{}\", {} the two nodes of a link of the {}, \"A - B\", each {}",
                                   text, found.empty() ? "expected" : "which has several meanings; expected",
                                   whole_.title(), expected()));
    }
    return found.front();
  }

private:
  static std::string without_spaces(std::string_view text)
  {
    std::string kept(text);
    std::erase(kept, ' ');
    return kept;
  }

  std::string expected() const
  {
    const NodeId last{whole_.node_count() - 1};
    return fmt::format("a name such as \"{}\", or a number, 0 to {}", whole_.node_name(last), index(last));
  }

  const Topology& whole_;
  std::map<std::string, NodeId, std::less<>> nodes_;
};

void kill_nodes(const Topology& whole, const NodeNames& names, const std::vector<std::string>& texts,
                DamagedNetwork& network)
{
  for (const std::string& text : texts) {
    const NodeId node = names.node("dead_nodes", trimmed_text(text));
    if (network.is_dead(node)) {
      throw InputError(fmt::format("dead_nodes: found node {} twice", whole.node_name(node)));
    }
    network.set_dead(node, true);
  }
}

void kill_links(const Topology& whole, const NodeNames& names, const std::vector<std::string>& texts,
                DamagedNetwork& network)
{
  std::map<std::pair<NodeId, NodeId>, std::vector<std::size_t>> links_between;
  for (std::size_t link = 0; link < network.links().size(); ++link) {
    const ChannelId channel = network.links()[link].front();
    links_between[std::minmax(whole.channel_source(channel), whole.channel_target(channel))].push_back(link);
  }
  for (const std::string& text : texts) {
    const auto [from, to] = names.ends(text);
    const auto between = links_between.find(std::minmax(from, to));
    if (between == links_between.end()) {
      throw InputError(fmt::format("dead_links: found \"{}\", but the {} has no link between {} and {}", text,
                                   whole.title(), whole.node_name(from), whole.node_name(to)));
    }
    const auto works = [&](std::size_t link) { return !network.is_dead_link(link); };
    const auto link = std::ranges::find_if(between->second, works);
    if (link == between->second.end()) {
      throw InputError(fmt::format("dead_links: found the link between {} and {} more often than there are such links",
                                   whole.node_name(from), whole.node_name(to)));
    }
    network.set_dead_link(*link, true);
  }
}

void check_connected(const Topology& whole, const DamagedNetwork& network, std::string_view key)
{
  std::vector<NodeId> useless;
  if (const std::optional<CutPair> cut = network.cut_pair(useless)) {
    throw InputError(fmt::format("{}: the faults cut {} off from {}: no path of the {} is left between them, expected "
                                 "faults that leave all other nodes connected",
                                 key, whole.node_name(cut->second), whole.node_name(cut->first), whole.title()));
  }
}

/// How many random faults there are to be, and the key that says so.
struct StatedCount {
  std::string_view key;
  std::int64_t count = 0;
};

/// What is stated by `count_key` or, as a share of `all`, by `share_key`.
StatedCount stated_count(const ParameterValues& values, std::string_view count_key, std::string_view share_key,
                         std::size_t all)
{
  if (!values.has(share_key)) {
    return {count_key, values.has(count_key) ? values.integer(count_key) : 0};
  }
  if (values.has(count_key)) {
    throw InputError(fmt::format("{}: found it beside {}, expected one of them", share_key, count_key));
  }
  return {share_key, std::llround(values.number(share_key) * static_cast<double>(all))};
}

/// Lets some of `candidates` die in random order, without those whose loss cuts any host off.
void kill_randomly(const StatedCount& stated, std::vector<std::size_t> candidates, std::uint64_t seed,
                   const std::function<void(std::size_t, bool)>& set_dead, const DamagedNetwork& network)
{
  FaultDraws draws(seed);
  std::int64_t done = 0;
  WorkSteps steps;
  for (std::size_t left = candidates.size(); left > 0 && done < stated.count; --left) {
    std::swap(candidates[draws.below(left)], candidates[left - 1]);
    set_dead(candidates[left - 1], true);
    steps.add(network.links().size());
    std::vector<NodeId> useless;
    if (network.cut_pair(useless)) {
      set_dead(candidates[left - 1], false);
    } else {
      ++done;
    }
  }
  if (done < stated.count) {
    throw InputError(fmt::format("{}: found {}, but with this seed the loss of more than {} cuts others off, expected "
                                 "fewer or another fault_seed",
                                 stated.key, stated.count, done));
  }
}

void kill_named(const Topology& whole, const ParameterValues& values, DamagedNetwork& network)
{
  const NodeNames names(whole);
  if (values.has("dead_nodes")) {
    kill_nodes(whole, names, values.texts("dead_nodes"), network);
    std::uint32_t host = 0;
    while (host < whole.host_count() && network.is_dead(NodeId{host})) {
      ++host;
    }
    if (host == whole.host_count()) {
      throw InputError(fmt::format("dead_nodes: found all hosts of the {}, expected one that works", whole.title()));
    }
    check_connected(whole, network, "dead_nodes");
  }
  if (values.has("dead_links")) {
    kill_links(whole, names, values.texts("dead_links"), network);
    check_connected(whole, network, "dead_links");
  }
}

void kill_random_nodes(const Topology& whole, const StatedCount& stated, std::uint64_t seed, DamagedNetwork& network)
{
  std::vector<std::size_t> working;
  std::uint32_t hosts = 0;
  for (std::uint32_t node = 0; node < whole.node_count(); ++node) {
    if (!network.is_dead(NodeId{node})) {
      working.push_back(node);
      hosts += whole.is_host(NodeId{node}) ? 1 : 0;
    }
  }
  if (stated.count >= hosts) {
    throw InputError(
        fmt::format("{}: found {}, expected fewer than the {} hosts that work", stated.key, stated.count, hosts));
  }
  kill_randomly(
      stated, std::move(working), seed,
      [&](std::size_t node, bool dead) { network.set_dead(NodeId{static_cast<std::uint32_t>(node)}, dead); }, network);
}

void kill_random_links(const StatedCount& stated, std::uint64_t seed, DamagedNetwork& network)
{
  std::vector<std::size_t> working;
  for (std::size_t link = 0; link < network.links().size(); ++link) {
    if (std::ranges::any_of(network.links()[link], [&](ChannelId channel) { return network.works(channel); })) {
      working.push_back(link);
    }
  }
  kill_randomly(
      stated, std::move(working), seed, [&](std::size_t link, bool dead) { network.set_dead_link(link, dead); },
      network);
}

} // namespace

const std::vector<Parameter>& fault_parameters()
{
  static const std::vector<Parameter> parameters = {
      {.name = "dead_nodes",
       .type = ParameterType::texts,
       .text = "nodes that do not work, by name or number: [\"(1, 2)\", \"17\"]",
       .optional = true},
      {.name = "dead_links",
       .type = ParameterType::texts,
       .text = "links that do not work, by their nodes: [\"(0, 0) - (1, 0)\", \"3 - 4\"]",
       .optional = true},
      {.name = "random_dead_nodes",
       .text = "number of nodes to draw that do not work, so that all other hosts stay connected",
       .optional = true,
       .maximum = most_random_faults},
      {.name = "random_dead_links",
       .text = "number of links to draw that do not work, so that all hosts stay connected",
       .optional = true,
       .maximum = most_random_faults},
      {.name = "dead_node_share",
       .type = ParameterType::number,
       .text = "share of all nodes to draw instead of a number of them: 0.05 of 64 nodes are 3",
       .optional = true,
       .maximum = 1},
      {.name = "dead_link_share",
       .type = ParameterType::number,
       .text = "share of all links to draw instead of a number of them",
       .optional = true,
       .maximum = 1},
      {.name = "fault_seed", .text = "seed of the random faults (default: 1)", .optional = true},
  };
  return parameters;
}

bool has_faults(const TopologyDescription& description)
{
  const ParameterValues& values = description.parameters;
  const auto draws = [&](std::string_view key) { return values.has(key) && values.integer(key) > 0; };
  return values.has("dead_nodes") || values.has("dead_links") || values.has("dead_node_share") ||
         values.has("dead_link_share") || draws("random_dead_nodes") || draws("random_dead_links");
}

TopologyDescription without_faults(const TopologyDescription& description)
{
  TopologyDescription whole{.kind = description.kind, .parameters = {}};
  for (const auto& [name, value] : description.parameters.all()) {
    if (std::ranges::find(fault_parameters(), name, &Parameter::name) == fault_parameters().end()) {
      whole.parameters.set(name, value);
    }
  }
  return whole;
}

Faults read_faults(const Topology& whole, const TopologyDescription& description)
{
  const ParameterValues& values = description.parameters;
  DamagedNetwork network(whole);
  if (values.has("dead_nodes") || values.has("dead_links")) {
    kill_named(whole, values, network);
  }
  const auto seed = static_cast<std::uint64_t>(values.has("fault_seed") ? values.integer("fault_seed") : 1);
  const StatedCount nodes = stated_count(values, "random_dead_nodes", "dead_node_share", whole.node_count());
  if (nodes.count > 0) {
    kill_random_nodes(whole, nodes, 2 * seed, network);
  }
  const StatedCount links = stated_count(values, "random_dead_links", "dead_link_share", network.links().size());
  if (links.count > 0) {
    kill_random_links(links, 2 * seed + 1, network);
  }
  std::vector<NodeId> useless;
  network.cut_pair(useless);
  return std::move(network).faults(useless);
}

} // namespace wormcast
