#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

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
  std::size_t d = 2; ///< axes of the mesh
  bool is_3d() const { return d == 3; }
};

std::vector<Check> eye_checks(const Part& part);             ///< where the eyes are; the regions of the source
std::vector<Check> optimum_checks(const Part& part);         ///< TCD from an eye: recursions, closed forms, optimality
std::vector<Check> formula_checks(const Part& part);         ///< TCD from any source by formulas
std::vector<Check> value_checks(const Part& part);           ///< values and matrices that are printed
std::vector<Check> minimum_checks(const Part& part);         ///< whether the algorithms give the minimum
std::vector<Check> proof_checks(const Part& part);           ///< the appendices' proofs
std::vector<Check> theorem_2_proof_checks(const Part& part); ///< appendix of 1998, in proof_checks
std::vector<Check> theorem_3_proof_checks(const Part& part); ///< appendix B of 2000, in proof_checks
std::vector<Check> theorem_3_delta_checks(const Part& part); ///< eqs. (22) to (39) of it, in theorem_3_proof_checks
std::vector<Check> network_checks(const Part& part);         ///< time steps, contention, tori
std::vector<Check> depth_checks(const Part& part);           ///< contention of messages of different steps
std::vector<Check> dependence_checks(const Part& part);      ///< what depends on the TCD, under load

} // namespace cang_wu

} // namespace wormcast
