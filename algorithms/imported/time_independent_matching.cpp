#include "wormcast/algorithms/imported/time_independent_matching.hpp"

#include "wormcast/algorithms/imported/time_independent_actions.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace wormcast {

namespace {

std::string collective_text(const TraceMatching::Collective& collective)
{
  const std::string_view name = trace_actions()[collective.action].name;
  return collective.root == TraceMatching::no_root ? std::string(name)
                                                   : fmt::format("{} with root {}", name, collective.root);
}

} // namespace

TraceMatching::ChannelCounts* TraceMatching::channel(std::int64_t from, std::int64_t to, std::int64_t tag)
{
  return channels_.size() < most_channels ? &channels_[{to, from, tag}] : nullptr;
}

bool TraceMatching::add_send(std::uint32_t from, std::int64_t to, std::int64_t tag)
{
  ChannelCounts* const counts = channel(from, to, tag);
  if (counts != nullptr) {
    ++counts->sends;
  }
  return counts != nullptr;
}

bool TraceMatching::add_receive(std::int64_t from, std::uint32_t to, std::int64_t tag, OfRank& receiver)
{
  if (from == any_source || tag == any_tag) {
    ++receiver.any;
    return true;
  }
  ChannelCounts* const counts = channel(from, to, tag);
  if (counts != nullptr) {
    ++counts->receives;
  }
  return counts != nullptr;
}

bool TraceMatching::add_collective(const Collective& here, OfRank& of_rank, std::uint64_t line, Findings& findings)
{
  const std::uint64_t place = of_rank.collectives++;
  if (place == collectives_.size()) {
    if (collectives_.size() == most_collectives) {
      return false;
    }
    collectives_.push_back(here);
    return true;
  }
  const Collective& first = collectives_[place];
  if (first.action != here.action || first.root != here.root) {
    findings.add(FindingKind::matching, line, [&] {
      const bool first_is_lower = first.rank < here.rank;
      const Collective& a = first_is_lower ? first : here;
      const Collective& b = first_is_lower ? here : first;
      return fmt::format("collective {}: rank {} does {}, rank {} {}", place, a.rank, collective_text(a), b.rank,
                         collective_text(b));
    });
  }
  return true;
}

void TraceMatching::find_unmatched(std::span<const OfRank> ranks, Findings& findings) const
{
  std::vector<std::uint64_t> sends(ranks.size());
  std::vector<std::uint64_t> receives(ranks.size());
  for (const auto& channel : channels_) {
    const auto receiver = static_cast<std::uint32_t>(std::get<0>(channel.first));
    const auto from = std::get<1>(channel.first);
    const auto tag = std::get<2>(channel.first);
    const ChannelCounts& counts = channel.second;
    sends[receiver] += counts.sends;
    receives[receiver] += counts.receives;
    const bool is_excused = ranks[receiver].any > 0 && counts.sends > counts.receives;
    if (counts.sends != counts.receives && !is_excused) {
      findings.add(FindingKind::matching, 0, [&] {
        return fmt::format("from {} to {} with tag {}: {}, {}", from, receiver, tag, counted(counts.sends, "send"),
                           counted(counts.receives, "receive"));
      });
    }
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint64_t any = ranks[rank].any;
    if (any > 0 && sends[rank] != receives[rank] + any) {
      findings.add(FindingKind::matching, 0, [&] {
        return fmt::format("to {}: {}, {}, {} of which with any sender or tag", rank, counted(sends[rank], "send"),
                           counted(receives[rank] + any, "receive"), any);
      });
    }
  }
  find_unfinished(ranks, findings);
}

void TraceMatching::find_unfinished(std::span<const OfRank> ranks, Findings& findings) const
{
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint64_t place = ranks[rank].collectives;
    if (place < collectives_.size()) {
      const Collective& missed = collectives_[place];
      findings.add(FindingKind::matching, 0, [&] {
        return fmt::format("collective {}: rank {} does {}, rank {} none any more", place, missed.rank,
                           collective_text(missed), rank);
      });
    }
  }
}

} // namespace wormcast
