#include "wormcast/experiments/reproduction/ours/choices.hpp"

#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast::ours {

namespace {

constexpr SearchRange lengths{16, 1U << 20};

Experiment experiment_at(const Place& place)
{
  Experiment experiment;
  experiment.topology = topology_of(place.at);
  experiment.network = figure_network(place.at);
  experiment.network.startup = place.startup;
  experiment.network.per_byte = place.per_byte;
  experiment.network.per_hop = place.per_hop;
  experiment.network.buffer_flits = 64; // more than the flits that cover any hop here
  experiment.algorithm = place.at.algorithm;
  experiment.request.source = place.at.source.empty() ? NodeId{0} : experiment.topology->node_at(place.at.source);
  experiment.request.message_bytes = lengths.first;
  experiment.request.ports = place.at.ports;
  experiment.request.costs =
      MessageCosts{.startup = place.startup, .per_byte = place.per_byte, .per_hop = place.per_hop};
  const Algorithm& algorithm = find_algorithm(place.at.algorithm);
  experiment.request.parameters = read_parameters(algorithm.parameters, place.at.parameters);
  return experiment;
}

std::string text_of(const nlohmann::ordered_json& values, const std::string& name)
{
  const auto found = values.find(name);
  if (found == values.end()) {
    return "";
  }
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string rounded(const ExactNumber& number)
{
  return format_rounded(number, number < 100 ? 1 : 0);
}

} // namespace

std::vector<std::string> published_names()
{
  return {"recursive_doubling", "scatter_collect", "network_partitioning", "recursion_based"};
}

Choice choice_at(const Place& place, const std::vector<std::string>& names)
{
  return choose_algorithms(experiment_at(place), names, lengths);
}

std::string short_name(const ChosenAlgorithm& chosen, PortModel ports)
{
  const nlohmann::ordered_json& values = chosen.values;
  if (chosen.name == "recursive_doubling") {
    return "RD";
  }
  if (chosen.name == "recursion_based") {
    return "RB";
  }
  if (chosen.name == "scatter_collect") {
    return "SC";
  }
  if (chosen.name == "network_partitioning" && ports.count != 1) {
    return fmt::format("NP-D({})", text_of(values, "d"));
  }
  if (chosen.name == "network_partitioning" && values.contains("inner")) {
    return fmt::format("{}({})", text_of(values, "inner") == "scatter_collect" ? "NP-SC" : "NP-RD",
                       text_of(values, "d"));
  }
  if (chosen.name == "truncated_recursion") {
    return fmt::format("{}({}, {})", text_of(values, "rounds") == "lattice" ? "L" : "", text_of(values, "depth"),
                       text_of(values, "block"));
  }
  if (chosen.name == "intercom") {
    return "InterCom " + text_of(values, "stages");
  }
  return chosen.name;
}

std::string envelope_text(const Choice& choice, PortModel ports)
{
  std::string text;
  for (const ChosenAlgorithm& piece : choice.pieces) {
    text += text.empty() ? short_name(piece, ports)
                         : fmt::format(", from {} {}", format_rounded(piece.from, 1), short_name(piece, ports));
  }
  return text;
}

std::string range_of(const Choice& choice, const std::string& name)
{
  std::string text;
  for (std::size_t i = 0; i < choice.pieces.size(); ++i) {
    if (choice.pieces[i].name != name) {
      continue;
    }
    const bool goes_on = i > 0 && choice.pieces[i - 1].name == name;
    const bool is_last = i + 1 == choice.pieces.size();
    if (goes_on) {
      text.erase(text.rfind(" to "));
    } else {
      text += fmt::format("{}{}", text.empty() ? "" : ", ", rounded(choice.pieces[i].from));
    }
    text += " to " + (is_last ? std::string("the longest") : rounded(choice.pieces[i + 1].from));
  }
  return text.empty() ? "nowhere" : text;
}

std::size_t ranges_of(const Choice& choice, const std::string& name)
{
  return static_cast<std::size_t>(std::ranges::count(choice.pieces, name, &ChosenAlgorithm::name));
}

} // namespace wormcast::ours
