#include "wormcast/experiments/mpi/waiting_report.hpp"

#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shown_ranks = 16;
constexpr std::size_t shown_requests = 3;
constexpr std::size_t shown_chain = 8;

/// For whom a rank waits; none: for anybody, or it is not known.
std::optional<std::uint32_t> awaited(const WaitingRank& rank)
{
  return rank.requests.empty() ? std::nullopt : rank.requests.front().peer;
}

std::string request_text(const WaitingRank& rank, const WaitingRequest& request)
{
  const std::string peer = fmt::format("{} {}", request.is_send ? "to" : "from",
                                       request.peer ? fmt::format("rank {}", *request.peer) : "any rank");
  if (rank.collective != 0) {
    return fmt::format("a message {}", peer);
  }
  std::string text;
  if (request.call != rank.call) {
    text = (request.call.empty() ? std::string("a message") : request.call) + " ";
  }
  text += peer;
  if (request.tag) {
    text += fmt::format(", tag {}", *request.tag);
  } else if (request.is_any_tag) {
    text += ", any tag";
  }
  return text + ", " + printable(request.communicator);
}

} // namespace

WaitingChain waiting_chain(std::span<const WaitingRank> ranks)
{
  std::map<std::uint32_t, std::optional<std::uint32_t>> next;
  for (const WaitingRank& rank : ranks) {
    next.emplace(rank.rank, awaited(rank));
  }
  WaitingChain first;
  std::set<std::uint32_t> seen;
  for (const WaitingRank& start : ranks) {
    WaitingChain chain;
    std::uint32_t rank = start.rank;
    while (next.contains(rank) && next[rank] && seen.insert(rank).second) {
      chain.ranks.push_back(rank);
      rank = *next[rank];
    }
    if (const auto again = std::ranges::find(chain.ranks, rank); again != chain.ranks.end()) {
      chain.ranks.erase(chain.ranks.begin(), again);
      std::ranges::rotate(chain.ranks, std::ranges::min_element(chain.ranks));
      chain.is_cycle = true;
      return chain;
    }
    if (first.ranks.empty() && !next.contains(rank)) {
      chain.ended = rank;
      first = std::move(chain);
    }
  }
  return first;
}

std::string waiting_text(const WaitingRank& rank)
{
  std::string text = rank.call.empty() ? "waits" : rank.call;
  if (rank.collective != 0) {
    text += fmt::format(" {} of {}", rank.collective, printable(rank.communicator));
  }
  const char* separator = rank.collective != 0                                                ? ", for "
                          : !rank.requests.empty() && rank.requests.front().call != rank.call ? " of "
                                                                                              : " ";
  const std::size_t shown = std::min(shown_requests, rank.requests.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += separator + request_text(rank, rank.requests[i]);
    separator = "; ";
  }
  if (rank.request_count > shown) {
    text += fmt::format("; and {} more", rank.request_count - shown);
  }
  return rank.location.empty() ? text : fmt::format("{} ({})", text, rank.location);
}

std::string waiting_text(std::span<const WaitingRank> ranks)
{
  if (ranks.empty()) {
    return "ranks wait for messages that nobody sends";
  }
  const WaitingChain chain = waiting_chain(ranks);
  std::string text;
  if (chain.ranks.empty()) {
    text = fmt::format("{} {} for messages that nobody sends", ranks.size(),
                       ranks.size() == 1 ? "rank waits" : "ranks wait");
  } else {
    text = fmt::format("rank {}", chain.ranks.front());
    const char* link = " waits for";
    const std::size_t shown = std::min(shown_chain, chain.ranks.size());
    for (std::size_t i = 1; i < shown; ++i) {
      text += fmt::format("{} rank {}", link, chain.ranks[i]);
      link = ", which waits for";
    }
    if (shown < chain.ranks.size()) {
      text += fmt::format(", and so on by {} more", chain.ranks.size() - shown);
    }
    const std::uint32_t last = chain.is_cycle ? chain.ranks.front() : chain.ended;
    text += fmt::format("{} rank {}{}", shown < chain.ranks.size() ? " to" : link, last,
                        chain.is_cycle ? "" : ", which has left MPI");
  }
  std::vector<const WaitingRank*> order;
  std::set<std::uint32_t> in_chain;
  for (const std::uint32_t number : chain.ranks) {
    order.push_back(&*std::ranges::find(ranks, number, &WaitingRank::rank));
    in_chain.insert(number);
    if (order.size() == shown_ranks) {
      break;
    }
  }
  for (const WaitingRank& rank : ranks) {
    if (order.size() == shown_ranks) {
      break;
    }
    if (!in_chain.contains(rank.rank)) {
      order.push_back(&rank);
    }
  }
  for (const WaitingRank* const rank : order) {
    text += fmt::format("\n  rank {}: {}", rank->rank, waiting_text(*rank));
  }
  if (order.size() < ranks.size()) {
    text += fmt::format("\n  and {} more ranks, which --json lists", ranks.size() - order.size());
  }
  return text;
}

Json waiting_json(std::span<const WaitingRank> ranks)
{
  const WaitingChain chain = waiting_chain(ranks);
  Json json;
  json["cycle"] = chain.is_cycle ? Json(chain.ranks) : Json::array();
  json["ranks"] = Json::array();
  for (const WaitingRank& rank : ranks) {
    Json entry;
    entry["rank"] = rank.rank;
    entry["call"] = rank.call;
    if (rank.collective != 0) {
      entry["collective"] = rank.collective;
      entry["communicator"] = rank.communicator;
    }
    if (!rank.location.empty()) {
      entry["location"] = rank.location;
    }
    entry["requests"] = Json::array();
    for (const WaitingRequest& request : rank.requests) {
      entry["requests"].push_back({{"call", request.call},
                                   {"direction", request.is_send ? "send" : "receive"},
                                   {"peer", request.peer ? Json(*request.peer) : Json(nullptr)},
                                   {"tag", request.tag ? Json(*request.tag) : Json(nullptr)},
                                   {"communicator", request.communicator}});
    }
    entry["request_count"] = rank.request_count;
    json["ranks"].push_back(std::move(entry));
  }
  return json;
}

} // namespace wormcast
