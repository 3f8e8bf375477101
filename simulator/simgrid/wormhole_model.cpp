#include "wormcast/simulator/simgrid/wormhole_model.hpp"

#include "wormcast/simulator/simgrid/abi.hpp"

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wormcast {

namespace resource = simgrid::kernel::resource;

// The conditions under which the times are exact are in docs/simgrid.md.
class WormholeModel::Model final : public resource::NetworkModel {
  class WormAction;

  // The data of a worm in flight.
  struct Worm {
    WormAction* action = nullptr; // null when no actor waits for the worm any more
    SentMessage message;
    std::size_t slot = 0; // in in_flight_
  };

  // SimGrid's action of the worm.
  class WormAction final : public resource::Action {
  public:
    WormAction(resource::Model* model, double size) : Action(model, size, false) {}
    ~WormAction() override
    {
      if (worm != nullptr) {
        worm->action = nullptr;
      }
    }

    void update_remains_lazy(double /*now*/) override {}
    // A worm continues whatever its sender does.
    void suspend() override {}
    void resume() override {}

    void arrive()
    {
      worm = nullptr;
      if (get_state() == State::STARTED) {
        finish(State::FINISHED);
      }
    }

    Worm* worm = nullptr;
  };

public:
  Model(SimGridPlatform& platform, const NetworkParameters& network, WormholeModelOptions options,
        std::shared_ptr<resource::NetworkModel> links)
      : NetworkModel("wormcast"), platform_(platform), options_(std::move(options)), links_(std::move(links)),
        network_(platform.topology(), network, options_.engine, options_.sinks)
  {}

  ~Model() override
  {
    for (const std::unique_ptr<Worm>& worm : in_flight_) {
      if (worm->action != nullptr) {
        worm->action->worm = nullptr;
      }
    }
  }

  // Links remain those of SimGrid's own model, which no longer carries messages.
  resource::StandardLinkImpl* create_link(const std::string& name, const std::vector<double>& bandwidths) override
  {
    return links_->create_link(name, bandwidths);
  }
  resource::StandardLinkImpl* create_wifi_link(const std::string& name, const std::vector<double>& bandwidths) override
  {
    return links_->create_wifi_link(name, bandwidths);
  }

  resource::Action* communicate(simgrid::s4u::Host* from, simgrid::s4u::Host* to, double size, double /*rate*/) override
  {
    auto action = std::make_unique<WormAction>(this, size);
    if (from == to) {
      auto kept = std::make_unique<Worm>();
      within_nodes_.push_back(watch(std::move(kept), *action));
    } else {
      send(from, to, size, *action);
    }
    return action.release(); // SimGrid counts its references from here on
  }

  // SimGrid then calls this after all other models, with the time to their next event: no actor can send before that.
  bool next_occurring_event_is_idempotent() override { return false; }

  double next_occurring_event(double others) override
  {
    try {
      return time_to_next_event(others);
    } catch (...) {
      if (options_.failed) {
        options_.failed();
      }
      throw;
    }
  }

  void update_actions_state(double /*now*/, double delta) override
  {
    finish(within_nodes_);
    if (announced_ && delta == *announced_) {
      finish(arrived_);
    }
    announced_.reset();
  }

  const OnlineNetwork& network() const { return network_; }
  Time last_delivery() const { return Time{reached_}; }

private:
  using Worms = std::vector<std::unique_ptr<Worm>>;

  static std::unique_ptr<Worm> watch(std::unique_ptr<Worm> worm, WormAction& action)
  {
    worm->action = &action;
    action.worm = worm.get();
    return worm;
  }

  double time_to_next_event(double others)
  {
    announced_.reset();
    commit();
    if (!within_nodes_.empty()) {
      return 0;
    }
    const double clock = simgrid::s4u::Engine::get_clock();
    run_ahead(others < 0 ? no_time : time_of(clock + others), present(clock));
    if (arrived_.empty()) {
      return -1;
    }
    const double delta = std::max(0.0, start_ + simgrid_seconds(reached_) - clock);
    if (others >= 0 && others < delta) {
      return -1;
    }
    announced_ = delta;
    return delta;
  }

  static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max();

  // From largest_time on, which no message reaches: no_time.
  std::int64_t time_of(double clock) const
  {
    const double time = (clock - start_) / simgrid_seconds(1);
    return time < static_cast<double>(largest_time) ? std::llround(time) : no_time;
  }

  // Where adjacent doubles are more than a picosecond apart, SimGrid's clock may be behind the network's.
  std::int64_t present(double clock) const { return std::max(time_of(clock), network_.now()); }

  void send(simgrid::s4u::Host* from, simgrid::s4u::Host* to, double size, WormAction& action)
  {
    const double most = static_cast<double>(largest_time); // more takes too long on any network
    const auto bytes = std::max<std::int64_t>(1, std::llround(std::min(size, most)) + options_.added_bytes);
    auto worm = watch(std::make_unique<Worm>(), action);
    SentMessage& message = worm->message;
    message.source = platform_.node(*from);
    message.destination = platform_.node(*to);
    message.bytes = static_cast<std::uint64_t>(bytes);
    message.start = Time{present(simgrid::s4u::Engine::get_clock())};
    message.note = options_.note ? options_.note() : 0;
    unnumbered_.push_back(std::move(worm));
  }

  // Commits the messages sent since the last call, in the order in which the network numbers them.
  void commit()
  {
    std::ranges::stable_sort(unnumbered_, {}, [](const auto& worm) { return worm->message.source; });
    for (std::unique_ptr<Worm>& worm : unnumbered_) {
      SentMessage& message = worm->message;
      message.message = MessageId{static_cast<std::uint32_t>(sent_++)};
      network_.send(message.source, message.destination, message.bytes, message.start.picoseconds, worm.get());
      if (options_.sent) {
        options_.sent(message);
      }
      worm->slot = in_flight_.size();
      in_flight_.push_back(std::move(worm));
    }
    unnumbered_.clear();
    network_.commit();
  }

  // Advances to the next delivery, but not beyond other events: at `horizon` an actor may send, at `now` all actors
  // have.
  void run_ahead(std::int64_t horizon, std::int64_t now)
  {
    while (arrived_.empty()) {
      const std::optional<std::int64_t> next = network_.next_event_time();
      if (!next || (*next >= horizon && *next > now)) {
        return;
      }
      for (const OnlineNetwork::Delivery& delivery : network_.advance(horizon)) {
        reached_ = network_.now();
        const auto* const worm = static_cast<const Worm*>(delivery.tag);
        if (worm->message.message != delivery.message) {
          throw std::logic_error("the network numbers messages in another order");
        }
        arrived_.push_back(take(*worm));
      }
    }
  }

  std::unique_ptr<Worm> take(const Worm& worm)
  {
    std::swap(in_flight_[worm.slot], in_flight_.back());
    std::unique_ptr<Worm> taken = std::move(in_flight_.back());
    in_flight_.pop_back();
    if (taken->slot < in_flight_.size()) {
      in_flight_[taken->slot]->slot = taken->slot;
    }
    return taken;
  }

  static void finish(Worms& worms)
  {
    for (const std::unique_ptr<Worm>& worm : worms) {
      if (worm->action != nullptr) {
        worm->action->arrive();
      }
    }
    worms.clear();
  }

  SimGridPlatform& platform_;
  WormholeModelOptions options_;
  std::shared_ptr<resource::NetworkModel> links_;
  OnlineNetwork network_;
  double start_ = simgrid::s4u::Engine::get_clock();
  Worms unnumbered_; // sent at this time
  Worms in_flight_;
  Worms arrived_;      // at reached_, not yet reported to SimGrid
  Worms within_nodes_; // messages of nodes to themselves
  std::int64_t reached_ = 0;
  std::uint64_t sent_ = 0;
  std::optional<double> announced_; // time to reached_, as next_occurring_event last answered
};

std::string_view WormholeModel::what_is_missing()
{
  return {};
}

WormholeModel::WormholeModel(SimGridPlatform& platform, const NetworkParameters& network,
                             const WormholeModelOptions& options)
{
  simgrid::kernel::routing::NetZoneImpl& zone = *platform.zone().get_impl();
  model_ = std::make_shared<Model>(platform, network, options, zone.get_network_model());
  platform.engine().add_model(model_);
  zone.set_network_model(model_);
}

WormholeModel::~WormholeModel() = default;

const OnlineNetwork& WormholeModel::network() const
{
  return model_->network();
}
Time WormholeModel::last_delivery() const
{
  return model_->last_delivery();
}

} // namespace wormcast
