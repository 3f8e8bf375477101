#include "wormcast/algorithms/torus_all_reduce/exchange_variants.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/algorithms/torus_all_reduce/broadcasts.hpp"
#include "wormcast/algorithms/tuning/fastest.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

constexpr auto variant_names =
    names<ExchangeVariant>({{ExchangeVariant::bandwidth, "bandwidth"}, {ExchangeVariant::latency, "latency"}});

constexpr std::string_view variant_parameter = "variant";

/// How the blocks of the scatter in a broadcast go from node to node.
enum class ScatterBlocks {
  together,  ///< all that the receiver and those behind it get in one message
  one_by_one ///< each in its own, which is passed on as soon as it comes
};

constexpr auto scatter_blocks_names =
    names<ScatterBlocks>({{ScatterBlocks::together, "together"}, {ScatterBlocks::one_by_one, "one_by_one"}});

constexpr std::string_view scatter_blocks_parameter = "scatter_blocks";

/// What a schedule takes where links are shared fairly: each step its longest route and its greatest load.
struct SharedCosts {
  FormulaCosts formula; ///< beta is the sum of the loads, in vectors
  std::uint64_t hops = 0;
};

/// The steps of all collectives, whose messages of one step are equally large.
class Steps {
public:
  Steps(const Grid& grid, const ExchangeAlgorithm& exchange, const ScheduleRequest& request)
      : grid_(grid), collectives_(share_collectives(grid, request, exchange.mirrored, ShareOrder::dimensions_first))
  {
    for (const ShareCollective& collective : collectives_) {
      std::vector<std::optional<RingPattern>>& rings = patterns_.emplace_back(grid.sizes().size());
      for (const std::size_t dimension : collective.dimensions) {
        rings[dimension] = exchange.patterns(static_cast<std::uint32_t>(grid.sizes()[dimension]), collective.mirrored);
      }
      served_.push_back(served_steps(collective, [&](std::size_t dimension) { return rings[dimension]->steps; }));
    }
  }

  std::size_t count() const { return served_.front().size(); }
  std::size_t collectives() const { return collectives_.size(); }

  /// The most messages of a step on one channel, and the hops of the longest one.
  std::pair<std::int64_t, std::int64_t> load_and_hops(std::size_t step) const
  {
    std::int64_t load = 0;
    std::int64_t longest = 0;
    std::vector<std::array<std::vector<std::int64_t>, 2>> loads(grid_.sizes().size()); // by dimension and direction
    for (std::size_t c = 0; c < served_.size(); ++c) {
      const auto [dimension, relative] = served_[c][step];
      const std::int64_t size = grid_.sizes()[dimension];
      for (std::int64_t node = 0; node < size; ++node) {
        for (const std::uint32_t peer : patterns_[c][dimension]->peers(static_cast<std::uint32_t>(node), relative)) {
          const Grid::Travel travel = grid_.travel(dimension, node, peer);
          std::vector<std::int64_t>& channels = loads[dimension][travel.up ? 1 : 0];
          channels.resize(static_cast<std::size_t>(size));
          longest = std::max(longest, travel.hops);
          for (std::int64_t hop = 0; hop < travel.hops; ++hop) {
            const std::int64_t from = travel.up ? node + hop : node - hop + size;
            load = std::max(load, ++channels[static_cast<std::size_t>(from % size)]);
          }
        }
      }
    }
    return {load, longest};
  }

private:
  const Grid& grid_;
  std::vector<ShareCollective> collectives_;
  std::vector<std::vector<std::optional<RingPattern>>> patterns_; ///< by collective and dimension
  std::vector<std::vector<ServedStep>> served_;                   ///< by collective
};

/// Of an all_reduce on sides that are powers of `base`, by variant.
std::array<SharedCosts, 2> shared_costs(const Steps& steps, std::int64_t base)
{
  std::array<SharedCosts, 2> costs;
  auto& [bandwidth, latency] = costs;
  const Fraction share(1, static_cast<std::int64_t>(steps.collectives()));
  Fraction part = share;
  for (std::size_t step = 0; step < steps.count(); ++step) {
    const auto [load, hops] = steps.load_and_hops(step);
    part /= base;
    bandwidth.formula.beta += 2 * load * part;
    bandwidth.hops += 2 * static_cast<std::uint64_t>(hops);
    latency.formula.beta += load * share;
    latency.hops += static_cast<std::uint64_t>(hops);
  }
  bandwidth.formula.alpha = 2 * steps.count();
  latency.formula.alpha = steps.count();
  return costs;
}

ExactTime time_of(const SharedCosts& costs, const ScheduleRequest& request)
{
  return formula_time(costs.formula, request) + ExactTime(costs.hops) * request.costs->per_hop.picoseconds;
}

ParameterValues faster_variant(const ExchangeAlgorithm& exchange, const Topology& topology,
                               const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, exchange.name);
  exchange.require(grid, request.ports, ExchangeVariant::bandwidth);
  ParameterValues values = request.parameters;
  ExchangeVariant best = ExchangeVariant::bandwidth;
  const Operation operation = requested_all_reduce(request);
  const bool latency_serves = (operation == Operation::all_reduce || operation == Operation::broadcast) && [&] {
    try {
      exchange.require(grid, request.ports, ExchangeVariant::latency);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }();
  if (latency_serves) {
    const Steps steps(grid, exchange, request);
    const auto [bandwidth, latency] = shared_costs(steps, exchange.base);
    best = time_of(latency, request) < time_of(bandwidth, request) ? ExchangeVariant::latency : best;
  }
  values.set(std::string(variant_parameter), std::string(variant_names.text(best)));
  return values;
}

Schedule make(const ExchangeAlgorithm& exchange, const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, exchange.name);
  const Operation operation = requested_all_reduce(request);
  const ExchangeVariant variant = variant_names.read(request.parameters.text(variant_parameter));
  if (variant == ExchangeVariant::latency && operation != Operation::all_reduce) {
    throw InputError(fmt::format("{}: found variant = \"latency\" for {}, expected \"bandwidth\": only all_reduce, "
                                 "broadcast and reduce have both",
                                 exchange.name, operation_names.text(operation)));
  }
  exchange.require(grid, request.ports, variant);
  const std::vector<ShareCollective> collectives =
      share_collectives(grid, request, exchange.mirrored, ShareOrder::dimensions_first);
  std::uint64_t steps = 1;
  for (const std::size_t dimension : collectives.front().dimensions) {
    steps += exchange.patterns(static_cast<std::uint32_t>(grid.sizes()[dimension]), false).steps;
  }
  require_message_limit(exchange.name, 2 * collectives.size() * steps, "messages of each node", grid.node_count());
  if (operation == Operation::total_exchange) {
    require_one_share(exchange.name, request);
    return exchange_own_blocks(grid, collectives.front(), exchange.hops, exchange.name);
  }
  return variant == ExchangeVariant::latency ? exchange_partial_results(grid, collectives, exchange.patterns)
                                             : exchange_blocks(grid, collectives, operation, exchange.hops);
}

Schedule make_as_asked(const ExchangeAlgorithm& exchange, const AllReduceMaker& make, const Topology& topology,
                       const ScheduleRequest& request)
{
  const bool single =
      request.parameters.has(scatter_blocks_parameter) &&
      scatter_blocks_names.read(request.parameters.text(scatter_blocks_parameter)) == ScatterBlocks::one_by_one;
  if (!single) {
    return make(topology, request);
  }
  const Operation operation = requested_all_reduce(request);
  const ExchangeVariant variant = variant_names.read(request.parameters.text(variant_parameter));
  if (operation != Operation::broadcast || variant == ExchangeVariant::latency) {
    throw InputError(fmt::format("{}: found {} = \"one_by_one\" for {} of variant \"{}\", expected \"together\": only "
                                 "broadcast and reduce of variant \"bandwidth\" have a scatter or gather",
                                 exchange.name, scatter_blocks_parameter, operation_names.text(operation),
                                 variant_names.text(variant)));
  }
  return with_single_blocks(make(topology, request), topology.node_count());
}

} // namespace

void add_exchange_variants(Algorithm& algorithm, const ExchangeAlgorithm& exchange)
{
  Parameter variant{
      .name = std::string(variant_parameter),
      .type = ParameterType::choice,
      .text = "fewest bytes, or fewest steps (all_reduce, broadcast and reduce only); \"best\": the faster all_reduce "
              "for the length if links are shared fairly",
      .fallback = std::string(variant_names.text(ExchangeVariant::bandwidth)),
      .choices = variant_names.texts()};
  algorithm.family = every_choice(variant);
  variant.choices.emplace_back(best_value);
  algorithm.parameters.push_back(std::move(variant));
  algorithm.parameters.push_back(shares_parameter());
  algorithm.parameters.push_back({.name = std::string(scatter_blocks_parameter),
                                  .type = ParameterType::choice,
                                  .text = "broadcast and reduce of variant bandwidth: whether nodes pass the blocks of "
                                          "the scatter (gather) on together, or one by one as they come; without it "
                                          "together",
                                  .optional = true,
                                  .choices = scatter_blocks_names.texts()});
  algorithm.share_blocks = ShareBlocks::in_order;
  algorithm.further.push_back(Operation::total_exchange);
  algorithm.by_reversal = {Operation::reduce};
  algorithm.tune = [exchange](const Topology& topology, const ScheduleRequest& request) {
    return faster_variant(exchange, topology, request);
  };
  algorithm.make = [exchange,
                    make = with_broadcast([exchange](const Topology& topology, const ScheduleRequest& request) {
                      return make(exchange, topology, request);
                    })](const Topology& topology, const ScheduleRequest& request) {
    return make_as_asked(exchange, make, topology, request);
  };
}

void require_powers(const Grid& grid, std::string_view algorithm, std::uint32_t base)
{
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const std::int64_t size = grid.sizes()[dimension];
    std::int64_t below = 1;
    while (below * base <= size) {
      below *= base;
    }
    if (below != size) {
      const std::int64_t nearest = size - below <= below * base - size ? below : below * base;
      throw InputError(fmt::format("{} needs sizes that are powers of {}; the {} size of the {} is {}; the nearest is "
                                   "{}",
                                   algorithm, base, dimension_name(dimension), grid.title(), size, nearest));
    }
  }
}

std::uint32_t logarithm(std::uint32_t power, std::uint32_t base)
{
  std::uint32_t exponent = 0;
  for (; power > 1; power /= base) {
    ++exponent;
  }
  return exponent;
}

} // namespace wormcast
