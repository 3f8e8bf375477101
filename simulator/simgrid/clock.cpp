#include "wormcast/simulator/simgrid/clock.hpp"

#include "wormcast/simulator/engines/engine.hpp"

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormcast {

// The engine as a SimGrid model. Between two times at which messages are delivered the engine runs ahead without
// SimGrid's main loop: nothing else can see or change the network's inner state. Without actors, and with no event of
// any other model to come, these times are invisible, too: it runs to the end.
class SimGridRun::Model final : public simgrid::kernel::resource::Model {
public:
  Model(Engine& engine, std::uint64_t message_count, WorkProgress progress)
      : simgrid::kernel::resource::Model("wormcast"), engine_(engine), message_count_(message_count),
        progress_(std::move(progress))
  {}

  // SimGrid then calls this after all other models, with the time to their next event, and uses the answer as it is.
  bool next_occurring_event_is_idempotent() override { return false; }

  double next_occurring_event(double others) override
  {
    announced_.reset();
    if (!reached_) {
      const bool nobody_sees = others < 0 && simgrid::s4u::Engine::get_instance()->get_actor_count() == 0;
      while (run_to_next_delivery() && nobody_sees) {
        publish_deliveries();
      }
    }
    if (!reached_) {
      return -1;
    }
    const double delta = std::max(0.0, start_ + simgrid_seconds(*reached_) - simgrid::s4u::Engine::get_clock());
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
  // Returns false if there is none.
  bool run_to_next_delivery()
  {
    const std::span<const Delivery> delivered = engine_.advance();
    if (delivered.empty()) {
      return false;
    }
    reached_ = engine_.now();
    delivered_.assign(delivered.begin(), delivered.end());
    note_progress(delivered.size());
    return true;
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
    publish_deliveries();
  }

  void publish_deliveries()
  {
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
    delivered_.clear();
  }

  Engine& engine_;
  std::uint64_t message_count_;
  WorkProgress progress_;
  std::uint64_t delivered_count_ = 0;
  std::uint64_t instants_ = 0;
  double start_ = simgrid::s4u::Engine::get_clock();
  std::int64_t clock_ = -1;             // time that SimGrid has reached
  std::optional<std::int64_t> reached_; // time that the engine has reached, ahead of SimGrid
  std::vector<Delivery> delivered_;     // at reached_, and not yet published
  std::vector<bool> published_;         // by message: delivered, and SimGrid's clock has reached the delivery
  std::optional<double> announced_;     // what next_occurring_event last answered
  std::unordered_map<std::uint32_t, simgrid::s4u::SemaphorePtr> waiting_; // by message
};

SimGridRun::SimGridRun(SimGridPlatform& platform, Engine& engine, std::uint64_t message_count, WorkProgress progress)
    : platform_(platform), model_(std::make_shared<Model>(engine, message_count, std::move(progress)))
{
  platform_.engine().add_model(model_);
}

SimGridRun::~SimGridRun() = default;

void SimGridRun::run()
{
  platform_.run();
}
void SimGridRun::wait_for(MessageId message)
{
  model_->wait_for(message);
}
Time SimGridRun::clock() const
{
  return Time{model_->clock()};
}
double SimGridRun::simgrid_clock() const
{
  return simgrid::s4u::Engine::get_clock() - model_->start();
}

} // namespace wormcast
