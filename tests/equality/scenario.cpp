#include "tests/equality/scenario.hpp"

#include "tests/equality/random_draws.hpp"
#include "tests/equality/random_topology.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/pieces.hpp"
#include "wormcast/algorithms/schedule/ready_messages.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace wormcast::testing {

namespace {

constexpr std::size_t most_messages = 1500;
constexpr std::size_t shown_messages = 40;

NetworkParameters random_network(RandomDraws& draws)
{
  NetworkParameters network;
  network.startup = Time{draws.one_in(4) ? 0 : draws.between(0, 40)};
  network.per_byte = Time{draws.between(1, 5)};
  network.flit_bytes = draws.one_of<std::uint64_t>({1, 1, 2, 3, 4, 8});
  network.buffer_flits = draws.one_of<std::uint64_t>({1, 1, 2, 2, 3, 4, 6, 1000000});
  const std::int64_t room = static_cast<std::int64_t>(network.buffer_flits) * network.flit_time().picoseconds;
  const std::int64_t covered = std::min<std::int64_t>(room, 60);
  network.per_hop = Time{draws.one_of<std::int64_t>(
      {0, 0, draws.between(0, covered), draws.between(0, covered), covered, draws.between(0, 60)})};
  network.ports.count = draws.one_of<std::uint32_t>({1, 1, 1, 2, 3, 5, PortModel::all, PortModel::all});
  network.duplex = draws.one_in(3) ? Duplex::half : Duplex::full;
  network.hold = draws.one_in(3) ? Hold::path : Hold::tail;
  network.switching = draws.one_of({Switching::wormhole, Switching::wormhole, Switching::wormhole,
                                    Switching::cut_through, Switching::store_and_forward});
  network.virtual_channels = draws.one_of<std::uint32_t>({1, 1, 1, 1, 2, 2, 3, 4});
  network.routing.tie = draws.one_of<const char*>({"no_wrap", "positive", "random"});
  return network;
}

NetworkParameters random_pipeline_network(RandomDraws& draws)
{
  const auto allocator = [&draws] {
    return draws.one_of({AllocatorKind::islip, AllocatorKind::islip, AllocatorKind::separable_input_first,
                         AllocatorKind::separable_output_first});
  };
  NetworkParameters network;
  network.router = &find_router("input_queued");
  network.startup = Time{draws.one_in(3) ? 70 : 0};
  network.per_byte = Time{7};
  network.virtual_channels = draws.one_of<std::uint32_t>({1, 1, 2, 3, 4, 4, 8});
  network.buffer_flits = draws.one_of<std::uint64_t>({1, 2, 4, 8});
  network.routing.tie = draws.one_of<const char*>({"no_wrap", "positive", "random"});
  PipelineParameters& pipeline = network.pipeline;
  pipeline.speculative = draws.one_in(2);
  pipeline.piggyback = pipeline.speculative && draws.one_in(2);
  pipeline.virtual_channel_allocator = allocator();
  pipeline.switch_allocator = allocator();
  pipeline.islip_iterations = draws.one_of<std::uint32_t>({1, 1, 2});
  pipeline.priority = draws.one_of(
      {FlitPriority::none, FlitPriority::none, FlitPriority::none, FlitPriority::local_age, FlitPriority::age});
  pipeline.releases_at_credit = draws.one_in(4);
  pipeline.routing_delay = draws.one_of<std::uint32_t>({0, 0, 1, 2});
  pipeline.switch_delay = draws.one_of<std::uint32_t>({1, 1, 1, 2});
  pipeline.credit_delay = draws.one_of<std::uint32_t>({0, 0, 1});
  pipeline.link_delay = draws.one_of<std::uint32_t>({0, 1, 2});
  pipeline.routing =
      draws.one_of({GridRouting::dimension_order, GridRouting::dimension_order, GridRouting::west_first,
                    GridRouting::odd_even, GridRouting::minimal_adaptive, GridRouting::valiant, GridRouting::romm});
  network.routing_seed = draws.number();
  // Of a number that is drawn for something else: scenarios without an input speed-up stay what they are.
  pipeline.input_speedup =
      std::min(std::array<std::uint32_t, 5>{1, 1, 1, 2, 3}[network.routing_seed % 5], network.virtual_channels);
  pipeline.internal_speedup = std::array<std::uint32_t, 5>{1, 1, 1, 2, 3}[network.routing_seed / 405 % 5];
  // The same for wavefronts.
  const auto wavefront = [&](AllocatorKind& kind, std::uint64_t drawn) {
    kind = drawn == 0 ? AllocatorKind::wavefront : drawn == 1 ? AllocatorKind::rr_wavefront : kind;
  };
  wavefront(pipeline.virtual_channel_allocator, network.routing_seed / 5 % 9);
  wavefront(pipeline.switch_allocator, network.routing_seed / 45 % 9);
  return network;
}

RunParameters random_run(RandomDraws& draws)
{
  RunParameters run;
  run.seed = draws.number();
  run.mode = draws.one_of({Mode::lockstep, Mode::self_timed});
  run.tie_break = draws.one_of({TieBreak::id, TieBreak::id, TieBreak::source, TieBreak::seeded});
  run.start_jitter = Time{draws.one_of<std::int64_t>({0, 0, 0, 1, 50})};
  return run;
}

/// Any other node.
NodeId another_node(RandomDraws& draws, std::uint32_t node, std::uint32_t nodes)
{
  return NodeId{static_cast<std::uint32_t>((node + draws.between(1, nodes - 1)) % nodes)};
}

Schedule random_plain_list(RandomDraws& draws, std::uint32_t nodes, std::int64_t count)
{
  Schedule schedule;
  schedule.operation = Operation::none;
  const auto longest = draws.one_of<std::int64_t>({1, 8, 30, 80});
  const auto last_start = draws.one_of<std::int64_t>({0, 0, 1, 100, 600});
  const bool hot_spot = draws.one_in(4);
  for (std::int64_t id = 0; nodes > 1 && id < count; ++id) {
    const std::uint32_t source = draws.below(nodes);
    const NodeId other = another_node(draws, source, nodes);
    schedule.messages.push_back({.source = NodeId{source}, .destination = hot_spot && source != 0 ? NodeId{0} : other});
    PlainMessage plain;
    plain.bytes = static_cast<std::uint64_t>(draws.between(1, longest));
    plain.start = Time{draws.between(0, last_start)};
    schedule.plain.push_back(plain);
    std::vector<MessageId> after;
    while (id > 0 && draws.one_in(4)) {
      after.push_back(MessageId{draws.below(static_cast<std::size_t>(id))});
    }
    schedule.after.set(static_cast<std::size_t>(id), after);
  }
  return schedule;
}

/// Some of the blocks that a node holds, and rarely one that it does not.
std::vector<BlockRange> random_blocks(RandomDraws& draws, const Possession& held, NodeId node, std::uint32_t nodes)
{
  std::vector<BlockRange> blocks;
  for (std::uint32_t block = 0; block < nodes; ++block) {
    const BlockRange range{block, block + 1};
    if ((draws.one_in(40) || held.holds(node, std::span(&range, 1))) && draws.one_in(2)) {
      blocks.push_back(range);
    }
  }
  if (blocks.empty()) {
    blocks.push_back({index(node), index(node) + 1});
  }
  return blocks;
}

/// Nodes tell each other what they know, a few steps long; not necessarily all of it to all.
Schedule random_gossip(RandomDraws& draws, std::uint32_t nodes)
{
  Schedule schedule;
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = nodes;
  schedule.message_bytes = draws.one_of<std::uint64_t>({1, 5, 20});
  Possession held(schedule, nodes);
  const auto steps = nodes < 2 ? 0U : static_cast<std::uint32_t>(draws.between(1, 5));
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::size_t first = schedule.messages.size();
    for (std::int64_t left = draws.between(0, 12); left > 0; --left) {
      const NodeId source{draws.below(nodes)};
      const NodeId destination = another_node(draws, index(source), nodes);
      const BlockSetId blocks = schedule.block_sets.intern(random_blocks(draws, held, source, nodes));
      schedule.messages.push_back({step, source, destination, blocks});
    }
    for (std::size_t id = first; id < schedule.messages.size(); ++id) {
      held.add(schedule.messages[id].destination, schedule.messages[id].blocks);
    }
  }
  return schedule;
}

std::uint64_t name_hash(const std::string& name, std::uint64_t start)
{
  std::uint64_t hash = start;
  for (const char letter : name) {
    hash = spread(hash ^ static_cast<unsigned char>(letter));
  }
  return hash;
}

/// All algorithms in a random order, in which a new one does not move the others.
std::vector<const Algorithm*> shuffled_algorithms(RandomDraws& draws)
{
  const std::uint64_t start = draws.number();
  std::vector<const Algorithm*> shuffled;
  for (const Algorithm& algorithm : algorithms()) {
    shuffled.push_back(&algorithm);
  }
  std::ranges::sort(shuffled, {}, [start](const Algorithm* algorithm) {
    return std::pair(name_hash(algorithm->name, start), algorithm->name);
  });
  return shuffled;
}

/// The schedule of the first algorithm that serves the topology with few messages.
std::optional<Schedule> random_algorithm(RandomDraws& draws, const Topology& topology, const NetworkParameters& network,
                                         std::string& name)
{
  ScheduleRequest request;
  request.source = NodeId{draws.below(topology.host_count())};
  request.message_bytes = draws.one_of<std::uint64_t>({1, 3, 16, 40, 97});
  request.ports = network.ports;
  request.duplex = network.duplex;
  request.costs = MessageCosts{network.startup, network.per_byte, network.per_hop};
  const std::uint64_t choice = draws.number();
  for (const Algorithm* algorithm : shuffled_algorithms(draws)) {
    const auto family = algorithm->family ? algorithm->family(topology) : std::vector<ParameterValues>();
    request.parameters = family.empty() ? ParameterValues() : family[choice % family.size()];
    if (const std::uint64_t other = choice >> 32; other % 4 == 0) {
      std::vector<Operation> served = served_operations(*algorithm);
      if (algorithm->operation != Operation::multicast) { // a broadcast's needs destinations
        std::erase(served, Operation::multicast);
      }
      request.parameters.set("operation", std::string(operation_names.text(served[other / 4 % served.size()])));
    }
    try {
      Schedule schedule = make_schedule(*algorithm, topology, request);
      if (schedule.messages.size() <= most_messages) {
        name = algorithm->name;
        return schedule;
      }
    } catch (const InputError&) { // a topology, port model or parameter that it does not serve
      continue;
    }
  }
  return std::nullopt;
}

void add_schedule(RandomDraws& draws, Scenario& scenario)
{
  const Topology& topology = *scenario.topology;
  std::optional<Schedule> schedule;
  if (scenario.traffic == "algorithm") {
    schedule = random_algorithm(draws, topology, scenario.network, scenario.traffic);
  } else if (scenario.traffic == "gossip") {
    schedule = random_gossip(draws, topology.host_count());
  }
  if (!schedule) {
    scenario.traffic = "plain list";
    const auto count = draws.one_of<std::int64_t>({1, 2, 3, draws.between(1, 12), draws.between(1, 60)});
    schedule = random_plain_list(draws, topology.host_count(), count);
  }
  scenario.schedule = std::move(*schedule);
  scenario.schedule.topology = topology.description();
  scenario.schedule.routing = topology.routing();
  scenario.schedule.ports = scenario.network.ports;
  scenario.schedule.duplex = scenario.network.duplex;
}

std::string describe_network(const NetworkParameters& network)
{
  constexpr std::array switching = {"wormhole", "cut_through", "store_and_forward"};
  std::string text = fmt::format(
      "startup {} ps, startup_latency {} ps, per_hop {} ps, per_byte {}, flit_bytes {}, last_flit {}, buffer_flits {}, "
      "virtual_channels {}, ports {} {}, duplex {}, switching {}, hold {}, tie {}",
      network.startup.picoseconds, network.startup_latency.picoseconds, network.per_hop.picoseconds,
      format_byte_time(network.per_byte), network.flit_bytes, last_flit_names.text(network.last_flit),
      network.buffer_flits, network.virtual_channels,
      network.ports.count == PortModel::all ? "all" : std::to_string(network.ports.count),
      port_choice_names.text(network.port_choice), network.duplex == Duplex::half ? "half" : "full",
      switching[static_cast<std::size_t>(network.switching)], network.hold == Hold::path ? "path" : "tail",
      network.routing.tie);
  for (const Time hop : network.link_per_hop) {
    text += fmt::format(", hop {} ps", hop.picoseconds);
  }
  for (const ByteTime per_byte : network.link_per_byte) {
    text += fmt::format(", link {} per byte", format_byte_time(per_byte));
  }
  return text + (network.port_per_byte ? ", port " + format_byte_time(*network.port_per_byte) + " per byte" : "");
}

std::string describe_run(const RunParameters& run)
{
  constexpr std::array tie_breaks = {"id", "source", "seeded"};
  return fmt::format("mode {}, seed {}, tie_break {}, start_jitter {} ps, call {} ps, reduce \"{}\" {}",
                     run.mode == Mode::lockstep ? "lockstep" : "self_timed", run.seed,
                     tie_breaks[static_cast<std::size_t>(run.tie_break)], run.start_jitter.picoseconds,
                     run.computation.call.picoseconds, time_table_text(run.computation.reduce),
                     additions_names.text(run.computation.additions));
}

std::string describe_message(const Schedule& schedule, std::size_t id)
{
  const Message& message = schedule.messages[id];
  std::string text = fmt::format("  message {}: {} -> {}, {} bytes", id, index(message.source),
                                 index(message.destination), message_bytes(schedule, id));
  text += schedule.ports_of_messages.empty() ? "" : fmt::format(", port {}", schedule.ports_of_messages[id]);
  text += schedule.packets.empty() ? "" : fmt::format(", packet {}", schedule.packets[id]);
  if (schedule.operation != Operation::none) {
    text += fmt::format(", step {}, blocks", message.step);
    for (const BlockRange& range : schedule.block_sets.ranges(message.blocks)) {
      text += fmt::format(" [{}, {})", range.begin, range.end);
    }
    return text + "\n";
  }
  const PlainMessage& plain = schedule.plain[id];
  text += plain.start > Time{} ? fmt::format(", start {} ps", plain.start.picoseconds) : "";
  text += plain.compute > Time{} ? fmt::format(", compute {} ps", plain.compute.picoseconds) : "";
  for (const MessageId before : schedule.after[id]) {
    text += fmt::format(", after {}", index(before));
  }
  return text + "\n";
}

/// A list of random messages in place of the scenario's schedule, on its topology.
void draw_plain_list(RandomDraws& draws, Scenario& scenario)
{
  scenario.network.routing = scenario.topology->routing();
  scenario.schedule = random_plain_list(draws, scenario.topology->host_count(), draws.between(20, 120));
  scenario.schedule.topology = scenario.topology->description();
  scenario.schedule.routing = scenario.topology->routing();
  scenario.schedule.ports = scenario.network.ports;
  scenario.schedule.duplex = scenario.network.duplex;
}

} // namespace

std::uint64_t message_bytes(const Schedule& schedule, std::size_t id)
{
  if (schedule.operation == Operation::none) {
    return schedule.plain[id].bytes;
  }
  std::uint64_t bytes = 0;
  for (const BlockRange& range : schedule.block_sets.ranges(schedule.messages[id].blocks)) {
    if (cuts_message(schedule.operation)) { // the message is cut at floor(i * L / blocks)
      bytes +=
          range.end * schedule.message_bytes / schedule.blocks - range.begin * schedule.message_bytes / schedule.blocks;
      continue;
    }
    // Of each node the message is cut into C blocks, which are N apart.
    const std::uint64_t parts = schedule.blocks_per_node;
    const std::uint64_t apart = schedule.blocks / parts;
    for (std::uint64_t block = range.begin; block < range.end; ++block) {
      const std::uint64_t part = parts == 1 ? 0 : block / apart;
      bytes += (part + 1) * schedule.message_bytes / parts - part * schedule.message_bytes / parts;
    }
  }
  return bytes;
}

Scenario random_scenario(std::uint64_t seed)
{
  RandomDraws draws(seed);
  Scenario scenario;
  scenario.seed = seed;
  scenario.traffic = draws.one_of<const char*>({"plain list", "plain list", "plain list", "plain list", "plain list",
                                                "plain list", "algorithm", "algorithm", "gossip", "gossip"});
  scenario.network = random_network(draws);
  scenario.topology = random_topology(draws, scenario.network.routing, scenario.traffic == "algorithm");
  scenario.network.routing = scenario.topology->routing();
  scenario.run = random_run(draws);
  add_schedule(draws, scenario);
  return scenario;
}

/// In some scenarios last flits are as long as their bytes, and bytes take fractions of a picosecond.
void draw_exact_lengths(std::uint64_t seed, NetworkParameters& network)
{
  constexpr std::uint64_t length_stream = 0x6c656e677468;
  RandomDraws draws(seed ^ length_stream);
  if (!draws.one_in(3)) {
    return;
  }
  network.last_flit = LastFlit::exact;
  if (network.flit_bytes > 1 && draws.one_in(2)) {
    const auto bytes = static_cast<std::int64_t>(network.flit_bytes);
    network.per_byte = ByteTime(bytes * draws.between(0, 2) + draws.between(1, bytes), bytes);
  }
}

void draw_channel_times(RandomDraws& draws, Scenario& scenario)
{
  NetworkParameters& network = scenario.network;
  const std::size_t classes = scenario.topology->link_classes().size();
  network.last_flit = LastFlit::padded;
  const bool has_rates = draws.one_in(2);
  const bool has_hops = draws.one_in(2);
  if (!has_hops || draws.one_in(2)) {
    network.port_per_byte = Time{draws.between(1, 8)};
  }
  for (std::size_t of_class = 0; has_rates && of_class < classes; ++of_class) {
    network.link_per_byte.emplace_back(Time{draws.between(1, 8)});
  }
  if (has_rates && scenario.topology->headers_choose()) { // all links need one rate
    std::ranges::fill(network.link_per_byte, ByteTime(network.link_per_byte.front()));
  }
  for (std::size_t of_class = 0; has_hops && of_class < classes; ++of_class) {
    network.link_per_hop.push_back(Time{draws.one_of<std::int64_t>({0, draws.between(0, 10), draws.between(0, 60)})});
  }
}

/// In some scenarios classes of links have rates and latencies of their own.
void draw_channel_times(std::uint64_t seed, Scenario& scenario)
{
  constexpr std::uint64_t channel_stream = 0x6368616e6e656c;
  RandomDraws draws(seed ^ channel_stream);
  if (draws.one_in(4)) {
    draw_channel_times(draws, scenario);
  }
}

/// In some scenarios messages are bound to ports.
void bind_to_ports(RandomDraws& draws, Scenario& scenario)
{
  const std::uint32_t count = scenario.network.ports.count;
  if (count == PortModel::all || count == 1 || draws.one_in(3)) {
    return;
  }
  scenario.network.port_choice = PortChoice::of_message;
  for (std::size_t id = 0; id < scenario.schedule.messages.size(); ++id) {
    scenario.schedule.ports_of_messages.push_back(static_cast<std::uint8_t>(draws.between(0, 5)));
  }
}

/// In some scenarios long messages are sent in segments, or in packets.
void cut_messages(RandomDraws& draws, Scenario& scenario)
{
  if (scenario.schedule.operation == Operation::none || !draws.one_in(2)) {
    return;
  }
  const std::uint32_t nodes = scenario.topology->host_count();
  const auto most = static_cast<std::uint64_t>(draws.between(1, 40));
  const bool in_order = scenario.network.ports.count == PortModel::all
                            ? scenario.topology->drawn_bits() == 0
                            : scenario.network.ports.count == bound_ports(scenario.network);
  std::optional<Schedule> cut;
  try {
    cut = in_order && draws.one_in(2) ? with_packets(scenario.schedule, nodes, most)
                                      : with_segments(scenario.schedule, nodes, most);
  } catch (const InputError&) { // a block that cannot be cut
    return;
  }
  if (cut->messages.size() <= most_messages) {
    scenario.schedule = *std::move(cut);
  }
}

void draw_computation(std::uint64_t seed, Scenario& scenario)
{
  constexpr std::uint64_t computation_stream = 0x636f6d70757465;
  RandomDraws draws(seed ^ computation_stream);
  if (!draws.one_in(3)) {
    return;
  }
  scenario.network.startup_latency = Time{draws.one_of<std::int64_t>({0, 0, 1, 30, 200})};
  scenario.run.computation.call = Time{draws.one_of<std::int64_t>({0, 0, 20})};
  scenario.run.computation.additions = draws.one_of({Additions::serial, Additions::serial, Additions::parallel});
  if (draws.one_in(2)) {
    scenario.run.computation.reduce =
        read_time_table(draws.one_of<const char*>({"1B 1ps", "4B 0ps, 16B 40ps, 64B 90ps"}));
  }
  for (PlainMessage& message : scenario.schedule.plain) {
    message.compute = Time{draws.one_in(3) ? draws.between(0, 60) : 0};
  }
  if (scenario.schedule.operation != Operation::none && draws.one_in(2)) {
    scenario.schedule = with_ready_messages(scenario.schedule, scenario.topology->host_count(),
                                            static_cast<std::uint64_t>(draws.between(0, 20)));
  }
}

Scenario random_computing_scenario(std::uint64_t seed)
{
  constexpr std::uint64_t sending_stream = 0x73656e64696e67;
  Scenario scenario = random_scenario(seed);
  draw_exact_lengths(seed, scenario.network);
  draw_channel_times(seed, scenario);
  RandomDraws draws(seed ^ sending_stream);
  bind_to_ports(draws, scenario);
  draw_computation(seed, scenario);
  cut_messages(draws, scenario);
  return scenario;
}

Scenario random_pipeline_scenario(std::uint64_t seed)
{
  RandomDraws draws(seed);
  for (;;) { // until parameters fit each other
    Scenario scenario;
    scenario.seed = seed;
    scenario.traffic = "plain list";
    scenario.network = random_pipeline_network(draws);
    ParameterValues values;
    values.set("dims", std::vector<std::int64_t>{draws.between(2, 5), draws.between(1, 5)});
    const char* kind = draws.one_of<const char*>({"mesh", "torus"});
    scenario.topology = make_topology({.kind = kind, .parameters = values}, scenario.network.routing);
    try {
      NetworkParameters suited = scenario.network;
      resolve_for(suited, *scenario.topology);
    } catch (const InputError&) {
      continue;
    }
    scenario.run = random_run(draws);
    scenario.run.start_jitter = Time{};
    scenario.schedule = random_plain_list(draws, scenario.topology->host_count(), draws.between(20, 300));
    scenario.schedule.topology = scenario.topology->description();
    scenario.schedule.routing = scenario.topology->routing();
    return scenario;
  }
}

Scenario random_scenario_of_unequal_channels(std::uint64_t seed)
{
  Scenario scenario = random_scenario(seed);
  RandomDraws draws(~seed); // others than those of the scenario
  draw_channel_times(draws, scenario);
  return scenario;
}

Scenario random_scenario_of_rings_and_lines(std::uint64_t seed, RouterOf router)
{
  Scenario scenario = router == RouterOf::pipeline ? random_pipeline_scenario(seed) : random_scenario(seed);
  RandomDraws draws(~seed); // others than those of the scenario
  scenario.traffic = "plain list";
  if (router == RouterOf::pipeline && seed % 2 == 0) { // with which both engines are exact
    const PipelineParameters drawn = scenario.network.pipeline;
    scenario.network.pipeline = {.releases_at_credit = true,
                                 .routing_delay = std::min<std::uint32_t>(drawn.routing_delay, 1),
                                 .credit_delay = drawn.credit_delay};
    scenario.network.virtual_channels = 1;
    scenario.network.buffer_flits = 32;
  }
  for (int tries = 0;; ++tries) { // until parameters fit each other
    TopologyDescription torus{.kind = "torus", .parameters = {}};
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(draws.between(2, 3)));
    std::vector<std::int64_t> wrap(sizes.size());
    for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
      sizes[dimension] = draws.between(2, 5);
      wrap[dimension] = draws.between(0, 1);
    }
    torus.parameters.set("dims", sizes);
    torus.parameters.set("wrap", wrap);
    scenario.topology = make_topology(torus, {.routing = {}, .tie = scenario.network.routing.tie});
    constexpr int enough = 20;
    if (tries > enough) {
      scenario.network.pipeline.routing = GridRouting::dimension_order;
    }
    try {
      NetworkParameters suited = scenario.network;
      resolve_for(suited, *scenario.topology);
    } catch (const InputError&) {
      continue;
    }
    draw_plain_list(draws, scenario);
    return scenario;
  }
}

Scenario random_scenario_of_lattices(std::uint64_t seed)
{
  Scenario scenario = random_scenario(seed);
  RandomDraws draws(~seed); // others than those of the scenario
  for (;;) {                // until the matrix has few nodes and parameters fit each other
    const auto dimensions = static_cast<std::size_t>(draws.between(1, 3));
    const std::int64_t largest = dimensions == 1 ? 40 : dimensions == 2 ? 8 : 4;
    std::vector<std::string> rows(dimensions);
    for (std::string& row : rows) {
      for (std::size_t column = 0; column < dimensions; ++column) {
        row += fmt::format(" {}", draws.between(-largest, largest));
      }
    }
    TopologyDescription lattice{.kind = "lattice", .parameters = {}};
    lattice.parameters.set("matrix", rows);
    const char* tie = scenario.network.routing.tie == "positive" ? "positive" : "no_wrap";
    try {
      scenario.topology = make_topology(lattice, {.routing = {}, .tie = tie});
      NetworkParameters suited = scenario.network;
      resolve_for(suited, *scenario.topology);
    } catch (const InputError&) {
      continue;
    }
    if (scenario.topology->host_count() > 1 && scenario.topology->host_count() <= 128) {
      scenario.traffic = "plain list";
      draw_plain_list(draws, scenario);
      return scenario;
    }
  }
}

Scenario random_scenario_of_switches(std::uint64_t seed)
{
  Scenario scenario = random_scenario(seed);
  RandomDraws draws(~seed); // others than those of the scenario
  for (;;) {                // until parameters fit each other
    scenario.topology = random_switched_topology(draws);
    try {
      NetworkParameters suited = scenario.network;
      suited.routing = scenario.topology->routing();
      resolve_for(suited, *scenario.topology);
    } catch (const InputError&) {
      continue;
    }
    if (scenario.topology->host_count() > 1) {
      scenario.traffic = "plain list";
      draw_plain_list(draws, scenario);
      if (seed % 3 == 0) {
        draw_channel_times(draws, scenario);
      }
      return scenario;
    }
  }
}

std::string describe(const Scenario& scenario)
{
  const Schedule& schedule = scenario.schedule;
  std::string text = fmt::format("  {}, {}\n  network: {}\n  run: {}\n", scenario.traffic, scenario.topology->title(),
                                 describe_network(scenario.network), describe_run(scenario.run));
  if (schedule.operation != Operation::none) {
    text += fmt::format("  schedule: {}, source {}, {} blocks, message of {} bytes\n",
                        operation_names.text(schedule.operation), index(schedule.source), schedule.blocks,
                        schedule.message_bytes);
  }
  const std::size_t shown = std::min(schedule.messages.size(), shown_messages);
  for (std::size_t id = 0; id < shown; ++id) {
    text += describe_message(schedule, id);
  }
  if (shown < schedule.messages.size()) {
    text += fmt::format("  and {} messages more\n", schedule.messages.size() - shown);
  }
  return text;
}

} // namespace wormcast::testing
