#include "tests/equality/checks.hpp"

#include "tests/equality/observation.hpp"
#include "tests/equality/picosecond_engine.hpp"
#include "tests/equality/random_draws.hpp"
#include "tests/equality/run_checks.hpp"
#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <array>
#include <exception>

namespace wormcast::testing {

namespace {

constexpr std::array<std::string_view, 7> fault_list = {
    "none", "worm_buffer", "flit_tie_break", "picosecond_hold", "simgrid_startup", "lost_wait", "lost_sharing"};

/// The third engine takes time for each picosecond and message.
constexpr std::size_t most_messages_for_picoseconds = 300;
constexpr std::int64_t most_message_picoseconds = 2'000'000;
/// SimGrid takes its time to build a platform.
constexpr std::uint64_t scenarios_for_one_on_simgrid = 50;

void add(Mismatches& found, const std::string& what, const std::string& difference)
{
  if (!difference.empty()) {
    found.push_back(what + ": " + difference);
  }
}

/// The scenario as the engine that is called `wanted` in the fault's name gets it.
Scenario input_of(const Scenario& scenario, Fault fault, Fault wanted)
{
  Scenario input = scenario;
  if (fault != wanted) {
    return input;
  }
  if (fault == Fault::worm_buffer) {
    ++input.network.buffer_flits;
  } else if (fault == Fault::flit_tie_break) {
    input.run.tie_break = scenario.run.tie_break == TieBreak::source ? TieBreak::id : TieBreak::source;
  } else if (fault == Fault::picosecond_hold) {
    input.network.hold = scenario.network.hold == Hold::tail ? Hold::path : Hold::tail;
  } else if (fault == Fault::simgrid_startup) {
    input.network.startup += Time{1};
  }
  return input;
}

/// The records of worms that take turns on a physical channel are taken out.
Observation without_sharing(Observation observation)
{
  std::erase_if(observation.contention,
                [](const ContentionRecord& record) { return record.kind == ContentionKind::sharing; });
  return observation;
}

void check_worm(const Scenario& scenario, const Observation& flit, Fault fault, Mismatches& found, Tally& tally)
{
  const Scenario input = input_of(scenario, fault, Fault::worm_buffer);
  const Observation automatic = observe(input, EngineChoice::automatic);
  add(found, "auto (" + automatic.result.engine + ") and flit", difference(automatic, flit));
  try {
    const Observation worm = observe(input, EngineChoice::worm);
    ++tally["worm = flit"];
    add(found, "worm and flit", difference(worm, flit));
    add(found, "worm runs", automatic.result.engine == "worm" ? "" : "but auto took flit");
  } catch (const InputError&) {
    ++tally["worm refuses"];
    add(found, "worm refuses", automatic.result.engine == "flit" ? "" : "but auto took it");
    const bool must_run = closed_form_holds(scenario.network) && scenario.network.virtual_channels == 1;
    add(found, "worm refuses", must_run ? "though the closed form holds" : "");
  }
}

void check_simgrid(const Scenario& scenario, const Observation& flit, Fault fault, Mismatches& found, Tally& tally)
{
  if (spread(~scenario.seed) % scenarios_for_one_on_simgrid == 0) {
    ++tally["SimGrid's clock = flit"];
    const Scenario input = input_of(scenario, fault, Fault::simgrid_startup);
    add(found, "SimGrid's clock and flit", difference(observe_on_simgrid(input, EngineChoice::automatic), flit));
  }
}

void check_picoseconds(const Scenario& scenario, const Observation& flit, Fault fault, Mismatches& found, Tally& tally)
{
  const std::size_t messages = scenario.schedule.messages.size();
  if (scenario.network.virtual_channels > 1 || messages > most_messages_for_picoseconds) {
    return;
  }
  const Scenario input = input_of(scenario, fault, Fault::picosecond_hold);
  auto slow =
      simulate_picoseconds(*input.topology, input.schedule, input.network, input.run,
                           most_message_picoseconds / std::max<std::int64_t>(1, std::ssize(flit.result.delivered)));
  if (!slow) {
    ++tally["third engine gave up"];
    return;
  }
  ++tally["third engine = flit"];
  add(found, "third engine and flit", delivery_difference(slow->delivered, flit.result.delivered));
  if (flit.result.deadlock) { // what never ended is in the records of the engines alone
    return;
  }
  std::vector<ContentionRecord> waits = flit.contention;
  sort_records(waits);
  sort_records(slow->contention);
  sort_records(slow->occupancy);
  add(found, "third engine and flit, contention", record_difference(slow->contention, waits));
  add(found, "third engine and flit, occupancy", record_difference(slow->occupancy, flit.occupancy));
}

} // namespace

std::span<const std::string_view> fault_names()
{
  return fault_list;
}

std::optional<Fault> fault_named(std::string_view name)
{
  const auto place = std::ranges::find(fault_list, name);
  return place == fault_list.end() ? std::nullopt : std::optional(static_cast<Fault>(place - fault_list.begin()));
}

Mismatches mismatches(const Scenario& scenario, Fault fault, Tally& tally)
{
  Mismatches found;
  try {
    const Observation flit = observe(input_of(scenario, fault, Fault::flit_tie_break), EngineChoice::flit);
    check_worm(scenario, flit, fault, found, tally);
    check_simgrid(scenario, flit, fault, found, tally);
    check_picoseconds(scenario, flit, fault, found, tally);
    check_totals(flit, found);
    check_deadlock_report(scenario, flit, found, tally);
    count_choices(scenario, flit, tally);
    check_unrecorded(scenario, fault == Fault::lost_sharing ? without_sharing(flit) : flit, found, tally);
    check_explanation(scenario, EngineChoice::flit, fault == Fault::lost_wait, found, tally);
    check_explanation(scenario, EngineChoice::automatic, fault == Fault::lost_wait, found, tally);
  } catch (const std::exception& error) {
    add(found, "exception", error.what());
  }
  return found;
}

} // namespace wormcast::testing
