#include "wormcast/experiments/trace/channel_load.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace wormcast {

namespace {

class Collector {
public:
  TraceListener listener()
  {
    TraceListener listener;
    listener.header = [this](const TraceHeader& header) { bytes_.resize(header.messages); };
    listener.message = [this](const TraceMessage& message) { bytes_[message.id] = message.bytes; };
    listener.wait = [this](const TraceWait& wait) {
      at(wait.resource).waits.add(wait.wait);
      loads.last = std::max(loads.last, wait.to);
    };
    listener.occupancy = [this](const TraceOccupancy& occupancy) {
      ChannelLoad& load = at(occupancy.resource);
      ++load.messages;
      load.bytes += bytes_[occupancy.message];
      load.busy += occupancy.to - occupancy.from;
      loads.last = std::max(loads.last, occupancy.to);
    };
    return listener;
  }

  ChannelLoads loads;

private:
  ChannelLoad& at(const TraceResource& resource)
  {
    const auto [entry, is_new] = position_.emplace(resource.name, loads.channels.size());
    if (is_new) {
      loads.channels.push_back(
          {.channel = {resource.name, resource.channel_id, resource.node, resource.to_node, resource.kind},
           .busy = {}});
    }
    return loads.channels[entry->second];
  }

  std::vector<std::uint64_t> bytes_; ///< by message
  std::unordered_map<std::string, std::size_t> position_;
};

} // namespace

ChannelLoads read_channel_loads(const std::filesystem::path& file)
{
  Collector collector;
  const TraceFrame frame = read_trace(file, collector.listener());
  ChannelLoads loads = std::move(collector.loads);
  loads.header = frame.header;
  loads.end = frame.end;
  std::stable_sort(loads.channels.begin(), loads.channels.end(), [](const ChannelLoad& a, const ChannelLoad& b) {
    return a.busy != b.busy ? a.busy > b.busy : a.messages > b.messages;
  });
  return loads;
}

} // namespace wormcast
