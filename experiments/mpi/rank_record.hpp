#pragma once

#include "wormcast/values/quantity.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// A message that a rank waits to send or to receive.
struct WaitingRequest {
  std::string call; ///< "MPI_Irecv"; empty: not known
  bool is_send = false;
  std::optional<std::uint32_t> peer = {}; ///< rank in MPI_COMM_WORLD; none: any of the communicator
  std::optional<std::int32_t> tag = {};   ///< none: any, or the message is not point to point
  bool is_any_tag = false;
  std::string communicator;
};

/// A rank that was in an MPI function when the program came to a stop.
struct WaitingRank {
  std::uint32_t rank = 0;                    ///< in MPI_COMM_WORLD
  std::string call;                          ///< "MPI_Wait"; empty: not known
  std::uint32_t collective = 0;              ///< which of its kind on its communicator, from 1; 0: it is no collective
  std::string communicator;                  ///< of a collective
  std::vector<WaitingRequest> requests;      ///< the first ones of those that are not complete
  std::uint64_t request_count = 0;           ///< of all of these
  std::optional<std::uint64_t> address = {}; ///< of the call in the program's file
  std::string location = {};                 ///< "halo.c:27", where the program has debug information
};

/// The calls of one function by one rank.
struct RankCall {
  std::uint32_t rank = 0;
  std::string call;
  std::uint64_t count = 0;
  Time time = {}; ///< inside the function, in all
};

/// Writes and reads what nlohmann::json converts, in the record of a program.
void to_json(nlohmann::json& json, const WaitingRank& rank);
/// The same.
void from_json(const nlohmann::json& json, WaitingRank& rank);
/// The same of a rank's calls.
void to_json(nlohmann::json& json, const RankCall& call);
/// The same.
void from_json(const nlohmann::json& json, RankCall& call);

} // namespace wormcast
