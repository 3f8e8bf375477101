#include "wormcast/algorithms/imported/chakra.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint64_t picoseconds_of_micro = 1'000'000;
constexpr std::uint64_t picoseconds_of_second = 1'000'000'000'000;
constexpr std::uint64_t longest_computing = std::uint64_t{1} << 62;
constexpr std::uint64_t most_program_actions = std::uint64_t{1} << 30;
constexpr std::uint32_t cpus_of_rank = 2;

/// The time of a node that computes. Operations pass 2^62 ps only where `flops` is small.
Time computing_time(const ChakraNode& node, std::uint64_t flops, std::string_view name)
{
  const long double picoseconds = node.micros > 0 ? static_cast<long double>(node.micros) * picoseconds_of_micro
                                                  : static_cast<long double>(node.operations) * picoseconds_of_second /
                                                        static_cast<long double>(flops);
  if (picoseconds > static_cast<long double>(longest_computing)) {
    throw InputError(fmt::format("{}: node {} computes for more than 2^62 ps", name, node.id));
  }
  return Time{static_cast<std::int64_t>(picoseconds)};
}

class ChakraProgram {
public:
  ChakraProgram(const ChakraTrace& trace, std::uint64_t flops, const CollectiveProgram& collective,
                std::string_view name)
      : trace_(trace), flops_(flops), collective_(collective), name_(name), nodes_(trace.ranks.size())
  {
    program_.ranks = static_cast<std::uint32_t>(trace.ranks.size());
    program_.title = "program in traces of Chakra";
  }

  Program make()
  {
    for (std::uint32_t rank = 0; rank < trace_.ranks.size(); ++rank) {
      add_nodes(rank);
    }
    for (std::uint32_t group = 0; group < trace_.groups.size(); ++group) {
      add_collectives(trace_.groups[group], group);
    }
    for (std::uint32_t rank = 0; rank < trace_.ranks.size(); ++rank) {
      add_waits(rank);
    }
    return std::move(program_);
  }

private:
  /// The actions of a node: it begins with the first and ends with the last.
  struct NodeActions {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  std::uint32_t add(ProgramAction action)
  {
    if (program_.actions.size() == most_program_actions) {
      throw InputError(fmt::format("{}: more than {} actions", name_, most_program_actions));
    }
    const auto number = static_cast<std::uint32_t>(program_.actions.size());
    if (action.kind == ProgramAction::Kind::send) {
      program_.sends.push_back(number);
    }
    program_.actions.push_back(action);
    return number;
  }

  /// An action that takes no time and no processor.
  std::uint32_t add_point(std::uint32_t rank)
  {
    return add(
        {.rank = rank, .cpu = cpus_of_rank + static_cast<std::uint32_t>(program_.actions.size()), .duration = {}});
  }

  /// Tags by number; those of collectives come behind them.
  std::uint32_t tag(std::uint64_t given)
  {
    return tags_.try_emplace(given, static_cast<std::uint32_t>(tags_.size())).first->second;
  }

  void add_nodes(std::uint32_t rank)
  {
    const ChakraRank& here = trace_.ranks[rank];
    nodes_[rank].resize(here.nodes.size());
    for (std::uint32_t place = 0; place < here.nodes.size(); ++place) {
      const ChakraNode& node = here.nodes[place];
      NodeActions& actions = nodes_[rank][place];
      ProgramAction action{.rank = rank, .duration = {}, .line = place};
      switch (node.type) {
      case ChakraType::send:
      case ChakraType::receive:
        action.kind = node.type == ChakraType::send ? ProgramAction::Kind::send : ProgramAction::Kind::receive;
        action.peer = node.peer;
        action.tag = tag(node.tag);
        action.bytes = node.bytes;
        actions.first = actions.last = add(action);
        break;
      case ChakraType::metadata:
        actions.first = actions.last = add_point(rank);
        break;
      case ChakraType::collective:
        actions.first = add_point(rank);
        actions.last = add_point(rank);
        break;
      default:
        action.cpu = node.on_cpu ? 0 : 1;
        action.duration = computing_time(node, flops_, name_);
        actions.first = actions.last = add(action);
        break;
      }
    }
  }

  /// The collectives of a group: the k-th of each member belong together.
  void add_collectives(const ChakraGroup& group, std::uint32_t number)
  {
    std::vector<std::vector<std::uint32_t>> of_member;
    for (const std::uint32_t member : group.members) {
      const ChakraRank& rank = trace_.ranks[member];
      std::vector<std::uint32_t>& places = of_member.emplace_back();
      for (const std::uint32_t place : rank.order) {
        if (rank.nodes[place].type == ChakraType::collective && rank.nodes[place].group == number) {
          places.push_back(place);
        }
      }
    }
    std::map<std::pair<ChakraCollective, std::uint64_t>, Program> made; // by kind and size
    for (std::size_t k = 0; k < of_member.front().size(); ++k) {
      const ChakraNode& node = trace_.ranks[group.members.front()].nodes[of_member.front()[k]];
      std::vector<NodeActions> ends;
      for (std::size_t member = 0; member < group.members.size(); ++member) {
        ends.push_back(nodes_[group.members[member]][of_member[member].at(k)]);
      }
      auto known = made.find({node.collective, node.bytes});
      if (known == made.end()) {
        Program program =
            group.members.size() > 1 ? collective_(node.collective, node.bytes, group.members) : Program();
        known = made.emplace(std::pair(node.collective, node.bytes), std::move(program)).first;
      }
      add_collective(known->second, group.members, ends);
    }
  }

  void add_collective(const Program& program, std::span<const std::uint32_t> members, std::span<const NodeActions> ends)
  {
    const auto first = static_cast<std::uint32_t>(program_.actions.size());
    std::vector<bool> receives(members.size());
    for (const ProgramAction& action : program.actions) {
      receives[action.rank] = receives[action.rank] || action.kind == ProgramAction::Kind::receive;
    }
    const std::uint32_t first_tag = static_cast<std::uint32_t>(tags_.size()) + collective_tags_;
    std::uint32_t tags = 0;
    for (ProgramAction action : program.actions) {
      const NodeActions& end = ends[action.rank];
      const bool ends_it = action.kind == ProgramAction::Kind::receive || !receives[action.rank];
      action.rank = members[action.rank];
      action.peer = members[action.peer];
      if (action.kind == ProgramAction::Kind::compute) {
        action.cpu = cpus_of_rank + static_cast<std::uint32_t>(program_.actions.size());
      } else {
        tags = std::max(tags, *action.tag + 1);
        action.tag = first_tag + *action.tag;
      }
      const std::uint32_t added = add(action);
      program_.dependencies.push_back({.before = end.first, .after = added});
      if (ends_it) {
        program_.dependencies.push_back({.before = added, .after = end.last});
      }
    }
    for (const NodeActions& end : ends) {
      program_.dependencies.push_back({.before = end.first, .after = end.last});
    }
    for (ProgramDependency dependency : program.dependencies) {
      dependency.before += first;
      dependency.after += first;
      program_.dependencies.push_back(dependency);
    }
    collective_tags_ += tags;
  }

  void add_waits(std::uint32_t rank)
  {
    const ChakraRank& here = trace_.ranks[rank];
    for (std::uint32_t place = 0; place < here.nodes.size(); ++place) {
      for (const std::uint32_t before : here.before[place]) {
        program_.dependencies.push_back({.before = nodes_[rank][before].last, .after = nodes_[rank][place].first});
      }
    }
  }

  const ChakraTrace& trace_;
  std::uint64_t flops_;
  const CollectiveProgram& collective_;
  std::string_view name_;
  std::vector<std::vector<NodeActions>> nodes_; ///< by rank and place
  std::map<std::uint64_t, std::uint32_t> tags_;
  std::uint32_t collective_tags_ = 0;
  Program program_;
};

} // namespace

Program chakra_program(const ChakraTrace& trace, const ChakraReport& report, std::uint64_t flops,
                       const CollectiveProgram& collective, std::string_view name)
{
  const std::vector<Finding> findings = report.findings.all();
  if (!findings.empty()) {
    const Finding& first = findings.front();
    throw InputError(fmt::format("{}: {}: {}", name, finding_kind_names.text(first.kind), first.text));
  }
  return ChakraProgram(trace, flops, collective, name).make();
}

} // namespace wormcast
