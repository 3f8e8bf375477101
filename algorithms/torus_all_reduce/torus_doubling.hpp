#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/torus_all_reduce/ring_exchange.hpp"

#include <cstdint>

namespace wormcast {

/// Recursive doubling and halving along the rings of one dimension at a time (Rabenseifner 2004; by dimension and for
/// all ports: Sack & Gropp, ACM TOPC 1(2), 2015; mirrored collectives: De Sensi et al., "Swing", NSDI 2024,
/// sections 4.1 and 5.1): in relative step s nodes whose coordinates differ in bit s exchange. Mirrored collectives go
/// round the other way, from a to a - 2^s where bit s of a is 0; that loads a ring evenly, unlike the reflection of a
/// to -a.
///
/// Its name distinguishes it from the broadcast recursive_doubling.
Algorithm torus_doubling_algorithm();

/// Its exchanges on a ring whose size is a power of two.
RingPattern doubling_pattern(std::uint32_t size, bool mirrored);

} // namespace wormcast
