#include "wormcast/simulator/simgrid/platform_topology.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
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

  bool is_one_place(std::size_t a, std::size_t b) { return place(a) == place(b); }

  /// Whether the points can be one place: it has one host at most.
  bool can_join(std::size_t a, std::size_t b) { return is_one_place(a, b) || std::max(place(a), place(b)) >= hosts_; }

  /// Makes the points one place if they can be one, and returns whether they can.
  bool join(std::size_t a, std::size_t b)
  {
    if (!can_join(a, b)) {
      return false;
    }
    const auto [low, high] = std::minmax({place(a), place(b)});
    parent_[high] = low;
    return true;
  }

private:
  std::size_t hosts_;
  std::vector<std::size_t> parent_;
};

/// Finds the points that routes show to be the same place, and in which direction each crosses its links.
class RouteWalk {
public:
  RouteWalk(const std::string& file, const PlatformRoutes& routes, bool shared_two_ways)
      : file_(file), routes_(routes), shared_two_ways_(shared_two_ways),
        points_(routes.hosts.size(), routes.links.size()), is_crossed_(routes.links.size()),
        backwards_(routes.route_links.size())
  {
    // A route in which the direction of a link does not show yet waits for the places that other routes show.
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t pair = 0; pair < routes.ends.size(); ++pair) {
      if (!walk(pair, false)) {
        waiting.push_back(pair);
      }
    }
    while (!waiting.empty()) {
      if (std::erase_if(waiting, [this](std::uint32_t pair) { return walk(pair, false); }) == 0) {
        walk(waiting.front(), true);
        waiting.erase(waiting.begin());
      }
    }
  }

  Points& points() { return points_; }

  /// Whether the link at this place of the routes is crossed from its end to its begin: never in its first route.
  bool is_backwards(std::size_t at) const { return backwards_[at]; }

private:
  /// Follows the route of a pair of hosts from both ends, and returns whether the directions of all of its links show,
  /// or, with `guess`, takes one that is possible where they do not.
  bool walk(std::size_t pair, bool guess)
  {
    std::size_t here = Points::host(pair / routes_.hosts.size());
    std::size_t there = Points::host(pair % routes_.hosts.size());
    std::size_t at = pair == 0 ? 0 : routes_.ends[pair - 1];
    std::size_t end = routes_.ends[pair];
    while (at < end) {
      if (const auto first = direction(routes_.route_links[at], here, std::nullopt)) {
        here = cross(pair, at++, *first, here, std::nullopt);
      } else if (const auto last = direction(routes_.route_links[end - 1], std::nullopt, there)) {
        there = cross(pair, --end, *last, std::nullopt, there);
      } else if (guess) {
        const bool backwards = !points_.can_join(here, points_.begin_of(routes_.route_links[at]));
        here = cross(pair, at++, backwards, here, std::nullopt);
      } else {
        return false;
      }
    }
    if (!points_.join(here, there)) {
      refuse(routes_.route_links[at < routes_.ends[pair] ? at : at - 1], pair);
    }
    return true;
  }

  /// Lets the route of a pair cross the link at a place of the routes, and returns the point at its other side.
  std::size_t cross(std::size_t pair, std::size_t at, bool backwards, std::optional<std::size_t> here,
                    std::optional<std::size_t> there)
  {
    const std::uint32_t link = routes_.route_links[at];
    const std::size_t from = backwards ? points_.end_of(link) : points_.begin_of(link);
    const std::size_t to = backwards ? points_.begin_of(link) : points_.end_of(link);
    if ((here && !points_.join(*here, from)) || (there && !points_.join(to, *there)) ||
        points_.is_one_place(from, to)) {
      refuse(link, pair);
    }
    is_crossed_[link] = true;
    backwards_[at] = backwards;
    return here ? to : from;
  }

  /// Whether a link is crossed backwards by a route that comes to it at `here`, or from it `there`; none: that does not
  /// show.
  std::optional<bool> direction(std::uint32_t link, std::optional<std::size_t> here, std::optional<std::size_t> there)
  {
    const std::size_t begin = points_.begin_of(link);
    const std::size_t end = points_.end_of(link);
    if (!shared_two_ways_ || !routes_.links[link].shared || !is_crossed_[link] ||
        (here && points_.is_one_place(*here, begin)) || (there && points_.is_one_place(*there, end))) {
      return false;
    }
    if ((here && points_.is_one_place(*here, end)) || (there && points_.is_one_place(*there, begin))) {
      return true;
    }
    return std::nullopt;
  }

  [[noreturn]] void refuse(std::uint32_t link, std::size_t pair) const
  {
    const PlatformLink& refused = routes_.links[link];
    throw InputError(fmt::format(
        "{}: link {} in the route from host {} to host {} leads elsewhere than in other routes, expected links {}",
        file_, refused.name, routes_.hosts[pair / routes_.hosts.size()], routes_.hosts[pair % routes_.hosts.size()],
        refused.shared && !shared_two_ways_
            ? "that routes cross in one direction, or with sharing_policy=\"SPLITDUPLEX\" in both; topology.shared_links "
              "= \"two_channels\" makes two channels of each SHARED link"
            : "whose ends are the same in all routes"));
  }

  const std::string& file_;
  const PlatformRoutes& routes_;
  bool shared_two_ways_;
  Points points_;
  std::vector<bool> is_crossed_; ///< by link
  std::vector<bool> backwards_;
};

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

/// Returns the class of each link, and fills in those of the plan, the faster ones first.
std::vector<std::uint32_t> classify(const std::string& file, const PlatformRoutes& routes, PlatformTopology::Plan& plan)
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
  std::vector<std::uint32_t> classes;
  for (const DescribedLink& link : of_links) {
    const auto place = std::ranges::lower_bound(plan.links, times(link), {}, times);
    classes.push_back(static_cast<std::uint32_t>(place - plan.links.begin()));
  }
  return classes;
}

} // namespace

PlatformTopology::Plan PlatformTopology::plan(const std::string& file, PlatformRoutes routes, bool shared_two_ways)
{
  Plan plan;
  plan.hosts = static_cast<std::uint32_t>(routes.hosts.size());
  plan.names = routes.hosts;
  RouteWalk walk(file, routes, shared_two_ways);
  Points points = with_halves_joined(walk.points(), routes);
  std::vector<std::uint32_t> node_of(routes.hosts.size() + 2 * routes.links.size());
  std::iota(node_of.begin(), node_of.begin() + plan.hosts, 0U);
  const auto node_at = [&](std::size_t point) {
    const std::size_t place = points.place(point);
    if (place >= plan.hosts && node_of[place] == 0) { // 0 is a host
      node_of[place] = static_cast<std::uint32_t>(plan.names.size());
      plan.names.push_back(fmt::format("s{}", plan.names.size() - plan.hosts));
    }
    return NodeId{node_of[place]};
  };
  const std::vector<std::uint32_t> classes = classify(file, routes, plan);
  std::vector<bool> crossed_backwards(routes.links.size());
  for (std::size_t at = 0; at < routes.route_links.size(); ++at) {
    if (walk.is_backwards(at)) {
      crossed_backwards[routes.route_links[at]] = true;
    }
  }
  std::vector<std::uint32_t> channel_of; // by link, forwards; backwards the next one
  for (std::uint32_t link = 0; link < routes.links.size(); ++link) {
    channel_of.push_back(static_cast<std::uint32_t>(plan.channels.size()));
    const NodeId begin = node_at(points.begin_of(link));
    const NodeId end = node_at(points.end_of(link));
    plan.channels.push_back({begin, end});
    plan.classes.push_back(classes[link]);
    if (crossed_backwards[link]) {
      plan.channels.push_back({end, begin});
      plan.classes.push_back(classes[link]);
    }
  }
  plan.ends = std::move(routes.ends);
  plan.route_channels = std::move(routes.route_links);
  for (std::size_t at = 0; at < plan.route_channels.size(); ++at) {
    plan.route_channels[at] = channel_of[plan.route_channels[at]] + (walk.is_backwards(at) ? 1 : 0);
  }
  return plan;
}

PlatformTopology::PlatformTopology(TopologyDescription description, const RoutingChoice& routing, Plan plan)
    : NumberedTopology(std::move(description), static_cast<std::uint32_t>(plan.names.size()), plan.channels, routing,
                       plan.hosts),
      names_(std::move(plan.names)), links_(std::move(plan.links)), classes_(plan.channels.size()),
      ends_(std::move(plan.ends)), turn_classes_(up_down_order(*this))
{
  // Channels are numbered by a stable sort by their sources.
  std::vector<std::uint32_t> planned(plan.channels.size());
  std::iota(planned.begin(), planned.end(), 0U);
  std::ranges::stable_sort(planned, {}, [&](std::uint32_t channel) { return plan.channels[channel].from; });
  std::vector<ChannelId> channel_of(planned.size());
  for (std::uint32_t channel = 0; channel < planned.size(); ++channel) {
    channel_of[planned[channel]] = ChannelId{channel};
    classes_[channel] = plan.classes[planned[channel]];
  }
  std::ranges::transform(plan.route_channels, std::back_inserter(route_channels_),
                         [&](std::uint32_t channel) { return channel_of[channel]; });
  for (std::uint32_t from = 0; from < host_count(); ++from) {
    for (std::uint32_t to = 0; to < host_count(); ++to) {
      const std::span<const ChannelId> of_pair = route(NodeId{from}, NodeId{to});
      longest_ = std::max(longest_, static_cast<std::uint32_t>(of_pair.size()));
      turn_classes_.add_route(*this, of_pair);
    }
  }
}

std::span<const ChannelId> PlatformTopology::route(NodeId from, NodeId to) const
{
  const std::size_t pair = std::size_t{index(from)} * host_count() + index(to);
  const std::uint32_t begin = pair == 0 ? 0 : ends_[pair - 1];
  return std::span(route_channels_).subspan(begin, ends_[pair] - begin);
}

void PlatformTopology::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route_to) const
{
  const std::span<const ChannelId> of_pair = route(from, to);
  route_to.insert(route_to.end(), of_pair.begin(), of_pair.end());
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
            .text = "an XML file for SimGrid, or a shared object that makes the platform (.so)"},
           {.name = "shared_links",
            .type = ParameterType::choice,
            .text = "one_channel: a SHARED link is one channel, which routes cross in one direction; two_channels: one "
                    "in each direction, with the link's rate both",
            .fallback = ParameterValue(std::string("one_channel")),
            .choices = {"one_channel", "two_channels"}}},
          {"given"},
          "H. Casanova et al., Versatile, scalable, and accurate simulation of distributed applications and platforms, "
          "J. Parallel and Distributed Computing 74(10), 2014",
          [](const TopologyDescription& description, const RoutingChoice& routing) -> std::unique_ptr<Topology> {
            const std::string& file = description.parameters.text("file");
            const bool shared_two_ways = description.parameters.text("shared_links") == "two_channels";
            return std::make_unique<PlatformTopology>(
                description, routing, PlatformTopology::plan(file, read_platform_routes(file), shared_two_ways));
          }};
}

void register_platform_topology()
{
  static std::once_flag once;
  std::call_once(once, [] { register_topology(platform_kind()); });
}

} // namespace wormcast
