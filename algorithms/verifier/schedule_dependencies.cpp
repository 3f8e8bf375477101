#include "wormcast/algorithms/verifier/schedule_dependencies.hpp"

#include "wormcast/values/work_watch.hpp"

#include <boost/graph/topological_sort.hpp>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// The dependencies of one set of messages after the other, in vertices of ChannelDependencies.
class DependencyFinder {
public:
  DependencyFinder(const Topology& topology, const Schedule& schedule, std::uint32_t virtual_channels)
      : topology_(topology), schedule_(schedule), virtual_channels_(virtual_channels),
        classes_(topology.virtual_channel_classes(virtual_channels))
  {}

  /// In ascending order.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges(std::span<const MessageId> messages)
  {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const MessageId id : messages) {
      const Message& message = schedule_.messages[index(id)];
      route_.clear();
      topology_.append_route(message.source, message.destination, route_);
      assigned_.resize(route_.size());
      topology_.assign_virtual_channel_classes(route_, virtual_channels_, assigned_);
      steps_.add(1 + route_.size());
      for (std::size_t hop = 1; hop < route_.size(); ++hop) {
        found.emplace_back(vertex(hop - 1), vertex(hop));
      }
    }
    std::ranges::sort(found);
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return found;
  }

  std::uint32_t classes() const { return classes_; }

private:
  std::uint32_t vertex(std::size_t hop) const { return index(route_[hop]) * classes_ + assigned_[hop]; }

  const Topology& topology_;
  const Schedule& schedule_;
  std::uint32_t virtual_channels_;
  std::uint32_t classes_;
  std::vector<ChannelId> route_;
  std::vector<std::uint8_t> assigned_;
  WorkSteps steps_;
};

/// Whether edges in ascending order close no cycle. Vertices without an edge that leaves them are on none, so that only
/// the others are numbered.
bool has_no_cycle(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges)
{
  std::vector<std::uint32_t> tails;
  for (const auto& [tail, head] : edges) {
    if (tails.empty() || tails.back() != tail) {
      tails.push_back(tail);
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> among_tails;
  std::uint32_t number = 0;
  for (const auto& [tail, head] : edges) {
    while (tails[number] != tail) {
      ++number;
    }
    const auto found = std::ranges::lower_bound(tails, head);
    if (found != tails.end() && *found == head) {
      among_tails.emplace_back(number, static_cast<std::uint32_t>(found - tails.begin()));
    }
  }
  const ChannelDependencies::Graph graph(boost::edges_are_sorted, among_tails.begin(), among_tails.end(),
                                         static_cast<std::uint32_t>(tails.size()));
  try {
    std::vector<std::uint32_t> order;
    boost::topological_sort(graph, std::back_inserter(order));
    return true;
  } catch (const boost::not_a_dag&) {
    return false;
  }
}

} // namespace

ChannelDependencies schedule_dependencies(const Topology& topology, const Schedule& schedule,
                                          std::span<const MessageId> messages, std::uint32_t virtual_channels)
{
  DependencyFinder finder(topology, schedule, virtual_channels);
  const auto edges = finder.edges(messages);
  ChannelDependencies dependencies;
  dependencies.classes = finder.classes();
  dependencies.graph = ChannelDependencies::Graph(boost::edges_are_sorted, edges.begin(), edges.end(),
                                                  topology.channel_count() * finder.classes());
  return dependencies;
}

std::optional<DeadlockFreedom> deadlock_freedom(const Topology& topology, const Schedule& schedule)
{
  const auto draws = [&](const Message& message) { return topology.draws_route(message.source, message.destination); };
  if (schedule.operation == Operation::none || std::ranges::any_of(schedule.messages, draws)) {
    return std::nullopt;
  }
  const StepOrder steps = order_by_step(schedule);
  DeadlockFreedom freedom;
  for (std::uint32_t channels = 1; channels <= most_virtual_channels_tried && !freedom.at_once; ++channels) {
    DependencyFinder finder(topology, schedule, channels);
    if (has_no_cycle(finder.edges(steps.order))) {
      freedom.at_once = channels;
      freedom.by_step = freedom.by_step.value_or(channels);
    }
    for (std::size_t step = 0; !freedom.by_step && step + 1 < steps.offsets.size(); ++step) {
      if (!has_no_cycle(finder.edges(
              std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step])))) {
        break;
      }
      if (step + 2 == steps.offsets.size()) {
        freedom.by_step = channels;
      }
    }
  }
  return freedom;
}

} // namespace wormcast
