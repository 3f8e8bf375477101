#include "wormcast/simulator/engines/engine.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

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

void check_engine(const NetworkParameters& network, EngineChoice choice)
{
  const EngineChoice other = network.router == Router::wormhole ? EngineChoice::cycle : EngineChoice::flit;
  if (choice == other) {
    throw InputError(fmt::format("engine \"{}\" cannot run router \"{}\", expected \"auto\", \"worm\" or \"{}\"",
                                 choice_name(choice), router_name(network.router),
                                 network.router == Router::wormhole ? "flit" : "cycle"));
  }
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineInput& input)
{
  if (name == "cycle") {
    return make_cycle_engine(input);
  }
  return name == "worm" ? make_worm_engine(input) : make_flit_engine(input);
}

void throw_time_overflow()
{
  throw InputError(fmt::format("the simulated time exceeds {} (2^62 ps): shorten the messages or the times",
                               format_time(Time{last_instant})));
}

} // namespace wormcast
