#include "wormcast/algorithms/rank_order/circulant_schedule.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace wormcast {

namespace {

// Blocks are named by the last skip of a sum; ranks lie one turn up, at p + rank, so that sums with the skip p reach
// what was sent in the phase before.
class ReceiveSearch {
public:
  ReceiveSearch(std::span<const std::uint32_t> skips, std::uint32_t rank)
      : skips_(skips), rounds_(skips.size() - 1), rank_(std::int64_t{skips.back()} + rank),
        lowest_(2 * std::int64_t{skips.back()}), unused_((std::uint64_t{2} << rounds_) - 1)
  {
    unused_ &= ~(std::uint64_t{1} << base_block(skips, rank));
  }

  // The last skip of the sum taken in each round.
  std::vector<unsigned> run()
  {
    extend(0, static_cast<unsigned>(rounds_));
    if (found_.size() != rounds_) {
      throw std::logic_error("a rank of the circulant graph has no receive schedule");
    }
    return std::move(found_);
  }

private:
  // Where rank_ receives from in round k; rounds of the past for k = rounds_.
  std::int64_t sender(std::size_t k) const { return rank_ - skips_[k]; }

  // Takes sums for the next rounds from those that go on from `sum` with skips up to `largest`, the highest first.
  void extend(std::int64_t sum, unsigned largest)
  {
    std::uint64_t candidates = unused_ & ((std::uint64_t{2} << largest) - 1);
    while (candidates != 0 && found_.size() < rounds_) {
      const auto last = static_cast<unsigned>(std::bit_width(candidates)) - 1;
      const std::int64_t longer = sum + skips_[last];
      if (longer <= sender(found_.size()) && longer < lowest_) {
        if (longer <= sender(found_.size() + 1)) {
          extend(longer, last); // what is above `longer` comes in earlier rounds
        }
        if (found_.size() == rounds_ || sum > sender(found_.size() + 1)) {
          return; // `sum` itself is next
        }
        lowest_ = longer;
        found_.push_back(last);
        unused_ &= ~(std::uint64_t{1} << last);
      }
      candidates = unused_ & ((std::uint64_t{1} << last) - 1);
    }
  }

  std::span<const std::uint32_t> skips_;
  std::size_t rounds_;
  std::int64_t rank_;
  std::int64_t lowest_;  ///< of the sums taken
  std::uint64_t unused_; ///< last skips that no round has taken, as bits
  std::vector<unsigned> found_;
};

} // namespace

std::vector<std::uint32_t> circulant_skips(std::uint32_t ranks)
{
  std::vector<std::uint32_t> skips = {ranks};
  while (skips.back() > 1) {
    skips.push_back(skips.back() / 2 + skips.back() % 2);
  }
  std::ranges::reverse(skips);
  return skips;
}

unsigned base_block(std::span<const std::uint32_t> skips, std::uint32_t rank)
{
  auto k = static_cast<unsigned>(skips.size());
  while (rank > 0) {
    --k;
    if (skips[k] <= rank) {
      rank -= skips[k];
    }
  }
  return k;
}

std::vector<std::int32_t> receive_schedule(std::span<const std::uint32_t> skips, std::uint32_t rank)
{
  const auto rounds = static_cast<std::int32_t>(skips.size()) - 1;
  std::vector<std::int32_t> blocks;
  for (const unsigned last : ReceiveSearch(skips, rank).run()) {
    // The skip p leads to rank 0 itself: its new block, which is this rank's base block.
    const auto block = static_cast<std::int32_t>(last);
    blocks.push_back(block == rounds ? static_cast<std::int32_t>(base_block(skips, rank)) : block - rounds);
  }
  return blocks;
}

} // namespace wormcast
