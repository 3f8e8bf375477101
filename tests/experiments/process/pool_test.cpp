#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/process/pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <stdexcept>
#include <unistd.h>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

ProcessOutcome wait_for_one(ProcessPool& pool)
{
  std::optional<ProcessOutcome> outcome = pool.wait(std::chrono::seconds(60));
  if (!outcome) {
    throw std::runtime_error("no child ended");
  }
  return *outcome;
}

ProcessOutcome run_one(const std::function<ProcessReport()>& work)
{
  ProcessPool pool;
  pool.start(0, work);
  return wait_for_one(pool);
}

TEST(ProcessPool, BringsBackCodesAndTexts)
{
  ProcessPool pool;
  for (std::size_t task = 0; task < 5; ++task) {
    ASSERT_TRUE(pool.start(task, [task] { return ProcessReport{static_cast<int>(task), std::string(task, 'x')}; }));
  }
  EXPECT_EQ(pool.running(), 5U);
  std::map<std::size_t, ProcessReport> reports;
  while (pool.running() > 0) {
    const ProcessOutcome outcome = wait_for_one(pool);
    EXPECT_EQ(outcome.signal, 0);
    reports[outcome.task] = outcome.report;
  }
  ASSERT_EQ(reports.size(), 5U);
  for (const auto& [task, report] : reports) {
    EXPECT_EQ(report.code, static_cast<int>(task));
    EXPECT_EQ(report.text, std::string(task, 'x'));
  }
}

TEST(ProcessPool, BringsBackMoreThanAPipeHolds)
{
  const std::string large(3'000'000, 'a');
  const ProcessOutcome outcome = run_one([&] { return ProcessReport{0, large}; });
  EXPECT_EQ(outcome.report.text, large);
}

TEST(ProcessPool, TellsTheSignalThatEndedAChildAndWhatItSaid)
{
  const ProcessOutcome outcome = run_one([]() -> ProcessReport {
    std::fputs("about to break\n", stderr);
    std::raise(SIGUSR1); // SIGSEGV would be the sanitizers'
    return {};
  });
  EXPECT_EQ(outcome.signal, SIGUSR1);
  EXPECT_THAT(outcome.captured_output, HasSubstr("about to break"));
}

TEST(ProcessPool, AnExceptionEndsOnlyItsChild)
{
  ProcessPool pool;
  pool.start(0, []() -> ProcessReport { throw std::runtime_error("broken rule"); });
  pool.start(1, []() -> ProcessReport { return {0, "fine"}; });
  std::map<std::size_t, ProcessOutcome> outcomes;
  while (pool.running() > 0) {
    const ProcessOutcome outcome = wait_for_one(pool);
    outcomes[outcome.task] = outcome;
  }
  EXPECT_EQ(outcomes[0].signal, SIGABRT);
  EXPECT_THAT(outcomes[0].captured_output, HasSubstr("broken rule"));
  EXPECT_EQ(outcomes[1].report.text, "fine");
}

TEST(ProcessPool, KeepsOnlyTheEndOfALongTalk)
{
  const ProcessOutcome outcome = run_one([]() -> ProcessReport {
    for (int i = 0; i < 100000; ++i) {
      std::puts("a line of output");
    }
    std::puts("the end");
    return {};
  });
  EXPECT_LE(outcome.captured_output.size(), 4096U);
  EXPECT_THAT(outcome.captured_output, ::testing::EndsWith("the end\n"));
}

TEST(ProcessPool, ChildrenDieWithThePool)
{
  const TemporaryDirectory folder;
  const auto file = folder.path() / "written late";
  {
    ProcessPool pool;
    pool.start(0, [&]() -> ProcessReport {
      ::usleep(300'000);
      folder.write("written late", "x");
      return {};
    });
    EXPECT_FALSE(pool.wait(std::chrono::milliseconds(1)));
  }
  ::usleep(500'000);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(ProcessPool, ASignalEndsTheWait)
{
  const InterruptGuard guard;
  ProcessPool pool;
  pool.start(0, []() -> ProcessReport {
    ::usleep(50'000);
    ::kill(::getppid(), SIGTERM);
    ::usleep(10'000'000);
    return {};
  });
  EXPECT_EQ(InterruptGuard::received(), 0);
  EXPECT_FALSE(pool.wait(std::chrono::seconds(60)));
  EXPECT_EQ(InterruptGuard::received(), SIGTERM);
}

TEST(ProcessPool, ChildrenLeaveInterruptsToTheirParent)
{
  const ProcessOutcome outcome = run_one([] {
    std::raise(SIGINT); // a terminal sends it to all of them
    return ProcessReport{0, "went on"};
  });
  EXPECT_EQ(outcome.report.text, "went on");
}

TEST(ProcessPool, TellsWhereAProgramIsMissing)
{
  const ProcessOutcome outcome = execute_program(std::vector<std::string>{"no-such-program"}, "/");
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.report.code, 127);
}

TEST(ProcessPool, RunsAProgramInAFolder)
{
  const TemporaryDirectory folder;
  const ProcessOutcome outcome =
      execute_program(std::vector<std::string>{"sh", "-c", "pwd; exit 3"}, folder.path().string());
  EXPECT_EQ(outcome.report.code, 3);
  EXPECT_EQ(outcome.captured_output, std::filesystem::canonical(folder.path()).string() + "\n");
}

} // namespace
} // namespace wormcast::testing
