#include "tests/fuzz/limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wormcast::fuzz {

namespace {

constexpr double nodes_of_petersen_graph = 10;
constexpr double infinite = std::numeric_limits<double>::infinity();

double product_of(const std::vector<std::int64_t>& sizes)
{
  double product = 1;
  for (const std::int64_t size : sizes) {
    product *= std::max(1.0, static_cast<double>(size));
  }
  return product;
}

double factor_of(std::string_view name, const RawValue& value)
{
  if (name == "file") {
    return infinite;
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return text->starts_with("petersen") ? nodes_of_petersen_graph : 1;
  }
  if (const auto* sizes = std::get_if<std::vector<std::int64_t>>(&value)) {
    return product_of(*sizes);
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return name == "dimension" ? std::exp2(static_cast<double>(*number)) : std::max(1.0, static_cast<double>(*number));
  }
  return 1;
}

std::uint64_t bytes_of(const Schedule& schedule)
{
  std::uint64_t largest = 0;
  if (schedule.operation == Operation::none) {
    for (const PlainMessage& message : schedule.plain) {
      largest = std::max(largest, message.bytes);
    }
  } else {
    for (const std::uint64_t bytes : block_set_bytes(schedule)) {
      largest = std::max(largest, bytes);
    }
  }
  return largest;
}

} // namespace

double most_nodes_of(const RawConfig& config)
{
  std::map<std::string, double, std::less<>> factors;
  const auto take = [&](std::string_view key, const RawValue& value) {
    if (key == "algorithm.file" || key.starts_with("topology.")) {
      double& factor = factors[std::string(key)];
      factor = std::max(factor, factor_of(key.substr(key.find('.') + 1), value));
    }
  };
  for (const auto& [key, entry] : config.entries) {
    take(key, entry.value);
  }
  for (const SweepAxis& axis : config.sweep) {
    for (const RawValue& value : axis.values) {
      take(axis.key, value);
    }
    for (const KeySet& keys : axis.sets) {
      for (const auto& [key, entry] : keys) {
        take(key, entry.value);
      }
    }
  }
  double nodes = 1;
  for (const auto& [key, factor] : factors) {
    nodes *= factor;
  }
  return nodes;
}

double most_nodes_of(const nlohmann::json& topology)
{
  double nodes = 1;
  if (!topology.is_object()) {
    return nodes;
  }
  for (const auto& [name, value] : topology.items()) {
    if (value.is_number_integer()) {
      nodes *= factor_of(name, value.get<std::int64_t>());
    } else if (value.is_array() &&
               std::ranges::all_of(value, [](const auto& size) { return size.is_number_integer(); })) {
      nodes *= factor_of(name, value.get<std::vector<std::int64_t>>());
    } else {
      nodes *= factor_of(name, value.is_string() ? value.get<std::string>() : std::string());
    }
  }
  return nodes;
}

bool is_small(const Topology& topology, const Schedule& schedule, const NetworkParameters& network)
{
  constexpr double most_block_bits = 1 << 20;
  constexpr double most_flit_hops = 1 << 16;
  constexpr std::uint32_t most_steps = 1 << 12;
  const double hops = static_cast<double>(schedule.messages.size()) * (topology.longest_route() + 2.0);
  const double blocks = schedule.operation == Operation::none ? 1 : static_cast<double>(schedule.blocks);
  return step_count(schedule) <= most_steps && blocks * topology.node_count() <= most_block_bits &&
         hops * static_cast<double>(flit_count(network, bytes_of(schedule))) <= most_flit_hops;
}

} // namespace wormcast::fuzz
