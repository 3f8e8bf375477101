// A plug-in whose algorithms make schedules of what is not there.

#include "wormcast/algorithms/plugin.hpp"

#include <functional>
#include <string>
#include <utility>

namespace {

void add(const std::string& name, std::function<void(wormcast::Schedule&)> spoil)
{
  wormcast::Algorithm algorithm;
  algorithm.name = name;
  algorithm.make = [spoil = std::move(spoil)](const wormcast::Topology&, const wormcast::ScheduleRequest&) {
    wormcast::Schedule schedule;
    const wormcast::BlockSetId all = schedule.block_sets.intern({0, 1});
    schedule.messages.push_back(
        {.step = 0, .source = wormcast::NodeId{0}, .destination = wormcast::NodeId{1}, .blocks = all});
    spoil(schedule);
    return schedule;
  };
  wormcast::register_algorithm(algorithm);
}

} // namespace

extern "C" wormcast::Plugin wormcast_plugin()
{
  return {.version = WORMCAST_PLUGIN_VERSION, .register_all = [] {
            add("outside", [](wormcast::Schedule& made) { made.messages[0].destination = wormcast::NodeId{999}; });
            add("to_itself", [](wormcast::Schedule& made) { made.messages[0].destination = wormcast::NodeId{0}; });
            add("no_set", [](wormcast::Schedule& made) { made.messages[0].blocks = wormcast::BlockSetId{7}; });
            add("no_blocks", [](wormcast::Schedule& made) { made.blocks = 0; });
            add("other_blocks",
                [](wormcast::Schedule& made) { made.messages[0].blocks = made.block_sets.intern({0, 7}); });
          }};
}
