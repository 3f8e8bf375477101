#include "wormcast/simulator/routers.hpp"

#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/registration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

std::vector<RouterModel>& models()
{
  static std::vector<RouterModel> all;
  return all;
}

} // namespace

void register_router(RouterModel model)
{
  const auto fail = [&](std::string_view expected) {
    throw InputError(fmt::format("the router \"{}\" cannot be registered, expected {}", model.name, expected));
  };
  const std::vector<Router> known = all_routers();
  check_new_name("a", "router", model.name, std::ranges::find(known, model.name, router_name) != known.end());
  if (!model.make_engine || !model.empty_network_picoseconds) {
    fail("functions that make an engine and give the time on an empty network");
  }
  for (const Parameter& key : network_declarations(Router::wormhole)) {
    if (std::ranges::find(model.parameters, key.name, &Parameter::name) != model.parameters.end()) {
      fail(fmt::format("no parameter \"{}\", which router \"wormhole\" has", key.name));
    }
  }
  models().push_back(std::move(model));
}

std::span<const RouterModel> registered_routers()
{
  return models();
}

const RouterModel& router_model(Router router)
{
  return models().at(static_cast<std::size_t>(router) - first_registered_router);
}

} // namespace wormcast
