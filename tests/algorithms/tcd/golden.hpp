#pragma once

// tests/golden/tcd: closed forms, TCD by source and schedules for the broadcasts of Cang & Wu 1998 and 2000 and for
// recursive halving, which independent programs computed (exact dynamic programming, exhaustive and SAT search).

#include "tests/algorithms/grids.hpp"
#include "wormcast/topologies/grid.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace wormcast::testing {

inline const std::string tcd_folder = WORMCAST_TEST_DATA "/golden/tcd/";

inline const nlohmann::json& tcd_golden()
{
  static const nlohmann::json file = nlohmann::json::parse(std::ifstream(tcd_folder + "tcd.json"));
  return file;
}

/// A mesh or torus, known to be a Grid.
class GridTopology {
public:
  GridTopology(const std::string& kind, std::vector<std::int64_t> dims)
      : topology_(make_topology(grid(kind, std::move(dims))))
  {}
  const Grid& operator*() const { return dynamic_cast<const Grid&>(*topology_); }
  const Grid* operator->() const { return &**this; }

private:
  std::unique_ptr<Topology> topology_;
};

inline GridTopology mesh(std::vector<std::int64_t> dims)
{
  return {"mesh", std::move(dims)};
}

inline GridTopology torus(std::vector<std::int64_t> dims)
{
  return {"torus", std::move(dims)};
}

/// d sizes of 2^k.
inline std::vector<std::int64_t> cube(std::size_t d, unsigned k)
{
  return std::vector<std::int64_t>(d, std::int64_t{1} << k);
}

/// Sum of the hops of each step's messages.
inline std::vector<std::uint64_t> step_distances(const Topology& topology, const Schedule& schedule)
{
  std::vector<std::uint64_t> distances(step_count(schedule));
  for (const Message& message : schedule.messages) {
    distances[message.step] += topology.distance(message.source, message.destination);
  }
  return distances;
}

/// A key of the golden values that is a number.
inline unsigned number(const std::string& text)
{
  return static_cast<unsigned>(std::stoul(text));
}

} // namespace wormcast::testing
