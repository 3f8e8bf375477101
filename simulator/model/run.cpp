#include "wormcast/simulator/model/run.hpp"

#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/field.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::string_view worms = "wormhole"; // value of run.model
constexpr std::int64_t most_threads = 64;

// The choices among a router's engines; a single engine is no choice.
std::vector<std::string> engine_names()
{
  std::vector<std::string> names = {std::string(EngineChoice::automatic.name())};
  for (const RouterModel& router : routers()) {
    for (const RouterEngine& engine : router.engines) {
      if (router.engines.size() > 1 && std::ranges::find(names, engine.name) == names.end()) {
        names.push_back(engine.name);
      }
    }
  }
  return names;
}

// `name` is one of engine_names().
EngineChoice engine_choice(std::string_view name)
{
  for (const RouterModel& router : routers()) {
    const auto engine = std::ranges::find(router.engines, name, &RouterEngine::name);
    if (engine != router.engines.end()) {
      return EngineChoice(engine->name);
    }
  }
  return EngineChoice::automatic;
}

Field<RunParameters> engine_field()
{
  return {{.name = "engine",
           .type = ParameterType::choice,
           .text =
               "one event per header hop, every flit on its own, or worm wherever it is exact; router \"input_queued\" "
               "has cycle instead of flit",
           .fallback = std::string(EngineChoice::automatic.name()),
           .choices = engine_names()},
          [](RunParameters& run, const ParameterValue* value) {
            std::string name;
            take_value(name, *value);
            run.engine = engine_choice(name);
          },
          [](const RunParameters& run) { return std::string(run.engine.name()); }};
}

Field<RunParameters> model_field()
{
  std::vector<std::string> models = fluid_model_keys.texts();
  models.emplace(models.begin(), worms);
  return {{.name = "model",
           .type = ParameterType::choice,
           .text = "messages are worms, or share bandwidth in a fluid model of SimGrid's: CM02 without and with cross "
                   "traffic, LV08",
           .optional = true,
           .choices = std::move(models)},
          [](RunParameters& run, const ParameterValue* value) {
            std::string name(worms);
            if (value != nullptr) {
              take_value(name, *value);
            }
            run.fluid = name == worms ? std::nullopt : std::optional(fluid_model_keys.read(name));
          },
          [](const RunParameters& run) { return std::string(run.fluid ? fluid_model_keys.text(*run.fluid) : worms); }};
}

// The keys before those of the noise.
const Fields<RunParameters>& run_fields()
{
  static const Fields<RunParameters> fields({
      field("mode", &RunParameters::mode, mode_names,
            "a step starts when all earlier messages are delivered, or every sender goes on by itself")
          .otherwise({}),
      engine_field(),
      field("seed", &RunParameters::seed, "seed of all that is random").otherwise({}),
      field("tie_break", &RunParameters::tie_break, tie_break_names,
            "the order of messages that request a channel at the same time: by id, by sender, or by an order made of "
            "the seed")
          .otherwise({}),
      field("start_jitter", &RunParameters::start_jitter,
            "each node starts after a random delay, uniform from 0 to this")
          .at_most(largest_time / 2)
          .otherwise({}),
      model_field(),
  });
  return fields;
}

// The keys of RunParameters::computation, without its section.
const Fields<Computation>& computation_fields()
{
  const auto table = [](const std::string& name, TimeTable Computation::* member, const std::string& text) {
    return Field<Computation>(
        {.name = name, .type = ParameterType::text, .text = text, .optional = true},
        [member](Computation& computation, const ParameterValue* value) {
          if (value != nullptr) {
            std::string entries;
            take_value(entries, *value);
            computation.*member = read_time_table(entries);
          }
        },
        [member](const Computation& computation) -> std::optional<ParameterValue> {
          return (computation.*member).empty() ? std::nullopt
                                               : std::optional<ParameterValue>(time_table_text(computation.*member));
        });
  };
  static const Fields<Computation> fields({
      table("reduce", &Computation::reduce,
            "the time in which a node adds a received partial result to its own, by bytes: \"4KiB 4.5us, 1MiB 15us\" "
            "(docs/network-model.md, \"Computation at the nodes\")"),
      field("reduce_by", &Computation::additions, additions_names,
            "whether a node adds what it receives one after the other, or each at its arrival; by default \"serial\"")
          .optional(),
      table("copy", &Computation::copy, "the time in which every node copies its buffer, by bytes, as for reduce"),
      field("copy_at", &Computation::copy_time, copy_time_names,
            "when every node copies its buffer: before it sends, or when it has received everything; by default "
            "\"end\"")
          .optional(),
      field("call", &Computation::call, "the time that every node spends before it does anything; by default none")
          .at_most(largest_time / 2)
          .optional(),
  });
  return fields;
}

// The keys after them.
const Fields<RunParameters>& further_run_fields()
{
  static const Fields<RunParameters> fields({
      field("paired", &RunParameters::paired,
            "run again on a contention-free network, where every external channel is always free and messages wait for "
            "ports only: the difference is the cost of contention")
          .optional(),
      field("threads", &RunParameters::threads,
            "the threads among which engine cycle of router \"input_queued\" divides the routers, and engine worm of "
            "router \"wormhole\" the steps of a schedule in lockstep; results do not depend on it; by default 1")
          .at_least(1)
          .at_most(most_threads)
          .optional(),
      field("unchecked", &RunParameters::unchecked,
            "also simulate a schedule that does not do its operation; the result states it")
          .optional(),
      field("ready_above", &RunParameters::ready_above,
            "a message of more bytes waits until its receiver has reported by a message without bytes that it is "
            "ready for it; by default no message does")
          .as(ParameterType::bytes),
      field("barriers", &RunParameters::barriers, barriers_names,
            "whether all nodes pass a barrier of messages without bytes before each step but the first, so that steps "
            "do not overlap; by default \"none\"")
          .optional(),
      field("segment_bytes", &RunParameters::segment_bytes,
            "a message of more bytes is sent as segments of at most so many, each with a start-up of its own; by "
            "default none is")
          .as(ParameterType::bytes)
          .at_least(1),
      field(
          "segments_of", &RunParameters::segments_of, segmented_messages_names,
          "which long messages are sent as segments: by default \"all\"; \"added\": those that their receivers add to "
          "results of their own")
          .optional(),
      field("packet_bytes", &RunParameters::packet_bytes,
            "a message of more bytes is sent as packets of at most so many, worms that follow each other after one "
            "start-up; by default none is")
          .as(ParameterType::bytes)
          .at_least(1),
  });
  return fields;
}

std::vector<Parameter> declare_run_keys()
{
  std::vector<Parameter> all = run_fields().declarations();
  std::ranges::move(noise_declarations(), std::back_inserter(all));
  std::ranges::move(further_run_fields().declarations(), std::back_inserter(all));
  std::ranges::move(computation_fields().declarations(), std::back_inserter(all));
  return all;
}

// The first of its keys determines whether there is any.
void read_noise(RunParameters& run, const ParameterValues& values)
{
  const std::vector<Parameter> keys = noise_declarations();
  const std::string& selector = keys.front().name;
  if (values.has(selector)) {
    run.noise = noise_of(values);
  }
  for (const Parameter& key : keys) {
    if (values.has(key.name) && !run.noise) {
      throw InputError(fmt::format("{}: found without {}", key.name, selector));
    }
    if (values.has(key.name) && key.type == ParameterType::file) {
      run.noise_file = values.text(key.name);
    }
  }
}

} // namespace

std::span<const Parameter> run_declarations()
{
  static const std::vector<Parameter> declarations = declare_run_keys();
  return declarations;
}

RunParameters run_parameters(const ParameterValues& values)
{
  RunParameters run;
  run_fields().read(run, values);
  read_noise(run, values);
  further_run_fields().read(run, values);
  computation_fields().read(run.computation, values);
  for (const auto& [key, needs] :
       {std::pair("reduce_by", "reduce"), std::pair("copy_at", "copy"), std::pair("segments_of", "segment_bytes")}) {
    if (values.has(key) && !values.has(needs)) {
      throw InputError(fmt::format("{}: found without {}", key, needs));
    }
  }
  if (run.ready_above && run.barriers != Barriers::none) {
    throw InputError("ready_above: found with barriers, whose messages have no bytes either, expected one of the two");
  }
  if (run.fluid && (run.noise || run.paired || run.threads > 1)) {
    throw InputError(
        fmt::format("{}: found with a fluid model, expected model = \"wormhole\"", run.noise    ? "noise.distribution"
                                                                                   : run.paired ? "paired"
                                                                                                : "threads"));
  }
  return run;
}

} // namespace wormcast
