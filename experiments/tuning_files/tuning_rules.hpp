#pragma once

#include "wormcast/experiments/compare/collectives.hpp"
#include "wormcast/experiments/tuning_files/library_algorithms.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// An algorithm with its time at some length.
struct TimedAlgorithm {
  std::string title; ///< with its parameters
  Time latency;
};

/// The choice at one length.
struct TunedLength {
  std::uint64_t bytes = 0; ///< of the message; of an allgather or alltoall of one block
  LibraryAlgorithm algorithm;
  TimedAlgorithm measured;                 ///< sends what `algorithm` sends
  std::optional<Time> usual = {};          ///< with selector_of() the library
  std::optional<TimedAlgorithm> lost = {}; ///< the fastest, where that is another one, which the library has not
};

/// What a library is to use from which length on.
struct TuningRules {
  TunedLibrary library = TunedLibrary::openmpi;
  std::string collective; ///< as MPI names it
  std::uint64_t ranks = 0;
  std::string place;                ///< for people: "64 ranks on mesh 8 x 8, mapped by block"
  std::string command;              ///< that measured: "collectives"
  std::vector<TunedLength> lengths; ///< ascending, at least one
  /// Lengths at which no algorithm of the library has a time; the rule of the length before holds there.
  std::vector<std::uint64_t> without = {};
};

/// One rule: an algorithm from a length on.
struct TuningRule {
  std::uint64_t from = 0; ///< bytes as the library counts them (bytes_of_rule); the first one's is 0
  std::size_t first = 0;  ///< its first and
  std::size_t end = 0;    ///< behind its last of TuningRules::lengths
};

/// The bytes by which the library's rules go at a length: of Open MPI's allgather and alltoall and of MPICH's allgather
/// all blocks of a rank together. Throws InputError where they do not fit 63 bits.
std::uint64_t bytes_of_rule(const TuningRules& rules, std::uint64_t bytes);

/// Neighbouring lengths with the same algorithm share a rule. It holds from its first length up to the next one's, the
/// first rule from 0 on.
std::vector<TuningRule> merged_rules(const TuningRules& rules);

/// How much more time `slower` takes than `faster`, with one decimal: "7.5 %", "less than 0.1 %".
std::string excess_text(Time slower, Time faster);

/// The rules of a table of collectives: at each length the fastest algorithm that sends what one of the library's
/// sends, of equal ones the one of the length before, else the first. Wormcast's take part where rank r is on node r
/// (`ranks_are_nodes`), as they send by nodes. Throws InputError where no length has a time.
TuningRules rules_of_collectives(TunedLibrary library, const CollectiveTable& table, std::uint64_t ranks,
                                 bool ranks_are_nodes);

/// For people: a line for each length, and what is lost.
std::string tuning_text(const TuningRules& rules);

/// A sentence for each length at which a faster algorithm is lost, or that has no time.
std::vector<std::string> lost_texts(const TuningRules& rules);

} // namespace wormcast
