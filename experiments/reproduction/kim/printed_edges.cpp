#include "wormcast/experiments/reproduction/kim/printed_edges.hpp"

#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast::kim {

namespace {

std::string node_text(const PetersenTorusNode& node)
{
  return fmt::format("({}, {}, {}, {})", node.z, node.x, node.y, node.p);
}

Evidence definition_2()
{
  std::vector<Observation> observations;
  const auto petersen = petersen_graph();
  for (const PetersenTorusSize& size : all_sizes(6)) {
    std::set<Edge> defined;
    for (std::uint32_t module = 0; module < size.nodes() / 10; ++module) {
      for (const auto& [a, b] : edges_of(*petersen)) {
        defined.insert({10 * module + a, 10 * module + b});
      }
    }
    for (const auto& [from, to] : external_edges(size)) {
      defined.insert(edge(petersen_torus_id(size, from), petersen_torus_id(size, to)));
    }
    const bool same = defined == edges_of(*make_torus(size));
    observations.push_back({.what = text(size),
                            .expected = fmt::format("{} edges", 20 * size.l * size.m * size.n),
                            .found = same ? fmt::format("the same {} edges", defined.size()) : "other edges",
                            .holds = same && defined.size() == 2 * static_cast<std::size_t>(size.nodes())});
  }
  return all_hold("l, m, n = 2..6: (1) to (5), with their moduli, and the internal edges are the whole network",
                  observations);
}

// The edges of (1) to (5) whose modulus does something.
std::set<Edge> edges_that_wrap(const PetersenTorusSize& size)
{
  std::set<Edge> wrap;
  for (const auto& [from, to] : external_edges(size)) {
    const PetersenTorusNode& step = external_edge(from.p);
    if (from.z + step.z != to.z || from.x + step.x != to.x || from.y + step.y != to.y) {
      wrap.insert(edge(petersen_torus_id(size, from), petersen_torus_id(size, to)));
    }
  }
  return wrap;
}

Evidence wrap_edges(const std::function<std::vector<WrapEdge>(const PetersenTorusSize&)>& printed, bool all_of_them)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5)) {
    const std::set<Edge> network = edges_of(*make_torus(size));
    std::set<Edge> named;
    for (const WrapEdge& one : printed(size)) {
      std::string missing;
      for (std::int64_t u = 0; u < one.first; ++u) {
        for (std::int64_t v = 0; v < one.second; ++v) {
          const auto [from, to] = one.at(u, v);
          named.insert(edge(petersen_torus_id(size, from), petersen_torus_id(size, to)));
          if (missing.empty() && !network.contains(edge(petersen_torus_id(size, from), petersen_torus_id(size, to)))) {
            missing = fmt::format("{}-{} is none", node_text(from), node_text(to));
          }
        }
      }
      observations.push_back({.what = fmt::format("{} of {}", one.printed, text(size)),
                              .expected = "edges of (1) to (5)",
                              .found = missing.empty() ? "edges" : missing,
                              .holds = missing.empty()});
    }
    if (all_of_them) {
      observations.push_back(
          {.what = text(size),
           .expected = "no other edge wraps around",
           .found = fmt::format("{} edges named, {} wrap", named.size(), edges_that_wrap(size).size()),
           .holds = named == edges_that_wrap(size)});
    }
  }
  return all_hold("l, m, n = 2..5", observations);
}

Evidence external_hops(const std::vector<ExternalHop>& hops)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5)) {
    const std::set<Edge> network = edges_of(*make_torus(size));
    for (const ExternalHop& hop : hops) {
      // All modules are alike: that from the origin tells.
      const PetersenTorusNode from{0, 0, 0, hop.from};
      const PetersenTorusNode& to = hop.to;
      const bool is_edge = network.contains(edge(petersen_torus_id(size, from), petersen_torus_id(size, to)));
      observations.push_back({.what = fmt::format("{}, {}", hop.place, text(size)),
                              .expected = fmt::format("(z, x, y, {}) has an edge to (z{:+}, x{:+}, y{:+}, {})",
                                                      hop.from, to.z, to.x, to.y, to.p),
                              .found = is_edge ? "it has" : "it has none",
                              .holds = is_edge});
    }
  }
  return all_hold("l, m, n = 2..5", observations);
}

Evidence internal_hops(bool repaired)
{
  const std::set<Edge> petersen = edges_of(*petersen_graph());
  std::vector<Observation> observations;
  for (const InternalHops& chain : internal_chains(repaired)) {
    for (std::size_t i = 0; i < chain.hops.size(); i += 4) {
      const NodeId from{static_cast<std::uint32_t>(chain.hops[i] - '0')};
      const NodeId to{static_cast<std::uint32_t>(chain.hops[i + 2] - '0')};
      const bool is_edge = petersen.contains(edge(from, to));
      observations.push_back({.what = fmt::format("{}: {}>{}", chain.place, index(from), index(to)),
                              .expected = "an edge of the Petersen graph",
                              .found = is_edge ? "an edge" : "no edge",
                              .holds = is_edge});
    }
  }
  return all_hold("every hop printed for nodes of one module", observations, 80);
}

// A chain of the paper that goes down by one module a hop.
struct DownChain {
  std::string place;
  int from = 0; // the node whose external edge it uses
  std::int64_t PetersenTorusSize::* size = nullptr;
  std::int64_t PetersenTorusNode::* coordinate = nullptr;
};

// Where a chain of floor(size/2) hops from module 0 ends; printed is + floor(size/2).
Evidence chain_ends(int sign)
{
  const std::vector<DownChain> chains = {{"eqs. (2), (3), l", 5, &PetersenTorusSize::l, &PetersenTorusNode::z},
                                         {"eqs. (4), (5), l", 5, &PetersenTorusSize::l, &PetersenTorusNode::z},
                                         {"eqs. (6), (7), m", 4, &PetersenTorusSize::m, &PetersenTorusNode::x},
                                         {"eqs. (10), (11), l", 5, &PetersenTorusSize::l, &PetersenTorusNode::z}};
  std::vector<Observation> observations;
  for (std::int64_t length = 2; length <= 12; ++length) {
    for (const DownChain& chain : chains) {
      PetersenTorusSize size{2, 2, 2};
      size.*chain.size = length;
      PetersenTorusNode at{0, 0, 0, chain.from};
      for (std::int64_t hop = 0; hop < length / 2; ++hop) {
        at.p = chain.from;
        at = petersen_torus_node(size, petersen_torus_id(size, external_partner(at)));
      }
      const std::int64_t claimed = (sign * (length / 2) + length) % length;
      observations.push_back(
          same_texts(fmt::format("{} = {}, {} external hops down from 0", chain.place, length, length / 2),
                     fmt::format("ends at {}", claimed), fmt::format("ends at {}", at.*chain.coordinate)));
    }
  }
  return all_hold("sizes 2..12, along the edges of the network", observations);
}

} // namespace

std::vector<WrapEdge> printed_wrap_edges(const PetersenTorusSize& s)
{
  return {
      {"(z,x,0,9)-(z,x,n-1,6)", s.l, s.m,
       [s](auto z, auto x) { return DefinedEdge{{z, x, 0, 9}, {z, x, s.n - 1, 6}}; }},
      {"(z,0,y,4)-(z,m-1,y,1)", s.l, s.n,
       [s](auto z, auto y) { return DefinedEdge{{z, 0, y, 4}, {z, s.m - 1, y, 1}}; }},
      {"(0,0,y,7)-(0,m-1,y+1,8)", 1, s.n,
       [s](auto, auto y) { return DefinedEdge{{0, 0, y, 7}, {0, s.m - 1, y + 1, 8}}; }},
      {"(0,0,y,3)-(0,m-1,y-1,2)", 1, s.n,
       [s](auto, auto y) { return DefinedEdge{{0, 0, y, 3}, {0, s.m - 1, y - 1, 2}}; }},
      {"(0,x,0,8)-(0,x+1,n-1,7)", 1, s.m,
       [s](auto, auto x) { return DefinedEdge{{0, x, 0, 8}, {0, x + 1, s.n - 1, 7}}; }},
      {"(0,x,0,3)-(0,x-1,n-1,7)", 1, s.m,
       [s](auto, auto x) { return DefinedEdge{{0, x, 0, 3}, {0, x - 1, s.n - 1, 7}}; }},
  };
}

std::vector<WrapEdge> repaired_wrap_edges(const PetersenTorusSize& s)
{
  std::vector<WrapEdge> edges = printed_wrap_edges(s);
  edges.resize(2);
  edges.push_back({"(z,0,y,7)-(z,m-1,y+1,8)", s.l, s.n,
                   [s](auto z, auto y) { return DefinedEdge{{z, 0, y, 7}, {z, s.m - 1, y + 1, 8}}; }});
  edges.push_back({"(z,0,y,3)-(z,m-1,y-1,2)", s.l, s.n,
                   [s](auto z, auto y) { return DefinedEdge{{z, 0, y, 3}, {z, s.m - 1, y - 1, 2}}; }});
  edges.push_back({"(z,x,0,8)-(z,x+1,n-1,7)", s.l, s.m,
                   [s](auto z, auto x) { return DefinedEdge{{z, x, 0, 8}, {z, x + 1, s.n - 1, 7}}; }});
  edges.push_back({"(z,x,0,3)-(z,x-1,n-1,2)", s.l, s.m,
                   [s](auto z, auto x) { return DefinedEdge{{z, x, 0, 3}, {z, x - 1, s.n - 1, 2}}; }});
  edges.push_back({"(0,x,y,5)-(l-1,x,y,0)", s.m, s.n,
                   [s](auto x, auto y) { return DefinedEdge{{0, x, y, 5}, {s.l - 1, x, y, 0}}; }});
  return edges;
}

std::vector<ExternalHop> named_edges(bool repaired)
{
  std::vector<ExternalHop> hops = {{"(iv) LU-edge", 7, {0, -1, 1, 8}},
                                   {"(v) RD-edge", 7, {0, 1, -1, 8}},
                                   {"(vi) LD-edge", 7, {0, -1, -1, 8}},
                                   {"(vii) RU-edge", 7, {0, 1, 1, 8}}};
  if (repaired) {
    hops[1] = {"RD-edge", 8, {0, 1, -1, 7}};
    hops[2] = {"LD-edge", 3, {0, -1, -1, 2}};
    hops[3] = {"RU-edge", 2, {0, 1, 1, 3}};
  }
  return hops;
}

std::vector<ExternalHop> chain_hops(bool repaired)
{
  std::vector<ExternalHop> hops;
  for (const std::string place : {"eqs. (2) to (5)", "eqs. (10), (11)"}) {
    hops.push_back({place, 0, {1, 0, 0, 5}});
    hops.push_back({place, 5, {-1, 0, 0, 0}});
  }
  for (const std::string place : {"SLA condition 3", "MLA condition 3"}) {
    hops.push_back({place + ", w0", 7, {0, -1, 1, 8}});
    hops.push_back({place + ", w1", 4, {0, -1, 0, 1}});
    hops.push_back({place + ", w2", 6, {0, 0, 1, 9}});
    hops.push_back({place + ", w3", 3, {0, -1, -1, 2}});
    hops.push_back({place + ", w4", 2, {0, 1, 1, 3}});
  }
  hops.push_back({"algorithm 4, step 2", 1, {0, 1, 0, 4}});
  hops.push_back({"algorithm 4, step 3", 6, {0, 0, 1, 9}});
  hops.push_back({"algorithm 4, step 4", 5, {-1, 0, 0, 0}});
  hops.push_back({"eqs. (6), (7), first chain", 1, {0, 1, 0, 4}});
  hops.push_back({"eqs. (6), (7), second chain", 4, {0, -1, 0, 1}});
  hops.push_back({"eqs. (8), (9), first chain", 6, {0, 0, 1, 9}});
  hops.push_back({"eqs. (8), (9), second chain", 9, {0, 0, repaired ? -1 : 1, 6}});
  return hops;
}

std::vector<InternalHops> internal_chains(bool repaired)
{
  return {{"eqs. (1) to (5)", "0>5 5>0"},
          {"SLA condition 2", "0>4 5>9 0>1 4>3 5>6 9>8 6>7 3>2"},
          {"SLA condition 3", "8>7 8>1 8>9 7>4 1>0 7>6 4>3 1>2 0>5"},
          {"MLA condition 2", "0>4 0>1 5>9 5>6 4>3 4>7 1>2 1>8"},
          {"MLA condition 3", "8>7 8>1 8>9 7>4 7>6 1>0 1>2 9>3 9>5"},
          {"algorithm 2", "0>1 1>2 2>3 3>4 4>0 5>6 6>7 7>8 8>9 9>5"},
          {"algorithm 3", "0>1 1>2 2>3 3>4 4>0 5>6 6>7 7>8 8>9 9>5 1>0 2>1 3>2 4>3 0>4 6>5 7>6 8>7 9>8 5>9"},
          {"algorithm 4, step 2", repaired ? "4>0 0>1 4>7 7>6" : "4>0 0>1 4>2 2>6"},
          {"algorithm 4, steps 3 and 4", "9>5 5>6 0>5"},
          {"eq. (6)", "4>0 0>1 4>7 7>6 1>0 0>4 1>8 8>9"},
          {"eq. (7)", repaired ? "4>0 0>1 4>7 7>6 1>0 0>4 1>8 8>9" : "4>0 0>1 1>7 7>6 1>0 0>4 1>8 8>9"},
          {"eqs. (8) to (11)", "9>5 5>6 6>5 5>9 5>0 0>5"}};
}

std::vector<Check> printed_edge_checks()
{
  const Demonstration shown = {config_text(algorithm_1({2, 2, 2}, 0, sla)), "wormcast topology CONFIG"};
  return {
      check_of("definition_2", shown, definition_2),
      check_of("wraparound_edges", shown,
               [] {
                 return misprinted(
                     wrap_edges(as_stated(printed_wrap_edges, repaired_wrap_edges), as_stated(false, true)),
                     "the sixth ends at node 2, the third to sixth hold for every z, and (0,x,y,5)-(l-1,x,y,0) is "
                     "missing; these seven are all edges that wrap around, which (1) to (5) define already",
                     wrap_edges(repaired_wrap_edges, true));
               }),
      check_of("edge_names", shown,
               [] {
                 return misprinted(external_hops(named_edges(as_stated(false, true))),
                                   "RD goes from 8 to 7, LD from 3 to 2, RU from 2 to 3",
                                   external_hops(named_edges(true)));
               }),
      check_of("printed_internal_hops", shown,
               [] {
                 return misprinted(internal_hops(as_stated(false, true)),
                                   "algorithm 4, step 2 goes 4-7-6, and eq. (7) starts at node 4", internal_hops(true));
               }),
      check_of("printed_external_hops", shown,
               [] {
                 return misprinted(
                     external_hops(chain_hops(as_stated(false, true))),
                     "the second chain of eqs. (8) and (9) goes from (z, x, y, 9) to (z, x, y-1, 6), and so on down "
                     "to y - floor(n/2)",
                     external_hops(chain_hops(true)));
               }),
      check_of("chain_ends", shown, [] {
        return misprinted(chain_ends(as_stated(1, -1)),
                          "they end at z - floor(l/2), x - floor(m/2), which is the same for even sizes only",
                          chain_ends(-1));
      })};
}

} // namespace wormcast::kim
