#include "wormcast/simulator/model/routers.hpp"

#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/routers/built_in.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"
#include "wormcast/values/registration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace wormcast {

namespace {

bool has_key(std::span<const Parameter> keys, std::string_view name)
{
  return std::ranges::find(keys, name, &Parameter::name) != keys.end();
}

constexpr std::array<std::string_view, 3> keys_of_channel_times = {"link_per_hop", "link_per_byte", "port_per_byte"};

std::vector<Parameter> keys_of(const RouterModel& model)
{
  std::vector<Parameter> keys(network_keys().begin(), network_keys().end());
  if (!model.has_exact_last_flits) {
    std::erase_if(keys, [](const Parameter& key) { return key.name == "last_flit"; });
  }
  if (!model.has_channel_times) {
    std::erase_if(keys, [](const Parameter& key) {
      return std::ranges::find(keys_of_channel_times, key.name) != keys_of_channel_times.end();
    });
  }
  for (const AbsentKey& absent : model.absent_keys) {
    std::erase_if(keys, [&](const Parameter& key) { return key.name == absent.name; });
  }
  for (const Parameter& changed : model.changed_keys) {
    std::ranges::replace_if(keys, [&](const Parameter& key) { return key.name == changed.name; }, changed);
  }
  keys.insert(keys.end(), model.parameters.begin(), model.parameters.end());
  return keys;
}

class RouterList {
public:
  RouterList()
  {
    add(wormhole_router());
    add(input_queued_router());
  }

  void add(RouterModel model)
  {
    std::vector<Parameter> keys = keys_of(model);
    keys_.emplace(&models_.emplace_back(std::move(model)), std::move(keys));
  }

  const std::deque<RouterModel>& models() const { return models_; }
  std::span<const Parameter> keys(const RouterModel& model) const { return keys_.at(&model); }

private:
  std::deque<RouterModel> models_;
  std::map<const RouterModel*, std::vector<Parameter>> keys_;
};

RouterList& router_list()
{
  static RouterList list;
  return list;
}

// Describes the error in its engines; empty: none.
std::string_view expected_engines(const RouterModel& model)
{
  for (const RouterEngine& engine : model.engines) {
    if (!is_plain_name(engine.name) || engine.name == EngineChoice::automatic.name() ||
        std::ranges::count(model.engines, engine.name, &RouterEngine::name) > 1) {
      return "engines with different names of lower-case letters, digits and underscores, none of them \"auto\"";
    }
    if (!engine.make) {
      return "a function that makes each of its engines";
    }
    if (engine.exact_until_shared && engine.limits.empty()) {
      return "the limits of an engine that is exact until worms share a channel";
    }
  }
  if (model.engines.empty() || model.engines.back().why_inexact || model.engines.back().exact_until_shared) {
    return "engines of which the last is always exact";
  }
  return {};
}

// Describes the error in its keys; empty: none.
std::string expected_keys(const RouterModel& model)
{
  for (const Parameter& own : model.parameters) {
    if (has_key(network_keys(), own.name)) {
      return fmt::format("no parameter \"{}\", which router \"{}\" has", own.name, default_router().name);
    }
  }
  for (const Parameter& changed : model.changed_keys) {
    if (!has_key(network_keys(), changed.name)) {
      return fmt::format("no changed key \"{}\", which router \"{}\" does not have", changed.name,
                         default_router().name);
    }
  }
  constexpr std::array<std::string_view, 2> can_be_absent = {"per_hop", "hold"};
  for (const AbsentKey& absent : model.absent_keys) {
    if (std::ranges::find(can_be_absent, absent.name) == can_be_absent.end()) {
      return fmt::format("no absent keys but {}, found \"{}\"", fmt::join(can_be_absent, " and "), absent.name);
    }
  }
  return {};
}

} // namespace

const std::deque<RouterModel>& routers()
{
  return router_list().models();
}

const RouterModel& default_router()
{
  return routers().front();
}

const RouterModel* known_router(std::string_view name)
{
  const auto found = std::ranges::find(routers(), name, &RouterModel::name);
  return found == routers().end() ? nullptr : &*found;
}

const RouterModel& find_router(std::string_view name)
{
  if (const RouterModel* known = known_router(name)) {
    return *known;
  }
  std::vector<std::string> names;
  std::ranges::transform(routers(), std::back_inserter(names), &RouterModel::name);
  throw_unknown("router", name, names);
}

std::span<const Parameter> network_declarations(const RouterModel& router)
{
  return router_list().keys(router);
}

void register_router(RouterModel model)
{
  const auto fail = [&](std::string_view expected) {
    throw InputError(fmt::format("the router \"{}\" cannot be registered, expected {}", model.name, expected));
  };
  check_new_name("a", "router", model.name, known_router(model.name) != nullptr);
  if (!model.empty_network_picoseconds) {
    fail("a function that gives the time on an empty network");
  }
  if (const std::string_view expected = expected_engines(model); !expected.empty()) {
    fail(expected);
  }
  if (const std::string expected = expected_keys(model); !expected.empty()) {
    fail(expected);
  }
  if (!model.memory) {
    model.memory = default_router().memory;
  }
  if (!model.flits_for_full_rate) {
    model.flits_for_full_rate = default_router().flits_for_full_rate;
  }
  router_list().add(std::move(model));
}

} // namespace wormcast
