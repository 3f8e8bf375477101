#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/topologies/hypercube.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wormcast::bertsekas {

/// The cases of the claims of Bertsekas et al.: algorithms on hypercubes of dimension d, the smallest first.

/// The paper's models: single link available, multiple links available.
inline constexpr PortModel sla{1};
inline constexpr PortModel mla{PortModel::all};

/// The paper's whole numbers on their way to a comparison, in the types of ids and counts.
using wormcast::as_claimed;
using wormcast::as_upper_bound;
template <std::integral Number> Number as_claimed(Number value)
{
  return static_cast<Number>(wormcast::as_claimed(static_cast<std::int64_t>(value)));
}
template <std::integral Number> Number as_upper_bound(Number value)
{
  return static_cast<Number>(wormcast::as_upper_bound(static_cast<std::int64_t>(value)));
}

/// One algorithm on one hypercube.
struct CubeCase {
  std::uint32_t dimension = 1;
  std::string algorithm;
  PortModel ports = mla;
  std::uint32_t root = 0; ///< of a broadcast or scatter
  std::string tree = {};  ///< of single_node_scatter; empty: its default
};

/// "single_node_scatter, d = 3, root 5".
std::string title(const CubeCase& cube);

std::shared_ptr<const Hypercube> make_cube(std::uint32_t dimension);
Schedule schedule_of(const CubeCase& cube, const Topology& topology);

/// A configuration in the paper's units: no start-up, packets of one flit that take 1 us on a link.
std::string config_text(const CubeCase& cube);
/// It with the command that checks it.
Demonstration checked(const CubeCase& cube);

/// The same from `count` different roots spread evenly over the ids, or from all where there are fewer.
std::vector<CubeCase> from_roots(const CubeCase& cube, std::uint32_t count);

/// ceil((2^d - 1) / d), the time of scatter and multinode broadcast in table 1.
std::uint64_t packets_per_link(std::uint32_t dimension);

bool is_prime(std::uint32_t d);

/// "0101": an id as a word of d bits.
std::string bits(std::uint32_t id, std::uint32_t dimension);

/// The schedule is valid, free of contention, sends single packets between neighbours only and takes `steps` steps and
/// `transmissions` messages. Only a failure on up to 64 nodes keeps its schedule.
Observation costs(const std::string& what, const Topology& topology, const Schedule& schedule, std::uint64_t steps,
                  std::uint64_t transmissions);
Observation costs(const CubeCase& cube, std::uint64_t steps, std::uint64_t transmissions);

/// `what` is claimed to be `expected`.
Observation equal(const std::string& what, std::uint64_t expected, std::uint64_t found);
/// There is nothing of the kind.
Observation none(const std::string& what, std::uint64_t found);

/// A transmission of a packet in step 1, 2, ... as the paper counts them. `packet` is the origin in a multinode
/// broadcast, the destination in a scatter, origin * 2^d + destination in a total exchange.
struct Hop {
  std::uint32_t step = 1;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t packet = 0;

  friend auto operator<=>(const Hop&, const Hop&) = default;
};

/// A schedule's transmissions, in ascending order. Every message must carry one block.
std::vector<Hop> hops_of(const Schedule& schedule);
/// The schedule of these transmissions on a hypercube with all ports.
Schedule schedule_of_hops(std::span<const Hop> hops, Operation operation, const Topology& cube, std::uint32_t root = 0);

/// The simulator's time in units of one packet on one link.
std::uint64_t simulated_time(const CubeCase& cube, bool self_timed = false);

/// A figure's points of whole numbers, one per dimension first, first + 1, ...
ExhibitSeries series_by_dimension(const std::string& title, ExhibitSeries::Kind kind, std::uint32_t first,
                                  std::span<const double> values);

/// Of figures that the text at hand lacks.
inline constexpr const char* lost_drawing = "the drawing is not legible in the copies that exist";

} // namespace wormcast::bertsekas
