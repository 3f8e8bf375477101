#pragma once

#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/experiments/reproduction/frame/claim.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wormcast::swing {

using Sides = std::vector<std::int64_t>;

/// An all_reduce on a torus with all ports; `variant` empty for algorithms that have none.
BroadcastCase on_torus(const Sides& sides, const std::string& algorithm, const std::string& variant = "bandwidth");

/// The same with one port.
BroadcastCase with_one_port(BroadcastCase broadcast);

/// |rho(s)|: 1, 1, 3, 5, 11, ...
std::int64_t distance(std::uint32_t step);

/// The logarithm of a power of two.
std::uint32_t log2_of(std::int64_t power);

/// The node that `node` exchanges with in a step on a ring of an even size.
std::int64_t peer(std::int64_t node, std::uint32_t step, std::int64_t size);

/// Sum over the steps of one half of the greatest load of a link under Swing (B), in units of n/(2D), on a torus whose
/// sides are powers of two; times n/D that of the whole all_reduce, so that it is Xi as the paper counts.
Fraction swing_load(const Sides& sides);

/// Sum over the steps of one half of the longest way of Swing.
std::int64_t swing_hops(const Sides& sides);

/// The busiest link under bucket in units of n/D, on a torus of one or two different sides.
Fraction bucket_load(const Sides& sides);

/// 2D(dmax - 1).
std::int64_t bucket_steps(const Sides& sides);

/// Nodes of the torus.
std::int64_t nodes(const Sides& sides);

/// "8 x 8".
std::string sides_text(const Sides& sides);

double number(const Fraction& fraction);

/// That a fraction is the claimed one.
Observation fraction_is(const std::string& what, const Fraction& claimed, const Fraction& found);

/// A check that is shown by `wormcast check` on `shown`.
Check shown_check(const std::string& name, const BroadcastCase& shown, std::function<Evidence()> measure);

} // namespace wormcast::swing
