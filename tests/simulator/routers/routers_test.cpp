// Routers from outside of the library: what they must say, and that it is asked of them.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/online_network.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace wormcast {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Moves worms, and says that their flits leave and arrive at once.
class FlitTellingEngine final : public Engine {
public:
  explicit FlitTellingEngine(const EngineInput& input) : sinks_(input.sinks)
  {
    sinks_.delivery = [wanted = input.sinks.delivery](const DeliveryRecord& record) {
      DeliveryRecord with_flits = record;
      with_flits.flits =
          FlitTimes{.head_injected = record.granted, .tail_injected = record.granted, .head_ejected = record.delivered};
      if (wanted) {
        wanted(with_flits);
      }
    };
    worms_ = make_worm_engine({input.topology, input.network, sinks_, input.source});
  }

  std::optional<std::int64_t> next_event_time() const override { return worms_->next_event_time(); }
  std::span<const Delivery> advance(std::int64_t before) override { return worms_->advance(before); }
  std::int64_t now() const override { return worms_->now(); }
  std::uint64_t in_flight() const override { return worms_->in_flight(); }
  const ContentionTotals& contention() const override { return worms_->contention(); }
  StoppedNetwork explain_deadlock(std::int64_t last_delivery) override
  {
    return worms_->explain_deadlock(last_delivery);
  }
  std::uint64_t header_hops() const override { return worms_->header_hops(); }
  std::uint64_t flit_hops() const override { return worms_->flit_hops(); }

private:
  RecordSinks sinks_;
  std::unique_ptr<Engine> worms_;
};

std::unique_ptr<Engine> make_flit_telling_engine(const EngineInput& input)
{
  return std::make_unique<FlitTellingEngine>(input);
}

RouterModel small_router(std::string name)
{
  RouterModel router;
  router.name = std::move(name);
  router.empty_network_picoseconds = [](const NetworkParameters&, double, double flits) { return flits; };
  router.engines = {{.name = "telling", .make = make_flit_telling_engine}};
  return router;
}

// Registered once for all tests of a process.
const RouterModel& router_with_two_engines()
{
  if (known_router("two_engines") == nullptr) {
    RouterModel router = small_router("two_engines");
    router.reports_flits = true;
    router.engines.insert(router.engines.begin(), {.name = "narrow",
                                                   .make = make_worm_engine,
                                                   .why_inexact =
                                                       [](const NetworkParameters& network) {
                                                         return std::string(network.flit_bytes > 1 ? "wide flits" : "");
                                                       },
                                                   .says_why = true});
    register_router(router);
  }
  return find_router("two_engines");
}

SimulationResult simulated(const NetworkParameters& network, EngineChoice engine = EngineChoice::automatic)
{
  const TopologyDescription line = testing::grid("mesh", {4});
  return simulate_core(*make_topology(line), testing::plain_schedule(line, {{0, 3, 2}, {1, 2, 1}}), network,
                       {.engine = engine});
}

TEST(Routers, AreFoundByNameAndStayWhereTheyAre)
{
  const RouterModel* wormhole = &find_router("wormhole");
  EXPECT_EQ(wormhole, &default_router());
  EXPECT_EQ(NetworkParameters().router, wormhole);
  EXPECT_EQ(known_router("none"), nullptr);
  EXPECT_THAT([] { find_router("wormhol"); },
              ThrowsMessage<InputError>("there is no router \"wormhol\", did you mean \"wormhole\"?"));
  const RouterModel& added = router_with_two_engines();
  EXPECT_EQ(&find_router("wormhole"), wormhole);
  EXPECT_EQ(&routers().front(), wormhole);
  EXPECT_EQ(&find_router("two_engines"), &added);
}

TEST(Routers, HaveTheKeysThatTheySay)
{
  const auto has = [](const char* router, const char* key) {
    const auto keys = network_declarations(find_router(router));
    return std::ranges::find(keys, key, &Parameter::name) != keys.end();
  };
  EXPECT_TRUE(has("wormhole", "per_hop"));
  EXPECT_FALSE(has("wormhole", "speculative"));
  EXPECT_FALSE(has("input_queued", "per_hop"));
  EXPECT_TRUE(has("input_queued", "speculative"));
  router_with_two_engines();
  EXPECT_TRUE(has("two_engines", "per_hop"));
}

TEST(Routers, ChooseAmongTheirEngines)
{
  NetworkParameters network = testing::small_network();
  network.router = &router_with_two_engines();
  EXPECT_EQ(simulated(network).engine, "narrow");
  EXPECT_EQ(simulated(network, EngineChoice("telling")).engine, "telling");
  EXPECT_EQ(OnlineNetwork(*make_topology(testing::grid("mesh", {4})), network).engine_name(), "narrow");
  EXPECT_THAT([&] { simulated(network, EngineChoice::flit); },
              ThrowsMessage<InputError>("engine \"flit\" cannot run router \"two_engines\", expected \"auto\", "
                                        "\"narrow\" or \"telling\""));
  network.flit_bytes = 2;
  const SimulationResult wide = simulated(network);
  EXPECT_EQ(wide.engine, "telling");
  EXPECT_EQ(wide.engine_reason, "wide flits");
  const auto* const refused = "engine \"narrow\" cannot run this exactly: wide flits; use \"telling\" or \"auto\"";
  EXPECT_THAT([&] { simulated(network, EngineChoice("narrow")); }, ThrowsMessage<InputError>(refused));
  EXPECT_THAT([&] { OnlineNetwork(*make_topology(testing::grid("mesh", {4})), network, EngineChoice("narrow")); },
              ThrowsMessage<InputError>(refused));
  EXPECT_THAT([&] { simulate_contention_free(*make_topology(testing::grid("mesh", {4})), {}, network, {}); },
              ThrowsMessage<InputError>("run.paired: router \"two_engines\" cannot be run without contention for its "
                                        "channels, expected \"wormhole\""));
}

TEST(Routers, TellWhenFlitsLeaveAndArriveWhereTheySaySo)
{
  NetworkParameters network = testing::small_network();
  network.router = &router_with_two_engines();
  const SimulationResult told = simulated(network, EngineChoice("telling"));
  ASSERT_EQ(told.flits.size(), 2U);
  EXPECT_EQ(told.flits[1].head_ejected, told.delivered[1]);
  if (known_router("silent") == nullptr) {
    register_router(small_router("silent"));
  }
  network.router = &find_router("silent");
  EXPECT_TRUE(simulated(network).flits.empty()); // its engine fills them, too
}

TEST(Routers, ThatDoNotSayEnoughAreRefused)
{
  const auto refused = [](const std::function<void(RouterModel&)>& change) {
    RouterModel router = small_router("wrong");
    change(router);
    try {
      register_router(router);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string begin = "the router \"wrong\" cannot be registered, expected ";
  EXPECT_EQ(refused([](RouterModel& router) { router.name = "wormhole"; }),
            "there is a router \"wormhole\" already, expected another name");
  EXPECT_THAT(refused([](RouterModel& router) { router.name = "Wrong"; }), HasSubstr("lower-case letters"));
  EXPECT_EQ(refused([](RouterModel& router) { router.empty_network_picoseconds = {}; }),
            begin + "a function that gives the time on an empty network");
  EXPECT_EQ(refused([](RouterModel& router) { router.engines.clear(); }),
            begin + "engines of which the last is always exact");
  EXPECT_EQ(refused([](RouterModel& router) { router.engines.back().why_inexact = slow_channels; }),
            begin + "engines of which the last is always exact");
  EXPECT_EQ(refused([](RouterModel& router) { router.engines.back().make = {}; }),
            begin + "a function that makes each of its engines");
  for (const char* name : {"", "Fast", "auto", "telling"}) {
    EXPECT_EQ(refused([&](RouterModel& router) {
                router.engines.push_back(router.engines.front());
                router.engines.front().name = name;
              }),
              begin + "engines with different names of lower-case letters, digits and underscores, none of them "
                      "\"auto\"")
        << name;
  }
  EXPECT_EQ(refused([](RouterModel& router) {
              router.engines.front().exact_until_shared = [](const NetworkParameters&) { return true; };
            }),
            begin + "the limits of an engine that is exact until worms share a channel");
  EXPECT_EQ(refused([](RouterModel& router) { router.parameters = {{.name = "hold"}}; }),
            begin + "no parameter \"hold\", which router \"wormhole\" has");
  EXPECT_EQ(refused([](RouterModel& router) { router.changed_keys = {{.name = "speculative"}}; }),
            begin + "no changed key \"speculative\", which router \"wormhole\" does not have");
  EXPECT_EQ(refused([](RouterModel& router) { router.absent_keys = {{.name = "startup"}}; }),
            begin + "no absent keys but per_hop and hold, found \"startup\"");
  EXPECT_EQ(known_router("wrong"), nullptr);
}

} // namespace
} // namespace wormcast
