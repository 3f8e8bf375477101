#include "tests/fuzz/limits.hpp"
#include "tests/fuzz/simulation.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/formats/json_reader.hpp"

#include <sstream>

namespace wormcast::fuzz {

namespace {

std::string written(const Schedule& schedule)
{
  std::ostringstream out;
  write_schedule(schedule, out);
  return out.str();
}

Schedule read(std::string_view text)
{
  std::istringstream in{std::string(text)};
  return read_schedule(in, "schedule.json");
}

// As the reader of schedules sees it; no object where it is no JSON.
nlohmann::json document_of(std::string_view text)
{
  constexpr std::size_t deepest = 16;
  std::istringstream in{std::string(text)};
  try {
    return JsonReader(in, "schedule.json", deepest).value();
  } catch (const SyntaxError&) {
    return nullptr;
  }
}

void simulate_schedule(const Topology& topology, const Schedule& schedule)
{
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_hop = Time{3};
  network.per_byte = Time{7};
  network.ports = schedule.ports;
  network.duplex = schedule.duplex;
  network.routing = schedule.routing;
  if (!is_small(topology, schedule, network)) {
    return;
  }
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    RunParameters run;
    run.mode = mode;
    check_and_simulate(topology, schedule, network, run);
  }
}

} // namespace

bool run_schedule(std::string_view input)
{
  const nlohmann::json document = document_of(input);
  if (document.is_object() && document.contains("topology") && most_nodes_of(document["topology"]) > most_nodes) {
    return false;
  }
  const Schedule schedule = read(input);
  const std::string text = written(schedule);
  require(written(read(text)) == text, "a schedule that is written reads back as the same");
  simulate_schedule(*make_topology(schedule.topology, schedule.routing), schedule);
  return true;
}

} // namespace wormcast::fuzz
