#pragma once

#include "wormcast/experiments/compare/choose.hpp"
#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"

#include <string>
#include <vector>

namespace wormcast::ours {

/// A network and a source on which algorithms are compared.
struct Place {
  std::string title; ///< "32 x 32 mesh, corner"
  BroadcastCase at;  ///< its algorithm does not matter
  Time startup{150'000'000};
  Time per_byte{500'000};
  Time per_hop{};
};

/// The algorithms that Zhuang & Liberatore compare RB with, and RB.
std::vector<std::string> published_names();

/// Which of `names` (none: of all) is the fastest at which length, from 16 bytes to 1 MiB.
Choice choice_at(const Place& place, const std::vector<std::string>& names);

/// "RB", "NP-RD(2)", "L(5, 3)": the papers' names, depth and block of truncated recursion (L: with lattice rounds),
/// else the program's name.
std::string short_name(const ChosenAlgorithm& chosen, PortModel ports = {});

/// "RD, from 200/3 bytes NP-RD(1), from 300 RB".
std::string envelope_text(const Choice& choice, PortModel ports = {});

/// "565 to 16000", "nowhere": the lengths in bytes at which it is the fastest, rounded.
std::string range_of(const Choice& choice, const std::string& name);

/// In how many ranges it is the fastest.
std::size_t ranges_of(const Choice& choice, const std::string& name);

} // namespace wormcast::ours
