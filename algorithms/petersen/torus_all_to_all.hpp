#pragma once

#include "wormcast/algorithms/petersen/torus_moves.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/values/names.hpp"

namespace wormcast {

/// The text from which the all-to-all algorithms are made. `literal` is the paper's text with its typing errors
/// repaired; the verifier refutes it. `fixed` adds the missing sends. `fixed2` floods in the last step (all ports
/// only).
enum class AllToAllVariant { literal, fixed, fixed2 };

/// Choices of the parameter "variant".
inline constexpr auto all_to_all_variant_names = names<AllToAllVariant>(
    {{AllToAllVariant::literal, "literal"}, {AllToAllVariant::fixed, "fixed"}, {AllToAllVariant::fixed2, "fixed2"}});

/// Algorithm 4 (Kim et al.), one port: 3m + 3n + 2l + 2 steps (theorem 7), literal or fixed. Every module of 3PT(l, m,
/// n) makes these sends. Literal it leaves every node without 10(m + l - 3) messages, since node 5 never gets its own
/// row; fixed adds two sends inside of the module to steps that there are.
ModuleSteps petersen_torus_algorithm_4(const PetersenTorusSize& size, AllToAllVariant variant);

/// Algorithm 5 (Kim et al.), all ports: literal in 3 floor(m/2) + 3 floor(n/2) + 2 floor(l/2) + 4 steps (theorem 8),
/// complete only if l is even and m or n is even; fixed in one more for odd l; fixed2 in one less than fixed.
ModuleSteps petersen_torus_algorithm_5(const PetersenTorusSize& size, AllToAllVariant variant);

/// `petersen_torus_all_to_all`: all-to-all in 3PT(l, m, n) with messages that combine, Algorithm 4 with fewer than four
/// ports, else Algorithm 5.
Algorithm petersen_torus_all_to_all_algorithm();

} // namespace wormcast
