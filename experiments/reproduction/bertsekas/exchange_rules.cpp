#include "wormcast/algorithms/hypercube/rotation_classes.hpp"
#include "wormcast/algorithms/hypercube/total_exchange.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bertsekas/orders.hpp"
#include "wormcast/experiments/reproduction/bertsekas/phases.hpp"
#include "wormcast/experiments/reproduction/bertsekas/printed_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

namespace wormcast::bertsekas {

namespace {

std::uint32_t link_of(const Hop& hop)
{
  return static_cast<std::uint32_t>(std::bit_width(hop.from ^ hop.to));
}

// What node 0 sends over a link, in the order of time.
std::vector<std::uint32_t> own_column(const std::vector<Hop>& hops, std::uint32_t d, std::uint32_t link)
{
  std::vector<std::uint32_t> column;
  for (const Hop& hop : hops) { // by step
    if (hop.from == 0 && hop.packet >> d == 0 && link_of(hop) == link) {
      column.push_back(hop.packet);
    }
  }
  return column;
}

// Rows are links, columns steps: from how far beyond link k the packets come, 0 for a node's own.
ExhibitMatrix packets_on_links(std::uint32_t d)
{
  ExhibitMatrix matrix{.title = fmt::format("What node 0 of the {}-cube sends: origin > destination, by origin", d),
                       .x_label = "time - 1",
                       .y_label = "link - 1",
                       .values = std::vector(d, std::vector<std::string>(std::size_t{1} << (d - 1))),
                       .labels = std::vector(d, std::vector<std::string>(std::size_t{1} << (d - 1))),
                       .marked = {}};
  for (const Hop& hop : total_exchange_hops(d)) {
    if (hop.from == 0) {
      const std::uint32_t origin = hop.packet >> d;
      const std::uint32_t destination = hop.packet & ((1U << d) - 1);
      matrix.values[link_of(hop) - 1][hop.step - 1] = fmt::to_string(origin);
      matrix.labels[link_of(hop) - 1][hop.step - 1] = fmt::format("{} > {}", origin, destination);
    }
  }
  return matrix;
}

Evidence figure_6()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 4; ++d) {
    const std::vector<Hop> hops = total_exchange_hops(d);
    const std::vector<std::vector<std::uint32_t>> tables = exchange_tables(d);
    for (std::uint32_t link = 1; link <= d; ++link) {
      const std::vector<std::uint32_t> sent = own_column(hops, d, link);
      std::vector<std::uint32_t> printed;
      for (const std::uint32_t entry : figure_6_columns()[link - 1]) {
        printed.push_back(as_claimed(entry));
      }
      observations.push_back({.what = fmt::format("table {}, link {}", d, link),
                              .expected = id_words(printed, 4),
                              .found = id_words(sent, 4),
                              .holds = sent == printed && tables[link - 1] == printed});
    }
  }
  Evidence evidence =
      all_hold("all four tables: by their rule of construction, and what node 0 really sends", observations);
  evidence.matrices.push_back(packets_on_links(4));
  return evidence;
}

// Of all nodes: own packets on link k in steps 1 .. 2^(k-1), by the tables XOR the node's id, the neighbour's last.
Evidence own_packets_by_tables()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 8; ++d) {
    const std::vector<std::vector<std::uint32_t>> tables = exchange_tables(d);
    std::uint64_t other = 0;
    std::uint64_t found = 0;
    for (const Hop& hop : total_exchange_hops(d)) {
      if (hop.packet >> d != hop.from) {
        continue;
      }
      ++found;
      const std::uint32_t k = link_of(hop);
      const std::uint32_t destination = (hop.packet ^ hop.from) & ((1U << d) - 1);
      const bool in_time = hop.step <= link_bit(k) && tables[k - 1][hop.step - 1] == destination;
      const bool over_highest = static_cast<std::uint32_t>(std::bit_width(destination)) == k;
      const bool neighbour_is_last = (destination == link_bit(k)) == (hop.step == link_bit(k));
      other += !in_time || !over_highest || !neighbour_is_last;
    }
    observations.push_back(none(fmt::format("own packets sent otherwise, d = {}", d), other));
    observations.push_back(
        equal(fmt::format("own packets, d = {}", d), (std::uint64_t{1} << d) * ((1U << d) - 1), found));
  }
  return all_hold("d = 1..8, every node", observations);
}

/// The packets that come to a node over link k, by step.
using Arrivals = std::vector<std::uint32_t>;

// Group g of 2^(k-1) is of the node that differs from i in bit k, above it by g and below it nowhere; its destinations
// are i's own subcube of the links below k.
bool is_group(std::span<const std::uint32_t> packets, std::uint32_t node, std::uint32_t k, std::uint32_t group,
              std::uint32_t d)
{
  const std::uint32_t origin = node ^ (group << k | link_bit(k));
  std::set<std::uint32_t> destinations;
  for (const std::uint32_t packet : packets) {
    const std::uint32_t destination = packet & ((1U << d) - 1);
    if (packet >> d != origin || (destination ^ node) >= link_bit(k)) {
      return false;
    }
    destinations.insert(destination);
  }
  return destinations.size() == link_bit(k);
}

Evidence arrivals_in_groups()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 8; ++d) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Arrivals> arrivals; // by node and link
    std::uint64_t early = 0;
    std::uint64_t over_last_link = 0;
    for (const Hop& hop : total_exchange_hops(d)) {
      arrivals[{hop.to, link_of(hop)}].push_back(hop.packet);
      const bool forwarded = hop.packet >> d != hop.from;
      early += forwarded && hop.step <= link_bit(link_of(hop));
      over_last_link += forwarded && link_of(hop) == d;
    }
    std::uint64_t groups = 0;
    std::uint64_t wrong = 0;
    for (const auto& [place, packets] : arrivals) {
      const auto& [node, k] = place;
      for (std::uint32_t group = 0; group < 1U << (d - k); ++group, ++groups) {
        const std::size_t first = std::size_t{group} * link_bit(k);
        wrong += packets.size() < first + link_bit(k) ||
                 !is_group(std::span(packets).subspan(first, link_bit(k)), node, k, group, d);
      }
    }
    observations.push_back(none(fmt::format("groups that are not as described, of {}, d = {}", groups, d), wrong));
    observations.push_back(none(fmt::format("packets forwarded up to time 2^(k-1), d = {}", d), early));
    observations.push_back(none(fmt::format("packets forwarded over link d, d = {}", d), over_last_link));
  }
  return all_hold("d = 1..8, every node and link", observations);
}

/// Nodes that follow the rules of the paper's implementation, knowing but origins, destinations and times of arrival.
class QueueingNodes {
public:
  explicit QueueingNodes(std::uint32_t dimension)
      : dimension_(dimension), tables_(exchange_tables(dimension)), queues_(std::size_t{dimension} << dimension)
  {}

  /// All transmissions in ascending order; none where a queue runs dry.
  std::optional<std::vector<Hop>> run()
  {
    const std::uint32_t steps = link_bit(dimension_);
    std::vector<Hop> all;
    for (std::uint32_t step = 1; step <= steps; ++step) {
      const std::size_t first = all.size();
      for (std::uint32_t node = 0; node < 1U << dimension_; ++node) {
        for (std::uint32_t k = 1; k <= dimension_; ++k) {
          const std::optional<std::uint32_t> packet = next_packet(step, node, k);
          if (!packet) {
            return std::nullopt;
          }
          all.push_back({step, node, node ^ link_bit(k), *packet});
        }
      }
      for (std::size_t i = first; i < all.size(); ++i) {
        receive(all[i]);
      }
    }
    std::ranges::sort(all);
    return all;
  }

private:
  /// By origin XOR node, then by time of arrival.
  using Queue = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

  Queue& queue(std::uint32_t node, std::uint32_t k) { return queues_[std::size_t{node} * dimension_ + k - 1]; }

  std::optional<std::uint32_t> next_packet(std::uint32_t step, std::uint32_t node, std::uint32_t k)
  {
    const std::vector<std::uint32_t>& own = tables_[k - 1];
    if (step <= as_upper_bound(own.size())) { // forwarding starts at 2^(k-1) + 1
      return (node << dimension_) + (node ^ own[step - 1]);
    }
    Queue& waiting = queue(node, k);
    if (waiting.empty()) {
      return std::nullopt;
    }
    return waiting.extract(waiting.begin()).mapped();
  }

  // k_0: the highest bit in which the node and the destination differ.
  void receive(const Hop& hop)
  {
    const std::uint32_t destination = hop.packet & ((1U << dimension_) - 1);
    if (destination != hop.to) {
      const auto k = static_cast<std::uint32_t>(std::bit_width(destination ^ hop.to));
      queue(hop.to, k)[{(hop.packet >> dimension_) ^ hop.to, hop.step}] = hop.packet;
    }
  }

  std::uint32_t dimension_;
  std::vector<std::vector<std::uint32_t>> tables_;
  std::vector<Queue> queues_;
};

Evidence forwarding_rules()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 8; ++d) {
    const std::optional<std::vector<Hop>> hops = QueueingNodes(d).run();
    const bool same = hops == exchange_in_phases(d);
    observations.push_back(
        {.what = fmt::format("d = {}", d),
         .expected = "no queue runs dry, the transmissions of the recursive construction",
         .found = !hops ? "a queue runs dry"
                        : fmt::format("{} transmissions, {}", hops->size(), same ? "the same" : "other ones"),
         .holds = same});
  }
  return all_hold("d = 1..8, queues of all nodes played out", observations);
}

} // namespace

std::vector<Check> exchange_rule_checks()
{
  const Demonstration shown{config_text(total_exchange_case(4)), "wormcast schedule CONFIG"};
  return {check_of("figure_6", shown, figure_6), check_of("own_packets_by_tables", shown, own_packets_by_tables),
          check_of("arrivals_in_groups", shown, arrivals_in_groups),
          check_of("forwarding_rules", shown, forwarding_rules)};
}

} // namespace wormcast::bertsekas
