#include "wormcast/experiments/mpi/mpi_report.hpp"

#include "wormcast/experiments/mpi/waiting_report.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

// Rows of a run's table that say nothing of a program's.
bool is_of_schedules(std::string_view row)
{
  static constexpr std::array<std::string_view, 2> names = {"topology", "algorithm"};
  return std::ranges::find(names, row) != names.end();
}

// "rank 3", "ranks 3, 7", "6 ranks on (0, 1)"; by node.
std::vector<std::string> rank_names(const Topology& topology, const std::vector<NodeId>& nodes)
{
  constexpr std::size_t most_named = 4;
  std::vector<std::vector<std::size_t>> ranks(topology.host_count());
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    ranks[index(nodes[rank])].push_back(rank);
  }
  std::vector<std::string> names;
  for (std::uint32_t node = 0; node < ranks.size(); ++node) {
    const auto& own = ranks[node];
    names.push_back(own.size() > most_named
                        ? fmt::format("{} ranks on {}", own.size(), topology.node_name(NodeId{node}))
                        : fmt::format("{} {}", own.size() == 1 ? "rank" : "ranks", fmt::join(own, ", ")));
  }
  return names;
}

} // namespace

std::vector<PathGrouping> rank_groupings(const Experiment& experiment, const Schedule& messages,
                                         const std::vector<NodeId>& nodes, const ProgramWords* words)
{
  if (words != nullptr) {
    if (std::vector<PathGrouping> groupings = word_groupings(*words); !groupings.empty()) {
      return groupings;
    }
  }
  const auto rank_texts = std::make_shared<const std::vector<std::string>>(rank_names(*experiment.topology, nodes));
  return {{.title = "by rank that sends",
           .name = [rank_texts,
                    &messages](MessageId id) { return (*rank_texts)[index(messages.messages[index(id)].source)]; }},
          {.title = "by pair of ranks", .name = [rank_texts, &messages](MessageId id) {
             const Message& message = messages.messages[index(id)];
             return fmt::format("{} to {}", (*rank_texts)[index(message.source)],
                                (*rank_texts)[index(message.destination)]);
           }}};
}

std::string mpi_result_text(const Experiment& experiment, const MpiOutcome& outcome)
{
  const SimulationResult& simulation = outcome.network.simulation;
  Json json;
  json["format"] = "wormcast-mpi/1";
  json["config"] = experiment.effective;
  json["program"] = outcome.program.program;
  if (!outcome.program.trace.empty()) {
    json["replay"] = outcome.program.trace;
  }
  json["ranks"] = outcome.program.nodes.size();
  json["map"] = outcome.map;
  if (outcome.placement) {
    json["placement"] = {{"byte_hops", outcome.placement->byte_hops},
                         {"block_byte_hops", outcome.placement->block_byte_hops},
                         {"busiest_channel_bytes", outcome.placement->busiest_channel_bytes},
                         {"block_busiest_channel_bytes", outcome.placement->block_busiest_channel_bytes},
                         {"block_end_us", exact_microseconds(outcome.placement->block_end)},
                         {"block_latency_us", exact_microseconds(outcome.placement->block_last_delivery)}};
  }
  json["engine"] = simulation.engine;
  json["end_us"] = exact_microseconds(outcome.end.clock);
  json["latency_us"] = simulation.latency ? exact_microseconds(*simulation.latency) : Json(nullptr);
  json["deadlock_us"] = simulation.deadlock ? exact_microseconds(simulation.deadlock->at) : Json(nullptr);
  json["undelivered"] = outcome.end.undelivered;
  json["stuck"] = outcome.end.stuck;
  json["aborted"] = outcome.end.aborted;
  if (outcome.end.stuck) {
    json["waiting"] = waiting_json(outcome.end.waiting);
  }
  json["exit_code"] = outcome.exit.signal == 0 ? Json(outcome.exit.code) : Json(nullptr);
  json["signal"] = outcome.exit.signal == 0 ? Json(nullptr) : Json(outcome.exit.signal);
  json["messages"] = outcome.network.costs.messages;
  json["bytes_sent"] = outcome.network.costs.bytes_sent;
  json["tcd"] = outcome.network.costs.tcd;
  json["max_channel_load"] = outcome.network.costs.max_channel_load;
  if (!outcome.end.calls.empty()) {
    json["calls"] = calls_json(outcome.calls);
  }
  json["contention"] = contention_json(simulation.contention);
  if (!outcome.network.critical_path.is_null()) {
    json["critical_path"] = outcome.network.critical_path;
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

std::string mpi_table(const Experiment& experiment, const MpiOutcome& outcome)
{
  fmt::memory_buffer text;
  const auto row = [&](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(text), "{:<18}{}\n", name, value);
  };
  row("topology", experiment.topology->title());
  row("program", outcome.program.trace.empty() ? fmt::format("{}", fmt::join(outcome.program.program, " "))
                                               : "replay of " + outcome.program.trace);
  row("ranks", fmt::format("{}, mapped by {}", outcome.program.nodes.size(), outcome.map));
  if (outcome.placement) {
    row("byte-hops",
        fmt::format("{}, mapped by block {}", outcome.placement->byte_hops, outcome.placement->block_byte_hops));
    row("busiest channel", fmt::format("{} bytes, mapped by block {}", outcome.placement->busiest_channel_bytes,
                                       outcome.placement->block_busiest_channel_bytes));
  }
  row("program ends", fmt::format("{} us{}", format_microseconds(outcome.end.clock),
                                  outcome.placement ? fmt::format(", mapped by block {} us",
                                                                  format_microseconds(outcome.placement->block_end))
                                                    : ""));
  for (const auto& [name, value] : run_rows(experiment, outcome.network)) {
    if (!is_of_schedules(name)) {
      row(name == "latency" ? "last delivery" : name, value);
    }
  }
  return fmt::to_string(text) + calls_table(outcome.calls);
}

} // namespace wormcast
