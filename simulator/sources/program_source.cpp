#include "wormcast/simulator/sources/program_source.hpp"

#include "wormcast/simulator/events/event_queue.hpp"
#include "wormcast/simulator/model/flit_counts.hpp"
#include "wormcast/simulator/sources/completions.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace wormcast {

namespace {

class ProgramSource final : public MessageSource {
public:
  ProgramSource(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                const RunParameters& run)
      : schedule_(schedule), program_(*schedule.program), network_(network), run_(run), flits_(schedule, network),
        delays_(start_delays(topology.host_count(), run.start_jitter, run.seed)), posted_(program_.ranks),
        arrived_(program_.ranks), message_of_(program_.actions.size()),
        times_(network.startup_latency == Time{} ? 0 : program_.sends.size())
  {
    for (std::int64_t& delay : delays_) {
      delay += work_before_start(topology, schedule, network, run).picoseconds;
    }
    for (std::uint32_t message = 0; message < program_.sends.size(); ++message) {
      message_of_[program_.sends[message]] = message;
    }
    index_dependencies();
    for (std::uint32_t action = 0; action < program_.actions.size(); ++action) {
      if (missing_[action] == 0) {
        enable(action, 0);
      }
    }
  }

  std::int64_t next_time() const override { return events_.next_time(); }

  void pop(std::int64_t now, std::vector<NewMessage>& messages) override
  {
    events_.pop_all(now, [&](const Event& event) {
      switch (event.kind) {
      case EventKind::begin:
        begin(event.action, now, messages);
        break;
      case EventKind::computing:
        satisfy(event.action, true, now);
        break;
      case EventKind::computed:
        satisfy(event.action, false, now);
        break;
      case EventKind::arrived:
        arrive(event.action, now);
        break;
      }
    });
  }

  void delivered(std::span<const Delivery> deliveries, std::int64_t now) override
  {
    for (const Delivery& delivery : deliveries) {
      const std::uint32_t sent = program_.sends[index(delivery.message)];
      if (network_.startup_latency != Time{}) {
        const std::int64_t usable = now + network_.startup_latency.picoseconds;
        last_ = std::max(last_, usable);
        times_[index(delivery.message)] = usable;
        events_.push({usable, sent, EventKind::arrived});
        continue;
      }
      arrive(sent, now);
    }
  }

  void port_released(MessageId message, std::int64_t now) override
  {
    satisfy(program_.sends[index(message)], false, now);
  }

  bool wants_port_releases() const override { return true; }
  std::optional<std::uint64_t> message_count() const override { return program_.sends.size(); }
  std::span<const std::int64_t> completions() const override { return times_; }
  ComputedTotals computed() const override { return computed_; }
  std::int64_t end(std::int64_t last_delivery) const override { return std::max(last_, last_delivery); }

  Rest rest() const override
  {
    Rest rest;
    for (std::uint32_t message = 0; message < program_.sends.size(); ++message) {
      if (missing_[program_.sends[message]] > 0) {
        ++rest.messages;
        rest.first = rest.first ? rest.first : std::optional(MessageId{message});
      }
    }
    return rest;
  }

private:
  enum class EventKind : std::uint8_t {
    begin,     ///< all dependencies of an action are satisfied
    computing, ///< its processor is free for it
    computed,  ///< and done with it
    arrived    ///< the receiver of a send can use the message
  };
  struct Event {
    std::int64_t time = 0;
    std::uint32_t action = 0;
    EventKind kind = EventKind::begin;
  };

  // The message of the action `sent` can be received.
  void arrive(std::uint32_t sent, std::int64_t now)
  {
    const std::uint32_t receiver = program_.actions[sent].peer;
    std::vector<std::uint32_t>& posted = posted_[receiver];
    const auto fitting = std::ranges::find_if(posted, [&](std::uint32_t receive) { return fits(receive, sent); });
    if (fitting == posted.end()) {
      arrived_[receiver].push_back(sent);
      return;
    }
    const std::uint32_t receive = *fitting;
    posted.erase(fitting);
    satisfy(receive, false, now);
  }

  void index_dependencies()
  {
    missing_.resize(program_.actions.size());
    first_.resize(program_.actions.size() + 1);
    for (const ProgramDependency& dependency : program_.dependencies) {
      ++missing_[dependency.after];
      ++first_[dependency.before + std::size_t{1}];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    dependents_.resize(program_.dependencies.size());
    std::vector<std::size_t> next_slot(first_.begin(), first_.end() - 1);
    for (const ProgramDependency& dependency : program_.dependencies) {
      dependents_[next_slot[dependency.before]++] = dependency;
    }
  }

  void enable(std::uint32_t action, std::int64_t now)
  {
    const std::uint32_t node = index(program_.node_of_rank[program_.actions[action].rank]);
    events_.push({std::max(now, delays_[node]), action, EventKind::begin});
  }

  /// The action has begun (or ended): others may have waited for it.
  void satisfy(std::uint32_t action, bool begun, std::int64_t now)
  {
    for (std::size_t i = first_[action]; i < first_[action + std::size_t{1}]; ++i) {
      const ProgramDependency& dependency = dependents_[i];
      if (dependency.on_start == begun && --missing_[dependency.after] == 0) {
        enable(dependency.after, now);
      }
    }
  }

  bool fits(std::uint32_t receive, std::uint32_t sent) const
  {
    const ProgramAction& wanted = program_.actions[receive];
    const ProgramAction& message = program_.actions[sent];
    return (wanted.any_peer || wanted.peer == message.rank) && (!wanted.tag || wanted.tag == message.tag);
  }

  void begin(std::uint32_t action, std::int64_t now, std::vector<NewMessage>& messages)
  {
    switch (program_.actions[action].kind) {
    case ProgramAction::Kind::send:
      messages.push_back(new_message(now, message_of_[action]));
      satisfy(action, true, now);
      break;
    case ProgramAction::Kind::receive:
      satisfy(action, true, now);
      post(action, now);
      break;
    case ProgramAction::Kind::compute:
      compute(action, now);
      break;
    }
  }

  void post(std::uint32_t receive, std::int64_t now)
  {
    std::vector<std::uint32_t>& arrived = arrived_[program_.actions[receive].rank];
    const auto fitting = std::ranges::find_if(arrived, [&](std::uint32_t sent) { return fits(receive, sent); });
    if (fitting == arrived.end()) {
      posted_[program_.actions[receive].rank].push_back(receive);
      return;
    }
    arrived.erase(fitting);
    satisfy(receive, false, now);
  }

  /// In the order of their times, one after the other.
  void compute(std::uint32_t action, std::int64_t now)
  {
    const ProgramAction& computing = program_.actions[action];
    std::int64_t& free = free_at_[{computing.rank, computing.cpu}];
    const std::int64_t from = std::max(free, now);
    if (from > largest_time - computing.duration.picoseconds) {
      throw InputError(fmt::format("line {} of the program: rank {} computes beyond {}", computing.line, computing.rank,
                                   format_time(Time{largest_time})));
    }
    free = from + computing.duration.picoseconds;
    last_ = std::max(last_, free);
    ++computed_.count;
    computed_.time += computing.duration;
    events_.push({from, action, EventKind::computing});
    events_.push({free, action, EventKind::computed});
  }

  NewMessage new_message(std::int64_t now, std::uint32_t id) const
  {
    const Message& sent = schedule_.messages[id];
    return {.time = now,
            .flits = flits_[MessageId{id}],
            .message = MessageId{id},
            .precedence = tie_precedence(run_, MessageId{id}, sent.source),
            .source = sent.source,
            .destination = sent.destination,
            .step = sent.step,
            .extra_startup = extra_startup(network_, run_, MessageId{id}),
            .shortfall = flits_.shortfall(MessageId{id})};
  }

  const Schedule& schedule_;
  const Program& program_;
  const NetworkParameters& network_;
  RunParameters run_;
  FlitCounts flits_;
  std::vector<std::int64_t> delays_; ///< by node
  EventQueue<Event> events_;
  std::vector<std::vector<std::uint32_t>> posted_;  ///< by rank: receives without a message, in their order
  std::vector<std::vector<std::uint32_t>> arrived_; ///< by rank: sends with a message that no receive has matched
  std::vector<std::uint32_t> message_of_;           ///< by action
  std::vector<std::uint32_t> missing_;              ///< by action: the number of actions for which it still waits
  std::vector<std::size_t> first_;                  ///< by action: its first in dependents_
  std::vector<ProgramDependency> dependents_;       ///< by `before`
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> free_at_; ///< by rank and processor
  ComputedTotals computed_;
  std::vector<std::int64_t> times_; ///< by message: when it can be received; empty: at its delivery
  std::int64_t last_ = 0;           ///< the end of the last computation or message so far
};

} // namespace

std::unique_ptr<MessageSource> make_program_source(const Topology& topology, const Schedule& schedule,
                                                   const NetworkParameters& network, const RunParameters& run)
{
  return std::make_unique<ProgramSource>(topology, schedule, network, run);
}

} // namespace wormcast
