#pragma once

#include "wormcast/algorithms/imported/finding.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace wormcast {

/// Whether the messages of a time-independent trace are received, and its ranks take part in the same collectives.
/// Memory grows with the pairs of ranks and tags, and with the collectives.
class TraceMatching {
public:
  static constexpr std::uint64_t most_channels = std::uint64_t{1} << 24;
  static constexpr std::uint64_t most_collectives = std::uint64_t{1} << 26;
  static constexpr std::uint32_t no_root = std::numeric_limits<std::uint32_t>::max();

  /// What is counted for each rank.
  struct OfRank {
    std::uint64_t collectives = 0;
    std::uint64_t any = 0; ///< receives from any rank or with any tag
  };

  /// A collective as one rank has it.
  struct Collective {
    std::uint8_t action = 0; ///< in trace_actions()
    std::uint32_t root = no_root;
    std::uint32_t rank = 0;
  };

  /// Counts a message. Returns false where there are more pairs of ranks and tags than most_channels.
  [[nodiscard]] bool add_send(std::uint32_t from, std::int64_t to, std::int64_t tag);
  /// Counts a receive, which can be from any_source or with any_tag. Returns false as add_send().
  [[nodiscard]] bool add_receive(std::int64_t from, std::uint32_t to, std::int64_t tag, OfRank& receiver);
  /// Compares a rank's next collective with that of the first rank that came to it; `line`: of a finding. Returns
  /// false where there are more than most_collectives.
  [[nodiscard]] bool add_collective(const Collective& here, OfRank& of_rank, std::uint64_t line, Findings& findings);

  /// At the end: messages that are not received, receives of nothing, and ranks with fewer collectives than others.
  void find_unmatched(std::span<const OfRank> ranks, Findings& findings) const;

private:
  /// The sends and receives from one rank to another with one tag.
  struct ChannelCounts {
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
  };

  /// Null where there are too many.
  ChannelCounts* channel(std::int64_t from, std::int64_t to, std::int64_t tag);
  void find_unfinished(std::span<const OfRank> ranks, Findings& findings) const;

  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, ChannelCounts> channels_; ///< by receiver
  std::vector<Collective> collectives_; ///< as the first rank that came to each one has it
};

} // namespace wormcast
