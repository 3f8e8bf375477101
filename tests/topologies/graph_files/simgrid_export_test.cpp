#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/graph_files/export.hpp"

#include <simgrid/s4u.hpp>

#include <filesystem>
#include <fstream>

namespace wormcast {

namespace {

/// Writes a platform file, has SimGrid load it, and compares every route. SimGrid's engine is one per process and keeps
/// its hosts, so each test of this file (a process of its own under ctest) calls it once.
void expect_same_routes(const Topology& topology, const ChannelSpeed& speed)
{
  namespace s4u = simgrid::s4u;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      (std::string("wormcast-") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".xml");
  {
    std::ofstream out(file);
    write_simgrid_xml(topology, speed, out);
    ASSERT_TRUE(out.flush());
  }
  int argument_count = 1;
  char name[] = "simgrid_export_test";
  char* arguments[] = {name, nullptr};
  s4u::Engine engine(&argument_count, arguments);
  engine.load_platform(file.string());
  std::filesystem::remove(file);

  ASSERT_EQ(engine.get_host_count(), topology.node_count());
  for (std::uint32_t from = 0; from < topology.node_count(); ++from) {
    for (std::uint32_t to = 0; to < topology.node_count(); ++to) {
      if (from == to) {
        continue;
      }
      std::vector<s4u::Link*> links;
      double latency = 0;
      engine.host_by_name(host_name(NodeId{from}))
          ->route_to(engine.host_by_name(host_name(NodeId{to})), links, &latency);
      std::vector<std::string> found;
      for (const s4u::Link* link : links) {
        found.push_back(link->get_name());
        EXPECT_DOUBLE_EQ(link->get_bandwidth(), 1e12 / static_cast<double>(speed.per_byte.picoseconds()));
        EXPECT_DOUBLE_EQ(link->get_latency(), 1e-12 * static_cast<double>(speed.per_hop.picoseconds));
      }
      std::vector<std::string> expected;
      for (const ChannelId channel : route_between(topology, from, to)) {
        expected.push_back(link_name(channel));
      }
      ASSERT_EQ(found, expected) << host_name(NodeId{from}) << " to " << host_name(NodeId{to});
    }
  }
}

TEST(SimgridExport, mesh_is_loaded_with_the_same_routes)
{
  expect_same_routes(*make_grid("mesh", {4, 3, 2}), {parse_time("0.5us"), parse_time("20ns")});
}

TEST(SimgridExport, torus_of_even_sizes_is_loaded_with_the_same_routes)
{
  expect_same_routes(*make_grid("torus", {6, 4}), {parse_time("3ps"), parse_time("0s")});
}

TEST(SimgridExport, ties_are_kept)
{
  expect_same_routes(*make_grid("torus", {4, 2, 3}, "positive"), {parse_time("7ns"), parse_time("1us")});
}

} // namespace

} // namespace wormcast
