#include "wormcast/experiments/run/trace_check.hpp"

#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/algorithms/imported/netrace.hpp"
#include "wormcast/algorithms/imported/time_independent.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <map>
#include <numeric>
#include <set>

namespace wormcast {

namespace {

using TraceJson = nlohmann::ordered_json;

std::uint64_t total(const std::vector<std::uint64_t>& numbers)
{
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

/// "7 irecv, 7 isend".
std::string counts_text(const std::map<std::string, std::uint64_t>& counts)
{
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, name));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

ImportedCheck check_time_independent(const std::filesystem::path& file)
{
  const TimeIndependentTrace trace = read_time_independent(file);
  ImportedCheck check;
  check.format = "time-independent trace of SimGrid";
  check.findings = trace.findings.all();
  const std::uint64_t bytes = total(trace.bytes_by_rank);
  const double flops = std::accumulate(trace.flops_by_rank.begin(), trace.flops_by_rank.end(), 0.0);
  TraceJson& facts = *check.facts;
  facts["ranks"] = trace.ranks;
  facts["lines"] = trace.lines;
  facts["actions"] = trace.actions;
  facts["messages_point_to_point"] = trace.messages;
  facts["bytes_point_to_point"] = bytes;
  facts["bytes_point_to_point_by_rank"] = trace.bytes_by_rank;
  facts["flops_by_rank"] = trace.flops_by_rank;
  facts["collectives"] = trace.collectives;
  facts["collectives_of_rank_0"] = trace.first_collectives;
  check.rows = {{"ranks", fmt::to_string(trace.ranks)},
                {"actions", counts_text(trace.actions)},
                {"messages", fmt::format("{} point to point, with {}", trace.messages, counted(bytes, "byte"))},
                {"collectives", fmt::format("{} of each rank", trace.collectives)},
                {"computing", fmt::format("{:.6g} operations", flops)}};
  return check;
}

ImportedCheck check_netrace(const std::filesystem::path& file)
{
  const Netrace trace = read_netrace(file);
  ImportedCheck check;
  check.format = "netrace";
  check.findings = trace.findings.all();
  std::map<std::uint32_t, std::uint64_t> types;
  std::map<std::uint32_t, std::uint64_t> by_node;
  std::uint64_t bytes = 0;
  std::uint64_t to_itself = 0;
  for (const NetracePacket& packet : trace.packets) {
    const std::uint64_t length = netrace_bytes(packet);
    ++types[packet.type];
    by_node[packet.source] += length;
    bytes += length;
    to_itself += packet.source == packet.destination ? 1 : 0;
  }
  const bool is_ordered = check.findings.empty();
  TraceJson& facts = *check.facts;
  facts["benchmark"] = printable(trace.benchmark);
  facts["nodes"] = trace.nodes;
  facts["cycles"] = trace.cycles;
  facts["packets"] = trace.packets.size();
  facts["regions"] = trace.regions.size();
  facts["bytes"] = bytes;
  facts["bytes_sent_by_node"] = TraceJson::object();
  for (const auto& [node, sent] : by_node) {
    facts["bytes_sent_by_node"][fmt::to_string(node)] = sent;
  }
  facts["to_itself"] = to_itself;
  facts["first_cycle"] = trace.packets.empty() ? TraceJson(nullptr) : TraceJson(trace.packets.front().cycle);
  facts["last_cycle"] = trace.packets.empty() ? TraceJson(nullptr) : TraceJson(trace.packets.back().cycle);
  facts["dependencies"] = trace.dependencies;
  facts["dependencies_on_packets_that_are_not_there"] = trace.absent;
  facts["longest_chain_of_packets"] = is_ordered ? TraceJson(trace.longest_chain) : TraceJson(nullptr);
  facts["types"] = TraceJson::object();
  for (const auto& [type, count] : types) {
    facts["types"][fmt::to_string(type)] = count;
  }
  check.rows = {{"benchmark", printable(trace.benchmark)},
                {"nodes", fmt::to_string(trace.nodes)},
                {"packets", fmt::format("{} with {}, {} of them to their own nodes", trace.packets.size(),
                                        counted(bytes, "byte"), to_itself)},
                {"cycles", trace.packets.empty()
                               ? std::string("none")
                               : fmt::format("{} to {}", trace.packets.front().cycle, trace.packets.back().cycle)},
                {"regions", fmt::to_string(trace.regions.size())}};
  if (is_ordered) {
    check.rows.emplace_back("dependencies", fmt::format("{}; at most {} one behind the other", trace.dependencies,
                                                        counted(trace.longest_chain, "packet")));
  }
  if (trace.absent > 0) {
    check.warnings.push_back(
        fmt::format("{} of {} dependencies are of packets that are not in the file, and have no effect", trace.absent,
                    trace.dependencies));
  }
  return check;
}

ImportedCheck check_chakra_files(const std::filesystem::path& file)
{
  ChakraTrace trace = read_chakra(file);
  const ChakraReport report = check_chakra(trace);
  ImportedCheck check;
  check.format = "Chakra";
  check.findings = report.findings.all();
  std::map<std::string, std::uint64_t> types;
  std::set<std::string> versions;
  TraceJson collectives = TraceJson::array();
  for (std::uint32_t number = 0; number < trace.ranks.size(); ++number) {
    const ChakraRank& rank = trace.ranks[number];
    versions.insert(rank.version);
    for (const ChakraNode& node : rank.nodes) {
      ++types[std::string(chakra_type_names.text(node.type))];
      if (node.type == ChakraType::collective) {
        const std::string& group = trace.groups[node.group].name;
        collectives.push_back({{"rank", number},
                               {"type", chakra_collective_names.text(node.collective)},
                               {"bytes", node.bytes},
                               {"group", group.empty() ? TraceJson(nullptr) : TraceJson(group)}});
      }
    }
  }
  const std::uint64_t bytes = total(report.bytes_by_rank);
  TraceJson& facts = *check.facts;
  facts["ranks"] = trace.ranks.size();
  facts["versions"] = versions;
  facts["nodes"] = types;
  facts["longest_chain_of_nodes"] = report.longest_chain;
  facts["messages"] = report.messages;
  facts["bytes_sent"] = bytes;
  facts["bytes_sent_by_rank"] = report.bytes_by_rank;
  facts["comp_micros"] = report.micros;
  facts["unmatched"] = report.unmatched;
  facts["matched_with_other_sizes"] = report.other_sizes;
  facts["collectives"] = std::move(collectives);
  check.rows = {
      {"ranks", fmt::to_string(trace.ranks.size())},
      {"nodes", counts_text(types)},
      {"messages", fmt::format("{} with {}; collectives not counted", report.messages, counted(bytes, "byte"))},
      {"computing", fmt::format("{} us in all", report.micros)},
      {"order", fmt::format("at most {} of a rank one behind the other", counted(report.longest_chain, "node"))}};
  return check;
}

} // namespace wormcast
