#include "wormcast/simulator/engines/engine.hpp"

#include "wormcast/simulator/routers.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

std::string_view choice_name(EngineChoice choice)
{
  switch (choice) {
  case EngineChoice::automatic:
    return "auto";
  case EngineChoice::worm:
    return "worm";
  case EngineChoice::flit:
    return "flit";
  case EngineChoice::cycle:
    return "cycle";
  }
  return "";
}

} // namespace

bool pipeline_closed_form_holds(const NetworkParameters& network)
{
  const PipelineParameters& pipeline = network.pipeline;
  const std::uint64_t round_trip = 2 * (std::uint64_t{1} + pipeline.link_delay) + 1 + pipeline.credit_delay;
  const std::uint64_t at_node = std::uint64_t{5} + pipeline.credit_delay;
  return pipeline.routing == GridRouting::dimension_order && network.virtual_channels == 1 &&
         pipeline.releases_at_credit && pipeline.switch_delay == 1 && pipeline.routing_delay <= 1 &&
         (!pipeline.speculative || pipeline.piggyback) && network.buffer_flits >= std::max(round_trip, at_node);
}

void check_engine(const NetworkParameters& network, EngineChoice choice)
{
  if (is_registered(network.router)) {
    if (choice != EngineChoice::automatic) {
      throw InputError(
          fmt::format("engine \"{}\" cannot run router \"{}\", which has one of its own; expected \"auto\"",
                      choice_name(choice), router_name(network.router)));
    }
    return;
  }
  const EngineChoice other = network.router == Router::wormhole ? EngineChoice::cycle : EngineChoice::flit;
  if (choice == other) {
    throw InputError(fmt::format("engine \"{}\" cannot run router \"{}\", expected \"auto\", \"worm\" or \"{}\"",
                                 choice_name(choice), router_name(network.router),
                                 network.router == Router::wormhole ? "flit" : "cycle"));
  }
  if (choice == EngineChoice::worm && network.router == Router::input_queued && !pipeline_closed_form_holds(network)) {
    throw InputError("engine \"worm\" cannot run this exactly: router \"input_queued\" needs routing = "
                     "\"dimension_order\", virtual_channels = 1, release = \"tail_credit\", switch_delay = 1, "
                     "routing_delay of at most 1, no speculation or \"piggyback\", and "
                     "buffer_flits of at least 2*(1 + link_delay) + 1 + credit_delay and 5 + credit_delay for it; use "
                     "\"cycle\" or \"auto\"");
  }
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineInput& input)
{
  if (is_registered(input.network.router)) {
    return router_model(input.network.router).make_engine(input);
  }
  if (name == "cycle") {
    return make_cycle_engine(input);
  }
  if (name == "worm" && input.network.router == Router::input_queued) {
    return make_pipeline_worm_engine(input);
  }
  return name == "worm" ? make_worm_engine(input) : make_flit_engine(input);
}

std::string engine_for_coming_messages(const NetworkParameters& network, EngineChoice choice)
{
  check_engine(network, choice);
  if (is_registered(network.router)) {
    return std::string(router_name(network.router));
  }
  if (network.router == Router::input_queued) {
    return choice != EngineChoice::cycle && pipeline_closed_form_holds(network) ? "worm" : "cycle";
  }
  const bool worm_is_exact = network.virtual_channels == 1 && closed_form_holds(network);
  if (choice == EngineChoice::worm && !worm_is_exact) {
    throw InputError("engine \"worm\" cannot run messages that come while the network runs with several virtual "
                     "channels, or with buffers that do not cover the hop latency; use \"flit\" or \"auto\"");
  }
  return worm_is_exact && choice != EngineChoice::flit ? "worm" : "flit";
}

void throw_time_overflow()
{
  throw InputError(fmt::format("the simulated time exceeds {} (2^62 ps): shorten the messages or the times",
                               format_time(Time{last_instant})));
}

} // namespace wormcast
