#pragma once

#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

struct RankPlacement;

/// How ranks get their nodes where these are not listed.
enum class RankMap : std::uint8_t {
  block,  ///< rank r is on node r
  random, ///< on nodes drawn by run.seed
  folded  ///< folded_nodes()
};

/// Values of ranks.map.
inline constexpr auto rank_map_choices =
    names<RankMap>({{RankMap::block, "block"}, {RankMap::random, "random"}, {RankMap::folded, "folded"}});

/// Declarations of the keys of [ranks] beside the parameters of ranks.kind.
std::span<const Parameter> rank_declarations();

/// The description of the topology of the ranks in [ranks]; none where it names no kind. Throws InputError at keys of a
/// kind without one.
std::optional<TopologyDescription> described_ranks(const ConfigReader& reader);

/// The ranks of an operation, in errors about their number.
struct RankCount {
  std::uint32_t ranks = 0;
  std::string of = {};                     ///< "the program"
  std::string key = {};                    ///< "algorithm.file", which determines their number
  std::shared_ptr<const Topology> logical; ///< the topology of the ranks; null: they have none
};

/// Returns a node of `topology` for each rank, as [ranks] says, or for a program or trace the keys `map` and `nodes` of
/// `parameters`, those of [algorithm]; without any of them rank r is on node r. Throws InputError at the key at fault.
std::vector<NodeId> nodes_of_ranks(const ConfigReader& reader, const ParameterValues& parameters,
                                   const Topology& topology, const RankCount& count);

/// Returns the placement on `topology` of what is made for the logical one.
std::shared_ptr<const RankPlacement> read_placement(const ConfigReader& reader, std::shared_ptr<const Topology> logical,
                                                    const Topology& topology);

/// [ranks] in an effective configuration.
nlohmann::ordered_json ranks_json(const ConfigReader& reader);

/// Files that [ranks] names, as they are to be opened.
std::vector<std::filesystem::path> files_of_ranks(const ConfigReader& reader);

} // namespace wormcast
