#include "wormcast/simulator/simgrid_run.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/topologies/export.hpp"

#include <fmt/format.h>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr double seconds_per_picosecond = 1e-12;

double seconds(std::int64_t picoseconds)
{
  return static_cast<double>(picoseconds) * seconds_per_picosecond;
}

} // namespace

// Routes are the topology's: no table. A host's number within its zone is its node id, because hosts are made in that
// order.
class SimGridRun::Zone final : public simgrid::kernel::routing::NetZoneImpl {
public:
  Zone(const std::string& name, const Topology& topology) : NetZoneImpl(name), topology_(topology) {}

  void create(const NetworkParameters& network)
  {
    for (std::uint32_t node = 0; node < topology_.node_count(); ++node) {
      hosts_.push_back(create_host(host_name(NodeId{node}), {1e9}));
    }
    const double bandwidth = 1 / seconds(network.per_byte.picoseconds);
    const double latency = seconds(network.per_hop.picoseconds);
    for (std::uint32_t channel = 0; channel < topology_.channel_count(); ++channel) {
      simgrid::s4u::Link* link = create_link(link_name(ChannelId{channel}), {bandwidth});
      link->set_latency(latency);
      links_.push_back(link->get_impl());
    }
    latency_ = latency;
    seal();
  }

  simgrid::s4u::Host* host(NodeId node) { return hosts_.at(index(node)); }

  void get_local_route(const simgrid::kernel::routing::NetPoint* source,
                       const simgrid::kernel::routing::NetPoint* destination, simgrid::kernel::routing::Route* into,
                       double* latency) override
  {
    route_.clear();
    topology_.append_route(NodeId{static_cast<std::uint32_t>(source->id())},
                           NodeId{static_cast<std::uint32_t>(destination->id())}, route_);
    for (const ChannelId channel : route_) {
      into->link_list_.push_back(links_[index(channel)]);
    }
    if (latency != nullptr) {
      *latency += static_cast<double>(route_.size()) * latency_;
    }
  }

private:
  const Topology& topology_;
  std::vector<simgrid::s4u::Host*> hosts_;
  std::vector<simgrid::kernel::resource::StandardLinkImpl*> links_;
  std::vector<ChannelId> route_;
  double latency_ = 0;
};

// The engine as a SimGrid model. Between two instants at which messages are delivered the engine runs ahead without
// SimGrid's main loop: nothing else can see or change the network's inner state.
class SimGridRun::Model final : public simgrid::kernel::resource::Model {
public:
  Model(Engine* engine, std::uint64_t message_count, WorkProgress progress)
      : simgrid::kernel::resource::Model("wormcast"), engine_(engine), message_count_(message_count),
        progress_(std::move(progress))
  {}

  // SimGrid then asks after all other models, with the time to their next event, and takes our answer as it is.
  bool next_occurring_event_is_idempotent() override { return false; }

  double next_occurring_event(double others) override
  {
    announced_.reset();
    if (!reached_) {
      run_to_next_delivery();
    }
    if (!reached_) {
      return -1;
    }
    const double delta = std::max(0.0, start_ + seconds(*reached_) - simgrid::s4u::Engine::get_clock());
    if (others >= 0 && others < delta) {
      return -1;
    }
    announced_ = delta;
    return delta;
  }

  void update_actions_state(double /*now*/, double delta) override
  {
    if (announced_ && delta == *announced_) {
      publish();
    }
    announced_.reset();
  }

  void wait_for(MessageId message)
  {
    if (engine_ == nullptr) {
      return;
    }
    if (index(message) < published_.size() && published_[index(message)]) {
      return;
    }
    auto& semaphore = waiting_[index(message)];
    if (!semaphore) {
      semaphore = simgrid::s4u::Semaphore::create(0);
    }
    const simgrid::s4u::SemaphorePtr kept = semaphore;
    kept->acquire();
    kept->release(); // for the next actor that waits for the same message
  }

  std::int64_t clock() const { return std::max<std::int64_t>(clock_, 0); }
  double start() const { return start_; }

private:
  void run_to_next_delivery()
  {
    if (engine_ == nullptr) {
      return;
    }
    const std::span<const Delivery> delivered = engine_->advance();
    note_progress(delivered.size());
    if (!delivered.empty()) {
      reached_ = engine_->now();
      delivered_.assign(delivered.begin(), delivered.end());
    }
  }

  void note_progress(std::size_t delivered)
  {
    constexpr std::uint64_t instants_in_silence = 1 << 12;
    delivered_count_ += delivered;
    if (progress_ && ++instants_ % instants_in_silence == 0) {
      progress_(delivered_count_, message_count_);
    }
  }

  void publish()
  {
    clock_ = *reached_;
    reached_.reset();
    for (const Delivery& delivery : delivered_) {
      const std::size_t message = index(delivery.message);
      if (message >= published_.size()) {
        published_.resize(std::max(message + 1, 2 * published_.size()));
      }
      published_[message] = true;
      const auto waiting = waiting_.find(index(delivery.message));
      if (waiting != waiting_.end()) {
        waiting->second->release();
        waiting_.erase(waiting);
      }
    }
  }

  Engine* engine_;
  std::uint64_t message_count_;
  WorkProgress progress_;
  std::uint64_t delivered_count_ = 0;
  std::uint64_t instants_ = 0;
  double start_ = simgrid::s4u::Engine::get_clock();
  std::int64_t clock_ = -1;             // what SimGrid has reached
  std::optional<std::int64_t> reached_; // what the engine has reached, ahead of SimGrid
  std::vector<Delivery> delivered_;     // at reached_
  std::vector<bool> published_;         // by message: delivered, and SimGrid's clock has come to it
  std::optional<double> announced_;     // what next_occurring_event last answered
  std::unordered_map<std::uint32_t, simgrid::s4u::SemaphorePtr> waiting_; // by message
};

// SimGrid answers SIGINT with a report of its own; whoever runs a simulation has decided what SIGINT does.
class KeptInterrupt {
public:
  KeptInterrupt() { ::sigaction(SIGINT, nullptr, &before_); }
  ~KeptInterrupt() { ::sigaction(SIGINT, &before_, nullptr); }
  KeptInterrupt(const KeptInterrupt&) = delete;
  KeptInterrupt& operator=(const KeptInterrupt&) = delete;

private:
  struct sigaction before_ = {};
};

struct SimGridRun::State {
  simgrid::s4u::Engine engine = [] {
    const KeptInterrupt interrupt;
    return simgrid::s4u::Engine("wormcast");
  }();
  Zone* zone = nullptr; // owned by SimGrid
  std::shared_ptr<Model> model;
};

SimGridRun::SimGridRun(const Topology& topology, const NetworkParameters& network, Engine* engine,
                       std::uint64_t message_count, WorkProgress progress)
    : state_(std::make_unique<State>())
{
  // SimGrid must not take times that are a picosecond apart for equal.
  simgrid::s4u::Engine::set_config("surf/precision", seconds_per_picosecond);
  state_->zone = new Zone("wormcast", topology);
  state_->zone->create(network);
  state_->model = std::make_shared<Model>(engine, message_count, std::move(progress));
  state_->engine.add_model(state_->model);
}

SimGridRun::~SimGridRun() = default;

simgrid::s4u::NetZone& SimGridRun::zone()
{
  return *state_->zone->get_iface();
}
simgrid::s4u::Host& SimGridRun::host(NodeId node)
{
  return *state_->zone->host(node);
}
void SimGridRun::run()
{
  state_->engine.run();
}
void SimGridRun::wait_for(MessageId message)
{
  state_->model->wait_for(message);
}
Time SimGridRun::clock() const
{
  return Time{state_->model->clock()};
}
double SimGridRun::simgrid_clock() const
{
  return simgrid::s4u::Engine::get_clock() - state_->model->start();
}

std::string simgrid_version()
{
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

} // namespace wormcast
