#include "wormcast/simulator/traffic/watched_load.hpp"

#include "wormcast/simulator/traffic/batch_means.hpp"

#include <utility>

namespace wormcast {

namespace {

constexpr std::size_t most_samples = 100; // of the backlog, until every second one is dropped

} // namespace

WatchedLoad::WatchedLoad(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                         const TrafficClasses& classes, double timeout_factor)
    : network_(network), classes_(classes), load_(traffic.load.value()),
      times_(load_times(topology, network, classes, load_, timeout_factor)), warm_up_(traffic.warm_up, times_.step),
      sample_interval_(times_.step)
{}

bool WatchedLoad::warm_up_ends(std::uint64_t created)
{
  const std::int64_t now = warm_up_.next_check();
  return warm_up_.ends(backlog_, created, load_ * full_load_bytes(network_, classes_, now));
}

bool WatchedLoad::seems_stopped(std::int64_t now) const
{
  return created_since_delivery_ > 100 + 4 * std::uint64_t{classes_.sender_count()} &&
         now - last_delivery_ > times_.longest_idle;
}

bool WatchedLoad::grows()
{
  backlogs_.push_back(backlog_);
  if (backlogs_.size() < most_samples) {
    return false;
  }
  const auto watched = static_cast<std::int64_t>(backlogs_.size()) * sample_interval_;
  const bool grows_now = backlog_grows(backlogs_, load_ * full_load_bytes(network_, classes_, watched));
  const bool grew = std::exchange(grew_, grows_now);
  for (std::size_t i = 0; i < backlogs_.size() / 2; ++i) {
    backlogs_[i] = backlogs_[2 * i + 1];
  }
  backlogs_.resize(backlogs_.size() / 2);
  sample_interval_ *= 2;
  return grows_now && grew;
}

} // namespace wormcast
