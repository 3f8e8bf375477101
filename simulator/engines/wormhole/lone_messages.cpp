#include "wormcast/simulator/engines/wormhole/lone_messages.hpp"

#include <algorithm>

namespace wormcast {

std::span<const LoneMessages::Way> LoneMessages::find(std::span<const NewMessage> batch, RouteTable& routes,
                                                      const Arbiter& arbiter, const ChannelTimes& times)
{
  last_user_.resize(std::size_t{channels_} + arbiter.port_resource_count());
  if (batch.size() > Arbiter::none - before_) {
    std::ranges::fill(last_user_, 0);
    before_ = 0;
  }
  ways_.assign(batch.size(), {});
  for (std::uint32_t i = 0; i < batch.size(); ++i) {
    const NewMessage& message = batch[i];
    const std::span<const ChannelId> route = routes.route(message.source, message.destination, message.message);
    Way& way = ways_[i];
    way.hops = static_cast<std::uint32_t>(route.size());
    for (const ChannelId channel : route) {
      use(index(channel), i);
      const std::int64_t hop = times.hop(channel);
      way.crossing = hop < largest_time - way.crossing ? way.crossing + hop : largest_time;
    }
    const ChannelId first = route.empty() ? ChannelId{} : route.front();
    const ChannelId last = route.empty() ? ChannelId{} : route.back();
    use(channels_ + arbiter.port_number(arbiter.injection(message.source, first, message.port)), i);
    use(channels_ + arbiter.port_number(arbiter.ejection(message.destination, last, message.port)), i);
  }
  before_ += static_cast<std::uint32_t>(batch.size());
  const auto alone = static_cast<std::size_t>(std::ranges::count(ways_, true, &Way::alone));
  skipped_ = 2 * alone < batch.size() ? batches_to_skip : 0;
  return ways_;
}

} // namespace wormcast
