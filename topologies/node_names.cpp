#include "wormcast/topologies/node_names.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace wormcast {

namespace {

/// "(1, 2)" as numbers; none where it is no such text.
std::optional<std::vector<std::int64_t>> coordinates_in(std::string_view name)
{
  if (!name.starts_with('(') || !name.ends_with(')')) {
    return std::nullopt;
  }
  std::string_view rest = name.substr(1, name.size() - 2);
  std::vector<std::int64_t> numbers;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string word(rest.substr(0, comma));
    std::erase(word, ' ');
    const std::optional<std::int64_t> number = number_of_text<std::int64_t>(word);
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
    if (comma == rest.size()) {
      return numbers;
    }
    rest.remove_prefix(comma + 1);
  }
}

} // namespace

NodeId HostsByName::host(std::string_view name)
{
  const auto place = coordinates_in(name);
  if (place && topology_.coordinates(NodeId{0}).size() > 1) {
    return topology_.node_at(*place);
  }
  if (nodes_.empty()) {
    nodes_.reserve(topology_.node_count());
    for (std::uint32_t node = 0; node < topology_.node_count(); ++node) {
      nodes_.emplace(topology_.node_name(NodeId{node}), NodeId{node});
    }
  }
  const auto found = nodes_.find(std::string(name));
  if (found == nodes_.end()) {
    throw_unknown(name);
  }
  check_host(topology_, found->second, "the node");
  return found->second;
}

void HostsByName::throw_unknown(std::string_view name) const
{
  constexpr std::uint32_t most_compared = 20'000;
  std::vector<std::string> names;
  for (std::uint32_t node = 0; node < std::min(topology_.host_count(), most_compared); ++node) {
    names.push_back(topology_.node_name(NodeId{node}));
  }
  const std::string nearest = nearest_name(name, names);
  constexpr std::size_t most_shown = 3;
  const bool has_more = topology_.host_count() > most_shown;
  names.resize(std::min(names.size(), most_shown));
  throw InputError(fmt::format(
      "no node of the {} is called \"{}\"; {}", topology_.title(), printable(name),
      nearest.empty() ? fmt::format("they are called \"{}\"{}", fmt::join(names, "\", \""), has_more ? ", ..." : "")
                      : fmt::format("did you mean \"{}\"?", nearest)));
}

std::vector<std::int64_t> node_ids(const Topology& topology, const ParameterValue& value)
{
  const auto* names = std::get_if<std::vector<std::string>>(&value);
  if (names == nullptr) {
    return std::get<std::vector<std::int64_t>>(value);
  }
  HostsByName hosts(topology);
  std::vector<std::int64_t> ids;
  ids.reserve(names->size());
  for (const std::string& name : *names) {
    ids.push_back(index(hosts.host(name)));
  }
  return ids;
}

} // namespace wormcast
