// What the page calls: a configuration in, and out come the verdict on its schedule, the result of the run and the page
// that plays it. Texts are in UTF-8; web/engine.js is the other side.

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/check_result.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/view/view.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/network_warnings.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"
#include "wormcast/values/printable.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t page_of_memory = 1U << 16;
constexpr std::uint64_t most_memory = std::uint64_t{1} << 31; // as the module is linked

/// What the page reads: it stays until the next call.
struct Answer {
  std::string input; ///< where the page writes the configuration
  std::string json;
  std::string page; ///< HTML that plays the run; empty: it did not run
};

Answer& answer()
{
  static Answer only;
  return only;
}

Json parameters(std::span<const Parameter> declared)
{
  Json list = Json::array();
  for (const Parameter& parameter : declared) {
    Json entry = declaration_json(parameter);
    entry["choices"] = parameter.choices;
    entry["is_text"] = parameter.type == ParameterType::text || parameter.type == ParameterType::choice;
    list.push_back(std::move(entry));
  }
  return list;
}

/// Parameters that name files leave nothing to choose in a page.
bool needs_file(std::span<const Parameter> declared)
{
  return std::ranges::any_of(declared, [](const Parameter& parameter) {
    return parameter.type == ParameterType::file && !parameter.fallback && !parameter.optional;
  });
}

/// All that the form offers.
Json catalogue()
{
  Json json = {{"version", program_version()},
               {"topologies", Json::array()},
               {"algorithms", Json::array()},
               {"algorithm", parameters(fixed_parameters("algorithm"))},
               {"network", parameters(network_declarations())},
               {"message", parameters(fixed_parameters("message"))},
               {"run", parameters(run_declarations())}};
  for (const TopologyKind& kind : topology_kinds()) {
    if (!needs_file(kind.parameters)) {
      json["topologies"].push_back(
          {{"name", kind.name}, {"summary", kind.summary}, {"parameters", parameters(kind.parameters)}});
    }
  }
  for (const Algorithm& algorithm : algorithms()) {
    json["algorithms"].push_back({{"name", algorithm.name},
                                  {"summary", algorithm.summary},
                                  {"operation", operation_names.text(algorithm.operation)},
                                  {"topologies", algorithm.topologies},
                                  {"ports", algorithm.ports},
                                  {"parameters", parameters(algorithm.parameters)}});
  }
  return json;
}

Json warnings(const Experiment& experiment)
{
  Json texts = Json::array();
  for (const NetworkWarning& warning : network_warnings(experiment.network, *experiment.topology)) {
    texts.push_back(warning.text);
  }
  return texts;
}

/// Checks, runs and shows what the configuration says. Throws as `wormcast view` of it does.
Json run_configuration(std::string_view text, std::string& page)
{
  using Clock = std::chrono::steady_clock;
  const RawConfig config = read_config({.file = "configuration", .text = std::string(text)});
  const Experiment experiment = make_experiment(config);
  check_view_limits(*experiment.topology);
  const ViewedMessages messages(simulated_schedule(experiment));
  const Schedule& schedule = *messages.operations().front();
  const CheckOutcome check = check_outcome(*experiment.topology, schedule, experiment.network.pipeline.routing);
  ViewRecorder recorder(*experiment.topology, messages);
  const Clock::time_point before = Clock::now();
  const RunOutcome outcome = run_experiment(experiment, schedule, recorder.sinks(), RunClock::engine);
  const std::chrono::duration<double> spent = Clock::now() - before;
  recorder.finish(outcome.simulation.delivered);
  const ViewedRun run = viewed_run(experiment, messages, outcome, recorder);
  std::ostringstream html;
  write_view_page(html, view_data(run));
  page = std::move(html).str();
  const std::optional<Time>& latency = outcome.simulation.latency;
  return {{"title", run.title},
          {"latency_us", latency ? exact_microseconds(*latency) : Json(nullptr)},
          {"deadlock", run.deadlock ? Json(*run.deadlock) : Json(nullptr)},
          {"valid", check.valid()},
          {"check", check_table(*experiment.topology, schedule, check)},
          {"rows", run.rows},
          {"warnings", warnings(experiment)},
          {"simulation_s", spent.count()}};
}

Json error_json(std::string_view text)
{
  return {{"error", printable(text)}};
}

/// As the program's main: what went wrong is a line of text.
Json run_or_error(std::string_view text, std::string& page)
{
  try {
    return run_configuration(text, page);
  } catch (const std::bad_alloc&) {
    return error_json("out of memory");
  } catch (const std::exception& error) {
    return error_json(error.what());
  }
}

} // namespace

} // namespace wormcast

extern "C" {

/// Room for a text of `size` bytes, which the page fills in before it calls playground_run().
[[clang::export_name("playground_input")]] char* playground_input(std::size_t size)
{
  wormcast::answer().input.assign(size, '\0');
  return wormcast::answer().input.data();
}

[[clang::export_name("playground_catalogue")]] void playground_catalogue()
{
  using namespace wormcast;
  limit_memory([] { return most_memory - __builtin_wasm_memory_size(0) * page_of_memory; });
  answer().page.clear();
  answer().json = json_text(catalogue(), JsonLayout::one_line);
}

[[clang::export_name("playground_run")]] void playground_run()
{
  using namespace wormcast;
  answer().page.clear();
  answer().json = json_text(run_or_error(answer().input, answer().page), JsonLayout::one_line);
}

[[clang::export_name("playground_json")]] const char* playground_json()
{
  return wormcast::answer().json.data();
}

[[clang::export_name("playground_json_size")]] std::size_t playground_json_size()
{
  return wormcast::answer().json.size();
}

[[clang::export_name("playground_page")]] const char* playground_page()
{
  return wormcast::answer().page.data();
}

[[clang::export_name("playground_page_size")]] std::size_t playground_page_size()
{
  return wormcast::answer().page.size();
}

} // extern "C"
