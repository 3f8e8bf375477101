#pragma once

#include "wormcast/experiments/reproduction/claim.hpp"

namespace wormcast {

/// S. Cang, J. Wu, "Minimizing Total Communication Distance of a Time-Step Optimal Broadcast in Mesh Networks",
/// IPPS/SPDP 1998.
Paper cang_wu_1998_paper();

/// S. Cang, J. Wu, "Time-Step Optimal Broadcasting in 3-D Meshes with Minimum Total Communication Distance", J.
/// Parallel Distrib. Comput. 60, 2000.
Paper cang_wu_2000_paper();

namespace cang_wu {

/// The two papers say much the same, of meshes with two and three axes.
struct Part {
  std::string paper; ///< "cang_wu_1998"
  std::size_t d = 2; ///< axes of the mesh
  bool is_3d() const { return d == 3; }
};

std::vector<Claim> eye_claims(const Part& part);             ///< where the eyes are; the regions of the source
std::vector<Claim> optimum_claims(const Part& part);         ///< TCD from an eye: recursions, closed forms, optimality
std::vector<Claim> formula_claims(const Part& part);         ///< TCD from any source by formulas
std::vector<Claim> value_claims(const Part& part);           ///< values and matrices that are printed
std::vector<Claim> minimum_claims(const Part& part);         ///< whether the algorithms give the minimum
std::vector<Claim> proof_claims(const Part& part);           ///< the appendices' proofs
std::vector<Claim> theorem_2_proof_claims(const Part& part); ///< appendix of 1998, in proof_claims
std::vector<Claim> theorem_3_proof_claims(const Part& part); ///< appendix B of 2000, in proof_claims
std::vector<Claim> theorem_3_delta_claims(const Part& part); ///< eqs. (22) to (39) of it, in theorem_3_proof_claims
std::vector<Claim> network_claims(const Part& part);         ///< time steps, contention, tori
std::vector<Claim> depth_claims(const Part& part);           ///< contention of messages of different steps
std::vector<Claim> dependence_claims(const Part& part);      ///< what depends on the TCD, under load

} // namespace cang_wu

} // namespace wormcast
