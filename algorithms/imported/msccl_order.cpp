#include "wormcast/algorithms/imported/msccl_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

namespace wormcast {

namespace {

constexpr std::uint32_t none = MscclOrder::none;
constexpr std::size_t most_shown_of_cycle = 8;

/// One end of a message: the step, and the connection it uses.
struct ConnectionEnd {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t channel = 0;
  std::uint32_t step = 0;
  std::uint32_t block = 0;

  auto connection() const { return std::tuple(from, to, channel); }
};

class MscclSorter {
public:
  explicit MscclSorter(const MscclAlgorithm& algorithm)
      : algorithm_(algorithm), steps_(static_cast<std::uint32_t>(algorithm.steps.size()))
  {}

  MscclOrder run()
  {
    check_bounds();
    match();
    find_waits();
    if (!found_.findings.empty()) {
      return std::move(found_);
    }
    index_successors();
    found_.order = sort(0);
    if (found_.order.size() < steps_) {
      report_cycle();
      return std::move(found_);
    }
    found_.longest_chain = longest_chain();
    found_.slots_needed = fewest_slots();
    return std::move(found_);
  }

private:
  std::string place(std::uint32_t step) const { return msccl_place(algorithm_, step); }
  const MscclStep& step_of(std::uint32_t step) const { return algorithm_.steps[step]; }

  void check_bounds()
  {
    for (const MscclBlock& block : algorithm_.blocks) {
      for (std::uint32_t step = block.first; step < block.first + block.count; ++step) {
        const MscclStep& here = step_of(step);
        if (msccl_reads_source(here.type)) {
          check_range(block, step, "src", here.source, here.source_offset);
        }
        if (msccl_writes(here.type)) {
          check_range(block, step, "dst", here.destination, here.destination_offset);
        }
      }
    }
  }

  void check_range(const MscclBlock& block, std::uint32_t step, std::string_view side, MscclBuffer buffer,
                   std::uint32_t offset)
  {
    const MscclStep& here = step_of(step);
    const std::uint32_t chunks = algorithm_.gpus[block.gpu].chunks[static_cast<std::size_t>(buffer)];
    if (std::uint64_t{offset} + here.count <= chunks) {
      return;
    }
    found_.findings.add(FindingKind::bounds, here.line, [&] {
      return fmt::format("{}: {} {}[{}..{}] of a buffer of {} chunks", place(step), side,
                         msccl_buffer_names.text(buffer), offset, std::uint64_t{offset} + here.count - 1, chunks);
    });
  }

  /// Both ends of all messages, each in the order of the connections.
  void collect_ends(std::vector<ConnectionEnd>& sends, std::vector<ConnectionEnd>& receives) const
  {
    for (std::uint32_t i = 0; i < algorithm_.blocks.size(); ++i) {
      const MscclBlock& block = algorithm_.blocks[i];
      for (std::uint32_t step = block.first; step < block.first + block.count; ++step) {
        if (msccl_sends(step_of(step).type)) {
          sends.push_back({block.gpu, *block.send, block.channel, step, i});
        }
        if (msccl_receives(step_of(step).type)) {
          receives.push_back({*block.receive, block.gpu, block.channel, step, i});
        }
      }
    }
    const auto by_connection = [](const ConnectionEnd& end) {
      return std::tuple_cat(end.connection(), std::tuple(end.step));
    };
    std::ranges::sort(sends, {}, by_connection);
    std::ranges::sort(receives, {}, by_connection);
  }

  void check_one_block(const std::vector<ConnectionEnd>& ends, bool send)
  {
    for (std::size_t i = 1; i < ends.size(); ++i) {
      const ConnectionEnd& before = ends[i - 1];
      const ConnectionEnd& here = ends[i];
      if (before.connection() != here.connection() || before.block == here.block) {
        continue;
      }
      found_.findings.add(FindingKind::connection, algorithm_.blocks[here.block].line, [&] {
        return fmt::format("gpu {}: thread blocks {} and {} both {} gpu {} on channel {}", send ? here.from : here.to,
                           algorithm_.blocks[before.block].id, algorithm_.blocks[here.block].id,
                           send ? "send to" : "receive from", send ? here.to : here.from, here.channel);
      });
    }
  }

  void match()
  {
    std::vector<ConnectionEnd> sends;
    std::vector<ConnectionEnd> receives;
    collect_ends(sends, receives);
    check_one_block(sends, true);
    check_one_block(receives, false);
    found_.sent.assign(steps_, none);
    found_.received.assign(steps_, none);
    std::size_t send = 0;
    std::size_t receive = 0;
    while (send < sends.size() || receive < receives.size()) {
      if (receive == receives.size() ||
          (send < sends.size() && sends[send].connection() < receives[receive].connection())) {
        found_.findings.add(FindingKind::matching, step_of(sends[send].step).line, [&] {
          return fmt::format("{} sends to gpu {} what is never received", place(sends[send].step), sends[send].to);
        });
        ++send;
        continue;
      }
      if (send == sends.size() || receives[receive].connection() < sends[send].connection()) {
        found_.findings.add(FindingKind::matching, step_of(receives[receive].step).line, [&] {
          return fmt::format("{} receives from gpu {} what is never sent", place(receives[receive].step),
                             receives[receive].from);
        });
        ++receive;
        continue;
      }
      add_message(sends[send], receives[receive]);
      ++send;
      ++receive;
    }
    number_messages();
  }

  /// In the order of the steps that send them: those of a connection stay together, because one block sends them.
  void number_messages()
  {
    std::vector<std::uint32_t> receives;
    std::swap(receives, found_.receives);
    std::vector<std::uint32_t> sends;
    std::swap(sends, found_.sends);
    for (std::uint32_t step = 0; step < steps_; ++step) {
      if (found_.sent[step] != none) {
        const std::uint32_t receive = receives[found_.sent[step]];
        found_.sent[step] = static_cast<std::uint32_t>(found_.sends.size());
        found_.received[receive] = found_.sent[step];
        found_.sends.push_back(step);
        found_.receives.push_back(receive);
      }
    }
  }

  void add_message(const ConnectionEnd& send, const ConnectionEnd& receive)
  {
    const std::uint32_t sent = step_of(send.step).count;
    const std::uint32_t received = step_of(receive.step).count;
    if (sent != received) {
      found_.findings.add(FindingKind::matching, step_of(send.step).line, [&] {
        return fmt::format("{} sends {} chunks to {}, which receives {}", place(send.step), sent, place(receive.step),
                           received);
      });
    }
    const auto message = static_cast<std::uint32_t>(found_.sends.size());
    found_.sent[send.step] = message;
    found_.received[receive.step] = message;
    found_.sends.push_back(send.step);
    found_.receives.push_back(receive.step);
  }

  void find_waits()
  {
    found_.waits.assign(steps_, none);
    for (const MscclBlock& block : algorithm_.blocks) {
      for (std::uint32_t step = block.first; step < block.first + block.count; ++step) {
        if (step_of(step).wait_block) {
          find_wait(block, step);
        }
      }
    }
  }

  void find_wait(const MscclBlock& block, std::uint32_t step)
  {
    const MscclStep& here = step_of(step);
    const MscclGpu& gpu = algorithm_.gpus[block.gpu];
    const auto begin = algorithm_.blocks.begin() + gpu.first;
    const auto end = begin + gpu.count;
    const auto target = std::lower_bound(begin, end, *here.wait_block,
                                         [](const MscclBlock& one, std::uint32_t id) { return one.id < id; });
    const bool exists = target != end && target->id == *here.wait_block && here.wait_step < target->count;
    if (exists && step_of(target->first + here.wait_step).has_dependents) {
      found_.waits[step] = target->first + here.wait_step;
      return;
    }
    found_.findings.add(FindingKind::dependency, here.line, [&] {
      return fmt::format("{} waits for tb {}, step {}, which {}", place(step), *here.wait_block, here.wait_step,
                         exists ? "has hasdep=0" : "does not exist");
    });
  }

  void index_successors()
  {
    first_.assign(std::size_t{steps_} + 1, 0);
    first_of_block_.assign(steps_, false);
    for (const MscclBlock& block : algorithm_.blocks) {
      if (block.count > 0) {
        first_of_block_[block.first] = true;
      }
    }
    for (const std::uint32_t target : found_.waits) {
      if (target != none) {
        ++first_[std::size_t{target} + 1];
      }
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    dependents_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t step = 0; step < steps_; ++step) {
      if (found_.waits[step] != none) {
        dependents_[next[found_.waits[step]]++] = step;
      }
    }
    const auto messages = static_cast<std::uint32_t>(found_.sends.size());
    begin_of_connection_.assign(messages, 0);
    for (std::uint32_t message = 1; message < messages; ++message) {
      const bool same = connection(message) == connection(message - 1);
      begin_of_connection_[message] = same ? begin_of_connection_[message - 1] : message;
    }
  }

  /// A connection has one block at each end.
  std::pair<std::uint32_t, std::uint32_t> connection(std::uint32_t message) const
  {
    return {msccl_block_of(algorithm_, found_.sends[message]).first,
            msccl_block_of(algorithm_, found_.receives[message]).first};
  }

  /// The message that must have been received before `message` is sent, with `slots` of a connection; 0: no limit.
  std::uint32_t frees_slot(std::uint32_t message, std::uint32_t slots) const
  {
    return slots > 0 && message != none && message - begin_of_connection_[message] >= slots ? message - slots : none;
  }

  template <typename Visit> void for_predecessors(std::uint32_t step, std::uint32_t slots, const Visit& visit) const
  {
    if (!first_of_block_[step]) {
      visit(step - 1);
    }
    if (found_.waits[step] != none) {
      visit(found_.waits[step]);
    }
    if (found_.received[step] != none) {
      visit(found_.sends[found_.received[step]]);
    }
    if (const std::uint32_t freed = frees_slot(found_.sent[step], slots); freed != none) {
      visit(found_.receives[freed]);
    }
  }

  template <typename Visit> void for_successors(std::uint32_t step, std::uint32_t slots, const Visit& visit) const
  {
    if (step + 1 < steps_ && !first_of_block_[step + 1]) {
      visit(step + 1);
    }
    for (std::size_t i = first_[step]; i < first_[std::size_t{step} + 1]; ++i) {
      visit(dependents_[i]);
    }
    if (found_.sent[step] != none) {
      visit(found_.receives[found_.sent[step]]);
    }
    const std::uint32_t received = found_.received[step];
    if (slots > 0 && received != none && received + std::uint64_t{slots} < found_.sends.size() &&
        frees_slot(received + slots, slots) == received) {
      visit(found_.sends[received + slots]);
    }
  }

  /// Sorts in the order of the waits (Kahn, 1962), of those that are free the first in the file first; what waits in a
  /// cycle is left out.
  std::vector<std::uint32_t> sort(std::uint32_t slots)
  {
    missing_.assign(steps_, 0);
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t step = 0; step < steps_; ++step) {
      for_predecessors(step, slots, [&](std::uint32_t) { ++missing_[step]; });
      if (missing_[step] == 0) {
        ready.push(step);
      }
    }
    std::vector<std::uint32_t> order;
    order.reserve(steps_);
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for_successors(order.back(), slots, [&](std::uint32_t later) {
        if (--missing_[later] == 0) {
          ready.push(later);
        }
      });
    }
    return order;
  }

  /// Follows waits from a step that is left until one comes a second time.
  void report_cycle()
  {
    auto step = static_cast<std::uint32_t>(std::ranges::find_if(missing_, [](std::uint32_t left) { return left > 0; }) -
                                           missing_.begin());
    std::vector<std::uint32_t> walk;
    std::vector<bool> seen(steps_, false);
    while (!seen[step]) {
      seen[step] = true;
      walk.push_back(step);
      std::uint32_t before = step;
      for_predecessors(step, 0, [&](std::uint32_t earlier) {
        if (missing_[earlier] > 0 && before == step) {
          before = earlier;
        }
      });
      step = before;
    }
    walk.erase(walk.begin(), std::ranges::find(walk, step));
    std::ranges::rotate(walk, std::ranges::min_element(walk));
    found_.findings.add(FindingKind::deadlock, step_of(walk.front()).line, [&] {
      std::string text = "waits for itself: ";
      for (std::size_t i = 0; i < std::min(walk.size(), most_shown_of_cycle); ++i) {
        text += fmt::format("{}{} ({})", i == 0 ? "" : " <- ", place(walk[i]),
                            msccl_type_names.text(step_of(walk[i]).type));
      }
      return text + (walk.size() > most_shown_of_cycle ? fmt::format(" <- ... ({} steps in all)", walk.size())
                                                       : std::string());
    });
  }

  std::uint32_t longest_chain() const
  {
    std::vector<std::uint32_t> chain(steps_, 0);
    std::uint32_t longest = 0;
    for (const std::uint32_t step : found_.order) {
      const std::uint32_t sender = found_.received[step] != none ? found_.sends[found_.received[step]] : none;
      for_predecessors(step, 0, [&](std::uint32_t earlier) {
        chain[step] = std::max(chain[step], chain[earlier] + (earlier == sender ? 1 : 0));
      });
      longest = std::max(longest, chain[step]);
    }
    return longest;
  }

  std::uint32_t fewest_slots()
  {
    std::uint32_t most = 0;
    for (std::uint32_t message = 0; message < found_.sends.size(); ++message) {
      most = std::max(most, message - begin_of_connection_[message] + 1);
    }
    std::uint32_t enough = 1;
    while (enough < most && sort(enough).size() < steps_) {
      enough = std::min(2 * enough, most);
    }
    std::uint32_t too_few = enough / 2;
    while (enough - too_few > 1) {
      const std::uint32_t middle = too_few + (enough - too_few) / 2;
      (sort(middle).size() == steps_ ? enough : too_few) = middle;
    }
    return most == 0 ? 0 : enough;
  }

  const MscclAlgorithm& algorithm_;
  std::uint32_t steps_;
  MscclOrder found_;
  std::vector<bool> first_of_block_; ///< by step
  std::vector<std::size_t> first_;   ///< by step: its first in dependents_
  std::vector<std::uint32_t> dependents_;
  std::vector<std::uint32_t> begin_of_connection_; ///< by message
  std::vector<std::uint32_t> missing_;             ///< by step, of the last sort
};

} // namespace

MscclOrder order_msccl(const MscclAlgorithm& algorithm)
{
  return MscclSorter(algorithm).run();
}

} // namespace wormcast
