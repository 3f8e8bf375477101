#include "wormcast/algorithms/verifier/contributions.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 36;

// The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014), drawn again until it is below the prime.
std::uint64_t weight(std::uint64_t node)
{
  std::uint64_t z = (node + 1) * 0x9e3779b97f4a7c15ULL;
  std::uint64_t drawn = prime;
  while (drawn >= prime) {
    z += 0x632be59bd9b4e019ULL;
    std::uint64_t mixed = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    drawn = (mixed ^ (mixed >> 31)) >> 3;
  }
  return drawn;
}

std::uint64_t sum_modulo(std::uint64_t a, std::uint64_t b)
{
  const std::uint64_t sum = a + b;
  return sum >= prime ? sum - prime : sum;
}

// Calls visit(message, block) for everything that the messages carry, in a fixed order.
template <typename Visit>
void for_each_carried(const Schedule& schedule, std::span<const MessageId> messages, Visit&& visit)
{
  for (const MessageId id : messages) {
    for (const BlockRange range : schedule.block_sets.ranges(schedule.messages[index(id)].blocks)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        visit(id, block);
      }
    }
  }
}

} // namespace

BlockRange wanted_results(const Schedule& schedule, NodeId node)
{
  if (schedule.operation == Operation::reduce_scatter) {
    return {index(node), index(node) + 1};
  }
  const bool wants = schedule.operation != Operation::reduce || node == schedule.source;
  return {0, wants ? static_cast<std::uint32_t>(schedule.blocks) : 0};
}

Contributions::Contributions(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most_bits)
    : schedule_(schedule), nodes_(node_count), blocks_(schedule.blocks), words_((std::size_t{node_count} + 63) / 64),
      exact_(true), unites_(schedule.operation == Operation::barrier),
      last_word_(~std::uint64_t{0} >> (63 - (node_count - 1) % 64))
{
  const std::uint64_t results = nodes_ * schedule.blocks; // below 2^64: both are below 2^32
  exact_ = unites_ || results <= most_bits / nodes_;
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
    fingerprints_.resize(results);
  }
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    steps_.add(blocks_);
    const Fingerprint own = exact_ ? Fingerprint{} : Fingerprint{weight(node), 1};
    all_ = {sum_modulo(all_.sum, own.sum), all_.count + 1};
    for (std::uint32_t block = 0; block < blocks_; ++block) {
      if (exact_) {
        sets_[place(NodeId{node}, block) * words_ + node / 64] = std::uint64_t{1} << (node % 64);
      } else {
        fingerprints_[place(NodeId{node}, block)] = own;
      }
    }
  }
}

bool Contributions::is_full(std::span<const std::uint64_t> set) const
{
  return set.back() == last_word_ &&
         std::ranges::all_of(set.first(words_ - 1), [](std::uint64_t word) { return word == ~std::uint64_t{0}; });
}

bool Contributions::is_full(const Fingerprint& fingerprint)
{
  if (fingerprint.count != nodes_) {
    return false;
  }
  ++tests_;
  return fingerprint.sum == all_.sum;
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

void Contributions::deliver_fingerprints(std::span<const MessageId> messages, const OnCountedTwice& counted_twice)
{
  carried_.clear();
  replaces_.clear();
  for_each_carried(schedule_, messages, [&](MessageId id, std::uint32_t block) {
    steps_.add();
    carried_.push_back(fingerprints_[place(schedule_.messages[index(id)].source, block)]);
    replaces_.push_back(is_full(carried_.back()));
  });
  for (const bool replaces : {false, true}) {
    std::size_t next = 0;
    for_each_carried(schedule_, messages, [&](MessageId id, std::uint32_t block) {
      steps_.add();
      const Fingerprint& carried = carried_[next];
      if (replaces != replaces_[next++]) {
        return;
      }
      Fingerprint& own = fingerprints_[place(schedule_.messages[index(id)].destination, block)];
      if (replaces) {
        own = all_;
        return;
      }
      own = {sum_modulo(own.sum, carried.sum), std::min<std::uint64_t>(own.count + carried.count, nodes_ + 1ULL)};
      if (own.count > nodes_) {
        counted_twice({id, block, std::nullopt});
      }
    });
  }
}

bool Contributions::complete(NodeId node, std::uint32_t block)
{
  return exact_ ? is_full(std::span(sets_).subspan(place(node, block) * words_, words_))
                : is_full(fingerprints_[place(node, block)]);
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
  return static_cast<double>(tests_) / static_cast<double>(prime);
}

} // namespace wormcast
