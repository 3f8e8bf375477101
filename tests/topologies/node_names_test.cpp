#include "tests/topologies/sample_topologies.hpp"
#include "tests/topologies/switched/switched_samples.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/node_names.hpp"

namespace wormcast {

namespace {

TEST(NodeNames, FindHosts)
{
  const auto mesh = make_grid("mesh", {4, 3});
  EXPECT_EQ(resolve_node(*mesh, std::string("(1, 2)")), NodeId{9});
  EXPECT_EQ(resolve_node(*mesh, std::string("( 1,2 )")), NodeId{9});
  const auto dragonfly = make_dragonfly({2, 1, 2, 1, 2, 1, 2});
  HostsByName hosts(*dragonfly);
  EXPECT_EQ(hosts.host("(1, 1, 1, 1)"), NodeId{15});
  EXPECT_EQ(node_ids(*dragonfly, std::vector<std::string>{"(0, 0, 0, 1)", "(0, 0, 1, 0)"}), (Numbers{1, 2}));
  EXPECT_EQ(node_ids(*dragonfly, Numbers{7, 99}), (Numbers{7, 99}));
}

TEST(NodeNames, ThatNoHostHasAreErrors)
{
  const auto mesh = make_grid("mesh", {4, 3});
  EXPECT_EQ(input_error([&] { resolve_node(*mesh, std::string("(1, 3)")); }),
            "node (1, 3) is outside of the mesh 4 x 3: its coordinate in y is 3, expected 0 to 2");
  const auto dragonfly = make_dragonfly({2, 1, 2, 1, 2, 1, 2});
  EXPECT_EQ(input_error([&] { resolve_node(*dragonfly, std::string("s0.0.1")); }),
            "the node is s0.0.1, a switch of the dragonfly 2,1;2,1;2,1;2, which neither sends nor receives; expected a "
            "host, 0 to 15");
  EXPECT_EQ(input_error([&] { node_ids(*mesh, std::vector<std::string>{"(0, 0)", "left"}); }),
            "no node of the mesh 4 x 3 is called \"left\"; they are called \"(0, 0)\", \"(1, 0)\", \"(2, 0)\", ...");
  EXPECT_EQ(input_error([&] { resolve_node(*make_grid("mesh", {2}), std::string("10")); }),
            "no node of the mesh 2 is called \"10\"; they are called \"0\", \"1\"");
}

RC_GTEST_PROP(NodeNames, AreFoundForAllHosts, ())
{
  const auto topology = *rc::gen::arbitrary<bool>() ? arbitrary_grid(200) : arbitrary_fat_tree();
  HostsByName hosts(*topology);
  for (std::uint32_t host = 0; host < topology->host_count(); ++host) {
    RC_ASSERT(hosts.host(topology->node_name(NodeId{host})) == NodeId{host});
  }
}

} // namespace

} // namespace wormcast
