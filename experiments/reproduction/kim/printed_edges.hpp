#pragma once

#include "wormcast/experiments/reproduction/kim/graph.hpp"
#include "wormcast/topologies/petersen_torus.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wormcast::kim {

/// Edges and hops as they stand in the paper, and with its slips repaired.

/// One of the edges of definition 2 (6), for coordinates u and v that run over the two dimensions it leaves open.
struct WrapEdge {
  std::string printed;
  std::int64_t first = 0; ///< sizes of what u and v run over
  std::int64_t second = 1;
  std::function<DefinedEdge(std::int64_t u, std::int64_t v)> at;
};
std::vector<WrapEdge> printed_wrap_edges(const PetersenTorusSize& size);
std::vector<WrapEdge> repaired_wrap_edges(const PetersenTorusSize& size);

/// A hop over an external edge.
struct ExternalHop {
  std::string place;
  int from = 0;
  PetersenTorusNode to; ///< how many modules on, and the node there
};
/// LU, RD, LD, RU (section 3, (iv) to (vii)).
std::vector<ExternalHop> named_edges(bool repaired);
/// Those of the conditions and of algorithms 4 and 5.
std::vector<ExternalHop> chain_hops(bool repaired);

/// Hops inside of a module: "0>4 4>3".
struct InternalHops {
  std::string place;
  std::string hops;
};
/// Every hop once for each place.
std::vector<InternalHops> internal_chains(bool repaired);

} // namespace wormcast::kim
