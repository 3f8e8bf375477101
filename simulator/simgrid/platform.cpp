#include "wormcast/simulator/simgrid/platform.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <xbt/log.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <vector>

namespace wormcast {

namespace {

constexpr double seconds_per_picosecond = 1e-12;

} // namespace

// Routes are computed by the topology, without a table.
class SimGridPlatform::Zone final : public simgrid::kernel::routing::NetZoneImpl {
public:
  Zone(const Topology& topology, const NetworkParameters& network, const SimGridPlatformOptions& options)
      : NetZoneImpl("wormcast"), topology_(topology), flops_(options.flops)
  {
    for (std::uint32_t of_class = 0; of_class < topology.link_classes().size(); ++of_class) {
      speeds_.push_back({.bandwidth = 1 / (link_byte_time(network, of_class).nearest() * seconds_per_picosecond),
                         .latency = simgrid_seconds(link_hop_time(network, of_class).picoseconds)});
    }
    if (options.receiving_ports.count != PortModel::all) {
      limit_what_comes(options.receiving_ports.count / (network.per_byte.nearest() * seconds_per_picosecond));
    }
  }

  const Topology& topology() const { return topology_; }

  simgrid::s4u::Host& host(NodeId node)
  {
    hosts_.resize(topology_.host_count());
    simgrid::s4u::Host*& host = hosts_.at(index(node));
    if (host == nullptr) {
      host = make_host(node);
      node_of_.resize(host->get_netpoint()->id() + 1);
      node_of_.back() = node;
    }
    return *host;
  }

  NodeId node(const simgrid::kernel::routing::NetPoint& point) const { return node_of_.at(point.id()); }

  /// How many hosts have a link of their ports.
  std::uint64_t port_link_count() const
  {
    return static_cast<std::uint64_t>(std::ranges::count(ports_, true, &Ports::limit));
  }

  void complete()
  {
    for (std::uint32_t node = 0; node < topology_.host_count(); ++node) {
      host(NodeId{node});
    }
    for (std::uint32_t channel = 0; channel < topology_.channel_count(); ++channel) {
      link(ChannelId{channel});
    }
    for (std::uint32_t node = 0; node < ports_.size(); ++node) {
      port_link(NodeId{node});
    }
  }

  void get_local_route(const simgrid::kernel::routing::NetPoint* source,
                       const simgrid::kernel::routing::NetPoint* destination, simgrid::kernel::routing::Route* into,
                       double* latency) override
  {
    route_.clear();
    topology_.append_route(node(*source), node(*destination), route_);
    for (const ChannelId channel : route_) {
      into->link_list_.push_back(link(channel));
    }
    if (Link* const port = route_.empty() ? nullptr : port_link(node(*destination))) {
      into->link_list_.push_back(port);
    }
    if (latency == nullptr) {
      return;
    }
    if (speeds_.size() == 1) {
      *latency += static_cast<double>(route_.size()) * speeds_.front().latency;
      return;
    }
    for (const ChannelId channel : route_) {
      *latency += speeds_[topology_.link_class(channel)].latency;
    }
  }

private:
  using Link = simgrid::kernel::resource::StandardLinkImpl;

  struct Speed {
    double bandwidth = 0; // bytes a second
    double latency = 0;   // seconds
  };

  // The receiving ports of a host.
  struct Ports {
    bool limit = false;   // what comes
    Link* link = nullptr; // as hosts_
  };

  // Hosts get a link of this bandwidth where the channels that lead to them have more together.
  void limit_what_comes(double bandwidth)
  {
    std::vector<double> incoming(topology_.node_count());
    for (std::uint32_t channel = 0; channel < topology_.channel_count(); ++channel) {
      const ChannelId id{channel};
      incoming[index(topology_.channel_target(id))] += speeds_[topology_.link_class(id)].bandwidth;
    }
    port_bandwidth_ = bandwidth;
    for (std::uint32_t node = 0; node < topology_.host_count(); ++node) {
      constexpr double rounding = 1e-9;
      ports_.push_back({.limit = incoming[node] > bandwidth * (1 + rounding)});
    }
  }

  void do_seal() override { sealed_ = true; }

  void expect_open(const std::string& name) const
  {
    if (sealed_) {
      throw std::logic_error(fmt::format("{} was not requested before SimGrid started to run", name));
    }
  }

  simgrid::s4u::Host* make_host(NodeId node)
  {
    const std::string name = host_name(node);
    expect_open(name);
    return create_host(name, {flops_});
  }

  Link* make_link(const std::string& name, const Speed& speed)
  {
    expect_open(name);
    simgrid::s4u::Link* link = create_link(name, {speed.bandwidth});
    link->set_latency(speed.latency);
    return link->get_impl();
  }

  Link* link(ChannelId channel)
  {
    links_.resize(topology_.channel_count());
    Link*& link = links_.at(index(channel));
    if (link == nullptr) {
      link = make_link(link_name(channel), speeds_[topology_.link_class(channel)]);
    }
    return link;
  }

  // The link through which all comes to a host; null where its ports do not limit that.
  Link* port_link(NodeId node)
  {
    if (ports_.empty() || !ports_[index(node)].limit) {
      return nullptr;
    }
    Ports& ports = ports_[index(node)];
    if (ports.link == nullptr) {
      ports.link = make_link(fmt::format("ports_of_{}", host_name(node)), {.bandwidth = port_bandwidth_, .latency = 0});
    }
    return ports.link;
  }

  const Topology& topology_;
  double flops_;              // a second, of a host
  std::vector<Speed> speeds_; // by class of links
  bool sealed_ = false;
  std::vector<simgrid::s4u::Host*> hosts_; // by node, null if never requested; empty before the first request
  std::vector<NodeId> node_of_;            // by SimGrid's number within the zone
  std::vector<Link*> links_;               // by channel, as hosts_
  double port_bandwidth_ = 0;              // of all receiving ports of a host
  std::vector<Ports> ports_;               // by host; empty where no ports limit what comes
  std::vector<ChannelId> route_;
};

// SimGrid answers SIGINT with a report of its own; the caller decides what SIGINT does.
class KeptInterrupt {
public:
  KeptInterrupt() { ::sigaction(SIGINT, nullptr, &before_); }
  ~KeptInterrupt() { ::sigaction(SIGINT, &before_, nullptr); }
  KeptInterrupt(const KeptInterrupt&) = delete;
  KeptInterrupt& operator=(const KeptInterrupt&) = delete;

private:
  struct sigaction before_ = {};
};

struct SimGridPlatform::State {
  std::optional<simgrid::s4u::Engine> own_engine;
  Zone* zone = nullptr; // owned by SimGrid
};

SimGridPlatform::SimGridPlatform(const Topology& topology, const NetworkParameters& network,
                                 const SimGridPlatformOptions& options)
    : state_(std::make_unique<State>())
{
  if (!simgrid::s4u::Engine::has_instance()) {
    const KeptInterrupt interrupt;
    state_->own_engine.emplace("wormcast");
  }
  // SimGrid must not treat times that are a picosecond apart as equal: an actor would wake too early.
  simgrid::s4u::Engine::set_config("surf/precision", seconds_per_picosecond / 2);
  xbt_log_control_set("xbt_cfg.thres:warning"); // no line for each setting
  for (const std::string& setting : options.settings) {
    simgrid::s4u::Engine::set_config(setting);
  }
  state_->zone = new Zone(topology, network, options);
}

SimGridPlatform::~SimGridPlatform() = default;

const Topology& SimGridPlatform::topology() const
{
  return state_->zone->topology();
}
simgrid::s4u::Engine& SimGridPlatform::engine()
{
  return *simgrid::s4u::Engine::get_instance();
}
simgrid::s4u::NetZone& SimGridPlatform::zone()
{
  return *state_->zone->get_iface();
}
simgrid::s4u::Host& SimGridPlatform::host(NodeId node)
{
  return state_->zone->host(node);
}
NodeId SimGridPlatform::node(const simgrid::s4u::Host& host) const
{
  return state_->zone->node(*host.get_netpoint());
}

void SimGridPlatform::complete()
{
  constexpr std::uint64_t bytes_of_host = 1130;
  constexpr std::uint64_t bytes_of_link = 590;
  const std::uint64_t hosts = topology().host_count();
  const std::uint64_t links = topology().channel_count() + state_->zone->port_link_count();
  reserve_memory(hosts * bytes_of_host + links * bytes_of_link,
                 fmt::format("a SimGrid platform of {} hosts and {} links", hosts, links));
  state_->zone->complete();
}

void SimGridPlatform::run()
{
  state_->zone->seal();
  engine().run();
}

double simgrid_seconds(std::int64_t picoseconds)
{
  return static_cast<double>(picoseconds) * seconds_per_picosecond;
}

std::string simgrid_version()
{
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

} // namespace wormcast
