#pragma once

#include "wormcast/topologies/registry.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

using Numbers = std::vector<std::int64_t>;

inline std::unique_ptr<Topology> make_fat_tree(const Numbers& children, const Numbers& parents, const Numbers& links,
                                               const std::string& routing = "d_mod_k")
{
  TopologyDescription description{"fat_tree", {}};
  description.parameters.set("levels", static_cast<std::int64_t>(children.size()));
  description.parameters.set("children", children);
  description.parameters.set("parents", parents);
  description.parameters.set("links", links);
  return make_topology(description, {.routing = routing});
}

/// Groups and their links, chassis and their links, routers and their links, hosts: as in SimGrid's "3,4;4,3;5,1;2".
/// With `global_links` each router is linked to so many groups.
inline std::unique_ptr<Topology> make_dragonfly(const Numbers& sizes, const std::string& routing = "minimal",
                                                std::int64_t global_links = 0)
{
  TopologyDescription description{"dragonfly", {}};
  std::size_t i = 0;
  for (const char* key : {"groups", "group_links", "chassis", "chassis_links", "routers", "router_links", "hosts"}) {
    description.parameters.set(key, sizes.at(i++));
  }
  if (global_links > 0) {
    description.parameters.set("global_links", global_links);
  }
  return make_topology(description, {.routing = routing});
}

/// Of one to three levels with at most 64 hosts.
inline std::unique_ptr<Topology> arbitrary_fat_tree()
{
  Numbers children;
  Numbers parents;
  Numbers links;
  const auto levels = *rc::gen::inRange<std::size_t>(1, 4);
  while (children.size() < levels) {
    children.push_back(*rc::gen::inRange<std::int64_t>(1, 5));
    parents.push_back(*rc::gen::inRange<std::int64_t>(1, 4));
    links.push_back(*rc::gen::inRange<std::int64_t>(1, 3));
  }
  return make_fat_tree(children, parents, links, *rc::gen::element<std::string>("d_mod_k", "random"));
}

/// Of at most four groups with at most 96 hosts.
inline std::unique_ptr<Topology> arbitrary_dragonfly(const std::string& routing = "minimal")
{
  const auto routers = *rc::gen::inRange<std::int64_t>(1, 5);
  const auto few = [] { return *rc::gen::inRange<std::int64_t>(1, 3); };
  return make_dragonfly({*rc::gen::inRange<std::int64_t>(1, routers + 1), few(), *rc::gen::inRange<std::int64_t>(1, 4),
                         few(), routers, few(), few()},
                        routing);
}

/// Of at most nine groups with at most 108 hosts, whose routers are linked to one or two groups each.
inline std::unique_ptr<Topology> arbitrary_linked_dragonfly(const std::string& routing)
{
  const auto chassis = *rc::gen::inRange<std::int64_t>(1, 3);
  const auto routers = *rc::gen::inRange<std::int64_t>(1, 4);
  const auto global_links = *rc::gen::inRange<std::int64_t>(1, 3);
  const auto most = std::min<std::int64_t>(chassis * routers * global_links + 1, 9);
  const auto few = [] { return *rc::gen::inRange<std::int64_t>(1, 3); };
  return make_dragonfly({*rc::gen::inRange<std::int64_t>(1, most + 1), few(), chassis, few(), routers, few(), few()},
                        routing, global_links);
}

} // namespace wormcast
