// Run by CMake: whether simulator/simgrid/abi.hpp describes the network models of the SimGrid that is there. A model
// that delivers everything after 1.5 s takes the place of SimGrid's own, and carries one message between two actors.
#include "abi.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

namespace resource = simgrid::kernel::resource;
namespace s4u = simgrid::s4u;

#ifdef __SANITIZE_ADDRESS__
extern "C" const char* __asan_default_options()
{
  return "detect_leaks=0";
} // SimGrid ends with the process
#endif

namespace {

class Delay final : public resource::Action {
public:
  using Action::Action;
  void update_remains_lazy(double) override {}
};

class DelayModel final : public resource::NetworkModel {
public:
  explicit DelayModel(std::shared_ptr<resource::NetworkModel> links) : NetworkModel("delay"), links_(std::move(links))
  {}

  resource::StandardLinkImpl* create_link(const std::string& name, const std::vector<double>& bandwidths) override
  {
    return links_->create_link(name, bandwidths);
  }
  resource::StandardLinkImpl* create_wifi_link(const std::string& name, const std::vector<double>& bandwidths) override
  {
    return links_->create_wifi_link(name, bandwidths);
  }
  resource::Action* communicate(s4u::Host* from, s4u::Host* to, double size, double /*rate*/) override
  {
    as_sent = from->get_name() == "a" && to->get_name() == "b" && size == 64;
    action_ = new Delay(this, size, false);
    delivery_ = s4u::Engine::get_clock() + 1.5;
    return action_;
  }
  bool next_occurring_event_is_idempotent() override { return false; }
  double next_occurring_event(double) override
  {
    return action_ == nullptr ? -1 : delivery_ - s4u::Engine::get_clock();
  }
  void update_actions_state(double now, double) override
  {
    if (action_ != nullptr && now >= delivery_) {
      action_->finish(resource::Action::State::FINISHED);
      action_ = nullptr;
    }
  }

  bool as_sent = false;

private:
  std::shared_ptr<resource::NetworkModel> links_;
  Delay* action_ = nullptr;
  double delivery_ = 0;
};

class Zone final : public simgrid::kernel::routing::NetZoneImpl {
public:
  Zone() : NetZoneImpl("zone") {}
  void get_local_route(const simgrid::kernel::routing::NetPoint*, const simgrid::kernel::routing::NetPoint*,
                       simgrid::kernel::routing::Route*, double*) override
  {}
  s4u::Host* host(const std::string& name) { return create_host(name, {1e9}); }
};

} // namespace

int main()
{
  s4u::Engine engine("try_network_model");
  auto* zone = new Zone;
  const auto model = std::make_shared<DelayModel>(zone->get_network_model());
  engine.add_model(model);
  zone->set_network_model(model);
  int payload = 7;
  double received = 0;
  const auto send = [&] { s4u::Mailbox::by_name("box")->put(&payload, 64); };
  const auto receive = [&] {
    received = *s4u::Mailbox::by_name("box")->get<int>() == 7 ? s4u::Engine::get_clock() : -1;
  };
  s4u::Actor::create("sender", zone->host("a"), send);
  s4u::Actor::create("receiver", zone->host("b"), receive);
  engine.run();
  return model->as_sent && received == 1.5 ? 0 : 1;
}
