#include "wormcast/algorithms/petersen/torus_moves.hpp"

#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

// "8>7" or "8>X".
ModuleSend module_send(std::string_view text)
{
  const auto is_number = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() == 3 && is_number(text[0]) && text[1] == '>' && (is_number(text[2]) || text[2] == 'X')) {
    const int from = text[0] - '0';
    if (text[2] == 'X') {
      return {from, ModuleSend::external};
    }
    const int to = text[2] - '0';
    if (std::ranges::count(petersen_neighbours(from), to) != 0) {
      return {from, to};
    }
  }
  throw std::logic_error(fmt::format("\"{}\" is no send between neighbours of a Petersen module", text));
}

} // namespace

ModuleSteps module_steps(std::string_view text)
{
  ModuleSteps steps(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (word == "|") {
      steps.emplace_back();
    } else {
      steps.back().push_back(module_send(word));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return steps;
}

ModuleSteps image(const ModuleSteps& steps, const PetersenPermutation& permutation)
{
  ModuleSteps result = steps;
  for (ModuleStep& step : result) {
    for (ModuleSend& send : step) {
      send.from = permutation[static_cast<std::size_t>(send.from)];
      send.to = send.to == ModuleSend::external ? send.to : permutation[static_cast<std::size_t>(send.to)];
    }
  }
  return result;
}

void append_steps(ModuleSteps& steps, const ModuleSteps& added)
{
  steps.insert(steps.end(), added.begin(), added.end());
}

NodeSend send_of_module(const PetersenTorusSize& size, const PetersenTorusNode& module, ModuleSend send)
{
  const PetersenTorusNode from{module.z, module.x, module.y, send.from};
  const PetersenTorusNode to = send.to == ModuleSend::external
                                   ? external_partner(from)
                                   : PetersenTorusNode{module.z, module.x, module.y, send.to};
  return {petersen_torus_id(size, from), petersen_torus_id(size, to)};
}

SendSteps sends_of_all_modules(const PetersenTorusSize& size, const ModuleSteps& steps)
{
  SendSteps result;
  for (const ModuleStep& step : steps) {
    std::vector<NodeSend>& sends = result.emplace_back();
    for (std::int64_t first = 0; first < size.nodes(); first += petersen_nodes) {
      const PetersenTorusNode module = petersen_torus_node(size, NodeId{static_cast<std::uint32_t>(first)});
      for (const ModuleSend send : step) {
        sends.push_back(send_of_module(size, module, send));
      }
    }
  }
  return result;
}

PetersenTorusSize require_petersen_torus(const Topology& topology, std::string_view algorithm)
{
  const auto* torus = as_kind<PetersenTorus>(topology);
  if (torus == nullptr) {
    throw InputError(fmt::format("{} needs a petersen_torus; the topology is {}", algorithm, topology.title()));
  }
  return torus->size();
}

void require_petersen(const Topology& topology, std::string_view algorithm)
{
  if (topology.description().kind != "petersen" || kind_of_whole(single_links(topology)) == nullptr) {
    throw InputError(fmt::format("{} needs the petersen graph; the topology is {}", algorithm, topology.title()));
  }
}

} // namespace wormcast
