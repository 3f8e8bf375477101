#include "wormcast/algorithms/schedule/pieces.hpp"

#include "wormcast/algorithms/schedule/awaited_messages.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace wormcast {

namespace {

constexpr std::uint64_t most_ids = std::numeric_limits<std::uint32_t>::max();

void expect_blocks(const Schedule& schedule, std::uint64_t most)
{
  if (schedule.operation == Operation::none) {
    throw InputError("a plain message list or a program says itself how long its messages are: they are not cut");
  }
  if (most == 0) {
    throw InputError("found 0 bytes, expected at least 1");
  }
}

// How long the longest block is.
std::uint64_t block_size(const Schedule& schedule)
{
  const std::uint64_t blocks = cuts_message(schedule.operation) ? schedule.blocks : schedule.blocks_per_node;
  return (schedule.message_bytes + blocks - 1) / blocks;
}

// Into how many equal blocks each one is cut, so that pieces of at most `most` bytes can be filled to 15/16.
std::uint64_t cuts_of_block(const Schedule& schedule, std::uint64_t most)
{
  constexpr std::uint64_t fill = 16;
  const std::uint64_t block = block_size(schedule);
  if (!chooses_blocks(schedule.operation) && !may_share_blocks(schedule.operation)) {
    if (block > most) {
      throw InputError(fmt::format("found {} bytes, but a block of this {} has {} and cannot be cut", most,
                                   operation_names.text(schedule.operation), block));
    }
    return 1;
  }
  for (std::uint64_t cuts = (block + most - 1) / most;; ++cuts) {
    const std::uint64_t part = (block + cuts - 1) / cuts;
    if (part <= 1 || part <= most / fill || (block % cuts == 0 && most % part == 0)) {
      return cuts;
    }
  }
}

// The blocks of a set after each block was cut. Blocks of nodes keep their owner: block v + c N becomes the blocks
// v + (c cuts + i) N.
std::vector<BlockRange> cut_ranges(const Schedule& schedule, const BlockRanges& ranges, std::uint64_t cuts)
{
  std::vector<BlockRange> cut;
  const auto number = [](std::uint64_t block) { return static_cast<std::uint32_t>(block); };
  if (!may_share_blocks(schedule.operation)) {
    for (const BlockRange range : ranges) {
      cut.push_back({number(range.begin * cuts), number(range.end * cuts)});
    }
    return cut;
  }
  const std::uint64_t nodes = schedule.blocks / schedule.blocks_per_node;
  for (const BlockRange range : ranges) {
    for (std::uint64_t row = range.begin / nodes; row * nodes < range.end; ++row) {
      const std::uint64_t begin = std::max<std::uint64_t>(range.begin, row * nodes) - row * nodes;
      const std::uint64_t end = std::min<std::uint64_t>(range.end, (row + 1) * nodes) - row * nodes;
      for (std::uint64_t i = 0; i < cuts; ++i) {
        const std::uint64_t first = (row * cuts + i) * nodes;
        cut.push_back({number(first + begin), number(first + end)});
      }
    }
  }
  return cut;
}

// Cuts sets of blocks into pieces, each set once.
class PieceCutter {
public:
  PieceCutter(const Schedule& from, Schedule& to, std::uint64_t most)
      : from_(from), to_(to), cuts_(to.blocks / from.blocks), room_(std::max<std::uint64_t>(most / block_size(to), 1)),
        whole_(from.block_sets.count()), pieces_(from.block_sets.count())
  {}

  /// The number of pieces of a set.
  std::uint64_t count(BlockSetId set) const { return (from_.block_sets.size(set) * cuts_ + room_ - 1) / room_; }

  /// The pieces of a set, or the set as a whole. Valid until the next call.
  const std::vector<BlockSetId>& pieces(BlockSetId set, bool cut)
  {
    std::vector<BlockSetId>& known = (cut ? pieces_ : whole_)[static_cast<std::uint32_t>(set)];
    if (known.empty()) {
      const std::vector<BlockRange> ranges = cut_ranges(from_, from_.block_sets.ranges(set), cuts_);
      cut ? add_pieces(ranges, known) : known.push_back(to_.block_sets.intern(ranges));
    }
    return known;
  }

private:
  void add_pieces(const std::vector<BlockRange>& ranges, std::vector<BlockSetId>& pieces)
  {
    std::uint64_t left = room_;
    std::vector<BlockRange> piece;
    for (BlockRange range : ranges) {
      while (range.begin < range.end) {
        const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(range.end, range.begin + left));
        piece.push_back({range.begin, end});
        left -= end - range.begin;
        range.begin = end;
        if (left == 0) {
          pieces.push_back(to_.block_sets.intern(piece));
          steps_.add(piece.size());
          piece.clear();
          left = room_;
        }
      }
    }
    if (!piece.empty()) {
      pieces.push_back(to_.block_sets.intern(piece));
    }
  }

  const Schedule& from_;
  Schedule& to_;
  std::uint64_t cuts_; // of each block
  std::uint64_t room_; // blocks of a piece; blocks of a cut message can differ by a byte, this counts the longest
  std::vector<std::vector<BlockSetId>> whole_;  // by set of from_, at most one of to_
  std::vector<std::vector<BlockSetId>> pieces_; // by set of from_
  WorkSteps steps_;
};

// The schedule with cut blocks, still without messages.
Schedule with_cut_blocks(const Schedule& schedule, std::uint64_t cuts)
{
  Schedule cut = schedule;
  cut.messages.clear();
  cut.after = MessageLists();
  cut.ports_of_messages.clear();
  cut.packets.clear();
  cut.block_sets = BlockSets();
  if (cuts > 1) {
    if (schedule.blocks > most_ids / cuts) {
      throw InputError(fmt::format("{} blocks, each cut into {}, are more than 2^32 - 1", schedule.blocks, cuts));
    }
    cut.blocks *= cuts;
    if (may_share_blocks(schedule.operation)) {
      cut.blocks_per_node *= cuts;
    }
  }
  return cut;
}

enum class Pieces { segments, packets };

// Sends the messages that are `long_ones` in pieces.
Schedule in_pieces(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most, Pieces kind,
                   const std::vector<bool>& long_ones)
{
  const std::size_t count = schedule.messages.size();
  Schedule result = with_cut_blocks(schedule, cuts_of_block(schedule, most));
  PieceCutter cutter(schedule, result, most);
  std::vector<std::uint64_t> begin = {0}; // by message: its first piece
  for (std::size_t id = 0; id < count; ++id) {
    begin.push_back(begin.back() + (long_ones[id] ? cutter.count(schedule.messages[id].blocks) : 1));
  }
  if (begin.back() >= most_ids) {
    throw InputError(fmt::format("found {} bytes, with which {} messages are sent as {}, expected at most 2^32 - 1",
                                 most, count, begin.back()));
  }
  constexpr std::uint64_t bytes_of_piece = 200; // with its set of blocks, and what it waits for
  reserve_memory(begin.back() * bytes_of_piece, fmt::format("a schedule of {} messages", begin.back()));
  result.messages.reserve(begin.back());
  for (std::size_t id = 0; id < count; ++id) {
    Message piece = schedule.messages[id];
    std::uint32_t number = 0;
    for (const BlockSetId set : cutter.pieces(piece.blocks, long_ones[id])) {
      piece.blocks = set;
      result.messages.push_back(piece);
      if (kind == Pieces::packets) {
        result.packets.push_back(number++);
      }
    }
    if (!schedule.ports_of_messages.empty()) {
      result.ports_of_messages.resize(begin[id + 1], schedule.ports_of_messages[id]);
    }
  }
  const MessageLists awaited = awaited_messages(schedule, node_count);
  std::vector<MessageId> waits;
  for (std::size_t id = 0; id < count; ++id) {
    waits.clear();
    for (const std::span<const MessageId> earlier_ones : {schedule.after[id], awaited[id]}) {
      for (const MessageId earlier : earlier_ones) {
        for (std::uint64_t place = begin[index(earlier)]; place < begin[index(earlier) + 1]; ++place) {
          waits.push_back(MessageId{static_cast<std::uint32_t>(place)});
        }
      }
    }
    std::ranges::sort(waits);
    waits.erase(std::ranges::unique(waits).begin(), waits.end());
    result.after.set(begin[id], waits); // that of its first piece: messages of a port are sent in their order
  }
  return result;
}

// Which messages have more than `most` bytes; with `added` only those of which something is added.
std::vector<bool> long_messages(const Schedule& schedule, std::uint64_t most, std::span<const std::uint64_t> added)
{
  const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
  std::vector<bool> found;
  for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
    found.push_back(bytes[static_cast<std::uint32_t>(schedule.messages[id].blocks)] > most &&
                    (added.empty() || added[id] > 0));
  }
  return found;
}

} // namespace

Schedule with_segments(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most,
                       std::span<const std::uint64_t> added)
{
  expect_blocks(schedule, most);
  const std::vector<bool> long_ones = long_messages(schedule, most, added);
  return std::ranges::count(long_ones, true) == 0 ? schedule
                                                  : in_pieces(schedule, node_count, most, Pieces::segments, long_ones);
}

Schedule with_packets(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most)
{
  expect_blocks(schedule, most);
  const std::vector<bool> long_ones = long_messages(schedule, most, {});
  return std::ranges::count(long_ones, true) == 0 ? schedule
                                                  : in_pieces(schedule, node_count, most, Pieces::packets, long_ones);
}

} // namespace wormcast
