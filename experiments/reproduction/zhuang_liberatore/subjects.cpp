#include "wormcast/experiments/reproduction/zhuang_liberatore/subjects.hpp"

#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include <fmt/format.h>

namespace wormcast::zhuang_liberatore {

std::vector<Subject> subjects(int n)
{
  const auto partitioning = [n](const std::string& inner) {
    return BroadcastCase{.dims = square(n),
                         .algorithm = "network_partitioning",
                         .parameters = {{"inner", inner}, {"d", std::int64_t{2}}}};
  };
  return {{"RD", {.dims = square(n), .algorithm = "recursive_doubling"}},
          {"NP-RD(2)", partitioning("recursive_doubling")},
          {"RB", {.dims = square(n), .algorithm = "recursion_based"}},
          {"NP-SC(2)", partitioning("scatter_collect")},
          {"SC", {.dims = square(n), .algorithm = "scatter_collect"}}};
}

std::string title(const Routers& routers)
{
  return fmt::format("T_f = {} us, {} hold", decimal(static_cast<double>(routers.hop.picoseconds) / 1e6),
                     hold_names.text(routers.hold));
}

NetworkParameters network_with(const BroadcastCase& broadcast, const Routers& routers)
{
  NetworkParameters network = figure_network(broadcast);
  network.per_hop = routers.hop;
  network.hold = routers.hold;
  network.buffer_flits = 32;
  return network;
}

} // namespace wormcast::zhuang_liberatore
