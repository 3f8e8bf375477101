#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <utility>

namespace wormcast {

Measurement measured_at_once(std::function<Evidence()> measure)
{
  return {.parts = {}, .conclude = [measure = std::move(measure)](auto) { return measure(); }};
}

Verdict turned_verdict(const Claim& claim)
{
  const bool fails = claim.recorded == Verdict::refuted || claim.recorded == Verdict::misprint;
  return claim.turns_to.value_or(fails ? Verdict::confirmed : Verdict::refuted);
}

std::string turning_text(const Claim& claim)
{
  switch (claim.turned_by) {
  case Mutation::none:
    return {};
  case Mutation::data_changed:
    return claim.changed_data;
  default:
    return std::string(mutation_names.text(claim.turned_by));
  }
}

Check check_of(std::string name, Demonstration demonstration, std::function<Evidence()> measure)
{
  return {.name = std::move(name),
          .demonstration = std::move(demonstration),
          .measurement = measured_at_once(std::move(measure))};
}

} // namespace wormcast
