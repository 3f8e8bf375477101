#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/passage.hpp"
#include "wormcast/simulator/critical_path/pipeline_passage.hpp"
#include "wormcast/simulator/engines/input_queued/engines.hpp"
#include "wormcast/simulator/routers/built_in.hpp"
#include "wormcast/topologies/dependency/grid_routing_dependency.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/field.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

constexpr std::int64_t most_cycles_of_delay = 1000;

constexpr std::string_view piggyback = "piggyback"; // value of vc_allocator

// Values of release: whether a channel is released at the tail's credit.
constexpr auto release_names = names<bool>({{false, "tail_sent"}, {true, "tail_credit"}});

std::string quoted(std::string_view text)
{
  return fmt::format("\"{}\"", text);
}

// In cycles.
Field<PipelineParameters> delay_field(const std::string& name, std::uint32_t PipelineParameters::* member,
                                      std::int64_t least, const std::string& text)
{
  return field(name, member, text).at_least(least).at_most(most_cycles_of_delay);
}

Field<PipelineParameters> vc_allocator_field()
{
  std::vector<std::string> choices = allocator_names.texts();
  choices.emplace(choices.begin(), piggyback);
  return {
      {.name = "vc_allocator",
       .type = ParameterType::choice,
       .text =
           "the allocator of virtual channels; by default \"islip\", and with speculative = true \"piggyback\": the "
           "crossbar's grant includes the virtual channel",
       .optional = true,
       .choices = std::move(choices)},
      [](PipelineParameters& pipeline, const ParameterValue* value) {
        std::string chosen(pipeline.speculative ? piggyback : allocator_names.text(AllocatorKind::islip));
        if (value != nullptr) {
          take_value(chosen, *value);
        }
        pipeline.piggyback = chosen == piggyback;
        if (!pipeline.piggyback) {
          pipeline.virtual_channel_allocator = allocator_names.read(chosen);
        } else if (!pipeline.speculative) {
          throw InputError("\"piggyback\" needs speculative = true");
        }
      },
      [](const PipelineParameters& pipeline) {
        return std::string(pipeline.piggyback ? piggyback : allocator_names.text(pipeline.virtual_channel_allocator));
      }};
}

// The keys that no other router has.
const Fields<PipelineParameters>& pipeline_fields()
{
  using Pipeline = PipelineParameters;
  static const Fields<Pipeline> fields({
      field("speculative", &Pipeline::speculative, "a header requests the crossbar together with its virtual channel")
          .otherwise({}),
      vc_allocator_field(), // which depends on speculation
      field("allocator", &Pipeline::switch_allocator, allocator_names, "the allocator of the crossbar").otherwise({}),
      field("islip_iterations", &Pipeline::islip_iterations, "iterations of islip in each cycle")
          .at_least(1)
          .at_most(16)
          .otherwise({}),
      field("input_speedup", &Pipeline::input_speedup,
            "inputs of the crossbar for each input port; virtual channel v uses that of number v mod input_speedup")
          .at_least(1)
          .at_most(16)
          .otherwise({}),
      field("internal_speedup", &Pipeline::internal_speedup,
            "steps of a cycle: in each the allocators grant requests and the crossbar accepts flits, while a channel "
            "carries one flit in a cycle")
          .at_least(1)
          .at_most(16)
          .otherwise({}),
      field(
          "priority", &Pipeline::priority, flit_priority_names,
          "the priority in the allocators but for islip: none, the flit that arrived in its buffer earlier, the flit of "
          "the message that was ready earlier, or that of the message of higher priority, which its source sends "
          "first, too")
          .otherwise({}),
      field("release", &Pipeline::releases_at_credit, release_names,
            "whether a virtual channel is released when its tail has been sent, or when the tail's credit has returned")
          .otherwise({}),
      delay_field("routing_delay", &Pipeline::routing_delay, 0,
                  "cycles until the route of a header at the front is known")
          .otherwise({}),
      delay_field("switch_delay", &Pipeline::switch_delay, 1, "cycles that a flit needs through the crossbar")
          .otherwise({}),
      delay_field("credit_delay", &Pipeline::credit_delay, 0,
                  "cycles from the arrival of a credit until the router uses it")
          .otherwise({}),
      delay_field(
          "link_delay", &Pipeline::link_delay, 1,
          "cycles that a flit or a credit needs over an external channel; by default 1 on a mesh and 2 on a torus")
          .optional(),
  });
  return fields;
}

// The keys of network_keys() that differ here.
std::vector<Parameter> changed_network_keys()
{
  Parameter buffers = *std::ranges::find(network_keys(), "buffer_flits", &Parameter::name);
  buffers.text =
      "B: input buffer of each virtual channel, in flits; \"auto\": the flits that a channel needs for its full "
      "rate, 2 * (1 + link_delay) + switch_delay + credit_delay, at least 8";
  buffers.maximum = std::int64_t{1} << 30;
  Parameter routing = *std::ranges::find(network_keys(), "routing", &Parameter::name);
  routing.text = "the routing; \"west_first\" and \"odd_even\" are for meshes of two dimensions (docs/routers.md)";
  routing.choices = grid_routing_names.texts();
  return {buffers, routing};
}

void check_fixed_keys(const NetworkParameters& network)
{
  const auto refuse = [](std::string_view key, std::string_view found, std::string_view expected) {
    throw InputError(fmt::format("{}: found {}, but router \"input_queued\" has {} only", key, found, expected));
  };
  if (network.ports.count != 1) {
    refuse("ports", network.ports.count == PortModel::all ? "\"all\"" : fmt::to_string(network.ports.count), "1");
  }
  if (network.duplex != Duplex::full) {
    refuse("duplex", quoted(duplex_names.text(network.duplex)), quoted(duplex_names.text(Duplex::full)));
  }
  if (network.switching != Switching::wormhole) {
    refuse("switching", quoted(switching_names.text(network.switching)),
           quoted(switching_names.text(Switching::wormhole)));
  }
  if (network.pipeline.input_speedup > network.virtual_channels) {
    throw InputError(fmt::format("input_speedup: found {}, expected at most the {} of virtual_channels: more inputs of "
                                 "the crossbar would have none",
                                 network.pipeline.input_speedup, network.virtual_channels));
  }
  check_whole_cycles(network, "startup", network.startup);
  check_whole_cycles(network, "startup_latency", network.startup_latency);
}

void check_pipeline(const NetworkParameters& network, const Topology& topology)
{
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) {
    throw InputError(
        fmt::format("router: \"input_queued\" cannot be used on a {}, expected a mesh or a torus{}{}", topology.title(),
                    topology.description().parameters.has("concentration")    ? " of one host a router"
                    : topology.description().parameters.has("parallel_links") ? " of single links"
                                                                              : "",
                    topology.description().kind == "hypercube" ? "; a hypercube of up to 8 dimensions is the mesh with "
                                                                 "dims = [2, 2, ...]"
                                                               : ""));
  }
  check_fixed_keys(network);
  check_grid_routing(
      network.pipeline.routing, *grid,
      {.virtual_channels = network.virtual_channels, .releases_at_credit = network.pipeline.releases_at_credit});
}

// Flits can wait for an output that sends one of them in a cycle as long as there are slots downstream.
constexpr std::uint64_t most_flits_with_speedup = 4096;

void check_steps(const NetworkParameters& network)
{
  const std::uint32_t speedup = network.pipeline.internal_speedup;
  if (speedup == 1) {
    return;
  }
  if (network.buffer_flits > most_flits_with_speedup / network.virtual_channels) {
    throw InputError(fmt::format("internal_speedup: found {} with virtual_channels * buffer_flits = {} * {}, expected "
                                 "1, or at most {} flits in the buffers of a port",
                                 speedup, network.virtual_channels, network.buffer_flits, most_flits_with_speedup));
  }
  if (network.flit_time().picoseconds < speedup) {
    throw InputError(fmt::format("internal_speedup: found {}, expected at most the {} ps of a cycle, flit_bytes * "
                                 "per_byte",
                                 speedup, network.flit_time().picoseconds));
  }
}

void resolve_pipeline(NetworkParameters& network, const Topology& topology)
{
  PipelineParameters& pipeline = network.pipeline;
  if (pipeline.link_delay == 0) {
    pipeline.link_delay = dynamic_cast<const Grid&>(topology).wraps() ? 2 : 1;
  }
  if (network.automatic_buffers) {
    network.buffer_flits = automatic_buffer_flits(network);
  }
  check_steps(network);
  if (__builtin_mul_overflow(pipeline.hop_cycles(), network.flit_time().picoseconds, &network.per_hop.picoseconds)) {
    throw InputError("flit_bytes: the time of a hop, the pipeline's cycles times flit_bytes * per_byte, is too long");
  }
}

double time_through_pipelines(const NetworkParameters& network, double hops, double flits)
{
  const auto tau = static_cast<double>(network.flit_time().picoseconds);
  const auto startup = static_cast<double>(network.startup.picoseconds);
  const auto cycles = static_cast<double>(network.pipeline.end_cycles());
  return startup + (cycles + hops * static_cast<double>(network.pipeline.hop_cycles()) + flits - 1) * tau;
}

std::uint64_t cycles_of_credit(const NetworkParameters& network)
{
  const PipelineParameters& pipeline = network.pipeline;
  return 2 * (std::uint64_t{1} + pipeline.link_delay) + pipeline.switch_delay + pipeline.credit_delay -
         (pipeline.internal_speedup > 1 ? 1 : 0); // a flit enters the crossbar in the cycle of its grant
}

SlowChannel channel_with_few_slots(const NetworkParameters& network)
{
  const std::uint64_t needed = cycles_of_credit(network);
  return {
      .why = fmt::format(
          "buffers do not cover the round trip of a flit and its credit: buffer_flits = {} < 2 * (1 + link_delay) + "
          "switch_delay + credit_delay{} = {}",
          network.buffer_flits, network.pipeline.internal_speedup > 1 ? " - 1" : "", needed),
      .percent = 100 * static_cast<double>(network.buffer_flits) / static_cast<double>(needed)};
}

std::string why_not_by_closed_form(const NetworkParameters& network)
{
  return pipeline_closed_form_holds(network)
             ? ""
             : "router \"input_queued\" needs routing = "
               "\"dimension_order\", virtual_channels = 1, release = \"tail_credit\", switch_delay = 1, "
               "internal_speedup = 1, routing_delay of at most 1, no speculation or \"piggyback\", no wavefront, and "
               "buffer_flits of at least 2*(1 + link_delay) + 1 + credit_delay and 5 + credit_delay for it";
}

ChannelMemory memory_of_buffers(const NetworkParameters& network, const Topology& topology)
{
  constexpr std::uint64_t bytes_of_channel = 150; // buffer, sender, the allocators' pointers
  const std::uint64_t channels =
      (topology.channel_count() + 2 * port_count(network, topology)) * network.virtual_channels;
  return {.channels = channels, .bytes = channels * bytes_of_channel};
}

} // namespace

RouterModel input_queued_router()
{
  RouterModel router;
  router.name = "input_queued";
  router.summary = "BookSim2's input-queued router with a pipeline, cycle for cycle";
  router.page = "docs/routers.md";
  router.parameters = pipeline_fields().declarations();
  router.changed_keys = changed_network_keys();
  const std::string one_rate = "a cycle is the time of a flit on every channel";
  router.absent_keys = {{.name = "per_hop", .why = "it follows from the pipeline's delays"},
                        {.name = "hold"},
                        {.name = "link_per_hop", .why = one_rate},
                        {.name = "link_per_byte", .why = one_rate},
                        {.name = "port_per_byte", .why = one_rate}};
  router.has_grid_routings = true;
  router.read = [](NetworkParameters& network, const ParameterValues& values) {
    network.pipeline = {};
    pipeline_fields().read(network.pipeline, values);
  };
  router.check = check_pipeline;
  router.resolve = resolve_pipeline;
  router.complete = [](const NetworkParameters& network, ParameterValues& values) {
    pipeline_fields().write(network.pipeline, values);
  };
  router.engines = {{.name = "worm", .make = make_pipeline_worm_engine, .why_inexact = why_not_by_closed_form},
                    {.name = "cycle", .make = make_cycle_engine, .runs_on_threads = true}};
  router.memory = memory_of_buffers;
  router.cycle = [](const NetworkParameters& network) { return network.flit_time(); };
  router.empty_network_picoseconds = time_through_pipelines;
  router.fewest_buffer_flits = 8;
  router.flits_for_full_rate = cycles_of_credit;
  router.slow_channel = channel_with_few_slots;
  router.virtual_channels_add_up = true;
  router.bounded_by_formula = true;
  router.time_beside_formula = "cycles of the routers";
  router.why_no_formula = "a router with a pipeline, whose cycles are no part of the formula";
  router.reports_flits = true;
  router.stages = {PathCause::routing,
                   PathCause::virtual_channel_allocation,
                   PathCause::switch_allocation,
                   PathCause::switch_traversal,
                   PathCause::link,
                   PathCause::pipeline};
  router.passage = pipeline_passage;
  router.channel_dependencies = [](const Topology& topology, GridRouting routing, std::uint32_t virtual_channels) {
    return routing_dependencies(dynamic_cast<const Grid&>(topology), routing, virtual_channels);
  };
  return router;
}

} // namespace wormcast
