#include "wormcast/algorithms/verifier/contributions.hpp"

#include "wormcast/algorithms/verifier/fingerprints.hpp"
#include "wormcast/algorithms/verifier/proved_reduction.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 36;

// Calls visit(message, block) for everything that the messages carry, in a fixed order.
template <typename Visit>
void for_each_carried(const Schedule& schedule, std::span<const MessageId> messages, Visit&& visit)
{
  for (const MessageId id : messages) {
    for_each_block(schedule.block_sets, schedule.messages[index(id)].blocks,
                   [&](std::uint32_t block) { visit(id, block); });
  }
}

// Calls visit(word, mask) for the words of bits that have blocks of a set, until it returns false.
template <typename Visit> bool for_each_word(const BlockSets& sets, BlockSetId set, Visit&& visit)
{
  const BlockBits bits = sets.bits(set);
  for (std::size_t word = 0; word < bits.words.size(); ++word) {
    if (!visit(bits.first_word + word, bits.words[word])) {
      return false;
    }
  }
  if (!bits.words.empty()) {
    return true;
  }
  for (const BlockRange range : sets.ranges(set)) {
    const std::uint32_t last = (range.end - 1) / 64;
    for (std::uint32_t word = range.begin / 64; word <= last; ++word) {
      const std::uint64_t low = word == range.begin / 64 ? ~std::uint64_t{0} << (range.begin % 64) : ~std::uint64_t{0};
      const std::uint64_t high = word == last ? ~std::uint64_t{0} >> (63 - (range.end - 1) % 64) : ~std::uint64_t{0};
      if (!visit(word, low & high)) {
        return false;
      }
    }
  }
  return true;
}

} // namespace

std::vector<BlockRange> wanted_results(const Schedule& schedule, NodeId node)
{
  if (schedule.operation == Operation::reduce_scatter) {
    return blocks_of_node(schedule, node);
  }
  if (schedule.operation == Operation::reduce && node != schedule.source) {
    return {};
  }
  return {{0, static_cast<std::uint32_t>(schedule.blocks)}};
}

ContributionProof proof_of_contributions(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most_bits)
{
  const bool sets_fit = node_count * schedule.blocks <= most_bits / node_count; // both factors are below 2^32
  return sets_fit || schedule.operation == Operation::barrier ? ContributionProof::sets
                                                              : ContributionProof::fingerprints;
}

Contributions::Contributions(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most_bits)
    : schedule_(schedule), nodes_(node_count), blocks_(schedule.blocks), words_((std::size_t{node_count} + 63) / 64),
      exact_(true), unites_(schedule.operation == Operation::barrier),
      last_word_(~std::uint64_t{0} >> (63 - (node_count - 1) % 64))
{
  const std::uint64_t results = nodes_ * schedule.blocks; // below 2^64: both are below 2^32
  exact_ = proof_of_contributions(schedule, node_count, most_bits) == ContributionProof::sets;
  const std::uint64_t bytes_each = exact_ ? words_ * 8 : sizeof(Fingerprint);
  if (results > most_bytes / bytes_each) {
    throw InputError(fmt::format("{} contributors to {} blocks at {} nodes are too many to keep account of (limit: {})",
                                 nodes_, schedule.blocks, nodes_, format_bytes(most_bytes)));
  }
  reserve_memory(results * bytes_each,
                 fmt::format("the account of {} contributors to {} blocks", nodes_, schedule.blocks));
  if (exact_) {
    sets_.resize(results * words_);
  } else {
    fingerprints_.reserve(results);
    slots_ = neighbouring_slots(schedule, steps_);
  }
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    steps_.add(blocks_);
    const Fingerprint own = exact_ ? Fingerprint{} : Fingerprint{fingerprint_weight(node), 1};
    all_ = {fingerprint_sum(all_.sum, own.sum), all_.count + 1};
    if (!exact_) {
      fingerprints_.insert(fingerprints_.end(), blocks_, own);
      continue;
    }
    for (std::uint32_t block = 0; block < blocks_; ++block) {
      sets_[place(NodeId{node}, block) * words_ + node / 64] = std::uint64_t{1} << (node % 64);
    }
  }
}

bool Contributions::is_full(std::span<const std::uint64_t> set) const
{
  return set.back() == last_word_ &&
         std::ranges::all_of(set.first(words_ - 1), [](std::uint64_t word) { return word == ~std::uint64_t{0}; });
}

void Contributions::deliver(std::span<const MessageId> messages, const OnCountedTwice& counted_twice)
{
  if (exact_) {
    deliver_sets(messages, counted_twice);
  } else {
    deliver_fingerprints(messages, counted_twice);
  }
}

void Contributions::deliver_sets(std::span<const MessageId> messages, const OnCountedTwice& counted_twice)
{
  carried_sets_.clear();
  replaces_.clear();
  for_each_carried(schedule_, messages, [&](MessageId id, std::uint32_t block) {
    steps_.add(words_);
    const auto sent =
        sets_.begin() + static_cast<std::ptrdiff_t>(place(schedule_.messages[index(id)].source, block) * words_);
    carried_sets_.insert(carried_sets_.end(), sent, sent + static_cast<std::ptrdiff_t>(words_));
    replaces_.push_back(!unites_ && is_full(std::span(carried_sets_).last(words_)));
  });
  for (const bool replaces : {false, true}) {
    std::size_t next = 0;
    for_each_carried(schedule_, messages, [&](MessageId id, std::uint32_t block) {
      steps_.add(words_);
      const std::span carried = std::span(carried_sets_).subspan(words_ * next, words_);
      if (replaces != replaces_[next++]) {
        return;
      }
      const std::span own =
          std::span(sets_).subspan(place(schedule_.messages[index(id)].destination, block) * words_, words_);
      for (std::size_t word = 0; word < words_; ++word) {
        if (const std::uint64_t both = own[word] & carried[word]; both != 0 && !unites_ && !replaces) {
          const auto first = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(both));
          counted_twice({id, block, NodeId{first}});
          break;
        }
      }
      std::ranges::transform(own, carried, own.begin(), std::bit_or());
    });
  }
}

void Contributions::find_undisturbed(std::span<const MessageId> messages)
{
  const std::size_t words = (blocks_ + 63) / 64;
  received_.resize(words * nodes_, 0);
  // Calls visit(word, mask) for the words of a node's bits that have blocks of a set, until it returns false.
  const auto for_words_at = [&](NodeId node, BlockSetId set, auto&& visit) {
    std::uint64_t* const received = &received_[index(node) * words];
    return for_each_word(schedule_.block_sets, set,
                         [&](std::size_t word, std::uint64_t mask) { return visit(received[word], mask); });
  };
  const auto mark = [](std::uint64_t& word, std::uint64_t mask) {
    word |= mask;
    return true;
  };
  const auto unmark = [](std::uint64_t& word, std::uint64_t mask) {
    word &= ~mask;
    return true;
  };
  const auto is_unmarked = [](std::uint64_t word, std::uint64_t mask) { return (word & mask) == 0; };
  undisturbed_.clear();
  disturbed_.clear();
  for (const MessageId id : messages) {
    const Message& message = schedule_.messages[index(id)];
    steps_.add(1 + std::min<std::uint64_t>(words, schedule_.block_sets.size(message.blocks)));
    for_words_at(message.destination, message.blocks, mark);
  }
  for (const MessageId id : messages) {
    const Message& message = schedule_.messages[index(id)];
    (for_words_at(message.source, message.blocks, is_unmarked) ? undisturbed_ : disturbed_).push_back(id);
  }
  for (const MessageId id : messages) {
    const Message& message = schedule_.messages[index(id)];
    for_words_at(message.destination, message.blocks, unmark);
  }
}

void Contributions::combine(Fingerprint& own, const Fingerprint& carried, const CountedTwice& found,
                            const OnCountedTwice& counted_twice) const
{
  own = {fingerprint_sum(own.sum, carried.sum), std::min<std::uint64_t>(own.count + carried.count, nodes_ + 1ULL)};
  if (own.count > nodes_) {
    counted_twice(found);
  }
}

void Contributions::deliver_fingerprints(std::span<const MessageId> messages, const OnCountedTwice& counted_twice)
{
  find_undisturbed(messages);
  carried_.clear();
  replaces_.clear();
  for_each_carried(schedule_, disturbed_, [&](MessageId id, std::uint32_t block) {
    steps_.add();
    carried_.push_back(fingerprints_[fingerprint_place(schedule_.messages[index(id)].source, block)]);
    replaces_.push_back(is_full(carried_.back()));
  });
  const auto own = [&](MessageId id, std::uint32_t block) -> Fingerprint& {
    return fingerprints_[fingerprint_place(schedule_.messages[index(id)].destination, block)];
  };
  // Partial results first.
  with_complete_.clear();
  for (const MessageId id : undisturbed_) {
    const Message& message = schedule_.messages[index(id)];
    steps_.add(1 + schedule_.block_sets.size(message.blocks));
    std::uint64_t complete = 0;
    for_each_block(schedule_.block_sets, message.blocks, [&](std::uint32_t block) {
      const Fingerprint& sent = fingerprints_[fingerprint_place(message.source, block)];
      if (is_full(sent)) {
        ++complete;
      } else {
        combine(own(id, block), sent, {id, block, std::nullopt}, counted_twice);
      }
    });
    if (complete > 0) {
      with_complete_.push_back({id, complete == schedule_.block_sets.size(message.blocks)});
    }
  }
  std::size_t next = 0;
  for_each_carried(schedule_, disturbed_, [&](MessageId id, std::uint32_t block) {
    if (!replaces_[next]) {
      combine(own(id, block), carried_[next], {id, block, std::nullopt}, counted_twice);
    }
    ++next;
  });
  for (const auto& [id, entirely] : with_complete_) {
    const Message& message = schedule_.messages[index(id)];
    steps_.add(1 + schedule_.block_sets.size(message.blocks));
    for_each_block(schedule_.block_sets, message.blocks, [&, all = entirely](std::uint32_t block) {
      const Fingerprint& sent = fingerprints_[fingerprint_place(message.source, block)];
      if (all || (sent.count == all_.count && sent.sum == all_.sum)) { // as it was tested before
        fingerprints_[fingerprint_place(message.destination, block)] = all_;
      }
    });
  }
  next = 0;
  for_each_carried(schedule_, disturbed_, [&](MessageId id, std::uint32_t block) {
    if (replaces_[next++]) {
      own(id, block) = all_;
    }
  });
}

bool Contributions::complete(NodeId node, std::uint32_t block)
{
  return exact_ ? is_full(std::span(sets_).subspan(place(node, block) * words_, words_))
                : is_full(fingerprints_[fingerprint_place(node, block)]);
}

std::vector<NodeId> Contributions::missing(NodeId node, std::uint32_t block) const
{
  std::vector<NodeId> nodes;
  for (std::uint32_t other = 0; exact_ && other < nodes_; ++other) {
    if ((sets_[place(node, block) * words_ + other / 64] >> (other % 64) & 1) == 0) {
      nodes.push_back(NodeId{other});
    }
  }
  return nodes;
}

double Contributions::error_probability() const
{
  return fingerprint_error_probability(tests_);
}

} // namespace wormcast
