#include "wormcast/experiments/mpi/program_record.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/text_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace wormcast {

namespace {

std::string_view without_blanks(std::string_view text)
{
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<NodeId> node_of_host(std::string_view name, std::uint32_t node_count)
{
  name.remove_prefix(name.starts_with('n') ? 1 : 0);
  const auto node = number_of_text<std::uint32_t>(name);
  return node && *node < node_count ? std::optional(NodeId{*node}) : std::nullopt;
}

std::string environment_text(const char* name)
{
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::vector<std::string> lines_of(const std::string& text)
{
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) {
      lines.push_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return lines;
}

} // namespace

RawConfig program_configuration()
{
  const std::string file = environment_text(program_config_variable);
  if (file.empty()) {
    throw InputError(std::string(program_config_variable) + " names no configuration (TOML) of the network");
  }
  RawConfig config = read_config(file, lines_of(environment_text(program_overrides_variable)),
                                 lines_of(environment_text(program_removals_variable)));
  if (!config.sweep.empty()) {
    throw_at(config.sweep.front().origin, "sweep." + config.sweep.front().key,
             "found a sweep, but a program runs with one value of each key");
  }
  return config;
}

ScheduleRequest broadcast_request(const ProgramMachine& machine, NodeId source, std::uint64_t bytes)
{
  ScheduleRequest request;
  request.source = source;
  request.message_bytes = bytes;
  request.ports = machine.network.ports;
  request.duplex = machine.network.duplex;
  request.costs = MessageCosts{
      .startup = machine.network.startup, .per_byte = machine.network.per_byte, .per_hop = machine.network.per_hop};
  return request;
}

void require_complete_broadcast(const ProgramMachine& machine, const std::string& algorithm, const Schedule& schedule)
{
  Experiment experiment;
  experiment.topology = machine.topology;
  experiment.algorithm = algorithm;
  experiment.run = machine.run;
  try {
    require_completeness(experiment, schedule);
  } catch (const IncompleteSchedule& error) {
    throw IncompleteSchedule(fmt::format("mpi.bcast: {}", error.what()));
  }
}

void check_one_rank_a_node(std::span<const NodeId> nodes, std::uint32_t node_count, const std::string& algorithm)
{
  std::vector<bool> has_rank(node_count);
  for (const NodeId node : nodes) {
    has_rank[index(node)] = true;
  }
  if (nodes.size() != has_rank.size() || std::ranges::find(has_rank, false) != has_rank.end()) {
    throw InputError(
        fmt::format("mpi.bcast: the schedules of {} need one rank on each of the {} nodes", algorithm, node_count));
  }
}

void write_program_end(const std::filesystem::path& file, const ProgramEnd& end)
{
  write_output(file, nlohmann::json{{"clock_ps", end.clock.picoseconds},
                                    {"last_delivery_ps", end.last_delivery.picoseconds},
                                    {"messages", end.messages},
                                    {"undelivered", end.undelivered},
                                    {"stuck", end.stuck},
                                    {"aborted", end.aborted},
                                    {"waiting", end.waiting},
                                    {"calls", end.calls}}
                             .dump() +
                         "\n");
}

ProgramEnd read_program_end(const std::filesystem::path& file)
{
  const std::string text = read_whole_file(file);
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    return {.clock = Time{json.at("clock_ps").get<std::int64_t>()},
            .last_delivery = Time{json.at("last_delivery_ps").get<std::int64_t>()},
            .messages = json.at("messages").get<std::uint64_t>(),
            .undelivered = json.at("undelivered").get<std::uint64_t>(),
            .stuck = json.at("stuck").get<bool>(),
            .aborted = json.at("aborted").get<bool>(),
            .waiting = json.at("waiting").get<std::vector<WaitingRank>>(),
            .calls = json.at("calls").get<std::vector<RankCall>>()};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::string hosts_text(std::span<const NodeId> nodes)
{
  std::string text;
  for (const NodeId node : nodes) {
    text += host_name(node) + "\n";
  }
  return text;
}

std::vector<NodeId> read_hosts(const std::filesystem::path& file, std::uint32_t node_count)
{
  std::istringstream in(read_whole_file(file));
  std::vector<NodeId> nodes;
  std::string line;
  for (LineReader lines(in, file.string()); lines.read(line);) {
    const std::string_view name = without_blanks(std::string_view(line).substr(0, line.find('#')));
    if (name.empty()) {
      continue;
    }
    const std::optional<NodeId> node = node_of_host(name, node_count);
    if (!node) {
      throw InputError(fmt::format("{}:{}: found \"{}\", expected a node from 0 to {} or its host from n0 to n{}",
                                   file.string(), lines.number(), name, node_count - 1, node_count - 1));
    }
    nodes.push_back(*node);
  }
  return nodes;
}

} // namespace wormcast
