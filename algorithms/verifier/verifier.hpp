#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/work_progress.hpp"

#include <boost/rational.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wormcast {

/// An exact fraction, always in lowest terms.
using Fraction = boost::rational<std::int64_t>;

/// "39/16", "2".
std::string format_fraction(const Fraction& fraction);

/// The kinds of errors of a schedule.
enum class ViolationKind {
  coverage,   ///< a node lacks a block, or contributions to it, at the end
  possession, ///< a node sends a block that it did not hold at the start of the step
  counting,   ///< a node combines a contribution with a partial result that already has it
  port,       ///< a node sends or receives more messages in a step than its ports allow
  contention  ///< two messages of a step share a directed channel
};

/// The texts in files: "coverage", "possession", ...
inline constexpr auto violation_kind_names = names<ViolationKind>({{ViolationKind::coverage, "coverage"},
                                                                   {ViolationKind::possession, "possession"},
                                                                   {ViolationKind::counting, "counting"},
                                                                   {ViolationKind::port, "port"},
                                                                   {ViolationKind::contention, "contention"}});

/// The text of an enumerator.
[[deprecated("use violation_kind_names.text()")]] inline std::string_view violation_kind_name(ViolationKind kind)
{
  return violation_kind_names.text(kind);
}

/// An error of a schedule, with the data that locate it.
struct Violation {
  ViolationKind kind = ViolationKind::coverage;
  std::uint32_t step = 0;          ///< not for coverage
  std::vector<MessageId> messages; ///< those involved: two for contention, one or more for port, one for the others
  std::vector<NodeId> nodes;       ///< the node that lacks, sends, combines or is overloaded
  std::vector<BlockRange> blocks;  ///< coverage, possession: the missing blocks; counting: the combined ones
  std::vector<NodeId>
      contributors; ///< reductions: the node with the contribution that is missing or counted twice, if known
  std::vector<ChannelId> channels; ///< contention: the first shared channel on the later message's route
  std::string text;                ///< one line for people, with names of nodes
};

/// Step costs of a schedule, and whether the steps can have these costs: each the time of its largest message.
struct ScheduleCosts {
  std::uint64_t alpha = 0;      ///< steps that send anything
  std::uint64_t beta_bytes = 0; ///< sum over the steps of the largest message, bytes
  Fraction beta;                ///< beta_bytes / message_bytes
  Fraction largest_message;     ///< largest message / message_bytes
  /// Of each step the greatest load of a channel, the bytes of all messages that cross it: of external channels, and of
  /// the ports of nodes that have fewer of them than channels. No messages that draw their routes are counted.
  std::vector<std::uint64_t> load_by_step;
  Fraction fair_beta;       ///< sum of load_by_step / message_bytes: what takes the place of beta where messages that
                            ///< share a channel share it fairly; never below beta
  Fraction busiest_channel; ///< greatest load of an external channel in the whole run / message_bytes
  std::uint64_t step_hops = 0; ///< sum over the steps of the longest route
  std::uint64_t tcd = 0;       ///< sum of the hops of all messages (total communication distance)
  std::uint64_t messages = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t max_channel_load = 0; ///< most messages that cross one external channel in the whole run; where routes
                                      ///< are drawn, of those that are not
  std::uint64_t drawn_routes = 0;     ///< messages with drawn routes (tie "random"), which are unknown before the run
  bool contention_free = true;        ///< no two messages of a step share a directed channel: proved, so that it is
                                      ///< false as well where routes are drawn; true for plain lists
  PortModel ports_needed;             ///< as CheckReport::ports_needed; of plain lists 1
  std::string ports_excess = {}; ///< "step 0: node 3 sends 2 messages": the first step that needs more ports of a node
                                 ///< than it has; empty: there is none
};

/// The kind of proof of a reduction.
enum class ContributionProof {
  none,        ///< it is none
  sets,        ///< the set of contributors of every partial result: exact
  fingerprints ///< a sum modulo 2^61 - 1 for every partial result: may hold a wrong schedule for right
};

/// The texts in files: "none", "sets", "fingerprints".
inline constexpr auto contribution_proof_names =
    names<ContributionProof>({{ContributionProof::none, "none"},
                              {ContributionProof::sets, "contributor_sets"},
                              {ContributionProof::fingerprints, "fingerprints"}});

/// The text of an enumerator.
[[deprecated("use contribution_proof_names.text()")]] inline std::string_view
contribution_proof_name(ContributionProof proof)
{
  return contribution_proof_names.text(proof);
}

/// The verifier's verdict. `valid` in the file format is complete && possession && counted_once && ports.
struct CheckReport {
  bool complete = true;
  bool possession = true;
  bool counted_once = true; ///< reductions: no node combines a contribution twice
  bool ports = true;
  bool ports_known = true;           ///< false: with all ports and drawn routes `ports` is of the other messages alone
  bool contention_free = true;       ///< proved: false as well where routes are drawn
  std::uint64_t contended_pairs = 0; ///< unordered pairs of messages of one step that share a directed channel; of
                                     ///< messages whose routes are drawn none is counted
  PortModel ports_needed;            ///< the fewest ports per node with which `ports` would hold, or `all`
  ContributionProof contributions = ContributionProof::none;
  double error_probability = 0; ///< of fingerprints: bound on holding a wrong reduction for right; else 0
  ScheduleCosts costs;
  std::vector<Violation> violations; ///< at most CheckOptions::max_violations of each kind, in order of discovery
  std::uint64_t violation_count = 0; ///< of all kinds; contention counts pairs

  bool valid() const { return complete && possession && counted_once && ports; }
};

/// The limits of check_schedule.
struct CheckOptions {
  std::size_t max_violations = 20; ///< of each kind
  /// Sets of contributors are stored up to this number of bits (nodes * blocks * nodes), fingerprints beyond.
  std::uint64_t most_contributor_bits = std::uint64_t{1} << 31;
  WorkProgress progress = {}; ///< in messages
};

/// Proves or refutes a schedule without simulating it. Messages to the node itself, nodes, blocks or `after` outside
/// and cyclic `after` are InputErrors of the reader, not violations. A plain message list has no steps: only costs
/// (alpha, beta 0) and routes are computed. Cost: time O(total hops + block words copied), plus O(pairs) on contended
/// channels; memory one bit per node and block, and one word per channel.
CheckReport check_schedule(const Topology& topology, const Schedule& schedule, const CheckOptions& options = {});

/// Returns the draw of a message of a run, by its number (Topology::append_drawn_route).
using RouteDraw = std::function<std::uint64_t(MessageId)>;

/// Returns the costs alone, and with `draw` those of a run with known draws. Time O(total hops), memory O(channels).
ScheduleCosts schedule_costs(const Topology& topology, const Schedule& schedule, const RouteDraw& draw = {});

} // namespace wormcast
