#pragma once

#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace wormcast::bertsekas {

/// What section 2 leaves open in the numbering n(t), and what it would leave open without its rules for R_k1.
struct OrderRules {
  bool zero_below = true;      ///< bit m - 1 of the first id of R_k1 (bit d if m is 1) is 0
  bool lowest_is_first = true; ///< R_k1, the class of the k lowest bits, is numbered before R_k2, R_k3, ...
};

/// The non-zero ids in the order of a numbering, and the first of them whose parent, itself without bit m(t), is not in
/// an earlier set E_i; 0: there is none.
struct Order {
  std::vector<std::uint32_t> ids;
  std::uint32_t broken_at = 0;
};

/// All numberings that the rules allow: every order of the classes of N_k, every first id of a class whose bit m is 1.
/// Their number grows fast: 6 for d = 5, 3456 for d = 6.
void for_each_order(std::uint32_t dimension, const OrderRules& rules, const std::function<void(const Order&)>& visit);

/// One of them, by random choices.
Order random_order(std::uint32_t dimension, const OrderRules& rules, std::mt19937_64& random);

/// The multinode broadcast of a numbering: step i sends over A_i(t) for all t.
std::vector<Hop> multinode_hops(std::span<const std::uint32_t> ids, std::uint32_t dimension);

/// "0001 0010 0100": ids as words of d bits.
std::string id_words(std::span<const std::uint32_t> ids, std::uint32_t dimension);

} // namespace wormcast::bertsekas
