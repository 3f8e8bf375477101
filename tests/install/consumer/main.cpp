// A program that uses the installed libraries: one broadcast on a mesh, made, verified and simulated.

#include <cstdio>
#include <wormcast/algorithms/registry.hpp>
#include <wormcast/algorithms/verifier/verifier.hpp>
#include <wormcast/simulator/simulation.hpp>
#include <wormcast/topologies/registry.hpp>

int main()
{
  wormcast::TopologyDescription description;
  description.kind = "mesh";
  description.parameters.set("dims", std::vector<std::int64_t>{8, 8});
  const auto mesh = wormcast::make_topology(description);
  wormcast::ScheduleRequest request;
  request.message_bytes = 1024;
  const auto schedule = wormcast::make_schedule(wormcast::find_algorithm("recursive_doubling"), *mesh, request);
  const auto report = wormcast::check_schedule(*mesh, schedule);
  wormcast::NetworkParameters network;
  network.startup = wormcast::Time{1'000'000};
  network.per_byte = wormcast::Time{1'000};
  const auto result = wormcast::simulate(*mesh, schedule, network, {});
  // 6 steps of 1 us and 1024 bytes of 1 ns each
  const bool right = report.valid() && result.latency == wormcast::Time{6 * (1'000'000 + 1'024'000)};
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
