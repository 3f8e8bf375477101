#include "wormcast/algorithms/hypercube/total_exchange.hpp"

#include "wormcast/algorithms/hypercube/packets.hpp"
#include "wormcast/algorithms/hypercube/rotation_classes.hpp"
#include "wormcast/algorithms/schedule/neighbour_sends.hpp"

namespace wormcast {

namespace {

constexpr std::string_view total_exchange_name = "total_exchange";

/// Adds messages to the schedule: each node of the cube sends over a link a packet that stands to it as the given one
/// to node 0.
class ExchangeSends {
public:
  explicit ExchangeSends(std::uint32_t nodes) : nodes_(nodes)
  {
    schedule_.operation = Operation::total_exchange;
    schedule_.blocks = std::uint64_t{nodes} * nodes;
    packets_ = single_blocks(schedule_.block_sets, nodes * nodes);
  }

  void reserve(std::uint64_t messages) { schedule_.messages.reserve(messages); }

  void send(std::uint32_t step, std::uint32_t link, std::uint32_t origin, std::uint32_t destination)
  {
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      schedule_.messages.push_back({step, NodeId{node}, NodeId{node ^ link_bit(link)},
                                    packets_[(node ^ origin) * nodes_ + (node ^ destination)]});
    }
  }

  Schedule take_schedule() { return std::move(schedule_); }

private:
  std::uint32_t nodes_;
  Schedule schedule_;
  std::vector<BlockSetId> packets_; // by block
};

// Section 4 in closed form: on link k in turn, 2^(k-1) steps each, a node's own packets and those that come from the
// nodes that differ from it above bit k.
void send_over_all_links(ExchangeSends& sends, std::uint32_t dimension)
{
  const std::vector<std::vector<std::uint32_t>> tables = exchange_tables(dimension);
  for (std::uint32_t step = 0; step < link_bit(dimension); ++step) {
    for (std::uint32_t link = 1; link <= dimension; ++link) {
      const std::uint32_t turn = step / link_bit(link);
      sends.send(step, link, turn << link, tables[link - 1][step % link_bit(link)]);
    }
  }
}

// Stage k corrects bit k of all packets: of those that came from below it, one after the other.
void send_link_by_link(ExchangeSends& sends, std::uint32_t dimension)
{
  std::uint32_t step = 0;
  for (std::uint32_t link = 1; link <= dimension; ++link) {
    for (std::uint32_t low = 0; low < link_bit(link); ++low) {
      for (std::uint32_t high = 0; high < 1U << (dimension - link); ++high) {
        sends.send(step++, link, low, link_bit(link) | high << link);
      }
    }
  }
}

Schedule total_exchange(const Topology& topology, const ScheduleRequest& request)
{
  const std::uint32_t dimension = require_hypercube(topology, total_exchange_name);
  const std::uint64_t messages = std::uint64_t{dimension} << (2 * dimension - 1);
  limit_messages(messages, total_exchange_name, dimension);
  ExchangeSends sends(topology.node_count());
  sends.reserve(messages);
  if (all_links_at_once(request.ports, dimension)) {
    send_over_all_links(sends, dimension);
  } else {
    send_link_by_link(sends, dimension);
  }
  return sends.take_schedule();
}

} // namespace

std::vector<std::vector<std::uint32_t>> exchange_tables(std::uint32_t dimension)
{
  std::vector<std::vector<std::uint32_t>> columns = {{1}};
  for (std::uint32_t link = 2; link <= dimension; ++link) {
    std::vector<std::uint32_t> added;
    for (std::size_t row = 0; row < columns.back().size(); ++row) {
      for (const std::vector<std::uint32_t>& column : columns) {
        if (row < column.size()) {
          added.push_back(column[row] | link_bit(link));
        }
      }
    }
    added.push_back(link_bit(link));
    columns.push_back(std::move(added));
  }
  return columns;
}

Algorithm total_exchange_algorithm()
{
  Algorithm algorithm;
  algorithm.name = total_exchange_name;
  algorithm.summary = "total exchange (all-to-all personalised) on a hypercube, with all links busy in every step";
  algorithm.operation = Operation::total_exchange;
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "hypercube of dimension up to 13";
  algorithm.costs = "alpha = beta: all-port 2^(d-1), one-port d 2^(d-1); d 2^(2d-1) messages (all optimal)";
  algorithm.source = "Bertsekas et al., JPDC 11, 1991, section 4; one-port: link by link";
  algorithm.make = total_exchange;
  return algorithm;
}

} // namespace wormcast
