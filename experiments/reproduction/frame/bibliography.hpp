#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace wormcast {

/// A paper and its claims as a file claims.toml has them, in the file's order and without demonstrations and
/// measurements. Names of claims get the paper's in front.
struct Bibliography {
  Paper paper; ///< without `claims`
  std::vector<Claim> claims;
};

/// Reads the text of `file`, which is what errors name. Throws InputError that says where in it a key is not known,
/// missing, or has a value that it cannot have.
Bibliography read_bibliography(std::string_view text, const std::filesystem::path& file);

/// The claims with their checks. Throws std::logic_error where a claim has no check, a check no claim, or two the same
/// name.
std::vector<Claim> with_checks(std::vector<Claim> claims, std::vector<Check> checks);

/// The paper of a claims.toml (read_bibliography), whose claims are measured by `checks`.
Paper read_paper(std::string_view text, const std::filesystem::path& file, std::function<std::vector<Check>()> checks);

/// The texts of all claims.toml, which cmake/WormcastEmbedTexts.cmake puts into the program.
namespace web {
extern const std::string_view bertsekas_1991_claims;
extern const std::string_view bine_claims;
extern const std::string_view cang_wu_1998_claims;
extern const std::string_view cang_wu_2000_claims;
extern const std::string_view fugaku_claims;
extern const std::string_view kim_2014_claims;
extern const std::string_view our_claims;
extern const std::string_view swing_claims;
extern const std::string_view tpu_v4_claims;
extern const std::string_view zhuang_liberatore_claims;
} // namespace web

} // namespace wormcast
