#include "wormcast/simulator/simgrid/schedule_actors.hpp"

#include "wormcast/algorithms/schedule/awaited_messages.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/simulator/sources/awaited_deliveries.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace wormcast {

namespace {

// Waits until one of the communications has ended, and returns its slot.
std::size_t wait_for_one(const std::vector<simgrid::s4u::CommPtr>& communications)
{
  return static_cast<std::size_t>(simgrid::s4u::Comm::wait_any(communications));
}

// SimGrid passes pointers, which are never dereferenced.
char payload = 0;

} // namespace

struct ScheduleActors::State {
  State(const Schedule& its_schedule, std::uint32_t nodes, ScheduleActorsOptions its_options)
      : schedule(its_schedule), options(its_options), bytes(block_set_bytes(schedule)), steps(step_count(schedule)),
        sends(nodes), receives(nodes), possession(schedule, nodes), delivered(schedule.messages.size()),
        barrier(simgrid::s4u::Barrier::create(nodes))
  {
    if (combines(schedule.operation)) {
      awaited =
          AwaitedDeliveries(awaited_messages(schedule, nodes), static_cast<std::uint32_t>(schedule.messages.size()));
    }
    for (const MessageId id : order_by_step(schedule).order) {
      const Message& message = schedule.messages[index(id)];
      sends[index(message.source)].push_back(id);
      receives[index(message.destination)].push_back(id);
    }
  }

  simgrid::s4u::Mailbox* mailbox(MessageId id) { return simgrid::s4u::Mailbox::by_name(fmt::format("{}", index(id))); }
  const Message& message(MessageId id) const { return schedule.messages[index(id)]; }

  bool has_what_it_sends(MessageId id) const
  {
    return combines(schedule.operation) ? awaited.has_all(id)
                                        : possession.holds(message(id).source, message(id).blocks);
  }
  void receive(MessageId id)
  {
    if (combines(schedule.operation)) {
      awaited.deliver(id, [](MessageId) {});
    } else {
      possession.add(message(id).destination, message(id).blocks);
    }
  }

  const Schedule& schedule;
  ScheduleActorsOptions options;
  std::vector<std::uint64_t> bytes; // by block set
  std::uint32_t steps;
  std::vector<std::vector<MessageId>> sends;    // by node, in the order of the steps
  std::vector<std::vector<MessageId>> receives; // as sends
  Possession possession;                        // empty where the operation combines
  AwaitedDeliveries awaited;                    // where the operation combines
  std::vector<std::optional<Time>> delivered;
  simgrid::s4u::BarrierPtr barrier;
  double start = simgrid::s4u::Engine::get_clock();
};

// The actor of one node.
class ScheduleActors::Node {
public:
  Node(State& state, NodeId node) : state_(state), node_(node), ids_(state.receives[index(node)])
  {
    data_.resize(ids_.size());
    coming_.reserve(ids_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      coming_.push_back(state_.mailbox(ids_[i])->get_async<char>(&data_[i]));
    }
  }

  void self_timed()
  {
    for (const MessageId id : state_.sends[index(node_)]) {
      while (!state_.has_what_it_sends(id)) {
        receive_one();
      }
      send(id);
    }
    while (!coming_.empty()) {
      receive_one();
    }
    wait_for_sent();
  }

  void lockstep()
  {
    std::size_t sent = 0;
    const std::vector<MessageId>& sends = state_.sends[index(node_)];
    for (std::uint32_t step = 0; step < state_.steps; ++step) {
      while (sent < sends.size() && state_.message(sends[sent]).step == step) {
        send(sends[sent++]);
      }
      while (std::ranges::any_of(ids_, [&](MessageId id) { return state_.message(id).step == step; })) {
        receive_one();
      }
      wait_for_sent();
      state_.barrier->wait();
    }
  }

private:
  void send(MessageId id)
  {
    const std::uint64_t bytes = state_.bytes[static_cast<std::uint32_t>(state_.message(id).blocks)];
    if (state_.options.startup.picoseconds > 0) {
      simgrid::s4u::this_actor::sleep_for(simgrid_seconds(state_.options.startup.picoseconds));
      state_.mailbox(id)->put(&payload, bytes);
    } else {
      going_.push_back(state_.mailbox(id)->put_async(&payload, bytes));
    }
  }

  void receive_one()
  {
    if (coming_.empty()) {
      simgrid::s4u::this_actor::suspend(); // a schedule that the verifier refutes: the blocks never arrive
    }
    const std::size_t slot = wait_for_one(coming_);
    const MessageId id = ids_[slot];
    const double time = simgrid::s4u::Engine::get_clock() - state_.start;
    state_.delivered[index(id)] = Time{std::llround(time / simgrid_seconds(1))};
    state_.receive(id);
    std::swap(ids_[slot], ids_.back());
    std::swap(coming_[slot], coming_.back());
    ids_.pop_back();
    coming_.pop_back();
  }

  void wait_for_sent()
  {
    for (const simgrid::s4u::CommPtr& communication : going_) {
      communication->wait();
    }
    going_.clear();
  }

  State& state_;
  NodeId node_;
  std::vector<MessageId> ids_; // still to be received
  std::vector<simgrid::s4u::CommPtr> coming_;
  std::vector<char*> data_;
  std::vector<simgrid::s4u::CommPtr> going_;
};

ScheduleActors::ScheduleActors(SimGridPlatform& platform, const Schedule& schedule, ScheduleActorsOptions options)
{
  if (schedule.operation == Operation::none) {
    throw InputError("actors cannot carry out a plain message list: it has no blocks that they could wait for");
  }
  // One memory map an actor instead of two.
  simgrid::s4u::Engine::set_config("contexts/guard-size", 0);
  simgrid::s4u::Engine::set_config("contexts/stack-size", 64);
  const std::uint32_t nodes = platform.topology().host_count();
  state_ = std::make_unique<State>(schedule, nodes, options);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    simgrid::s4u::Actor::create("node", &platform.host(NodeId{node}), [state = state_.get(), node] {
      Node program(*state, NodeId{node});
      state->options.mode == Mode::lockstep ? program.lockstep() : program.self_timed();
    });
  }
}

ScheduleActors::~ScheduleActors() = default;

const std::vector<std::optional<Time>>& ScheduleActors::delivered() const
{
  return state_->delivered;
}

} // namespace wormcast
