#include "tests/algorithms/grids.hpp"
#include "tests/topologies/switched/switched_samples.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/verifier/operation_check.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace wormcast {
namespace {

std::unique_ptr<Topology> of_kind(const std::string& kind, const std::string& parameter, ParameterValue value)
{
  TopologyDescription description;
  description.kind = kind;
  if (!parameter.empty()) {
    description.parameters.set(parameter, std::move(value));
  }
  return make_topology(description, {});
}

std::vector<std::unique_ptr<Topology>> all_topologies()
{
  std::vector<std::unique_ptr<Topology>> all;
  const std::vector<std::vector<std::int64_t>> sizes = {
      {1},    {2},       {3},       {7},       {8},       {1, 4},    {2, 2},      {3, 3},
      {4, 2}, {2, 8},    {4, 4},    {5, 3},    {6, 6},    {8, 8},    {16, 4},     {7, 5},
      {9, 9}, {2, 2, 2}, {4, 4, 4}, {3, 4, 2}, {1, 5, 2}, {3, 3, 3}, {2, 2, 2, 2}};
  for (const std::string kind : {"mesh", "torus"}) {
    for (const std::vector<std::int64_t>& dims : sizes) {
      all.push_back(make_topology(testing::grid(kind, dims), {}));
    }
  }
  for (std::int64_t dimension = 1; dimension <= 6; ++dimension) {
    all.push_back(of_kind("hypercube", "dimension", dimension));
  }
  all.push_back(of_kind("petersen", "", {}));
  const std::vector<std::vector<std::int64_t>> modules = {{2, 2, 2}, {2, 3, 2}, {3, 3, 3}, {4, 2, 2}, {2, 4, 3}};
  for (const std::vector<std::int64_t>& dims : modules) {
    all.push_back(of_kind("petersen_torus", "dims", dims));
  }
  all.push_back(make_fat_tree({4, 4}, {1, 2}, {1, 2}));
  all.push_back(make_dragonfly({2, 1, 1, 1, 3, 1, 2}));
  TopologyDescription concentrated = testing::grid("mesh", {2, 3});
  concentrated.parameters.set("concentration", std::int64_t{2});
  all.push_back(make_topology(concentrated, {}));
  return all;
}

/// The defaults, every other choice and some numbers of one parameter at a time, and the family.
std::vector<ParameterValues> settings(const Algorithm& algorithm, const Topology& topology)
{
  std::vector<ParameterValues> all = {{}};
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.name == "operation") {
      continue;
    }
    for (const std::string& choice : parameter.choices) {
      all.emplace_back().set(parameter.name, choice);
    }
    if (parameter.type == ParameterType::boolean) {
      all.emplace_back().set(parameter.name, true);
    }
    for (const std::int64_t number : {0, 1, 2, 3, 5}) {
      if (parameter.type == ParameterType::integer && parameter.minimum <= number && number <= parameter.maximum) {
        all.emplace_back().set(parameter.name, number);
      }
    }
  }
  if (algorithm.family) {
    const std::vector<ParameterValues> family = algorithm.family(topology);
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

/// Runs do not check their schedules.
TEST(Registry, AlgorithmsThatAreAlwaysCompleteAreComplete)
{
  const std::vector<std::unique_ptr<Topology>> topologies = all_topologies();
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.always_complete) {
      continue;
    }
    std::map<Operation, std::size_t> made;
    for (const auto& topology : topologies) {
      for (const Operation operation : served_operations(algorithm)) {
        for (const ParameterValues& values : settings(algorithm, *topology)) {
          const std::uint32_t nodes = topology->host_count();
          for (const std::uint32_t source : std::set{0U, nodes / 3, nodes - 1}) {
            ScheduleRequest request{.source = NodeId{source}, .message_bytes = 1000, .parameters = values};
            request.ports.count = source == nodes / 3 ? PortModel::all : 1;
            request.costs = MessageCosts{Time{10'000}, Time{100}, Time{0}};
            request.parameters.set("operation", std::string(operation_names.text(operation)));
            if (operation == Operation::multicast) {
              request.parameters.set("destinations", std::vector<std::int64_t>{nodes - 1 - source, nodes / 2});
            }
            Schedule schedule;
            try {
              schedule = make_schedule(algorithm, *topology, request);
            } catch (const InputError&) { // not for this network or this parameter
              continue;
            }
            ++made[operation];
            const OperationCheck check = check_operation(*topology, schedule);
            ASSERT_TRUE(check.done()) << algorithm.name << " on " << topology->title() << " from " << source << ": "
                                      << undone_text(*topology, schedule, check);
          }
        }
      }
    }
    for (const Operation operation : served_operations(algorithm)) {
      EXPECT_GE(made[operation], 1U) << algorithm.name << " " << operation_names.text(operation);
    }
  }
}

/// From host to host in the order of ranks, never to a switch.
TEST(Registry, AlgorithmsByRankRunOnHosts)
{
  std::vector<std::unique_ptr<Topology>> topologies;
  topologies.push_back(make_fat_tree({4, 4}, {1, 2}, {1, 2}));
  topologies.push_back(make_dragonfly({2, 1, 2, 1, 2, 1, 2}));
  for (const auto& topology : topologies) {
    for (const char* name :
         {"binomial_tree", "segmented_chain", "scatter_all_gather", "bine_tree", "round_optimal", "ring",
          "dissemination", "pairwise_exchange", "recursive_halving", "bine_butterfly", "double_binary_tree"}) {
      const Algorithm& algorithm = find_algorithm(name);
      for (const Operation operation : served_operations(algorithm)) {
        ScheduleRequest request{.source = NodeId{3}, .message_bytes = 4096, .parameters = {}};
        request.costs = MessageCosts{Time{10'000}, Time{100}, Time{0}};
        request.parameters.set("operation", std::string(operation_names.text(operation)));
        if (operation == Operation::multicast) {
          request.parameters.set("destinations", std::vector<std::int64_t>{15, 1});
        }
        const Schedule schedule = make_schedule(algorithm, *topology, request);
        EXPECT_TRUE(check_schedule(*topology, schedule).valid()) << name << " " << operation_names.text(operation);
        for (const Message& message : schedule.messages) {
          ASSERT_TRUE(topology->is_host(message.source) && topology->is_host(message.destination)) << name;
        }
      }
    }
    for (const char* name : {"bfs_tree", "flooding"}) {
      EXPECT_NE(input_error([&] {
                  make_schedule(find_algorithm(name), *topology, {.source = NodeId{0}, .message_bytes = 1});
                }).find("linked to switches only"),
                std::string::npos);
    }
  }
}

TEST(Registry, OthersAreNotTakenForComplete)
{
  EXPECT_FALSE(find_algorithm("petersen_torus_all_to_all").always_complete);
  const auto torus = of_kind("petersen_torus", "dims", std::vector<std::int64_t>{2, 2, 2});
  const Schedule schedule =
      testing::schedule_of("petersen_torus_all_to_all", *torus, NodeId{0}, 100, {{"variant", std::string("literal")}});
  EXPECT_FALSE(check_operation(*torus, schedule).done());

  Algorithm other = find_algorithm("recursive_doubling");
  other.name = "one_from_outside";
  register_algorithm(std::move(other));
  EXPECT_FALSE(find_algorithm("one_from_outside").always_complete);
}

} // namespace
} // namespace wormcast
