#include "wormcast/experiments/reproduction/papers.hpp"

#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bine/checks.hpp"
#include "wormcast/experiments/reproduction/cang_wu/checks.hpp"
#include "wormcast/experiments/reproduction/fugaku/checks.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"
#include "wormcast/experiments/reproduction/ours/checks.hpp"
#include "wormcast/experiments/reproduction/swing/checks.hpp"
#include "wormcast/experiments/reproduction/tpu/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/parameter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

std::string paper_name(const Claim& claim)
{
  return claim.name.substr(0, claim.name.find('.'));
}

void check_names(const std::vector<Claim>& claims, std::span<const std::string> names)
{
  std::vector<std::string> known;
  for (const Claim& claim : claims) {
    if (std::ranges::find(known, paper_name(claim)) == known.end()) {
      known.push_back(paper_name(claim));
    }
    known.push_back(claim.name);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) {
      continue;
    }
    const std::string nearest = nearest_name(name, known);
    throw InputError(fmt::format("there is no claim or paper \"{}\"{} (wormcast reproduce --list lists them)", name,
                                 nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest)));
  }
}

} // namespace

std::span<const Paper> papers()
{
  static const std::vector<Paper> all = {
      zhuang_liberatore_paper(),
      cang_wu_1998_paper(),
      cang_wu_2000_paper(),
      bertsekas_1991_paper(),
      kim_2014_paper(),
      swing_paper(),
      bine_paper(),
      fugaku_paper(),
      tpu_paper(),
      our_claims(),
  };
  return all;
}

const Paper& paper_of(const Claim& claim)
{
  const auto found = std::ranges::find(papers(), paper_name(claim), &Paper::name);
  if (found == papers().end()) {
    throw std::logic_error(fmt::format("claim {} is of no paper", claim.name));
  }
  return *found;
}

std::vector<Claim> all_claims()
{
  std::vector<Claim> all;
  for (const Paper& paper : papers()) {
    std::ranges::move(paper.claims(), std::back_inserter(all));
  }
  return all;
}

std::vector<Claim> select_claims(std::vector<Claim> claims, std::span<const std::string> names)
{
  check_names(claims, names);
  if (!names.empty()) {
    std::erase_if(claims, [&](const Claim& claim) {
      return std::ranges::find(names, claim.name) == names.end() &&
             std::ranges::find(names, paper_name(claim)) == names.end();
    });
  }
  return claims;
}

} // namespace wormcast
