#include "wormcast/topologies/parallel_links.hpp"

#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace wormcast {

namespace {

constexpr std::string_view parallel_links_key = "parallel_links";
constexpr std::uint64_t most_channels = std::uint64_t{1} << 28;

/// By class of links.
std::vector<std::uint32_t> read_copies(const TopologyDescription& description, const Topology& single)
{
  const std::vector<std::int64_t>& given = description.parameters.integers(parallel_links_key);
  const std::vector<std::string> classes = single.link_classes();
  if (given.size() != 1 && given.size() != classes.size()) {
    throw InputError(fmt::format("{}: found {} numbers, expected one, or {}, one for each class of links of the {}: {}",
                                 parallel_links_key, given.size(), classes.size(), single.title(),
                                 fmt::join(classes, ", ")));
  }
  std::vector<std::uint32_t> copies(classes.size(), static_cast<std::uint32_t>(given.front()));
  if (given.size() > 1) {
    std::ranges::transform(given, copies.begin(),
                           [](std::int64_t number) { return static_cast<std::uint32_t>(number); });
  }
  return copies;
}

std::vector<ChannelEnds> copied_channels(const Topology& single, std::span<const std::uint32_t> copies)
{
  std::uint64_t count = 0;
  for (std::uint32_t id = 0; id < single.channel_count(); ++id) {
    count += copies[single.link_class(ChannelId{id})];
  }
  if (count > most_channels) {
    throw InputError(fmt::format("{}: the {} would have {} channels, expected at most {}", parallel_links_key,
                                 single.title(), count, most_channels));
  }
  constexpr std::uint64_t bytes_of_channel = 24;
  reserve_memory(count * bytes_of_channel, single.title());
  std::vector<ChannelEnds> channels;
  channels.reserve(count);
  for (std::uint32_t id = 0; id < single.channel_count(); ++id) {
    const ChannelId channel{id};
    channels.insert(channels.end(), copies[single.link_class(channel)],
                    {single.channel_source(channel), single.channel_target(channel)});
  }
  return channels;
}

} // namespace

ParallelLinks::ParallelLinks(const TopologyDescription& description, std::unique_ptr<const Topology> single)
    : Topology(description, single->node_count(), copied_channels(*single, read_copies(description, *single)),
               single->routing(), single->host_count()),
      single_(std::move(single)), copies_(read_copies(description, *single_))
{
  // Channels keep the order of their sources, so that the copies of one follow each other.
  for (std::uint32_t id = 0; id < single_->channel_count(); ++id) {
    first_copies_.push_back(static_cast<std::uint32_t>(singles_.size()));
    singles_.insert(singles_.end(), copies_[single_->link_class(ChannelId{id})], ChannelId{id});
  }
  for (std::uint32_t host = 0; host < host_count(); ++host) {
    const std::vector<std::int64_t> place = single_->coordinates(NodeId{host});
    sums_.push_back(static_cast<std::uint32_t>(std::accumulate(place.begin(), place.end(), std::int64_t{0})));
  }
}

void ParallelLinks::take_copies(NodeId to, std::span<ChannelId> route) const
{
  for (ChannelId& channel : route) {
    const std::uint32_t copies = copies_[single_->link_class(channel)];
    channel = ChannelId{first_copies_[index(channel)] + sums_[index(to)] % copies};
  }
}

void ParallelLinks::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  const std::size_t first = route.size();
  single_->append_route(from, to, route);
  take_copies(to, std::span(route).subspan(first));
}

void ParallelLinks::append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const
{
  const std::size_t first = route.size();
  single_->append_drawn_route(from, to, draw, route);
  take_copies(to, std::span(route).subspan(first));
}

void ParallelLinks::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                                   std::span<std::uint8_t> classes) const
{
  std::vector<ChannelId> of_single;
  of_single.reserve(route.size());
  for (const ChannelId channel : route) {
    of_single.push_back(single_channel(channel));
  }
  single_->assign_virtual_channel_classes(of_single, virtual_channels, classes);
}

std::string ParallelLinks::title() const
{
  return fmt::format("{} with {} parallel links", single_->title(),
                     fmt::join(description().parameters.integers(parallel_links_key), ", "));
}

const Topology& single_links(const Topology& topology)
{
  const auto* parallel = dynamic_cast<const ParallelLinks*>(&topology);
  return parallel == nullptr ? topology : parallel->single();
}

void add_parallel_links(TopologyKind& kind)
{
  Parameter parameter;
  parameter.name = std::string(parallel_links_key);
  parameter.type = ParameterType::integers;
  parameter.text =
      "links side by side in the place of each one: a list with one number, or with one for each class of links "
      "(docs/topologies.md); a message takes one by its destination";
  parameter.optional = true;
  parameter.minimum = 1;
  parameter.maximum = most_parallel_links;
  kind.parameters.push_back(std::move(parameter));
  kind.make = [make = std::move(kind.make)](const TopologyDescription& description,
                                            const RoutingChoice& routing) -> std::unique_ptr<Topology> {
    if (!description.parameters.has(parallel_links_key)) {
      return make(description, routing);
    }
    TopologyDescription single{.kind = description.kind, .parameters = {}};
    for (const auto& [name, value] : description.parameters.all()) {
      if (name != parallel_links_key) {
        single.parameters.set(name, value);
      }
    }
    return std::make_unique<ParallelLinks>(description, make(single, routing));
  };
}

} // namespace wormcast
