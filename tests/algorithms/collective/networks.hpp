#pragma once

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>

namespace wormcast::testing {

inline std::unique_ptr<Topology> mesh(std::vector<std::int64_t> dims)
{
  return make_topology(grid("mesh", std::move(dims)));
}

inline std::unique_ptr<Topology> torus(std::vector<std::int64_t> dims, const std::string& tie = "no_wrap")
{
  return make_topology(grid("torus", std::move(dims)), {.routing = {}, .tie = tie});
}

inline std::unique_ptr<Topology> hypercube_of(std::int64_t dimension)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", dimension);
  return make_topology(description);
}

inline Schedule schedule_for(const std::string& operation, const std::string& name, const Topology& topology,
                             std::uint32_t source = 0, std::map<std::string, RawValue, std::less<>> raw = {})
{
  raw.emplace("operation", operation);
  return schedule_of(name, topology, NodeId{source}, std::uint64_t{1} << 20, raw);
}

/// Checks a schedule and its costs, beta for a whole message (vector) or for a block, as the operation measures it.
inline void expect_costs(const Topology& topology, const Schedule& schedule, std::uint64_t alpha, const Fraction& beta)
{
  Schedule exact = schedule; // without rounding of blocks
  exact.message_bytes = cuts_message(schedule.operation) ? schedule.blocks : 1;
  const CheckReport report = check_schedule(topology, exact);
  EXPECT_TRUE(report.valid()) << (report.violations.empty() ? "" : report.violations[0].text);
  EXPECT_TRUE(report.contention_free) << (report.violations.empty() ? "" : report.violations[0].text);
  EXPECT_EQ(report.costs.alpha, alpha);
  EXPECT_EQ(report.costs.beta, beta);
}

} // namespace wormcast::testing
