#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast::bine {

/// Whose exchanges they are.
enum class Family {
  bine,              ///< at the distances 1, -1, 3, -5, ...
  recursive_doubling ///< at the distances 1, 2, 4, ..., upwards or downwards by a bit of the coordinate
};

/// An exchange of every node with another in one dimension.
struct ExchangeStep {
  std::size_t dimension = 0;
  std::uint32_t exponent = 0; ///< k: of the steps in this dimension the k-th
};

/// The exchanges of one port of all nodes of a torus whose sides are powers of two, as the library of the measurements
/// has them: dimensions in turn from port mod D on, one step each round, and the direction of every second round of
/// ports reversed. It is written down here apart from the program's algorithms, with which it is compared.
class PeerRule {
public:
  PeerRule(std::vector<std::int64_t> shape, Family family, std::uint32_t port);

  const std::vector<ExchangeStep>& steps() const { return steps_; }
  std::int64_t nodes() const { return nodes_; }

  /// The node with which `node` exchanges in a step. The first dimension is the fastest in the numbers of nodes.
  std::int64_t peer(std::int64_t node, const ExchangeStep& step) const;

private:
  std::vector<std::int64_t> shape_;
  Family family_;
  bool mirrored_;
  std::int64_t nodes_ = 1;
  std::vector<ExchangeStep> steps_;
};

/// rho of step k below 62: 1, -1, 3, -5, 11, ...
std::int64_t signed_distance(std::uint32_t exponent);

/// The shapes that were measured: 2x2x2, 4x4x4, 8x8x8, 64x64 and 32x256.
const std::vector<std::vector<std::int64_t>>& measured_shapes();

/// "8x8x8".
std::string shape_text(const std::vector<std::int64_t>& shape);

} // namespace wormcast::bine
