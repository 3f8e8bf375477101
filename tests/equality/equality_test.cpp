// The driver notices what is wrong: engines that were given something else, and runs that were tampered with.

#include "tests/equality/checks.hpp"
#include "tests/equality/many_scenarios.hpp"
#include "tests/equality/observation.hpp"
#include "tests/equality/run_checks.hpp"
#include "tests/equality/shrink.hpp"
#include "tests/experiments/sanitizer.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct FaultCase {
  std::string_view fault;
  std::string_view noticed_by;
};

void PrintTo(const FaultCase& fault_case, std::ostream* out)
{
  *out << fault_case.fault;
}

class EveryFault : public ::testing::TestWithParam<FaultCase> {};

TEST_P(EveryFault, IsNoticedWithinAFewHundredScenarios)
{
  std::ostringstream out;
  const ManyOptions options{
      .count = 400, .seed = 1, .fault = fault_named(GetParam().fault).value(), .most_failures = 1};
  EXPECT_EQ(check_scenarios(options, out), 1U);
  EXPECT_THAT(out.str(), AllOf(HasSubstr("MISMATCH in scenario "), HasSubstr(GetParam().noticed_by),
                               HasSubstr("when it is made small"), HasSubstr("to run it alone: ./dev equal 1 "),
                               HasSubstr(fmt::format(" --wrong {}\n", GetParam().fault))));
}

INSTANTIATE_TEST_SUITE_P(Equality, EveryFault,
                         ::testing::Values(FaultCase{"worm_buffer", "worm and flit: "},
                                           FaultCase{"flit_tie_break", "third engine and flit: "},
                                           FaultCase{"picosecond_hold", "third engine and flit: "},
                                           FaultCase{"simgrid_startup", "clock and flit: "},
                                           FaultCase{"lost_wait", "exception: "},
                                           FaultCase{"lost_sharing", "was held up without a record"}),
                         [](const auto& parameter) { return std::string(parameter.param.fault); });

TEST(Equality, WithoutAFaultNothingIsWrong)
{
  std::ostringstream out;
  const std::uint64_t count = has_address_sanitizer ? 100 : 400;
  EXPECT_EQ(check_scenarios({.count = count, .seed = 1}, out), 0U) << out.str();
  EXPECT_THAT(out.str(), Not(HasSubstr("MISMATCH")));
}

TEST(Equality, EnginesAgreeWhereSomeDimensionsAreLines)
{
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Scenario scenario = random_scenario_of_rings_and_lines(seed, RouterOf::worms);
    EXPECT_THAT(mismatches(scenario, Fault::none, tally), IsEmpty()) << describe(scenario);
  }
  EXPECT_GT(tally["worm = flit"], 20U);
}

TEST(Equality, EnginesAgreeOnLattices)
{
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Scenario scenario = random_scenario_of_lattices(seed);
    EXPECT_THAT(mismatches(scenario, Fault::none, tally), IsEmpty()) << describe(scenario);
  }
  EXPECT_GT(tally["worm = flit"], 20U);
}

TEST(Equality, EnginesAgreeWhereChannelsHaveTimesOfTheirOwn)
{
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Scenario scenario = random_scenario_of_unequal_channels(seed);
    EXPECT_THAT(mismatches(scenario, Fault::none, tally), IsEmpty()) << describe(scenario);
  }
  EXPECT_GT(tally["third engine = flit"], 100U);
  EXPECT_GT(tally["explanation adds up"], 200U);
}

TEST(Equality, EnginesAgreeOnFatTreesAndDragonflies)
{
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Scenario scenario = random_scenario_of_switches(seed);
    EXPECT_THAT(mismatches(scenario, Fault::none, tally), IsEmpty()) << describe(scenario);
  }
  EXPECT_GT(tally["worm = flit"], 20U);
  EXPECT_GT(tally["headers that chose the longer route"], 15U);
}

TEST(Equality, PipelinedEnginesAgreeWhereSomeDimensionsAreLines)
{
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Scenario scenario = random_scenario_of_rings_and_lines(seed, RouterOf::pipeline);
    const Observation cycle = observe(scenario, EngineChoice::cycle);
    EXPECT_TRUE(cycle.result.latency || cycle.result.deadlock) << describe(scenario);
    try {
      const Observation worm = observe(scenario, EngineChoice::worm);
      EXPECT_EQ(difference(worm, cycle), "") << describe(scenario);
      ++compared;
    } catch (const InputError&) { // worms that share a channel
      continue;
    }
  }
  EXPECT_GT(compared, 5U);
}

/// The first scenario from seed 1 of whose run by the flit engine `wanted` is true.
template <typename Wanted> std::pair<Scenario, Observation> first_run(Wanted&& wanted)
{
  for (std::uint64_t seed = 1;; ++seed) {
    Scenario scenario = random_scenario(seed);
    Observation run = observe(scenario, EngineChoice::flit);
    if (wanted(scenario, run)) {
      return {std::move(scenario), std::move(run)};
    }
  }
}

TEST(Equality, ADeadlockThatIsNotReportedIsNoticed)
{
  auto [scenario, run] = first_run([](const Scenario&, const Observation& seen) { return seen.result.deadlock; });
  Tally tally;
  Mismatches found;
  check_deadlock_report(scenario, run, found, tally);
  EXPECT_THAT(found, IsEmpty());
  run.result.deadlock.reset();
  check_deadlock_report(scenario, run, found, tally);
  EXPECT_THAT(found, Contains(HasSubstr("messages are left, but no deadlock")));
}

TEST(Equality, ACycleWhereThereCanBeNoneIsNoticed)
{
  auto [scenario, run] = first_run([](const Scenario& made, const Observation& seen) {
    return seen.result.deadlock && !seen.result.deadlock->cycle.empty() && made.network.duplex == Duplex::full;
  });
  const auto mesh = first_run([](const Scenario& made, const Observation&) {
    return made.topology->description().kind == "mesh" && made.network.duplex == Duplex::full;
  });
  scenario.topology = mesh.first.topology;
  Tally tally;
  Mismatches found;
  check_deadlock_report(scenario, run, found, tally);
  EXPECT_THAT(found, Contains(HasSubstr("a cycle where the dependency graph has none")));
}

TEST(Equality, ALostRecordIsMissingInTheTotals)
{
  auto [scenario, run] = first_run([](const Scenario&, const Observation& seen) { return !seen.contention.empty(); });
  Mismatches found;
  check_totals(run, found);
  EXPECT_THAT(found, IsEmpty());
  run.contention.pop_back();
  check_totals(run, found);
  EXPECT_THAT(found, Contains("totals are not the sums of the records"));
}

TEST(Equality, ADeliveryThatIsLateWithoutAReasonIsNoticed)
{
  auto [scenario, run] = first_run([](const Scenario& made, const Observation& seen) {
    return seen.contention.empty() && !seen.result.deadlock && !seen.result.delivered.empty() &&
           closed_form_holds(made.network);
  });
  Tally tally;
  Mismatches found;
  check_unrecorded(scenario, run, found, tally);
  EXPECT_THAT(found, IsEmpty());
  *run.result.delivered.back() += Time{1};
  check_unrecorded(scenario, run, found, tally);
  EXPECT_THAT(found, Contains(HasSubstr("was held up without a record")));
}

TEST(Equality, AnExplanationWithAGapIsNoticed)
{
  CriticalPath path;
  path.latency = path.sums[0] = Time{7};
  path.messages.push_back({.segments = {{.from = Time{0}, .to = Time{3}}, {.from = Time{3}, .to = Time{7}}}});
  Mismatches found;
  check_parts(path, Time{7}, found);
  EXPECT_THAT(found, IsEmpty());
  path.messages[0].segments[1].from = Time{4};
  check_parts(path, Time{7}, found);
  EXPECT_THAT(found, ElementsAre("explanation: the parts leave a gap"));
  path.sums[0] = Time{6};
  check_parts(path, Time{7}, found);
  EXPECT_THAT(found, Contains("explanation: the parts do not add up to the latency"));
}

TEST(Equality, ShrinkingLeavesWhatMatters)
{
  const auto is_large = [](const Scenario& made, const Observation&) { return made.schedule.messages.size() > 20; };
  const Scenario scenario = first_run(is_large).first;
  const auto goes_to_the_same_node = [node = scenario.schedule.messages[7].destination](const Scenario& other) {
    return std::ranges::any_of(other.schedule.messages,
                               [node](const Message& message) { return message.destination == node; });
  };
  const Scenario small = shrink(scenario, goes_to_the_same_node, 1000);
  EXPECT_EQ(small.schedule.messages.size(), 1U);
  EXPECT_TRUE(goes_to_the_same_node(small));
  EXPECT_EQ(small.network.virtual_channels, 1U);
  EXPECT_EQ(small.network.startup, Time{});
}

} // namespace
} // namespace wormcast::testing
