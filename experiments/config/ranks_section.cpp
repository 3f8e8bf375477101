#include "wormcast/experiments/config/ranks_section.hpp"

#include "wormcast/algorithms/schedule/placement.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/folding.hpp"
#include "wormcast/topologies/node_names.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

constexpr const char* ranks_section = "ranks";
constexpr const char* axes_key = "ranks.axes";

/// A key that gives ranks their nodes: in [ranks], or of a program in [algorithm].
struct GivenKey {
  std::string name; ///< "ranks.nodes"; empty: not given
  ParameterValue value;
};

GivenKey given_key(const ConfigReader& reader, const ParameterValues& parameters, std::string_view name)
{
  const ParameterValues ranks = reader.read_given(ranks_section, rank_declarations());
  const std::string key = fmt::format("{}.{}", ranks_section, name);
  const std::string of_algorithm = fmt::format("algorithm.{}", name);
  if (ranks.has(name) && parameters.has(name)) {
    throw_at(reader.origin(of_algorithm), of_algorithm, fmt::format("found besides {}, expected one of them", key));
  }
  if (ranks.has(name)) {
    return {key, ranks.value(name)};
  }
  return parameters.has(name) ? GivenKey{of_algorithm, parameters.value(name)} : GivenKey{};
}

/// The node that a line of a file names: an id, coordinates, or a name.
NodeId node_of_line(std::string line, const Topology& topology, HostsByName& hosts)
{
  line.erase(line.find_last_not_of(" \t\r") + 1);
  line.erase(0, line.find_first_not_of(" \t"));
  std::string parts = line;
  std::ranges::replace(parts, ',', ' ');
  std::istringstream words(parts);
  std::vector<std::int64_t> numbers;
  for (std::string word; words >> word;) {
    const std::optional<std::int64_t> number = number_of_text<std::int64_t>(word);
    if (!number) {
      return resolve_whole_node(topology, std::int64_t{index(hosts.host(line))});
    }
    numbers.push_back(*number);
  }
  return resolve_whole_node(topology,
                            numbers.size() == 1 ? ParameterValue(numbers.front()) : ParameterValue(std::move(numbers)));
}

std::vector<NodeId> read_nodes_file(const std::filesystem::path& file, const Topology& topology)
{
  std::istringstream text(read_whole_file(file));
  std::vector<NodeId> nodes;
  HostsByName hosts(whole_of(topology));
  std::uint32_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    try {
      nodes.push_back(node_of_line(line, topology, hosts));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
  }
  return nodes;
}

std::vector<NodeId> listed_nodes(const std::vector<std::int64_t>& given, const Topology& topology)
{
  const std::uint32_t node_count = whole_of(topology).host_count();
  std::vector<NodeId> nodes;
  for (const std::int64_t node : given) {
    if (node < 0 || node >= node_count) {
      throw InputError(fmt::format("found {}, expected different nodes from 0 to {}", node, node_count - 1));
    }
    nodes.push_back(resolve_whole_node(topology, node));
  }
  return nodes;
}

std::vector<NodeId> all_nodes(const Topology& topology)
{
  std::vector<NodeId> nodes;
  nodes.reserve(topology.host_count());
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    nodes.push_back(NodeId{node});
  }
  return nodes;
}

// The same everywhere, which std::shuffle does not promise.
void shuffle(std::vector<NodeId>& nodes, std::uint64_t seed)
{
  std::mt19937_64 random(seed);
  for (std::size_t left = nodes.size(); left > 1; --left) {
    std::swap(nodes[left - 1], nodes[random() % left]);
  }
}

const Grid& grid_to_fold(const Topology* topology, std::string_view what)
{
  const auto* grid = topology == nullptr ? nullptr : as_kind<Grid>(*topology);
  if (grid == nullptr) {
    throw InputError(fmt::format("found \"folded\", which folds a mesh or torus into one of twice its dimensions, but "
                                 "{} {}",
                                 what, topology == nullptr ? "is not given" : "is a " + topology->title()));
  }
  return *grid;
}

std::vector<FoldedAxes> read_axes(const std::vector<std::string>& texts)
{
  std::vector<FoldedAxes> axes;
  for (const std::string& text : texts) {
    axes.emplace_back();
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const std::optional<std::size_t> number = number_of_text<std::size_t>(word);
      if (!number || *number == 0) {
        throw InputError(fmt::format("found {}, expected the numbers of the network's dimensions, from 1 on: \"1 4\"",
                                     printable(text)));
      }
      axes.back().push_back(*number - 1);
    }
  }
  return axes;
}

/// The nodes of ranks that are folded into the network by the key `map`. Throws InputError at the key at fault.
std::vector<NodeId> folded_ranks(const ConfigReader& reader, const std::string& map, const Topology& topology,
                                 const RankCount& count)
{
  const ParameterValues given = reader.read_given(ranks_section, rank_declarations());
  const std::string key = given.has("axes") ? axes_key : map;
  try {
    const Grid& folded = grid_to_fold(count.logical.get(), "the topology of the ranks (ranks.kind)");
    const Grid& box = grid_to_fold(&topology, "the network");
    return given.has("axes") ? folded_nodes(folded, box, read_axes(given.texts("axes"))) : folded_nodes(folded, box);
  } catch (const InputError& error) {
    throw_at(reader.origin(key), key, error.what());
  }
}

std::vector<NodeId> mapped_nodes(const ConfigReader& reader, RankMap map, const Topology& topology,
                                 const RankCount& count)
{
  if (count.ranks > topology.host_count()) {
    throw_at(reader.origin(count.key), count.key,
             fmt::format("{} has {} ranks, but the {} has {} nodes", count.of, count.ranks, topology.title(),
                         topology.host_count()));
  }
  std::vector<NodeId> nodes = all_nodes(topology);
  if (map == RankMap::random) {
    const ParameterValues run = reader.read_all("run", run_declarations());
    shuffle(nodes, static_cast<std::uint64_t>(run.integer("seed")));
  }
  return nodes;
}

} // namespace

std::span<const Parameter> rank_declarations()
{
  static const std::vector<Parameter> declarations = [] {
    Parameter kind = fixed_parameters("topology").front();
    kind.text =
        "kind of the topology whose nodes are the ranks, with the keys that [topology] has for it: the algorithm "
        "makes its schedule there; without it that of [topology], or of the schedule's file";
    kind.optional = true;
    return std::vector<Parameter>{
        std::move(kind),
        {.name = "map",
         .type = ParameterType::choice,
         .text = "rank r on node r, ranks on nodes drawn by run.seed, or a mesh or torus of ranks folded into one of "
                 "twice its dimensions",
         .optional = true,
         .choices = rank_map_choices.texts()},
        {.name = "axes",
         .type = ParameterType::texts,
         .text =
             "with map = \"folded\": for each dimension of the ranks the numbers of the network's dimensions, from 1 "
             "on, through which it is folded, long ones and last the small one: \"1 4\"; without it the first half "
             "are the long ones",
         .optional = true},
        {.name = "nodes",
         .type = ParameterType::nodes,
         .text = "the node of each rank, by id or by name, instead of `map`",
         .optional = true},
        {.name = "nodes_file",
         .type = ParameterType::file,
         .text = "a file with the node of each rank, instead of `map`: a line with its id, its coordinates or its "
                 "name",
         .optional = true}};
  }();
  return declarations;
}

std::optional<TopologyDescription> described_ranks(const ConfigReader& reader)
{
  const ParameterValues given = reader.read_given(ranks_section, rank_declarations());
  if (given.has("kind")) {
    TopologyDescription description;
    description.kind = given.text("kind");
    description.parameters = reader.read_selected(ranks_section, "ranks.kind", description.kind);
    return description;
  }
  for (const std::string& name : key_names(ranks_section)) {
    const std::string key = fmt::format("{}.{}", ranks_section, name);
    if (reader.has(key) &&
        std::ranges::find(rank_declarations(), name, &Parameter::name) == rank_declarations().end()) {
      throw_at(reader.origin(key), key, "found without ranks.kind, whose key it is");
    }
  }
  return std::nullopt;
}

std::vector<NodeId> nodes_of_ranks(const ConfigReader& reader, const ParameterValues& parameters,
                                   const Topology& topology, const RankCount& count)
{
  const GivenKey map = given_key(reader, parameters, "map");
  const GivenKey listed = given_key(reader, parameters, "nodes");
  const GivenKey in_file = given_key(reader, parameters, "nodes_file");
  const GivenKey* used = nullptr;
  for (const GivenKey* key : {&listed, &in_file, &map}) {
    if (!key->name.empty() && used != nullptr) {
      throw_at(reader.origin(key->name), key->name, fmt::format("found besides {}, expected one of them", used->name));
    }
    used = key->name.empty() ? used : key;
  }
  const RankMap chosen = used == &map ? rank_map_choices.read(std::get<std::string>(map.value)) : RankMap::block;
  if (chosen != RankMap::folded && reader.has(axes_key)) {
    throw_at(reader.origin(axes_key), axes_key, "found without map = \"folded\", whose key it is");
  }
  if (chosen == RankMap::folded) {
    return folded_ranks(reader, map.name, topology, count);
  }
  if (used == nullptr || used == &map) {
    return mapped_nodes(reader, chosen, topology, count);
  }
  try {
    std::vector<NodeId> nodes = used == &listed
                                    ? listed_nodes(node_ids(whole_of(topology), listed.value), topology)
                                    : read_nodes_file(reader.resolve(std::get<std::string>(in_file.value)), topology);
    check_placement(nodes, 0, topology.host_count());
    if (nodes.size() < count.ranks) {
      throw InputError(fmt::format("found {} nodes, but {} has {} ranks", nodes.size(), count.of, count.ranks));
    }
    return nodes;
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw_at(reader.origin(used->name), used->name, error.what());
  }
}

std::shared_ptr<const RankPlacement> read_placement(const ConfigReader& reader, std::shared_ptr<const Topology> logical,
                                                    const Topology& topology)
{
  RankPlacement placement;
  placement.nodes = nodes_of_ranks(reader, {}, topology,
                                   {.ranks = logical->host_count(),
                                    .of = fmt::format("the {}", logical->title()),
                                    .key = "ranks.kind",
                                    .logical = logical});
  placement.nodes.resize(logical->host_count());
  placement.logical = std::move(logical);
  return std::make_shared<const RankPlacement>(std::move(placement));
}

nlohmann::ordered_json ranks_json(const ConfigReader& reader)
{
  const ParameterValues given = reader.read_given(ranks_section, rank_declarations());
  nlohmann::ordered_json json = parameters_json(rank_declarations().first(1), given);
  if (const auto description = described_ranks(reader)) {
    json.update(parameters_json(selected_parameters("ranks.kind", description->kind), description->parameters));
  }
  json.update(parameters_json(rank_declarations().subspan(1), given));
  return json;
}

std::vector<std::filesystem::path> files_of_ranks(const ConfigReader& reader)
{
  const ParameterValues given = reader.read_given(ranks_section, rank_declarations());
  return given.has("nodes_file") ? std::vector{reader.resolve(given.text("nodes_file"))}
                                 : std::vector<std::filesystem::path>();
}

} // namespace wormcast
