#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/work_watch.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// A message with a contribution that the receiver's partial result already has.
struct CountedTwice {
  MessageId message{};
  std::uint32_t block = 0;
  std::optional<NodeId> contributor; ///< the first of them; unknown with fingerprints
};

/// The blocks of which `node` must have the complete result at the end of an operation that combines: reduce, the root
/// all; reduce_scatter, node v the blocks b with b mod N = v; all_reduce and barrier, all nodes all.
std::vector<BlockRange> wanted_results(const Schedule& schedule, NodeId node);

/// What proves a schedule of an operation that combines: sets up to `most_bits` bits of them, and always in a barrier.
ContributionProof proof_of_contributions(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most_bits);

/// The contributors of each node's partial result of each block.
///
/// At the start a node's partial result of every block has its own contribution. A message carries its sender's results
/// of the message's blocks at the start of the step, which the sender retains. The receiver combines it with its own,
/// which must have no contributor in common with it; but a complete result, with the contributions of all nodes,
/// replaces the receiver's own. In one step the partial results are combined before complete ones replace. In a barrier
/// everything is united: a second report of a node is no error.
///
/// Sets take one bit for each node, block and contributor. Fingerprints take 16 bytes for each node and block: the
/// number of contributions, and the sum modulo 2^61 - 1 of random weights, one for each node, that a fixed seed gives.
/// A wrong result of N contributions in which, say, one is missing and another one is counted twice has the right sum
/// for one weighting in 2^61 - 1 (the sum is linear in the weights, with coefficients below 2^61 - 1), so that of n
/// tests one errs with a probability of at most n / (2^61 - 1).
class Contributions {
public:
  using OnCountedTwice = std::function<void(const CountedTwice&)>;

  /// Keeps sets or fingerprints as proof_of_contributions() says. Throws InputError where memory does not suffice.
  Contributions(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most_bits);

  ContributionProof proof() const { return exact_ ? ContributionProof::sets : ContributionProof::fingerprints; }

  /// The messages of one step. Cost O(blocks carried * nodes / 64) with sets, else O(blocks carried).
  void deliver(std::span<const MessageId> messages, const OnCountedTwice& counted_twice);

  /// Whether the node's result has every contribution.
  bool complete(NodeId node, std::uint32_t block);

  /// Returns the contributors that are missing, by id; empty with fingerprints.
  std::vector<NodeId> missing(NodeId node, std::uint32_t block) const;

  /// Returns a bound on the probability that some test of completeness so far was wrong.
  double error_probability() const;

private:
  struct Fingerprint {
    std::uint64_t sum = 0;
    std::uint64_t count = 0; ///< of contributions; at most one more than there are nodes
  };

  std::size_t place(NodeId node, std::uint32_t block) const { return index(node) * blocks_ + block; }
  /// Of a fingerprint: blocks that some set has together are neighbours.
  std::size_t fingerprint_place(NodeId node, std::uint32_t block) const
  {
    return index(node) * blocks_ + slots_[block];
  }
  bool is_full(std::span<const std::uint64_t> set) const;
  bool is_full(const Fingerprint& fingerprint)
  {
    if (fingerprint.count != nodes_) {
      return false;
    }
    ++tests_;
    return fingerprint.sum == all_.sum;
  }
  void deliver_sets(std::span<const MessageId> messages, const OnCountedTwice& counted_twice);
  void deliver_fingerprints(std::span<const MessageId> messages, const OnCountedTwice& counted_twice);
  /// Divides the messages of a step into those whose senders receive none of the blocks that they send, which can be
  /// read while others are delivered, and the rest.
  void find_undisturbed(std::span<const MessageId> messages);
  void combine(Fingerprint& own, const Fingerprint& carried, const CountedTwice& found,
               const OnCountedTwice& counted_twice) const;

  const Schedule& schedule_;
  std::uint32_t nodes_;
  std::size_t blocks_;
  std::size_t words_; ///< of a set
  bool exact_;
  bool unites_;                     ///< barrier
  std::uint64_t last_word_;         ///< of the set of all nodes; the other words are all ones
  std::vector<std::uint64_t> sets_; ///< by node and block
  WorkSteps steps_;
  std::vector<Fingerprint> fingerprints_; ///< by node and slot
  std::vector<std::uint32_t> slots_;      ///< of fingerprints, by block
  Fingerprint all_;
  std::uint64_t tests_ = 0;
  std::vector<std::uint64_t> carried_sets_; ///< the content of the messages of a step
  std::vector<Fingerprint> carried_;
  std::vector<bool> replaces_;          ///< whether they are complete, in the same order
  std::vector<std::uint64_t> received_; ///< by node, a bit for each block: it receives the block in the current step
  std::vector<MessageId> undisturbed_;  ///< of find_undisturbed
  std::vector<MessageId> disturbed_;
  struct WithComplete {
    MessageId message{};
    bool entirely = false; ///< Every result that it carries is complete.
  };
  std::vector<WithComplete> with_complete_; ///< undisturbed ones that carry complete results
};

} // namespace wormcast
