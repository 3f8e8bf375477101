#include "wormcast/simulator/traffic/patterns.hpp"

#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/node_names.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"
#include "wormcast/values/registration.hpp"
#include "wormcast/values/text_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

// The stream of the random permutation; those of the nodes are their ids.
constexpr std::uint64_t permutation_stream = std::uint64_t{1} << 40;

constexpr const char* bits_source = "Dally & Towles (2004), section 3.2";
constexpr const char* powers_of_two = "2^b nodes";

const Grid& grid_for(const Topology& topology, const char* pattern)
{
  const auto* grid = as_kind<Grid>(topology);
  if (grid == nullptr) {
    throw InputError(
        fmt::format("pattern: \"{}\" needs a mesh or a torus, but this is a {}", pattern, topology.title()));
  }
  return *grid;
}

std::uint32_t bits_for(const Topology& topology, const char* pattern)
{
  const std::uint32_t nodes = topology.host_count();
  if (!std::has_single_bit(nodes)) {
    throw InputError(
        fmt::format("pattern: \"{}\" needs 2^b nodes, but the {} has {}", pattern, topology.title(), nodes));
  }
  return static_cast<std::uint32_t>(std::countr_zero(nodes));
}

/// Bit i of the result is bit source(i) of `node`.
template <typename Source> std::uint32_t move_bits(std::uint32_t node, std::uint32_t bits, Source&& source)
{
  std::uint32_t moved = 0;
  for (std::uint32_t i = 0; i < bits; ++i) {
    moved |= (node >> source(i) & 1U) << i;
  }
  return moved;
}

/// One destination for each node.
template <typename Destination> PatternShares one_each(const Topology& topology, Destination&& to)
{
  PatternShares shares;
  shares.chosen.reserve(topology.host_count());
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    shares.chosen.push_back({.source = NodeId{node}, .destination = NodeId{static_cast<std::uint32_t>(to(node))}});
  }
  return shares;
}

PatternShares transpose(const Topology& topology, const PatternRequest&)
{
  const auto* grid = as_kind<Grid>(topology);
  const bool square = grid != nullptr && grid->sizes().size() == 2 && grid->sizes()[0] == grid->sizes()[1];
  if (!square) {
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(topology.host_count()));
    if (!std::has_single_bit(topology.host_count()) || bits % 2 != 0) {
      throw InputError(
          fmt::format("pattern: \"transpose\" needs a square or 2^b nodes with an even b, but the {} has {}",
                      topology.title(), topology.host_count()));
    }
    return one_each(topology, [bits](std::uint32_t node) {
      return move_bits(node, bits, [bits](std::uint32_t i) { return (i + bits / 2) % bits; });
    });
  }
  const auto side = static_cast<std::uint32_t>(grid->sizes()[0]);
  return one_each(topology, [side](std::uint32_t node) { return node % side * side + node / side; });
}

/// Returns the node that is step(k) nodes further in each dimension of size k.
template <typename Step> PatternShares shifted(const Topology& topology, const char* pattern, Step&& step)
{
  const Grid& grid = grid_for(topology, pattern);
  return one_each(topology, [&](std::uint32_t node) {
    std::int64_t to = 0;
    for (std::size_t d = 0; d < grid.sizes().size(); ++d) {
      const std::int64_t size = grid.sizes()[d];
      to += (grid.coordinate(NodeId{node}, d) + step(size)) % size * grid.stride(d);
    }
    return to;
  });
}

PatternShares uniform(const Topology&, const PatternRequest&)
{
  return {.even = 1};
}

PatternShares bit_complement(const Topology& topology, const PatternRequest&)
{
  bits_for(topology, "bit_complement");
  return one_each(topology, [&](std::uint32_t node) { return topology.host_count() - 1 - node; });
}

template <typename Source> PatternShares by_bits(const Topology& topology, const char* name, Source&& source)
{
  const std::uint32_t bits = bits_for(topology, name);
  return one_each(topology, [&](std::uint32_t node) {
    return move_bits(node, bits, [&](std::uint32_t i) { return source(i, bits); });
  });
}

PatternShares bit_reverse(const Topology& topology, const PatternRequest&)
{
  return by_bits(topology, "bit_reverse", [](std::uint32_t i, std::uint32_t bits) { return bits - 1 - i; });
}

PatternShares bit_rotate(const Topology& topology, const PatternRequest&)
{
  return by_bits(topology, "bit_rotate", [](std::uint32_t i, std::uint32_t bits) { return (i + 1) % bits; });
}

PatternShares shuffle(const Topology& topology, const PatternRequest&)
{
  return by_bits(topology, "shuffle", [](std::uint32_t i, std::uint32_t bits) { return (i + bits - 1) % bits; });
}

PatternShares tornado(const Topology& topology, const PatternRequest&)
{
  return shifted(topology, "tornado", [](std::int64_t size) { return (size + 1) / 2 - 1; });
}

PatternShares neighbour(const Topology& topology, const PatternRequest&)
{
  return shifted(topology, "neighbour", [](std::int64_t) { return 1; });
}

PatternShares permutation(const Topology& topology, const PatternRequest& request)
{
  std::vector<std::uint32_t> destinations(topology.host_count());
  std::iota(destinations.begin(), destinations.end(), 0U);
  RandomStream random(request.seed, permutation_stream);
  for (std::uint32_t left = topology.host_count(); left > 1; --left) {
    std::swap(destinations[left - 1], destinations[random.below(left)]);
  }
  return one_each(topology, [&](std::uint32_t node) { return destinations[node]; });
}

std::vector<std::int64_t> hot_spots(const Topology& topology, const ParameterValue& given)
{
  try {
    return node_ids(whole_of(topology), given);
  } catch (const InputError& error) {
    throw InputError(fmt::format("hot_spot.nodes: {}", error.what()));
  }
}

PatternShares hot_spot(const Topology& topology, const PatternRequest& request)
{
  const std::uint32_t nodes = whole_of(topology).host_count();
  PatternShares shares{.even = 1 - request.parameters.number("hot_spot.share")};
  const std::vector<std::int64_t> spots = hot_spots(topology, request.parameters.value("hot_spot.nodes"));
  std::set<std::int64_t> seen;
  std::vector<NodeId> destinations;
  for (const std::int64_t spot : spots) {
    if (spot >= nodes) {
      throw InputError(fmt::format("hot_spot.nodes: found {}, expected nodes from 0 to {}", spot, nodes - 1));
    }
    if (!seen.insert(spot).second) {
      throw InputError(fmt::format("hot_spot.nodes: found {} a second time, expected different nodes", spot));
    }
    try {
      destinations.push_back(resolve_whole_node(topology, spot));
    } catch (const InputError& error) {
      throw InputError(fmt::format("hot_spot.nodes: {}", error.what()));
    }
  }
  for (std::uint32_t node = 0; shares.even < 1 && node < topology.host_count(); ++node) {
    for (const NodeId destination : destinations) {
      shares.chosen.push_back({.source = NodeId{node}, .destination = destination});
    }
  }
  return shares;
}

PatternShares weights_of_file(const Topology& topology, const PatternRequest& request)
{
  const std::uint32_t nodes = whole_of(topology).host_count();
  const std::string& name = request.parameters.text("file");
  std::ifstream file(name);
  if (!file) {
    throw FileError(fmt::format("cannot read {}", name));
  }
  PatternShares shares;
  HostsByName hosts(whole_of(topology));
  std::string line;
  for (LineReader lines(file, "file: " + name); lines.read(line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first;
    if (!(words >> first)) {
      continue;
    }
    std::string second;
    std::int64_t weight = -1;
    std::string rest;
    words >> second >> weight;
    const auto node = [&](const std::string& word) -> std::optional<std::int64_t> {
      const std::optional<std::int64_t> id = number_of_text<std::int64_t>(word);
      if (id) {
        return *id >= 0 && *id < nodes ? id : std::nullopt;
      }
      try {
        return index(hosts.host(word));
      } catch (const InputError& error) {
        throw InputError(fmt::format("file: {}:{}: {}", name, lines.number(), error.what()));
      }
    };
    const bool has_weight =
        words && !(words >> rest) && weight >= 0 && static_cast<std::uint64_t>(weight) <= largest_traffic_weight;
    const std::optional<std::int64_t> from = has_weight ? node(first) : std::nullopt;
    const std::optional<std::int64_t> to = has_weight ? node(second) : std::nullopt;
    if (!from || !to) {
      throw InputError(fmt::format("file: {}:{}: found \"{}\", expected SOURCE DESTINATION WEIGHT with nodes from 0 to "
                                   "{}, or their names, and a whole number of at most 2^32",
                                   name, lines.number(), line, nodes - 1));
    }
    if (weight > 0) {
      try {
        shares.chosen.push_back({resolve_whole_node(topology, *from), resolve_whole_node(topology, *to),
                                 static_cast<std::uint64_t>(weight)});
      } catch (const InputError& error) {
        throw InputError(fmt::format("file: {}:{}: {}", name, lines.number(), error.what()));
      }
    }
  }
  return shares;
}

std::vector<TrafficPattern> own_patterns()
{
  const auto bits = [](const char* name, const char* summary, auto make) {
    return TrafficPattern{
        .name = name, .summary = summary, .topologies = powers_of_two, .source = bits_source, .make = make};
  };
  const auto grid = [](const char* name, const char* summary, auto make) {
    return TrafficPattern{
        .name = name, .summary = summary, .topologies = "mesh and torus", .source = bits_source, .make = make};
  };
  std::vector<TrafficPattern> all;
  all.push_back({.name = "uniform", .summary = "each node sends to any other one alike", .make = uniform});
  all.push_back({.name = "transpose",
                 .summary = "(x, y) sends to (y, x); where there are no coordinates, bit i of the destination is bit "
                            "(i + b/2) mod b of the source",
                 .topologies = "a square mesh or torus; 2^b nodes with an even b",
                 .source = bits_source,
                 .make = transpose});
  all.push_back(bits("bit_complement", "bit i of the destination is not bit i of the source", bit_complement));
  all.push_back(bits("bit_reverse", "bit i of the destination is bit b-1-i of the source", bit_reverse));
  all.push_back(bits("bit_rotate", "bit i of the destination is bit (i + 1) mod b of the source", bit_rotate));
  all.push_back(bits("shuffle", "bit i of the destination is bit (i - 1) mod b of the source", shuffle));
  all.push_back(grid("tornado", "nearly half of the ring: ceil(k/2) - 1 nodes further in each dimension", tornado));
  all.push_back(grid("neighbour", "one node further in each dimension", neighbour));
  all.push_back({.name = "permutation",
                 .summary = "each node sends to one node, and each gets from one: drawn by run.seed",
                 .make = permutation});
  all.push_back({.name = "hot_spot",
                 .summary = "a share of all messages goes to the hot spots, the rest to any other node alike",
                 .source = "Pfister & Norton, IEEE Trans. Computers C-34(10), 1985",
                 .parameters = {{.name = "hot_spot.nodes",
                                 .type = ParameterType::nodes,
                                 .text = "the hot spots, by id or by name",
                                 .maximum = 0xffffffff},
                                {.name = "hot_spot.share",
                                 .type = ParameterType::number,
                                 .text = "share of messages that go to a hot spot",
                                 .maximum = 1}},
                 .make = hot_spot});
  all.push_back({.name = "file",
                 .summary = "weights from a file",
                 .parameters = {{.name = "file",
                                 .type = ParameterType::file,
                                 .text = "a line \"SOURCE DESTINATION WEIGHT\" for "
                                         "each two nodes between which messages go"}},
                 .make = weights_of_file});
  return all;
}

std::vector<TrafficPattern>& all_patterns()
{
  static std::vector<TrafficPattern> all = own_patterns();
  return all;
}

} // namespace

void register_pattern(TrafficPattern pattern)
{
  const bool taken = std::ranges::find(all_patterns(), pattern.name, &TrafficPattern::name) != all_patterns().end();
  check_new_name("a", "pattern", pattern.name, taken);
  if (!pattern.make) {
    throw InputError(
        fmt::format("the pattern \"{}\" cannot be registered, expected a function that makes shares", pattern.name));
  }
  for (const Parameter& parameter : pattern.parameters) {
    if (parameter.name != pattern.name && !parameter.name.starts_with(pattern.name + ".")) {
      throw InputError(fmt::format("the pattern \"{}\" cannot be registered, expected parameters called \"{}.NAME\" "
                                   "instead of \"{}\"",
                                   pattern.name, pattern.name, printable(parameter.name)));
    }
  }
  all_patterns().push_back(std::move(pattern));
}

std::span<const TrafficPattern> traffic_patterns()
{
  return all_patterns();
}

const TrafficPattern& find_pattern(std::string_view name)
{
  const auto& all = all_patterns();
  const auto found = std::ranges::find(all, name, &TrafficPattern::name);
  if (found == all.end()) {
    std::vector<std::string> names;
    std::ranges::transform(all, std::back_inserter(names), &TrafficPattern::name);
    throw_unknown("pattern", name, names);
  }
  return *found;
}

} // namespace wormcast
