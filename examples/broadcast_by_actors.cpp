// A SimGrid program: actors broadcast 4 KiB on an 8 x 8 mesh by the schedule of an algorithm, and each message is a
// worm.

#include <cstdio>
#include <wormcast/algorithms/registry.hpp>
#include <wormcast/simulator/simgrid/schedule_actors.hpp>
#include <wormcast/simulator/simgrid/wormhole_model.hpp>
#include <wormcast/topologies/registry.hpp>

int main()
{
  using namespace wormcast;
  TopologyDescription description;
  description.kind = "mesh";
  description.parameters.set("dims", std::vector<std::int64_t>{8, 8});
  const auto mesh = make_topology(description);
  ScheduleRequest request;
  request.message_bytes = 4096;
  const Schedule schedule = make_schedule(find_algorithm("recursion_based"), *mesh, request);

  NetworkParameters network;
  network.startup = Time{150'000'000};
  network.per_byte = Time{500'000};
  SimGridPlatform platform(*mesh, network);
  const WormholeModel model(platform, network);
  const ScheduleActors actors(platform, schedule, {.mode = Mode::self_timed, .startup = {}});
  platform.run();
  std::printf("the last node has the message at %s us\n", format_microseconds(model.last_delivery()).c_str());
  return 0;
}
