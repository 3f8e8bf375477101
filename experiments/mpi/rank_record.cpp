#include "wormcast/experiments/mpi/rank_record.hpp"

#include <nlohmann/json.hpp>

namespace wormcast {

namespace {

template <typename Value> nlohmann::json json_or_null(const std::optional<Value>& value)
{
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

template <typename Value> std::optional<Value> value_or_none(const nlohmann::json& found)
{
  return found.is_null() ? std::nullopt : std::optional(found.get<Value>());
}

WaitingRequest request_of(const nlohmann::json& object)
{
  return {.call = object.at("call").get<std::string>(),
          .is_send = object.at("is_send").get<bool>(),
          .peer = value_or_none<std::uint32_t>(object.at("peer")),
          .tag = value_or_none<std::int32_t>(object.at("tag")),
          .is_any_tag = object.at("is_any_tag").get<bool>(),
          .communicator = object.at("communicator").get<std::string>()};
}

} // namespace

void to_json(nlohmann::json& object, const WaitingRank& rank)
{
  object = {{"rank", rank.rank},
            {"call", rank.call},
            {"collective", rank.collective},
            {"communicator", rank.communicator},
            {"requests", nlohmann::json::array()},
            {"request_count", rank.request_count},
            {"address", json_or_null(rank.address)}};
  for (const WaitingRequest& request : rank.requests) {
    object["requests"].push_back({{"call", request.call},
                                  {"is_send", request.is_send},
                                  {"peer", json_or_null(request.peer)},
                                  {"tag", json_or_null(request.tag)},
                                  {"is_any_tag", request.is_any_tag},
                                  {"communicator", request.communicator}});
  }
}

void from_json(const nlohmann::json& object, WaitingRank& rank)
{
  rank.rank = object.at("rank").get<std::uint32_t>();
  rank.call = object.at("call").get<std::string>();
  rank.collective = object.at("collective").get<std::uint32_t>();
  rank.communicator = object.at("communicator").get<std::string>();
  rank.request_count = object.at("request_count").get<std::uint64_t>();
  rank.address = value_or_none<std::uint64_t>(object.at("address"));
  for (const auto& request : object.at("requests")) {
    rank.requests.push_back(request_of(request));
  }
}

void to_json(nlohmann::json& object, const RankCall& call)
{
  object = {call.rank, call.call, call.count, call.time.picoseconds};
}

void from_json(const nlohmann::json& object, RankCall& call)
{
  call = {.rank = object.at(0).get<std::uint32_t>(),
          .call = object.at(1).get<std::string>(),
          .count = object.at(2).get<std::uint64_t>(),
          .time = Time{object.at(3).get<std::int64_t>()}};
}

} // namespace wormcast
