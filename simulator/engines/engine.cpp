#include "wormcast/simulator/engines/engine.hpp"

#include "wormcast/simulator/engines/batch_engine.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

// "\"auto\", \"worm\" or \"flit\"".
std::string choices_text(const RouterModel& router)
{
  std::string text = fmt::format("\"{}\"", EngineChoice::automatic.name());
  for (const RouterEngine& engine : router.engines) {
    text += fmt::format("{}\"{}\"", &engine == &router.engines.back() ? " or " : ", ", engine.name);
  }
  return text;
}

bool is_exact_for_all_messages(const RouterEngine& engine, const NetworkParameters& network)
{
  return why_inexact(engine, network).empty() && !(engine.exact_until_shared && engine.exact_until_shared(network));
}

} // namespace

const RouterEngine* asked_engine(const NetworkParameters& network, EngineChoice choice)
{
  if (choice == EngineChoice::automatic) {
    return nullptr;
  }
  const RouterModel& router = *network.router;
  const auto engine = std::ranges::find(router.engines, choice.name(), &RouterEngine::name);
  if (engine != router.engines.end()) {
    return &*engine;
  }
  const bool has_one = router.engines.size() == 1;
  throw InputError(
      fmt::format("engine \"{}\" cannot run router \"{}\", {}", choice.name(), router.name,
                  has_one ? "which has one of its own; expected \"auto\"" : "expected " + choices_text(router)));
}

std::string why_inexact(const RouterEngine& engine, const NetworkParameters& network)
{
  return engine.why_inexact ? engine.why_inexact(network) : std::string();
}

std::string why_fewer_threads(const RouterModel& router, std::uint32_t threads, bool in_batches)
{
  if (threads == 1 || std::ranges::any_of(router.engines, &RouterEngine::runs_on_threads)) {
    return {};
  }
  const bool for_batches = std::ranges::any_of(router.engines, &RouterEngine::starts_anew);
  if (for_batches && in_batches) {
    return {};
  }
  return fmt::format("found {}, but router \"{}\" runs on one thread{}, expected 1", threads, router.name,
                     for_batches ? ", except for schedules in lockstep whose messages of a step start together" : "");
}

const RouterEngine& engine_of(const RouterModel& router, std::string_view name)
{
  const auto engine = std::ranges::find(router.engines, name, &RouterEngine::name);
  if (engine == router.engines.end()) {
    throw std::logic_error(fmt::format("router \"{}\" has no engine \"{}\"", router.name, name));
  }
  return *engine;
}

void throw_inexact(const RouterModel& router, const RouterEngine& engine, std::string_view why)
{
  throw InputError(fmt::format("engine \"{}\" cannot run this exactly: {}; use \"{}\" or \"auto\"", engine.name, why,
                               router.engines.back().name));
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineInput& input)
{
  const RouterModel& router = *input.network.router;
  const RouterEngine& engine = engine_of(router, name);
  if (const std::string why = why_fewer_threads(router, input.threads, input.source.batch_count() > 0); !why.empty()) {
    throw InputError(fmt::format("run.threads: {}", why));
  }
  return runs_batches_on_threads(engine, input) ? make_batch_engine(engine, input) : engine.make(input);
}

std::string engine_for_online_messages(const NetworkParameters& network, EngineChoice choice)
{
  const RouterModel& router = *network.router;
  const RouterEngine* asked = asked_engine(network, choice);
  if (asked == nullptr) {
    return std::ranges::find_if(router.engines,
                                [&](const RouterEngine& engine) { return is_exact_for_all_messages(engine, network); })
        ->name;
  }
  if (!is_exact_for_all_messages(*asked, network)) {
    if (asked->limits.empty()) {
      throw_inexact(router, *asked, why_inexact(*asked, network));
    }
    throw InputError(
        fmt::format("engine \"{}\" cannot run messages that are sent while the network runs {}; use \"{}\" or \"auto\"",
                    asked->name, asked->limits, router.engines.back().name));
  }
  return asked->name;
}

void throw_time_overflow()
{
  throw InputError(fmt::format("the simulated time exceeds {} (2^62 ps): shorten the messages or the times",
                               format_time(Time{largest_time})));
}

} // namespace wormcast
