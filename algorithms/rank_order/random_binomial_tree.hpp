#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Binomial tree whose nodes have places drawn at random, so that its total communication distance can be chosen while
/// all else stays: as many steps, messages, and messages of each node as the binomial tree over ranks. From a random
/// order of the hosts pairs of places are exchanged, at random, as long as the sum of all hops comes no farther from
/// the parameter `tcd`, until it is reached. Without `tcd` the order is uniform. The parameter `seed` gives another
/// tree; the same parameters give the same tree everywhere.
///
/// Throws InputError where no such tree was found, with the TCD that came nearest, the least and the greatest that were
/// found; that there is none beyond them is not proved. Any topology; steps can have channel contention.
Algorithm random_binomial_tree_algorithm();

} // namespace wormcast
