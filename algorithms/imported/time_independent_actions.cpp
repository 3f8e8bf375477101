#include "wormcast/algorithms/imported/time_independent_actions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

namespace wormcast {

namespace {

using TraceKind = TraceAction::Kind;

constexpr std::array all_trace_actions = {
    TraceAction{"init", TraceKind::start},
    TraceAction{"finalize"},
    TraceAction{"comm_size", TraceKind::local, 1},
    TraceAction{"comm_split"},
    TraceAction{"comm_dup"},
    TraceAction{"compute", TraceKind::compute, 1},
    TraceAction{"sleep", TraceKind::compute, 1},
    TraceAction{"location", TraceKind::named, 2},
    TraceAction{"send", TraceKind::send, 3},
    TraceAction{"isend", TraceKind::send, 3},
    TraceAction{"recv", TraceKind::receive, 3},
    TraceAction{"irecv", TraceKind::receive, 3},
    TraceAction{"sendRecv", TraceKind::exchange, 4},
    TraceAction{"wait", TraceKind::local, 3},
    TraceAction{"test", TraceKind::local, 3},
    TraceAction{"waitall"},
    TraceAction{"barrier", TraceKind::collective},
    TraceAction{"bcast", TraceKind::collective, 1, 0, 2},
    TraceAction{"reduce", TraceKind::collective, 2, 0, 3},
    TraceAction{"allreduce", TraceKind::collective, 2},
    TraceAction{"scan", TraceKind::collective, 2},
    TraceAction{"exscan", TraceKind::collective, 2},
    TraceAction{"alltoall", TraceKind::collective, 2},
    TraceAction{"alltoallv", TraceKind::collective, 2, 2},
    TraceAction{"allgather", TraceKind::collective, 2},
    TraceAction{"allgatherv", TraceKind::collective, 1, 1},
    TraceAction{"gather", TraceKind::collective, 2, 0, 3},
    TraceAction{"gatherv", TraceKind::collective, 1, 1, 2},
    TraceAction{"scatter", TraceKind::collective, 2, 0, 3},
    TraceAction{"scatterv", TraceKind::collective, 1, 1, 2},
    TraceAction{"reducescatter", TraceKind::collective, 1, 1},
};

constexpr std::array<std::uint8_t, 38> bytes_of_all_types = {8,  4,  1, 2, 8, 4,  1,  8, 1, 1, 2,  4, 8,
                                                             8,  16, 4, 1, 1, 2,  4,  8, 1, 2, 4,  8, 8,
                                                             16, 32, 8, 8, 8, 16, 16, 8, 8, 8, 16, 16};

} // namespace

std::span<const TraceAction> trace_actions()
{
  return all_trace_actions;
}

std::span<const std::uint8_t> bytes_of_types()
{
  return bytes_of_all_types;
}

std::string action_names()
{
  std::vector<std::string_view> names;
  for (const TraceAction& action : trace_actions()) {
    names.push_back(action.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace wormcast
