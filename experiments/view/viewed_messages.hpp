#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace wormcast {

/// The messages that a page or a picture speaks of, numbered from 0: those of the operations that it shows, one
/// operation after the other, and behind them others that these meet in the network.
class ViewedMessages {
public:
  /// A message of none of the operations.
  struct Other {
    MessageId name{};                       ///< as ViewedMessages::name
    std::optional<std::uint32_t> broadcast; ///< number in the series; none: the load's
    NodeId source{};
    NodeId destination{};
    std::uint64_t bytes = 0;
    bool under_way = true; ///< at some moment that is shown; else only named by a message that waited for it
    bool always = false;   ///< drawn as a worm even where others are too many
  };

  /// A single operation, whose messages are called by their own numbers.
  explicit ViewedMessages(std::shared_ptr<const Schedule> schedule);

  /// Operations of a round of a series (at least one, of one kind) and others, ascending by name. `first_name`: what
  /// the first operation's message 0 is called; the others follow. `first_broadcast`: its number in the series.
  ViewedMessages(std::vector<std::shared_ptr<const Schedule>> operations, std::uint32_t first_name,
                 std::uint32_t first_broadcast, std::vector<Other> others);

  std::uint64_t count() const { return own_count() + others_.size(); }
  /// Messages of the operations.
  std::uint64_t own_count() const { return first_.back(); }
  bool is_own(MessageId message) const { return index(message) < own_count(); }

  const std::vector<std::shared_ptr<const Schedule>>& operations() const { return operations_; }
  /// A message of the operations in its schedule.
  struct Place {
    std::size_t operation = 0;
    MessageId message{};
  };
  Place place(MessageId own) const;

  NodeId source(MessageId message) const;
  NodeId destination(MessageId message) const;
  /// None of a message of none of the operations.
  std::optional<std::uint32_t> step(MessageId message) const;
  /// Of the operations: the largest step plus one.
  std::uint32_t steps() const;
  /// False for plain message lists, in which steps mean nothing.
  bool has_steps() const { return operations_.front()->operation != Operation::none; }

  /// The number by which the message is called in results, traces and pages.
  std::uint32_t name(MessageId message) const;
  /// The message with this name; none: there is none.
  std::optional<MessageId> named(std::uint32_t name) const;
  /// Number of its broadcast in the series; none: the load's, or of a run that is no series.
  std::optional<std::uint32_t> broadcast(MessageId message) const;
  /// Whether it is a round of a series, and if so the number of the first operation in it.
  std::optional<std::uint32_t> first_broadcast() const { return first_broadcast_; }

  const std::vector<Other>& others() const { return others_; }
  /// Adds the data of an other message that was known only by its name.
  void describe(const Other& other);

private:
  const Message& own_message(MessageId own) const;
  const Other& other(MessageId message) const { return others_[index(message) - own_count()]; }

  std::vector<std::shared_ptr<const Schedule>> operations_;
  std::vector<std::uint64_t> first_; // by operation its message 0; then how many there are
  std::uint32_t first_name_ = 0;
  std::optional<std::uint32_t> first_broadcast_;
  std::vector<Other> others_;
};

/// Bytes of messages; makes the sizes of all block sets first.
class ViewedBytes {
public:
  /// `messages` must outlive it.
  explicit ViewedBytes(const ViewedMessages& messages);

  std::uint64_t operator()(MessageId message) const;

private:
  const ViewedMessages& messages_;
  std::vector<std::vector<std::uint64_t>> set_bytes_; // by operation and block set; empty: plain message lists
};

} // namespace wormcast
