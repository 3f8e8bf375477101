#include "wormcast/simulator/sources/online_network.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/events/event_queue.hpp"
#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wormcast {

// The messages sent and not yet popped by the engine, and the tags of all undelivered messages.
class OnlineNetwork::Sent final : public MessageSource {
public:
  explicit Sent(const NetworkParameters& network) : network_(network) {}

  void send(NodeId from, NodeId to, std::uint64_t bytes, std::int64_t time, void* tag)
  {
    const std::uint64_t flits = flit_count(network_, bytes);
    transfer_time(network_, flits);
    if (from == to || time < 0) {
      throw std::logic_error("a message to its own sender, or before the start");
    }
    uncommitted_.push_back({.message = {.time = time,
                                        .flits = flits,
                                        .source = from,
                                        .destination = to,
                                        .shortfall = last_flit_shortfall(network_, bytes)},
                            .tag = tag});
  }

  void commit()
  {
    if (uncommitted_.empty()) {
      return;
    }
    std::ranges::stable_sort(uncommitted_, {}, [](const Uncommitted& sent) { return sent.message.source; });
    if (uncommitted_.size() > std::numeric_limits<std::uint32_t>::max() - count_) {
      throw InputError("more than 4294967295 messages in one run");
    }
    for (Uncommitted& sent : uncommitted_) {
      sent.message.message = MessageId{static_cast<std::uint32_t>(count_++)};
      sent.message.handle = new_handle(sent.tag);
      waiting_.push(sent.message);
    }
    uncommitted_.clear();
  }

  std::int64_t next_time() const override { return waiting_.next_time(); }

  void pop(std::int64_t now, std::vector<NewMessage>& messages) override
  {
    waiting_.pop_all(now, [&](const NewMessage& message) { messages.push_back(message); });
  }

  void delivered(std::span<const wormcast::Delivery> deliveries, std::int64_t now) override
  {
    last_delivery_ = now;
    delivered_ += deliveries.size();
    arrived_.clear();
    for (const wormcast::Delivery& delivery : deliveries) {
      arrived_.push_back({delivery.message, tags_[delivery.handle]});
      tags_[delivery.handle] = nullptr;
      free_handles_.push_back(delivery.handle);
    }
  }

  void port_released(MessageId, std::int64_t) override {}
  bool wants_port_releases() const override { return false; }
  bool has_one_step() const override { return true; }
  std::optional<std::uint64_t> message_count() const override { return std::nullopt; }
  Rest rest() const override { return {}; }

  void drop_tag(const void* tag)
  {
    for (Uncommitted& sent : uncommitted_) {
      sent.tag = sent.tag == tag ? nullptr : sent.tag;
    }
    std::ranges::replace(tags_, const_cast<void*>(tag), nullptr);
  }

  std::span<const OnlineNetwork::Delivery> arrived() const { return arrived_; }
  std::uint64_t count() const { return count_; }
  std::uint64_t undelivered() const { return count_ - delivered_; }
  std::int64_t last_delivery() const { return last_delivery_; }

private:
  struct Uncommitted {
    NewMessage message;
    void* tag = nullptr;
  };

  std::uint32_t new_handle(void* tag)
  {
    if (free_handles_.empty()) {
      tags_.push_back(tag);
      return static_cast<std::uint32_t>(tags_.size() - 1);
    }
    const std::uint32_t handle = free_handles_.back();
    free_handles_.pop_back();
    tags_[handle] = tag;
    return handle;
  }

  NetworkParameters network_;
  std::vector<Uncommitted> uncommitted_;
  EventQueue<NewMessage> waiting_;
  std::vector<void*> tags_; // by handle
  std::vector<std::uint32_t> free_handles_;
  std::vector<OnlineNetwork::Delivery> arrived_; // last
  std::uint64_t count_ = 0;
  std::uint64_t delivered_ = 0;
  std::int64_t last_delivery_ = 0;
};

struct OnlineNetwork::State {
  NetworkParameters network;
  RecordSinks sinks;
  std::string engine_name;
  std::unique_ptr<Engine> engine; // refers to the members above
};

OnlineNetwork::OnlineNetwork(const Topology& topology, const NetworkParameters& network, EngineChoice choice,
                             RecordSinks sinks)
    : sent_(std::make_unique<Sent>(network)), state_(std::make_unique<State>())
{
  state_->network = network;
  resolve_for(state_->network, topology);
  state_->sinks = std::move(sinks);
  state_->engine_name = engine_for_online_messages(state_->network, choice);
  state_->engine = make_engine(state_->engine_name, {topology, state_->network, state_->sinks, *sent_});
}

OnlineNetwork::~OnlineNetwork() = default;

void OnlineNetwork::send(NodeId from, NodeId to, std::uint64_t bytes, std::int64_t time, void* tag)
{
  if (time < now()) {
    throw std::logic_error("a message in the past");
  }
  if (time >= largest_time) {
    throw_time_overflow();
  }
  sent_->send(from, to, bytes, time, tag);
}

void OnlineNetwork::commit()
{
  sent_->commit();
}

std::optional<std::int64_t> OnlineNetwork::next_event_time() const
{
  return state_->engine->next_event_time();
}

std::span<const OnlineNetwork::Delivery> OnlineNetwork::advance(std::int64_t before)
{
  const std::optional<std::int64_t> next = next_event_time();
  if (!next || state_->engine->advance(std::max(before, *next + 1)).empty()) {
    return {};
  }
  return sent_->arrived();
}

std::int64_t OnlineNetwork::now() const
{
  return state_->engine->now();
}

void OnlineNetwork::drop_tag(const void* tag)
{
  sent_->drop_tag(tag);
}

std::uint64_t OnlineNetwork::message_count() const
{
  return sent_->count();
}

std::uint64_t OnlineNetwork::undelivered() const
{
  return sent_->undelivered();
}

const std::string& OnlineNetwork::engine_name() const
{
  return state_->engine_name;
}

ContentionTotals OnlineNetwork::contention() const
{
  return state_->engine->contention();
}

std::uint64_t OnlineNetwork::header_hops() const
{
  return state_->engine->header_hops();
}

std::uint64_t OnlineNetwork::flit_hops() const
{
  return state_->engine->flit_hops();
}

Deadlock OnlineNetwork::explain_deadlock()
{
  StoppedNetwork stopped = state_->engine->explain_deadlock(sent_->last_delivery());
  return {.at = Time{stopped.since},
          .cycle = std::move(stopped.cycle),
          .undelivered = undelivered(),
          .first_never_ready = std::nullopt};
}

} // namespace wormcast
