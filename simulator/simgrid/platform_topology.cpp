#include "wormcast/simulator/simgrid/platform_topology.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

/// Points of a platform, hosts and the two ends of each link, of which some are the same place.
class Points {
public:
  Points(std::size_t hosts, std::size_t links) : hosts_(hosts), parent_(hosts + 2 * links)
  {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  static std::size_t host(std::size_t number) { return number; }
  std::size_t begin_of(std::uint32_t link) const { return hosts_ + 2 * std::size_t{link}; }
  std::size_t end_of(std::uint32_t link) const { return begin_of(link) + 1; }

  /// The first host of the place, or its first point.
  std::size_t place(std::size_t point)
  {
    while (parent_[point] != point) {
      parent_[point] = parent_[parent_[point]];
      point = parent_[point];
    }
    return point;
  }

  /// Whether the points can be one place: it has one host at most.
  bool join(std::size_t a, std::size_t b)
  {
    const auto [low, high] = std::minmax({place(a), place(b)});
    if (low != high && high < hosts_) {
      return false;
    }
    parent_[high] = low;
    return true;
  }

private:
  std::size_t hosts_;
  std::vector<std::size_t> parent_;
};

/// Joins the points that routes show to be the same place.
Points joined(const std::string& file, const PlatformRoutes& routes)
{
  Points points(routes.hosts.size(), routes.links.size());
  const std::size_t hosts = routes.hosts.size();
  std::size_t at = 0;
  for (std::size_t pair = 0; pair < routes.ends.size(); ++pair) {
    std::size_t here = Points::host(pair / hosts);
    const std::size_t end = routes.ends[pair];
    for (bool goes_on = at < end; goes_on; goes_on = at < end) {
      const std::uint32_t link = routes.route_links[at];
      ++at;
      const bool fits = points.join(here, points.begin_of(link)) &&
                        (at < end || points.join(points.end_of(link), Points::host(pair % hosts))) &&
                        points.place(points.begin_of(link)) != points.place(points.end_of(link));
      if (!fits) {
        throw InputError(fmt::format(
            "{}: link {} in the route from host {} to host {} leads elsewhere than in other routes, expected links "
            "that routes cross in one direction, or with sharing_policy=\"SPLITDUPLEX\" in both",
            file, routes.links[link].name, routes.hosts[pair / hosts], routes.hosts[pair % hosts]));
      }
      here = points.end_of(link);
    }
  }
  return points;
}

/// Joins the ends of the two halves of SPLITDUPLEX links, X_UP and X_DOWN, which routes need not show to be the same
/// places. Where that would make one place of both ends of a link, as of the links around a cluster's backbone, the
/// points stay as they are.
Points with_halves_joined(const Points& points, const PlatformRoutes& routes)
{
  std::map<std::string_view, std::uint32_t> number_of;
  for (std::uint32_t link = 0; link < routes.links.size(); ++link) {
    number_of.emplace(routes.links[link].name, link);
  }
  Points tried = points;
  bool fits = true;
  for (const auto& [name, up] : number_of) {
    constexpr std::string_view suffix = "_UP";
    if (name.ends_with(suffix)) {
      const auto down = number_of.find(fmt::format("{}_DOWN", name.substr(0, name.size() - suffix.size())));
      if (down != number_of.end()) {
        fits = fits && tried.join(tried.end_of(up), tried.begin_of(down->second)) &&
               tried.join(tried.begin_of(up), tried.end_of(down->second));
      }
    }
  }
  for (std::uint32_t link = 0; link < routes.links.size(); ++link) {
    fits = fits && tried.place(tried.begin_of(link)) != tried.place(tried.end_of(link));
  }
  return fits ? tried : points;
}

/// The times of a link, rounded to a picosecond.
DescribedLink times_of(const std::string& file, const PlatformLink& link)
{
  constexpr double picoseconds = 1e12; // of a second
  constexpr double most_error = 0.01;
  const double exact = picoseconds / link.bandwidth;
  const double latency = std::round(link.latency * picoseconds);
  if (!(link.bandwidth > 0) || !(exact < static_cast<double>(longest_link_time)) || !(latency >= 0) ||
      !(latency < static_cast<double>(longest_link_time))) {
    throw InputError(fmt::format("{}: link {} has {} bytes a second and a latency of {} s, expected times up to {} s "
                                 "of a byte and of a hop",
                                 file, link.name, link.bandwidth, link.latency, longest_link_time / 1'000'000'000'000));
  }
  const double rounded = std::round(exact);
  if (std::abs(rounded - exact) > most_error * exact) {
    throw InputError(fmt::format("{}: link {} has {} bytes a second, expected a rate at which a byte takes a whole "
                                 "number of picoseconds to 1 %",
                                 file, link.name, link.bandwidth));
  }
  return {.per_byte = ByteTime(static_cast<std::int64_t>(rounded)),
          .per_hop = Time{static_cast<std::int64_t>(latency)}};
}

/// Fills in the classes of links, the faster ones first.
void classify(const std::string& file, const PlatformRoutes& routes, PlatformTopology::Plan& plan)
{
  const auto times = [](const DescribedLink& link) {
    return std::pair(link.per_byte->picoseconds(), link.per_hop->picoseconds);
  };
  std::vector<DescribedLink> of_links;
  for (const PlatformLink& link : routes.links) {
    of_links.push_back(times_of(file, link));
  }
  plan.links = of_links;
  std::ranges::sort(plan.links, {}, times);
  plan.links.erase(std::ranges::unique(plan.links).begin(), plan.links.end());
  for (const DescribedLink& link : of_links) {
    const auto place = std::ranges::lower_bound(plan.links, times(link), {}, times);
    plan.classes.push_back(static_cast<std::uint32_t>(place - plan.links.begin()));
  }
}

} // namespace

PlatformTopology::Plan PlatformTopology::plan(const std::string& file, const PlatformRoutes& routes)
{
  Plan plan;
  plan.names = routes.hosts;
  Points points = with_halves_joined(joined(file, routes), routes);
  std::vector<std::uint32_t> node_of(routes.hosts.size() + 2 * routes.links.size());
  std::iota(node_of.begin(), node_of.begin() + static_cast<std::ptrdiff_t>(routes.hosts.size()), 0U);
  const auto node_at = [&](std::size_t point) {
    const std::size_t place = points.place(point);
    if (place >= routes.hosts.size() && node_of[place] == 0) { // 0 is a host
      node_of[place] = static_cast<std::uint32_t>(plan.names.size());
      plan.names.push_back(fmt::format("s{}", plan.names.size() - routes.hosts.size()));
    }
    return NodeId{node_of[place]};
  };
  for (std::uint32_t link = 0; link < routes.links.size(); ++link) {
    const NodeId from = node_at(points.begin_of(link));
    plan.channels.push_back({from, node_at(points.end_of(link))});
  }
  classify(file, routes, plan);
  return plan;
}

PlatformTopology::PlatformTopology(TopologyDescription description, const RoutingChoice& routing, Plan plan,
                                   PlatformRoutes routes)
    : NumberedTopology(std::move(description), static_cast<std::uint32_t>(plan.names.size()), plan.channels, routing,
                       static_cast<std::uint32_t>(routes.hosts.size())),
      names_(std::move(plan.names)), links_(std::move(plan.links)), classes_(plan.channels.size()),
      routes_(std::move(routes))
{
  // Channels are numbered by a stable sort by their sources.
  std::vector<std::uint32_t> links(plan.channels.size());
  std::iota(links.begin(), links.end(), 0U);
  std::ranges::stable_sort(links, {}, [&](std::uint32_t link) { return plan.channels[link].from; });
  std::vector<std::uint32_t> channel_of(links.size());
  for (std::uint32_t channel = 0; channel < links.size(); ++channel) {
    channel_of[links[channel]] = channel;
    classes_[channel] = plan.classes[links[channel]];
  }
  for (std::uint32_t& link : routes_.route_links) {
    link = channel_of[link];
  }
  std::uint32_t begin = 0;
  for (const std::uint32_t end : routes_.ends) {
    longest_ = std::max(longest_, end - begin);
    begin = end;
  }
}

std::span<const std::uint32_t> PlatformTopology::route(NodeId from, NodeId to) const
{
  const std::size_t pair = std::size_t{index(from)} * host_count() + index(to);
  const std::uint32_t begin = pair == 0 ? 0 : routes_.ends[pair - 1];
  return std::span(routes_.route_links).subspan(begin, routes_.ends[pair] - begin);
}

void PlatformTopology::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route_to) const
{
  for (const std::uint32_t channel : route(from, to)) {
    route_to.push_back(ChannelId{channel});
  }
}

std::uint32_t PlatformTopology::distance(NodeId from, NodeId to) const
{
  return static_cast<std::uint32_t>(route(from, to).size());
}

std::string PlatformTopology::title() const
{
  return "platform " + std::filesystem::path(description().parameters.text("file")).filename().string();
}

TopologyKind platform_kind()
{
  return {"simgrid",
          "A SimGrid platform, with its routes, bandwidths and latencies",
          {{.name = "file",
            .type = ParameterType::file,
            .text = "an XML file for SimGrid, or a shared object that makes the platform (.so)"}},
          {"given"},
          "H. Casanova et al., Versatile, scalable, and accurate simulation of distributed applications and platforms, "
          "J. Parallel and Distributed Computing 74(10), 2014",
          [](const TopologyDescription& description, const RoutingChoice& routing) -> std::unique_ptr<Topology> {
            const std::string& file = description.parameters.text("file");
            PlatformRoutes routes = read_platform_routes(file);
            PlatformTopology::Plan plan = PlatformTopology::plan(file, routes);
            return std::make_unique<PlatformTopology>(description, routing, std::move(plan), std::move(routes));
          }};
}

void register_platform_topology()
{
  static std::once_flag once;
  std::call_once(once, [] { register_topology(platform_kind()); });
}

} // namespace wormcast
