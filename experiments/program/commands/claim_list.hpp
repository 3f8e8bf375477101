#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The program of `wormcast reproduce`.
inline constexpr std::string_view reproduction_program = "wormcast-reproduce";

/// What makes it print a claim_list_json instead of measuring claims. Programs alone call it, so that no help names it.
inline constexpr std::string_view claims_request = "__claims";

/// A claim as `wormcast list` shows it.
struct ListedClaim {
  std::string name;
  std::string statement;
  std::string claimed;
  std::string verdict; ///< the recorded one
  std::string reading; ///< empty: there is one alone
  std::string source;  ///< the paper, and the place in it
};

/// The names of all papers, and all claims in the papers' order.
struct ClaimList {
  std::vector<std::string> papers;
  std::vector<ListedClaim> claims;
};

/// As it goes from the program of reproductions to this one. Throws nlohmann::json::exception where `json` is not of
/// claim_list_json's making.
nlohmann::ordered_json claim_list_json(const ClaimList& list);
ClaimList claim_list_from_json(const nlohmann::ordered_json& json);

/// What the installed program of reproductions says of itself. Throws InputError where it is not installed, and
/// std::runtime_error where it does not answer.
ClaimList installed_claims();

} // namespace wormcast
