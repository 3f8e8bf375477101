#pragma once

#include <simgrid/forward.h>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/version.h>

#include <functional>
#include <string>
#include <vector>

#if SIMGRID_VERSION == 33200
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#elif SIMGRID_VERSION < 33600 || SIMGRID_VERSION > 40100
#error "the interface of SimGrid's network models is known of versions 3.32, 3.36, 4.0 and 4.1"
#endif

// SimGrid installs NetZoneImpl::set_network_model(), but not the class NetworkModel that it takes, although the library
// exports the class's constructor, destructor, virtual functions and type information. This header declares it, as the
// vtable of each version shows it (`readelf -rW`): its bases, its virtual functions in their order, its size. Nothing
// else is to include it but network models; CMake tries it (cmake/try_network_model.cpp) before anything is built on
// it.
namespace simgrid::kernel::resource {

#if SIMGRID_VERSION == 33200
using NetworkModelBase = NetworkModelIntf;
#else
/// No virtual functions, two callbacks.
class NetworkModelFactors {
  std::function<void()> latency_;
  std::function<void()> bandwidth_;
};
using NetworkModelBase = NetworkModelFactors;
#endif

// Parameters that not all versions have.
#if SIMGRID_VERSION >= 40100
#define WORMCAST_SIMGRID_ZONE , routing::NetZoneImpl* zone
#define WORMCAST_SIMGRID_PASS_ZONE , zone
#else
#define WORMCAST_SIMGRID_ZONE
#define WORMCAST_SIMGRID_PASS_ZONE
#endif
#if SIMGRID_VERSION >= 33600
#define WORMCAST_SIMGRID_STREAMED , bool
#else
#define WORMCAST_SIMGRID_STREAMED
#endif

/// What a network model is to SimGrid: it makes links, and an Action for each communication.
class NetworkModel : public Model, public NetworkModelBase {
public:
  using Model::Model;
  ~NetworkModel() override; // the library's

  virtual StandardLinkImpl* create_link(const std::string& name,
                                        const std::vector<double>& bandwidths WORMCAST_SIMGRID_ZONE) = 0;
  virtual StandardLinkImpl* create_wifi_link(const std::string& name,
                                             const std::vector<double>& bandwidths WORMCAST_SIMGRID_ZONE) = 0;
  /// `size` in bytes, `rate` in bytes a second, below 0 where the caller sets no limit.
  virtual Action* communicate(s4u::Host* from, s4u::Host* to, double size, double rate WORMCAST_SIMGRID_STREAMED) = 0;
#if SIMGRID_VERSION == 33200
  virtual double get_latency_factor(double /*size*/) { return 1; }
  virtual double get_bandwidth_factor(double /*size*/) { return 1; }
#endif
  double next_occurring_event_full(double now) override; // the library's
#if SIMGRID_VERSION == 33200
  void set_lat_factor_cb(const std::function<NetworkFactorCb>& /*factor*/) override {}
  void set_bw_factor_cb(const std::function<NetworkFactorCb>& /*factor*/) override {}
#endif

protected:
  /// The way of a host to itself: a link that the library's destructor deletes.
  StandardLinkImpl* loopback_ = nullptr;
};

} // namespace simgrid::kernel::resource
