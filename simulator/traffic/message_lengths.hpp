#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/random/random_stream.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// The distribution of message lengths in bytes.
class MessageLengths {
public:
  static MessageLengths fixed(std::uint64_t bytes);
  /// Lengths uniform from `from` to `to`; 1 <= from <= to.
  static MessageLengths between(std::uint64_t from, std::uint64_t to);
  /// Geometric lengths from 1 upwards with this mean, which is at least 1.
  static MessageLengths geometric(std::uint64_t mean);
  /// Lengths with their weights, which are positive.
  static MessageLengths weighted(std::vector<std::pair<std::uint64_t, std::uint64_t>> lengths);

  std::uint64_t draw(RandomStream& random) const;

  double mean_bytes() const;
  /// Returns the mean of the lengths' squares.
  double mean_square_bytes() const;
  /// Returns the mean of flit_count(network, bytes).
  double mean_flits(const NetworkParameters& network) const;
  /// Returns the largest length; 2^62 if lengths are unbounded.
  std::uint64_t largest() const;

private:
  enum class Kind { between, geometric, weighted };
  Kind kind_ = Kind::between;
  std::uint64_t from_ = 1;
  std::uint64_t to_ = 1;
  double mean_ = 1;
  FailuresBeforeSuccess failures_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lengths_;
  std::uint64_t weight_ = 0; // sum of all weights
};

} // namespace wormcast
