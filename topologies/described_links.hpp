#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// The most picoseconds of a byte or a hop.
inline constexpr std::int64_t longest_link_time = std::int64_t{1} << 61;

/// A class of links as the file of a network describes it.
struct DescribedLink {
  std::string name = "link";             ///< as in the file; classes of one name differ in their times
  std::optional<ByteTime> per_byte = {}; ///< T_c, above 0; none: the file does not say
  std::optional<Time> per_hop = {};      ///< T_f; none: the file does not say
  bool operator==(const DescribedLink&) const = default;
};

/// The part of a topology whose file gives times of links.
class LinkDescriptions {
public:
  virtual ~LinkDescriptions() = default;

  /// Returns the classes of links in the order of Topology::link_classes.
  virtual std::span<const DescribedLink> described_links() const = 0;
};

/// Returns the classes of links of a topology whose file gives a time of one at least; empty: the configuration alone
/// gives times.
std::span<const DescribedLink> described_links(const Topology& topology);

/// Returns the names of classes of links for Topology::link_classes: that of the file or, where several classes have
/// it, with their times ("trunk 0.5ns/B 20ns").
std::vector<std::string> names_of_links(std::span<const DescribedLink> links);

} // namespace wormcast
