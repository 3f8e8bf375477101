#include "wormcast/experiments/mpi/call_report.hpp"

#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

struct CallSum {
  std::string call;
  std::uint64_t count = 0;
  Time time;
  Time longest; ///< of one rank
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::vector<const RankCallUse*> ranks;
};

// Those with most time first, then by name.
std::vector<CallSum> sums_of(std::span<const RankCallUse> uses)
{
  std::map<std::string, CallSum> by_call;
  for (const RankCallUse& use : uses) {
    CallSum& sum = by_call[use.call.call];
    sum.call = use.call.call;
    sum.count += use.call.count;
    sum.time = sum.time + use.call.time;
    sum.longest = std::max(sum.longest, use.call.time);
    sum.messages += use.messages;
    sum.bytes += use.bytes;
    sum.ranks.push_back(&use);
  }
  std::vector<CallSum> sums;
  for (auto& [call, sum] : by_call) {
    sums.push_back(std::move(sum));
  }
  std::ranges::sort(sums, [](const CallSum& one, const CallSum& other) {
    return one.time != other.time ? one.time > other.time : one.call < other.call;
  });
  return sums;
}

} // namespace

std::vector<RankCallUse> rank_call_uses(std::span<const RankCall> calls, const Schedule& messages,
                                        const ProgramWords* words)
{
  std::vector<RankCallUse> uses;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> places;
  for (const RankCall& call : calls) {
    places.emplace(std::pair(call.rank, call.call), uses.size());
    uses.push_back({.call = call});
  }
  if (words == nullptr) {
    return uses;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known; // by rank and number of the call
  for (std::size_t i = 0; i < messages.messages.size(); ++i) {
    const MessageWords& said = words->messages[i];
    const auto [found, is_new] = known.try_emplace({said.sender, said.call}, uses.size());
    if (is_new) {
      const std::string& call = words->calls.text(said.call);
      const auto [place, is_first] = places.try_emplace({said.sender, call}, uses.size());
      if (is_first) { // a call that did not return
        uses.push_back({.call = {.rank = said.sender, .call = call}});
      }
      found->second = place->second;
    }
    ++uses[found->second].messages;
    uses[found->second].bytes += messages.plain[i].bytes;
  }
  return uses;
}

std::string calls_table(std::span<const RankCallUse> uses)
{
  constexpr std::size_t most_rows = 10;
  if (uses.empty()) {
    return {};
  }
  const std::vector<CallSum> sums = sums_of(uses);
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "\n{:<26}{:>10}{:>20}{:>20}{:>12}{:>16}\n", "MPI function", "calls",
                 "time, all ranks, us", "most, one rank, us", "messages", "bytes sent");
  for (std::size_t i = 0; i < std::min(most_rows, sums.size()); ++i) {
    const CallSum& sum = sums[i];
    fmt::format_to(std::back_inserter(text), "{:<26}{:>10}{:>20}{:>20}{:>12}{:>16}\n", sum.call, sum.count,
                   format_microseconds(sum.time), format_microseconds(sum.longest), sum.messages, sum.bytes);
  }
  if (sums.size() > most_rows) {
    fmt::format_to(std::back_inserter(text), "and {} more functions, which --json lists\n", sums.size() - most_rows);
  }
  return fmt::to_string(text);
}

Json calls_json(std::span<const RankCallUse> uses)
{
  Json list = Json::array();
  for (const CallSum& sum : sums_of(uses)) {
    Json entry;
    entry["call"] = sum.call;
    entry["count"] = sum.count;
    entry["time_us"] = exact_microseconds(sum.time);
    entry["longest_us"] = exact_microseconds(sum.longest);
    entry["messages"] = sum.messages;
    entry["bytes_sent"] = sum.bytes;
    entry["ranks"] = Json::array();
    for (const RankCallUse* const use : sum.ranks) {
      entry["ranks"].push_back({{"rank", use->call.rank},
                                {"count", use->call.count},
                                {"time_us", exact_microseconds(use->call.time)},
                                {"messages", use->messages},
                                {"bytes_sent", use->bytes}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

} // namespace wormcast
