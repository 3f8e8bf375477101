#include "wormcast/algorithms/schedule/awaited_messages.hpp"

#include "wormcast/values/work_watch.hpp"

#include <algorithm>
#include <numeric>

namespace wormcast {

namespace {

// The messages that a node sends, or receives, in the order of their steps.
class MessagesOfNodes {
public:
  MessagesOfNodes(const Schedule& schedule, std::span<const MessageId> by_step, std::uint32_t node_count,
                  NodeId Message::* end)
      : begin_(node_count + std::size_t{1}, 0), messages_(by_step.size())
  {
    for (const Message& message : schedule.messages) {
      ++begin_[index(message.*end) + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next = begin_;
    for (const MessageId id : by_step) {
      messages_[next[index(schedule.messages[index(id)].*end)]++] = id;
    }
  }

  std::span<const MessageId> operator[](std::uint32_t node) const
  {
    return std::span(messages_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

private:
  std::vector<std::size_t> begin_;
  std::vector<MessageId> messages_;
};

// The ends of the ranges of all block sets: blocks between two neighbouring cuts are always together.
std::vector<std::uint32_t> cuts_of(const BlockSets& sets)
{
  std::vector<std::uint32_t> cuts;
  for (std::uint32_t set = 0; set < sets.count(); ++set) {
    for (const BlockRange range : sets.ranges(BlockSetId{set})) {
      cuts.push_back(range.begin);
      cuts.push_back(range.end);
    }
  }
  std::ranges::sort(cuts);
  const auto repeated = std::ranges::unique(cuts);
  cuts.erase(repeated.begin(), repeated.end());
  return cuts;
}

// One node after the other: the blocks received so far, by part (the blocks between two cuts).
class Collector {
public:
  explicit Collector(const Schedule& schedule)
      : schedule_(schedule), cuts_(cuts_of(schedule.block_sets)), arrived_(cuts_.size()),
        found_(schedule.messages.size()), seen_(schedule.messages.size(), no_message)
  {}

  void collect(std::span<const MessageId> sent, std::span<const MessageId> received)
  {
    std::size_t next = 0;
    for (const MessageId id : sent) {
      for (; next < received.size() && step(received[next]) < step(id); ++next) {
        for_each_piece(received[next], [&](std::size_t piece) { arrived_[piece].push_back(received[next]); });
      }
      for_each_piece(id, [&](std::size_t piece) {
        steps_.add(arrived_[piece].size());
        for (const MessageId earlier : arrived_[piece]) {
          if (seen_[index(earlier)] != index(id)) {
            seen_[index(earlier)] = index(id);
            found_[index(id)].push_back(earlier);
          }
        }
      });
    }
    for (const MessageId earlier : received.first(next)) {
      for_each_piece(earlier, [&](std::size_t piece) { arrived_[piece].clear(); });
    }
  }

  MessageLists take() const
  {
    MessageLists lists;
    for (std::size_t id = 0; id < found_.size(); ++id) {
      lists.set(id, found_[id]);
    }
    return lists;
  }

private:
  static constexpr std::uint32_t no_message = ~std::uint32_t{0};

  std::uint32_t step(MessageId id) const { return schedule_.messages[index(id)].step; }

  template <typename Visit> void for_each_piece(MessageId id, Visit&& visit)
  {
    for (const BlockRange range : schedule_.block_sets.ranges(schedule_.messages[index(id)].blocks)) {
      const auto first = std::ranges::lower_bound(cuts_, range.begin);
      for (auto cut = first; *cut < range.end; ++cut) {
        steps_.add();
        visit(static_cast<std::size_t>(cut - cuts_.begin()));
      }
    }
  }

  const Schedule& schedule_;
  std::vector<std::uint32_t> cuts_;
  std::vector<std::vector<MessageId>> arrived_; ///< by part
  std::vector<std::vector<MessageId>> found_;   ///< by message
  std::vector<std::uint32_t> seen_;             ///< by message: the last one that awaits it
  WorkSteps steps_;
};

} // namespace

MessageLists awaited_messages(const Schedule& schedule, std::uint32_t node_count)
{
  const std::vector<MessageId> by_step = order_by_step(schedule).order;
  const MessagesOfNodes sent(schedule, by_step, node_count, &Message::source);
  const MessagesOfNodes received(schedule, by_step, node_count, &Message::destination);
  Collector collector(schedule);
  for (std::uint32_t node = 0; node < node_count; ++node) {
    collector.collect(sent[node], received[node]);
  }
  return collector.take();
}

} // namespace wormcast
