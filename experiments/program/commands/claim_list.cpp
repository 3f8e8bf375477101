#include "wormcast/experiments/program/commands/claim_list.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/installed.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/formats/whole_file.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace wormcast {

nlohmann::ordered_json claim_list_json(const ClaimList& list)
{
  nlohmann::ordered_json json = {{"papers", list.papers}, {"claims", nlohmann::ordered_json::array()}};
  for (const ListedClaim& claim : list.claims) {
    json["claims"].push_back({{"name", claim.name},
                              {"statement", claim.statement},
                              {"claimed", claim.claimed},
                              {"verdict", claim.verdict},
                              {"reading", claim.reading},
                              {"source", claim.source}});
  }
  return json;
}

ClaimList claim_list_from_json(const nlohmann::ordered_json& json)
{
  ClaimList list;
  json.at("papers").get_to(list.papers);
  for (const nlohmann::ordered_json& claim : json.at("claims")) {
    list.claims.push_back({claim.at("name"), claim.at("statement"), claim.at("claimed"), claim.at("verdict"),
                           claim.at("reading"), claim.at("source")});
  }
  return list;
}

ClaimList installed_claims()
{
  const std::filesystem::path program = installed_program(reproduction_program, "listing reproductions needs it");
  const ScratchFolder scratch;
  const std::filesystem::path output = scratch.path() / "claims.json";
  const auto outcome = execute_program(std::array{program.string(), std::string(claims_request)},
                                       scratch.path().string(), {.output = output});
  const auto json = nlohmann::ordered_json::parse(read_whole_file(output), nullptr, false);
  if (outcome->signal != 0 || outcome->report.code != 0 || json.is_discarded()) {
    throw std::runtime_error(fmt::format("{}: found no list of claims in what it printed", program.string()));
  }
  return claim_list_from_json(json);
}

} // namespace wormcast
