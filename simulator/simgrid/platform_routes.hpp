#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// A link of a SimGrid platform; of a link with sharing policy SPLITDUPLEX each direction is one.
struct PlatformLink {
  std::string name;
  double bandwidth = 0; ///< bytes a second
  double latency = 0;   ///< seconds
  bool shared = false;  ///< sharing policy SHARED: both directions in one
};

/// The routes between the hosts of a SimGrid platform.
struct PlatformRoutes {
  std::vector<std::string> hosts;  ///< names, numbers in them compared as numbers
  std::vector<PlatformLink> links; ///< those of the routes, in the order in which routes first use them
  /// Of each ordered pair of hosts, that from host f to host t at f * hosts + t, the end of its route in `route_links`;
  /// a route begins where the one before ends.
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> route_links; ///< indices of `links`, one route after the other
};

/// The most hosts of a platform, and the most links of all routes together.
inline constexpr std::uint32_t most_platform_hosts = 1U << 13;
inline constexpr std::uint64_t most_platform_hops = 25'000'000;

/// Loads a SimGrid platform, an XML file or a shared object, and asks SimGrid for all routes. Since a process can have
/// one platform alone, a child process does it. Throws InputError with the file's name if SimGrid refuses the file or
/// there is no memory, if it has no hosts or more than most_platform_hosts, a pair of hosts without a route, a link in
/// a route whose sharing policy is not SHARED or SPLITDUPLEX, and in a process in which SimGrid runs already, unless it
/// was given the routes.
PlatformRoutes read_platform_routes(const std::string& file);

/// What read_platform_routes() reads, for a process of this program in which SimGrid runs already. Throws as it does.
std::string packed_platform_routes(const std::string& file);

/// From now on read_platform_routes() returns these routes, which packed_platform_routes() returned, for any file;
/// none: it reads files again.
void give_platform_routes(std::optional<std::string> packed);

} // namespace wormcast
