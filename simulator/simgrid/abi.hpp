#pragma once

#include <simgrid/forward.h>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/version.h>

#include <functional>
#include <string>
#include <vector>

#if SIMGRID_VERSION != 33200
#error "the interface of SimGrid's network models is known of version 3.32"
#endif

// SimGrid installs NetZoneImpl::set_network_model(), but not the class NetworkModel that it takes, although the library
// exports the class's constructor, destructor, virtual functions and type information. This header declares it, as the
// library's vtable shows it (`readelf -rW`): its bases, its virtual functions in their order, its size. Only network
// models may include it; CMake tests it (cmake/try_network_model.cpp) before anything is built on it.
namespace simgrid::kernel::resource {

/// A network model of SimGrid: it makes links, and an Action for each communication.
class NetworkModel : public Model, public NetworkModelIntf {
public:
  using Model::Model;
  ~NetworkModel() override; // defined by the library

  virtual StandardLinkImpl* create_link(const std::string& name, const std::vector<double>& bandwidths) = 0;
  virtual StandardLinkImpl* create_wifi_link(const std::string& name, const std::vector<double>& bandwidths) = 0;
  /// `size` in bytes, `rate` in bytes a second, below 0 where the caller sets no limit.
  virtual Action* communicate(s4u::Host* from, s4u::Host* to, double size, double rate) = 0;
  virtual double get_latency_factor(double /*size*/) { return 1; }
  virtual double get_bandwidth_factor(double /*size*/) { return 1; }
  double next_occurring_event_full(double now) override; // defined by the library
  void set_lat_factor_cb(const std::function<NetworkFactorCb>& /*factor*/) override {}
  void set_bw_factor_cb(const std::function<NetworkFactorCb>& /*factor*/) override {}

protected:
  /// The route of a host to itself: a link that the library's destructor deletes.
  StandardLinkImpl* loopback_ = nullptr;
};

} // namespace simgrid::kernel::resource
